// Every way to get a scenario wrong, by the exact line a user reads.
#include "scenario/scenario.hpp"

#include <gtest/gtest.h>

#include "scenario_helpers.hpp"

namespace carom {
namespace {

TEST(ScenarioErrors, NameWrongTypes) {
  expect_error("title = 3\n" + minimal, "my.toml:1:9: title = 3: must be a string, in quotes");
  expect_error("seed = 1.5\n" + minimal, "my.toml:1:8: seed = 1.5: must be a whole number");
  expect_error("seed = true\n" + minimal, "my.toml:1:8: seed = true: must be a whole number");
  expect_error("time = 3\n" + column, "my.toml:1:8: time = 3: must be a table");
  expect_error("[[time]]\nend = 1\n" + column, "my.toml:1:1: time = [{...}]: must be a table");
  expect_error(minimal + "[method]\nflow = 1979-05-27",
               "my.toml:6:8: method.flow = 1979-05-27: must be a string, in quotes");
  expect_error(minimal + "[method]\nflow = {}",
               "my.toml:6:8: method.flow = {...}: must be a string, in quotes");
  expect_error(minimal + "[method]\nstages = 2.0",
               "my.toml:6:10: method.stages = 2.0: must be a whole number from 1 to 8");
  expect_error(minimal + "[method]\ngamma = \"half\"",
               "my.toml:6:9: method.gamma = \"half\": must be a number from 0 to 1");
  expect_error(minimal + "[initial]\nq = 3", "my.toml:6:5: initial.q = 3: must be an array of numbers");
  expect_error(minimal + "[initial]\nq = [1, \"a\"]", "my.toml:6:5: initial.q.1 = \"a\": must be a number");
  expect_error(minimal + "[initial]\nq = [[1]]", "my.toml:6:5: initial.q.0 = [1]: must be a number");
  expect_error(minimal + "[initial]\nv = []",
               "my.toml:6:5: initial.v = []: must be an array of at least one number");
  expect_error(column + "parameters = 3\n", "my.toml:3:14: system.parameters = 3: must be a table");
  expect_error(column + "parameters.m1 = [1]\n",
               "my.toml:3:17: system.parameters.m1 = [1]: a parameter must be a number or a string");
  expect_error(column + "parameters.m1.m2 = 1\n",
               "my.toml:3:20: system.parameters.m1.m2 = 1: a parameter must be a number or a string");
}

TEST(ScenarioErrors, NameNumbersThatAreNotFinite) {
  expect_error(minimal + "[initial]\nq = [0, nan]",
               "my.toml:6:5: initial.q.1 = nan: must be a finite number");
  expect_error(minimal + "[initial]\np = [-inf]", "my.toml:6:5: initial.p.0 = -inf: must be a finite number");
  expect_error(minimal + "[method]\ntolerance = inf",
               "my.toml:6:13: method.tolerance = inf: must be a finite number above 0");
  expect_error(column + "parameters.m1 = inf",
               "my.toml:3:17: system.parameters.m1 = inf: must be a finite number");
  expect_error(column + "[time]\nend = nan", "my.toml:4:7: time.end = nan: must be a finite number");
}

TEST(ScenarioErrors, NameValuesOutOfRange) {
  expect_error(minimal + "[method]\nstages = 0",
               "my.toml:6:10: method.stages = 0: must be a whole number from 1 to 8");
  expect_error(minimal + "[method]\nstages = 9",
               "my.toml:6:10: method.stages = 9: must be a whole number from 1 to 8");
  expect_error(minimal + "[method]\norder = 0",
               "my.toml:6:9: method.order = 0: must be a whole number of at least 1");
  expect_error(minimal + "[method]\norder = 3000000000",
               "my.toml:6:9: method.order = 3000000000: must be a whole number up to 2147483647");
  expect_error(minimal + "[method]\ngamma = -0.1",
               "my.toml:6:9: method.gamma = -0.1: must be a number from 0 to 1");
  expect_error(minimal + "[method]\nrestitution = 1.5",
               "my.toml:6:15: method.restitution = 1.5: must be a number from 0 to 1");
  expect_error(minimal + "[method]\ntolerance = 0",
               "my.toml:6:13: method.tolerance = 0: must be a number above 0");
  expect_error(minimal + "[output]\nevery = 0",
               "my.toml:6:9: output.every = 0: must be a whole number of at least 1");
  expect_error(minimal + "impacts = 0",
               "my.toml:5:11: time.impacts = 0: must be a whole number of at least 1");
}

TEST(ScenarioErrors, NameTimesThatDoNotFit) {
  expect_error(minimal + "step = 0", "my.toml:5:8: time.step = 0: must be a number above 0");
  expect_error(minimal + "step = -0.5", "my.toml:5:8: time.step = -0.5: must be a number above 0");
  expect_error(minimal + "start = 2",
               "my.toml:4:7: time.end = 1: must be after time.start = 2: a run has one step at least");
  expect_error(minimal + "start = -1e17",
               "my.toml:5:9: time.start = -1e+17: steps of 0.01 cannot be told apart there");
  expect_error(minimal + "step = 1e-17",
               "my.toml:5:8: time.step = 1e-17: 0 to 1 in steps of 1e-17 is more than 2^53 steps");
  expect_error(column + "[time]\nend = 1e300",
               "my.toml:4:7: time.end = 1e+300: 0 to 1e+300 in steps of 0.01 is more than 2^53 steps");
}

TEST(ScenarioErrors, NameWhatIsLeftOutOrOneTooMany) {
  expect_error("[time]\nend = 1", "my.toml: system.name: must be given");
  expect_error("[system]\n[time]\nend = 1", "my.toml:1:1: system.name: must be given");
  expect_error("", "my.toml: system.name: must be given");
  expect_error(column, "my.toml: time.end: must be given, or else time.impacts or time.until");
  expect_error(column + "[time]\nstep = 1",
               "my.toml:3:1: time.end: must be given, or else time.impacts or time.until");
  expect_error(minimal + "[initial]\nv = [1]\np = [2, 3.5]",
               "my.toml:7:5: initial.p = [2, 3.5]: must not stand beside initial.v; give one of the two");
}

TEST(ScenarioErrors, NameFormatsAndMisplacedFormulas) {
  expect_error(minimal + "[output]\nformat = \"npy\"",
               "my.toml:6:10: output.format = \"npy\": unknown format; did you mean \"npz\"?");
  expect_error(minimal + "[draw]\nlines = 1",
               "my.toml:6:9: draw.lines = 1: must be an array of arrays of strings");
  expect_error(minimal + "[draw]\nlines = [[\"a\", true]]",
               "my.toml:6:9: draw.lines.0.1 = true: must be a string, in quotes");
  const std::string misplaced = ": belongs to a system in formulas, with name = \"expression\" or \"dae\"",
                    mechanical = ": belongs to a mechanical system in formulas, with name = \"expression\"",
                    of_a_dae = ": belongs to a DAE in formulas, with name = \"dae\"";
  expect_error(column + "gaps = { floor = \"y\" }\n[time]\nend = 1", "my.toml:3:8: system.gaps" + misplaced);
  for (const auto& [key, why] : std::vector<std::pair<std::string, std::string>>{{"coordinates", misplaced},
                                                                                 {"friction", misplaced},
                                                                                 {"psi", misplaced},
                                                                                 {"force", mechanical},
                                                                                 {"z", of_a_dae},
                                                                                 {"r", of_a_dae}})
    expect_error(column + key + " = [\"x\"]\n[time]\nend = 1",
                 "my.toml:3:" + std::to_string(key.size() + 4) + ": system." + key + why);
  for (const std::string key : {"let", "gaps", "joints", "momenta"})
    expect_error(column + key + " = [\"x\"]\n[time]\nend = 1",
                 "my.toml:3:" + std::to_string(key.size() + 4) + ": system." + key +
                     " = [\"x\"]: must be a table of name = \"formula\"");
}

TEST(ScenarioErrors, TruthsAreTrueOrFalse) {
  for (const std::string value : {"1", "\"true\"", "[true]", "1979-05-27"})
    expect_error(minimal + "[initial]\nproject = " + value,
                 "my.toml:6:11: initial.project = " + value + ": must be true or false");
}

TEST(ScenarioErrors, SuggestTheNearestKey) {
  expect_error(minimal + "[method]\nfolw = \"svc\"",
               "my.toml:6:8: method.folw = \"svc\": unknown key; did you mean \"method.flow\"?");
  expect_error(minimal + "[metod]\nflow = \"svc\"",
               "my.toml:6:8: metod.flow = \"svc\": unknown key; did you mean \"method.flow\"?");
  expect_error(minimal + "[method.flow]\nx = 1",
               "my.toml:6:5: method.flow.x = 1: unknown key; did you mean \"method.flow\"?");
  expect_error("step = 0.1\n" + minimal, "my.toml:1:8: step = 0.1: unknown key; did you mean \"time.step\"?");
  expect_error(minimal + "[output]\nseed = 1",
               "my.toml:6:8: output.seed = 1: unknown key; did you mean \"seed\"?");
  expect_error("\"time.step\" = 1\n" + minimal,
               "my.toml:1:15: \"time.step\" = 1: unknown key; did you mean \"time.step\"?");
  expect_error(
      column + "g = 9.81",
      "my.toml:3:5: system.g = 9.81: unknown key; known are system.name, "
      "system.parameters, system.coordinates, system.z, system.psi, system.lagrangian, system.force, "
      "system.v, system.p, system.f, system.r, system.friction, system.energy, system.held_force, "
      "system.let, system.gaps, "
      "system.contacts, system.joints, system.momenta");
  const std::string list = error_of(minimal + "[elsewhere]");
  EXPECT_TRUE(list.starts_with("my.toml:5:1: elsewhere = {...}: unknown key; known are title, seed, "))
      << list;
}

TEST(ScenarioErrors, ReportTheFirstInTheFile) {
  expect_error(minimal + "[output]\nevry = 1\n[initial]\nq = []",
               "my.toml:6:8: output.evry = 1: unknown key; did you mean \"output.every\"?");
}

TEST(ScenarioErrors, PointAtSyntaxErrors) {
  const auto starts = [](const std::string& text, const std::string& start) {
    EXPECT_TRUE(error_of(text).starts_with(start)) << error_of(text);
    EXPECT_TRUE(is_one_clean_line(error_of(text))) << error_of(text);
  };
  starts(minimal + "end = 2",
         "my.toml:5:7: Error while parsing key-value pair: cannot redefine existing integer 'end'");
  starts(minimal + "step = ", "my.toml:5:8: ");
  starts(minimal + "step == 3", "my.toml:5:7: ");
  starts(minimal + "step = 1e999", "my.toml:5:");
  starts("title = \"\xFF\"\n", "my.toml:1:");
  starts("title = \"a\nb\"\n", "my.toml:1:");
  starts(std::string("title = \"\0\"", 11), "my.toml:1:10: ");
  starts("\x01", "my.toml:1:1: ");
}

TEST(ScenarioErrors, StopBeforeTheStackDoes) {
  std::string names = "a", quoted_names = "\"=,\"";
  for (int i = 0; i < 100'000; ++i) {
    names += ".a";
    quoted_names += " . '#'";
  }
  const std::string deep = "deeper than any key of a scenario";
  EXPECT_NE(error_of("q = " + std::string(100'000, '[')).find("nested"), std::string::npos);
  EXPECT_NE(error_of(std::string(100'000, '[')), "no error");
  EXPECT_NE(error_of(names + " = 1").find(deep), std::string::npos);
  EXPECT_NE(error_of("[" + names + "]").find(deep), std::string::npos);
  EXPECT_NE(error_of("title = \"\"\"\"a\\\"\"\"\"\"\n" + quoted_names + " = 1").find(deep),
            std::string::npos);
  EXPECT_NE(error_of(minimal, {names + "=1"}).find(deep), std::string::npos);
  EXPECT_EQ(error_of("title = 'a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q.r.s.t' # .a.b.c.d.e.f.g.h.i.j.k.l.m.n\n" +
                     minimal),
            "no error");
}

TEST(ScenarioErrors, StayShortAndPrintable) {
  const std::string huge(1'000'000, 'x'), lines(1'000'000, '\n'), nasty = "\x1B[31m\x7F\n\t\xC2\x9B";
  for (const std::string& message :
       {error_of("seed = \"" + huge + "\"\n" + minimal),
        error_of("seed = \"\"\"" + lines + "\"\"\"\n" + minimal), error_of(huge + " = 1\n" + minimal),
        error_of(minimal, {"seed=" + huge}), error_of(minimal, {huge}), error_of(minimal, {"seed=" + nasty}),
        error_of(minimal, {nasty + "=1"}), error_of(minimal, {"seed=\xFF"}), file_error_of(huge),
        file_error_of(nasty), error_of("[system]\nname = \"\"\"" + nasty + "\"\"\"\nx = 1")}) {
    EXPECT_NE(message, "no error");
    EXPECT_TRUE(is_one_clean_line(message)) << message;
  }
  expect_error("seed = \"" + huge + "\"\n" + minimal,
               "my.toml:1:8: seed = \"" + std::string(76, 'x') + "...: must be a whole number");
}

TEST(ScenarioErrors, PointAtTheKeyOrItsTable) {
  const Scenario s =
      parse_scenario(minimal + "[initial]\nq = [1, 2]\n[method]", "my.toml", {"method.base=svc"});
  const auto rejected = [&](const std::string& key) -> std::string {
    try {
      s.reject(key, "7", "why");
    } catch (const ScenarioError& error) {
      return error.what();
    }
  };
  EXPECT_EQ(rejected("system.name"), "my.toml:2:8: system.name = 7: why");
  EXPECT_EQ(rejected("initial.q.1"), "my.toml:6:5: initial.q.1 = 7: why");
  EXPECT_EQ(rejected("method.flow"), "my.toml:7:1: method.flow = 7: why");
  EXPECT_EQ(rejected("method.base"), "--set method.base=svc: method.base = 7: why");
  EXPECT_EQ(rejected("output.format"), "my.toml: output.format = 7: why");
}

}  // namespace
}  // namespace carom
