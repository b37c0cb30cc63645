// Built-in systems in formulas: what is filled in, what is refused, and that they run as the same system
// written as an expression, bit for bit.
#include "model/formula_built_in.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "model/formula_model.hpp"

namespace carom {
namespace {

const FormulaBuiltIn bouncer = {
    .name = "bouncer",
    .summary = "a ball on a slope",
    .parameters = {{"m", 2, "> 0"}, {"g", 9.81, "any"}, {"drag", 0, ">= 0"}, {"slope", 0.25, "> 0"}},
    .below = {{"slope", "pi/2"}},
    .coordinates = {"x", "y"},
    .lagrangian = "0.5*m*(x'^2 + y'^2) - m*g*y",
    .gaps = {{"slope", "y*cos(slope) - x*sin(slope)"}},
    .momenta = {{"along", "m*x'"}},
    .start_q = {"slope", "2*m"},
    .start_v = {"sqrt(m)", "-1/m"},
    .draw = {.points = {{"ball", {"x", "y"}}}}};

Scenario stated(const std::string& more = "", const std::string& name = "bouncer") {
  return parse_scenario("title = \"test\"\nsystem.name = \"" + name +
                            "\"\ntime = { step = 0.01, end = 5.0 }\noutput.every = 3\n" + more,
                        "my.toml");
}

std::string refusal(const std::string& more) {
  try {
    formula_built_in(bouncer).check(stated(more));
  } catch (const ScenarioError& e) {
    return e.what();
  }
  return "accepted";
}

// Everything that a run records.
struct Numbers : RunRecords {
  std::vector<double> all;
  std::vector<std::string> checkpoints;
  void begin(const Layout&, const Layout&, const Layout&) override {}
  void row(std::span<const double> x) override { all.insert(all.end(), x.begin(), x.end()); }
  void impact(std::span<const double> x, std::string_view) override {
    all.insert(all.end(), x.begin(), x.end());
  }
  void change(std::span<const double> x, std::string_view) override {
    all.insert(all.end(), x.begin(), x.end());
  }
  bool wants_checkpoint(bool) override { return true; }
  void keep(Checkpoint checkpoint) override { checkpoints.push_back(checkpoint.scenario); }
};

TEST(FormulaBuiltIn, FillsInWhatIsLeftOut) {
  const Scenario s = in_formulas(bouncer, stated("system.parameters = { m = 4.0 }\n"));
  EXPECT_EQ(s.system.parameters,
            (std::map<std::string, ParameterValue>{{"m", 4.0}, {"g", 9.81}, {"drag", 0.0}, {"slope", 0.25}}));
  EXPECT_EQ(*s.initial.q, (std::vector<double>{0.25, 8}));
  EXPECT_EQ(*s.initial.v, (std::vector<double>{2, -0.25}));
  EXPECT_EQ(s.system.name, "bouncer");
  EXPECT_EQ(s.system.gaps, bouncer.gaps);
  const Scenario given = stated();
  EXPECT_EQ(s.title, given.title);
  EXPECT_EQ(s.time, given.time);
  EXPECT_EQ(s.output, given.output);
  EXPECT_EQ(s.source.places.at("system.name"), given.source.places.at("system.name"));
}

// As for a system in C++: q alone is a start at rest, velocities alone are those of the default start's
// place.
TEST(FormulaBuiltIn, TakesWhatTheScenarioSaysOfTheStart) {
  const Scenario q = in_formulas(bouncer, stated("initial.q = [0, 1]\n"));
  EXPECT_EQ(*q.initial.q, (std::vector<double>{0, 1}));
  EXPECT_FALSE(q.initial.v || q.initial.p);
  const Scenario p = in_formulas(bouncer, stated("initial.p = [3, 1]\n"));
  EXPECT_EQ(*p.initial.q, (std::vector<double>{0.25, 4}));
  EXPECT_EQ(*p.initial.p, (std::vector<double>{3, 1}));
  EXPECT_FALSE(p.initial.v);
}

TEST(FormulaBuiltIn, DescribesItself) {
  const Model model = formula_built_in(bouncer);
  EXPECT_EQ(model.name, "bouncer");
  EXPECT_EQ(model.summary, bouncer.summary);
  EXPECT_EQ(model.dim, 2);
  EXPECT_EQ(model.coordinates, bouncer.coordinates);
  EXPECT_EQ(model.contacts, std::vector<std::string>{"slope"});
  EXPECT_EQ(model.draw, bouncer.draw);
  EXPECT_EQ(model.start_q, (std::vector<double>{0.25, 4}));
  EXPECT_EQ(model.start_p, (std::vector<double>{2 * std::sqrt(2.0), -1}));
  ASSERT_EQ(model.parameters.size(), 4u);
  EXPECT_EQ(model.parameters[0].range, "> 0");
  EXPECT_EQ(model.parameters[3].range, "> 0, < pi/2");
}

TEST(FormulaBuiltIn, RefusesWithPlaceAndReason) {
  EXPECT_EQ(refusal(""), "accepted");
  EXPECT_EQ(refusal("system.parameters = { g = -1, drag = 0, slope = 0.3 }\n"), "accepted");
  const std::string key = "my.toml:5:", parameters = "system.parameters.";
  for (const auto& [more, message] : std::vector<std::pair<std::string, std::string>>{
           {parameters + "m = 0", key + "23: system.parameters.m = 0: must be greater than 0"},
           {parameters + "m = -2.5", "system.parameters.m = -2.5: must be greater than 0"},
           {parameters + "drag = -1", "system.parameters.drag = -1: must not be negative"},
           {parameters + "slope = 1.6", "system.parameters.slope = 1.6: must be less than pi/2"},
           {parameters + "m = \"heavy\"", "system.parameters.m = \"heavy\": must be a number"},
           {parameters + "slpoe = 1",
            "the system \"bouncer\" has no such parameter; did you mean \"slope\"?"},
           {parameters + "mass = 1", "has no such parameter; known are m, g, drag, slope"},
           {"initial.q = [1]", key + "13: initial.q = [1]: must have 2 entries"},
           {"initial.q = [0, -1]", "initial.q = [0, -1]: lies behind the contact \"slope\""},
           {"initial.v = [1]", "initial.v = [1]: must have 2 entries"}})
    EXPECT_NE(refusal(more + "\n").find(message), std::string::npos) << more << "\n" << refusal(more + "\n");
}

TEST(FormulaBuiltIn, FormulasOfTheUserAreChecked) {
  Scenario s = stated();
  s.time.until = "z";
  EXPECT_THROW(formula_built_in(bouncer).check(s), ScenarioError);
}

TEST(FormulaBuiltIn, ParametersMayStandInTheFormulaOfTheEnd) {
  Scenario s = stated("system.parameters = { m = 3.0 }\n");
  s.time.until = "y - x - m";  // 6 - 0.25 - 3 at the start
  const RunResult r = formula_built_in(bouncer).run(s, make_method(s), {});
  EXPECT_EQ(r.ended_by, "until");
  EXPECT_NEAR(r.q[1] - r.q[0], 3, 0.1);
}

TEST(FormulaBuiltIn, RunsAsTheExpressionDoes) {
  const Scenario own = stated("system.parameters = { m = 3.0 }\nmethod.flow = \"yoshida4\"\n");
  Scenario spelled = in_formulas(bouncer, own);
  spelled.system.name = "expression";
  spelled = parse_scenario(to_toml(spelled), "expression.toml");
  Numbers ours, theirs;
  const RunResult a = formula_built_in(bouncer).run(own, make_method(own), {.records = &ours});
  const RunResult b = formula_model(spelled).run(spelled, make_method(spelled), {.records = &theirs});
  EXPECT_EQ(a.status, "completed");
  EXPECT_EQ(a.system, "bouncer");
  EXPECT_EQ(b.system, "expression");
  EXPECT_GT(a.impacts, 1);
  EXPECT_EQ(a.impacts, b.impacts);
  EXPECT_EQ(a.momenta.size(), 1u);
  EXPECT_GT(ours.all.size(), 500u);
  ASSERT_EQ(ours.all.size(), theirs.all.size());
  EXPECT_EQ(std::memcmp(ours.all.data(), theirs.all.data(), ours.all.size() * sizeof(double)), 0);
}

TEST(FormulaBuiltIn, CheckpointsHoldTheScenarioAsItWasGiven) {
  Scenario s = stated("system.parameters = { m = 3.0 }\n");
  s.time.end = 1e9;  // the run is stopped as soon as it asks
  s.output.every = 1000000;
  Numbers records;
  const auto r =
      formula_built_in(bouncer).run(s, make_method(s), {.stop = [] { return true; }, .records = &records});
  EXPECT_EQ(r.status, "stopped");
  ASSERT_EQ(records.checkpoints.size(), 1u);
  EXPECT_EQ(records.checkpoints[0], to_toml(s));
}

}  // namespace
}  // namespace carom
