#include "scenario/scenario.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <limits>
#include <random>

#include "scenario_helpers.hpp"

namespace carom {
namespace {

using Parameters = std::map<std::string, ParameterValue>;

const std::string one_of_everything = R"(title = "one of \"everything\""
seed = 42
[system]
name = "newton-cradle"
parameters = { balls = 5, angle = 0.25, coordinates = "angles" }
[initial]
q = [0, -0.5, 1e-3]
v = [1.0, 2, 3]
psi = [-2, 0.1]
project = true
[method]
name = "cva"
stepper = "event-driven"
flow = "gauss"
base = "sva"
stages = 8
gamma = 0.5
impact = "continuous-energy"
order = 4
fraction = "uniform"
restitution = 1
reflection = "elastic"
energy = "hamiltonian"
predictor = "quadratic"
tolerance = 1e-12
[time]
start = -1
step = 0.125
end = 9.5
impacts = 100
[output]
every = 10
format = "npz"
)";

void expect_same(const Scenario& a, const Scenario& b) {
  EXPECT_EQ(a.title, b.title);
  EXPECT_EQ(a.seed, b.seed);
  EXPECT_EQ(a.system, b.system);
  EXPECT_EQ(a.initial, b.initial);
  EXPECT_EQ(a.method, b.method);
  EXPECT_EQ(a.time, b.time);
  EXPECT_EQ(a.output, b.output);
  EXPECT_EQ(a.draw, b.draw);
}

TEST(Scenario, HasEveryDefault) {
  const Scenario s = parse_scenario(minimal, "my.toml");
  EXPECT_EQ(s.title, "");
  EXPECT_EQ(s.seed, 0);
  EXPECT_EQ(s.system, (SystemSpec{"column", {}}));
  EXPECT_EQ(s.initial, InitialSpec{});
  EXPECT_EQ(s.method, MethodSpec{});
  EXPECT_EQ(s.time, (TimeSpec{.start = 0, .step = 0.01, .end = 1.0, .impacts = {}}));
  EXPECT_EQ(s.output, (OutputSpec{.every = 1, .format = "npz"}));
  EXPECT_EQ(s.source.file, "my.toml");
}

TEST(Scenario, ReadsOneOfEverything) {
  const Scenario s = parse_scenario(one_of_everything, "my.toml");
  EXPECT_EQ(s.title, "one of \"everything\"");
  EXPECT_EQ(s.seed, 42);
  EXPECT_EQ(s.system.name, "newton-cradle");
  EXPECT_EQ(s.system.parameters.at("balls"), ParameterValue(5.0));
  EXPECT_EQ(s.system.parameters.at("angle"), ParameterValue(0.25));
  EXPECT_EQ(s.system.parameters.at("coordinates"), ParameterValue("angles"));
  EXPECT_EQ(
      s.initial,
      (InitialSpec{.q = {{0, -0.5, 1e-3}}, .v = {{1, 2, 3}}, .p = {}, .project = true, .psi = {{-2, 0.1}}}));
  const MethodSpec& m = s.method;
  EXPECT_EQ(m.name, "cva");
  EXPECT_EQ(m.stepper, "event-driven");
  EXPECT_EQ(m.flow, "gauss");
  EXPECT_EQ(m.base, "sva");
  EXPECT_EQ(m.stages, 8);
  EXPECT_EQ(m.gamma, 0.5);
  EXPECT_EQ(m.impact, "continuous-energy");
  EXPECT_EQ(m.order, 4);
  EXPECT_EQ(m.fraction, "uniform");
  EXPECT_EQ(m.restitution, 1.0);
  EXPECT_EQ(m.reflection, "elastic");
  EXPECT_EQ(m.energy, "hamiltonian");
  EXPECT_EQ(m.predictor, "quadratic");
  EXPECT_EQ(m.tolerance, 1e-12);
  EXPECT_EQ(s.time, (TimeSpec{.start = -1, .step = 0.125, .end = 9.5, .impacts = 100}));
  EXPECT_EQ(s.output, (OutputSpec{.every = 10, .format = "npz"}));
  EXPECT_EQ(s.source.places.at("method.flow"), "my.toml:14:8");
}

TEST(Scenario, ReadsMomentaAndEmptyTables) {
  const Scenario s = parse_scenario(
      "[system]\nname = \"column\"\nparameters = {}\n[method]\n[output]\n[initial]\np = [1]\n[time]\nimpacts "
      "= 3",
      "my.toml");
  EXPECT_EQ(s.initial, (InitialSpec{.q = {}, .v = {}, .p = {{1}}}));
  EXPECT_EQ(s.time.impacts, 3);
  EXPECT_FALSE(s.time.end);
}

TEST(Scenario, CountsSteps) {
  EXPECT_EQ((TimeSpec{.start = 0, .step = 0.1, .end = 0.3, .impacts = {}}).steps(), 3);  // 0.3 / 0.1 < 3
  EXPECT_EQ((TimeSpec{.start = 1, .step = 0.4, .end = 2.0, .impacts = {}}).steps(), 2);
  EXPECT_EQ((TimeSpec{.start = 1, .step = 0.4, .end = 1.0, .impacts = {}}).steps(), 0);
  EXPECT_EQ((TimeSpec{.start = 0, .step = 0.1, .end = {}, .impacts = 5}).steps(), max_steps);
  EXPECT_EQ((TimeSpec{.start = -1e308, .step = 1e-9, .end = 1e308, .impacts = {}}).steps(), max_steps);
}

TEST(Scenario, EndsWithAShorterStepWhereItIsNoMultiple) {
  const auto short_end = [](double start, double step, double end) {
    return TimeSpec{.start = start, .step = step, .end = end, .impacts = {}}.short_end();
  };
  EXPECT_EQ(short_end(1, 0.4, 2.0), 2.0);
  EXPECT_EQ(short_end(0, 0.1, 0.05), 0.05);
  EXPECT_EQ(short_end(-3, 1e30, 1), 1.0);
  EXPECT_FALSE(short_end(0, 0.1, 0.3));
  for (const double unit : {1e-12, 1.0, 1e12})
    for (const double start : {0.0, 3.0, 1e7 * unit})
      for (int n = 1; n < 3000; n += 17) {
        const double step = unit * 0.007, end = start + n * step;
        EXPECT_FALSE(short_end(start, step, end)) << start << ' ' << n;
        EXPECT_EQ((TimeSpec{.start = start, .step = step, .end = end, .impacts = {}}).steps(), n);
      }
  EXPECT_FALSE((TimeSpec{.start = 0, .step = 0.1, .end = {}, .impacts = 5}).short_end());
}

TEST(ScenarioToml, ReadsBackToTheSame) {
  for (const std::string& text : {minimal, one_of_everything}) {
    const Scenario s = parse_scenario(text, "my.toml");
    expect_same(parse_scenario(to_toml(s), "again.toml"), s);
    EXPECT_EQ(to_toml(parse_scenario(to_toml(s), "again.toml")), to_toml(s));
  }
}

TEST(ScenarioToml, KeepsEveryDigit) {
  std::mt19937_64 random(1);
  using limits = std::numeric_limits<double>;
  std::vector<double> q = {0.1,
                           1.0 / 3,
                           1e16,
                           1e22,
                           123456789,
                           limits::max(),
                           1e-5,
                           limits::min(),
                           limits::lowest(),
                           limits::denorm_min(),
                           9007199254740993.0};
  while (q.size() < 5000) {
    const double number = std::bit_cast<double>(random());
    if (std::isfinite(number)) q.push_back(number);
  }
  Scenario s = parse_scenario(minimal, "my.toml");
  s.initial.q = q;
  s.system.parameters["m1"] = std::nextafter(1.0, 2.0);
  s.time.start = -0.0;
  const Scenario again = parse_scenario(to_toml(s), "again.toml");
  expect_same(again, s);
  EXPECT_TRUE(std::signbit(again.time.start));
}

TEST(ScenarioToml, KeepsNumbersReal) {
  const std::string text = to_toml(parse_scenario(minimal, "my.toml", {"time.start=-3", "time.step=1e30"}));
  EXPECT_NE(text.find("start = -3.0\n"), std::string::npos) << text;
  EXPECT_NE(text.find("step = 1e+30\n"), std::string::npos) << text;
}

TEST(ScenarioToml, KeepsEmptyEntriesOfLists) {
  Scenario s = parse_scenario(minimal, "my.toml");
  s.draw.circles = {{}, {"bob", "1"}};
  s.draw.points = {{"nothing", {}}};
  expect_same(parse_scenario(to_toml(s), "again.toml"), s);
}

const std::string with_contacts = R"([system]
name = "expression"
[system.gaps]
roof = "2 - y"
[system.contacts]
floor = { gap = "y - R", restitution = 0.8, when = "a > 0" }
"left wall" = { gap = "x", restitution = "e^2" }
right.gap = 1
[time]
end = 1
)";

TEST(Scenario, ReadsContactsInTheirOrder) {
  const Scenario s = parse_scenario(with_contacts, "my.toml");
  EXPECT_EQ(s.system.contacts, (Contacts{{"floor", {.gap = "y - R", .restitution = 0.8, .when = "a > 0"}},
                                         {"left wall", {.gap = "x", .restitution = "e^2"}},
                                         {"right", {.gap = "1"}}}));
  EXPECT_EQ(s.system.contact_count(), 4u);
  EXPECT_EQ(s.source.places.at("system.contacts.floor.when"), "my.toml:6:52");
  const Scenario changed = parse_scenario(
      with_contacts, "my.toml",
      {"system.contacts.floor.restitution=0.5", "system.contacts.\"left wall\"={gap=\"x + 1\"}",
       "system.contacts.roof.gap=y", "system.gaps={}"});
  EXPECT_EQ(changed.system.contacts,
            (Contacts{{"floor", {.gap = "y - R", .restitution = 0.5, .when = "a > 0"}},
                      {"right", {.gap = "1"}},
                      {"left wall", {.gap = "x + 1"}},
                      {"roof", {.gap = "y"}}}));
}

TEST(ScenarioToml, KeepsContacts) {
  const Scenario s = parse_scenario(with_contacts, "my.toml");
  expect_same(parse_scenario(to_toml(s), "again.toml"), s);
  EXPECT_EQ(to_toml(parse_scenario(to_toml(s), "again.toml")), to_toml(s));
  EXPECT_NE(
      to_toml(s).find("contacts = { floor = { gap = \"y - R\", restitution = 0.8, when = \"a > 0\" }, "
                      "\"left wall\" = { gap = \"x\", restitution = \"e^2\" }, right = { gap = \"1\" } }"),
      std::string::npos)
      << to_toml(s);
}

TEST(ScenarioToml, EscapesStrings) {
  Scenario s = parse_scenario(minimal, "my.toml");
  s.title =
      "tab\t quote\" back\\slash\nline\r bell\a del\x7F \xC2\x85 \xC3\xBC \xF0\x9F\x8E\xB1 \"\"\" ''' # [x]";
  s.title += '\0';
  s.system.parameters = {{"a.b \"c\"", "=\n"}, {"", 1.0}, {"\xC3\xBC", 2.0}};
  expect_same(parse_scenario(to_toml(s), "again.toml"), s);
}

TEST(ScenarioFiles, AreReadOrRefused) {
  const std::string path = testing::TempDir() + "carom_scenario_test.toml";
  std::ofstream(path) << one_of_everything;
  expect_same(read_scenario(path), parse_scenario(one_of_everything, "my.toml"));
  EXPECT_EQ(read_scenario(path).source.places.at("seed"), path + ":2:8");
  std::ofstream(path) << '#' << std::string(4 << 20, 'x');
  EXPECT_EQ(file_error_of(path), path + ": is larger than 4 MB, so it is not a scenario");
  std::remove(path.c_str());
  EXPECT_EQ(file_error_of(path), path + ": cannot be read: No such file or directory");
  EXPECT_EQ(file_error_of(testing::TempDir()), testing::TempDir() + ": is a directory, not a scenario file");
}

TEST(ScenarioOverrides, SetChangeAndCreate) {
  const Scenario s =
      parse_scenario(minimal, "my.toml",
                     {"time.end=3", "method.flow=svc", "method.stages = 4", "title=two words # and more",
                      "initial.q=[1, 2.5]", "system.parameters.m1=2", "system.parameters.\"a=b\"='x'",
                      "method.base=\"sva\"", "seed=0x10"});
  EXPECT_EQ(s.time.end, 3.0);
  EXPECT_EQ(s.method.flow, "svc");
  EXPECT_EQ(s.method.stages, 4);
  EXPECT_EQ(s.title, "two words # and more");
  EXPECT_EQ(s.initial.q, (std::vector<double>{1, 2.5}));
  EXPECT_EQ(s.system.parameters, (Parameters{{"m1", 2.0}, {"a=b", "x"}}));
  EXPECT_EQ(s.method.base, "sva");
  EXPECT_EQ(s.seed, 16);
  EXPECT_EQ(s.source.places.at("method.flow"), "--set method.flow=svc");
  EXPECT_EQ(s.source.places.at("system.name"), "my.toml:2:8");
}

TEST(ScenarioOverrides, ChangeElementsOfArrays) {
  const Scenario s = parse_scenario(one_of_everything, "my.toml", {"initial.q.0=3.2", "initial.q.2=-1"});
  EXPECT_EQ(s.initial.q, (std::vector<double>{3.2, -0.5, -1}));
  EXPECT_EQ(s.source.places.at("initial.q.0"), "--set initial.q.0=3.2");
  expect_error(one_of_everything,
               "--set initial.q.3=1: initial.q.3 = 1: initial.q has 3 elements, the first is initial.q.0",
               {"initial.q.3=1"});
  expect_error(one_of_everything,
               "--set initial.p.0=1: initial.p.0 = 1: there is no array initial.p to change an element of",
               {"initial.p.0=1"});
  expect_error(one_of_everything, "--set initial.q.1=nan: initial.q.1 = nan: must be a finite number",
               {"initial.q.1=nan"});
  expect_error(one_of_everything, "--set initial.q.1=x: initial.q.1 = \"x\": must be a number",
               {"initial.q.1=x"});
  const std::string too_far = error_of(one_of_everything, {"initial.q.99999999999999999999999=1"});
  EXPECT_NE(too_far.find("initial.q has 3 elements"), std::string::npos) << too_far;
}

TEST(ScenarioOverrides, LaterWins) {
  const Scenario s = parse_scenario(one_of_everything, "my.toml",
                                    {"seed=1", "seed=2", "initial.q.0=9", "initial.q=[5, 5]", "initial.q.1=6",
                                     "system.parameters={balls=3}", "system.parameters.drawn=1"});
  EXPECT_EQ(s.seed, 2);
  EXPECT_EQ(s.initial.q, (std::vector<double>{5, 6}));
  EXPECT_FALSE(s.source.places.contains("initial.q.0"));
  EXPECT_EQ(s.system.parameters, (Parameters{{"balls", 3.0}, {"drawn", 1.0}}));
}

TEST(ScenarioOverrides, MendAFileBeforeItIsChecked) {
  expect_error(minimal + "step = -1", "no error", {"time.step=0.5"});
  expect_error("", "no error", {"system.name=column", "time.impacts=3"});
}

TEST(ScenarioOverrides, AreNamedWhenWrong) {
  expect_error(minimal, "--set seed: must be key=value", {"seed"});
  expect_error(minimal, "--set seed=: must be key=value", {"seed="});
  expect_error(minimal, "--set #a=1: must be one key=value", {"#a=1"});
  expect_error(minimal, "--set seed=1\\ntitle='x': must be one key=value", {"seed=1\ntitle='x'"});
  expect_error(minimal, "--set time.step=0.1x: time.step = \"0.1x\": must be a number above 0",
               {"time.step=0.1x"});
  expect_error(minimal,
               "--set method.folw=svc: method.folw = \"svc\": unknown key; did you mean \"method.flow\"?",
               {"method.folw=svc"});
  for (const std::string broken :
       {"a..b=1", "=1", "initial.q=[1", "title=\"x", "title='\xFF'", "title=\xFF"}) {
    EXPECT_TRUE(error_of(minimal, {broken}).starts_with("--set ")) << error_of(minimal, {broken});
  }
}

}  // namespace
}  // namespace carom
