// Friction in formulas: its values and derivatives, which names it may use, and what is refused.
#include <gtest/gtest.h>

#include "carom/dae/mechanical_dae.hpp"
#include "model/formula_built_in.hpp"
#include "model/formula_model.hpp"
#include "model/formula_system.hpp"
#include "scenario_helpers.hpp"

namespace carom {
namespace {

const std::string sliding = R"toml(
[system]
name = "expression"
coordinates = ["x", "y"]
parameters = { m = 1.0, b = 0.01, g = 9.81, c = 0.1, r = 0.85 }
let = { load = "abs(N)*sqrt(1 + 9*b^2*x^4)", speed = "hypot(x', y')" }
lagrangian = "0.5*m*(x'^2 + y'^2) - m*g*y"
gaps = { surface = "y - b*x^3" }
joints = {}
psi = ["N"]
friction = ["-c*load^r*x'/speed", "-c*load^r*y'/speed"]
[initial]
q = [10.0, 10.0]
v = [-3.6, -10.8]
[time]
end = 1.0
)toml";

std::shared_ptr<const SystemFormulas> defined(const std::string& text) {
  return define_system(parse_scenario(text, "test.toml"));
}

// The sliding system with the line of one key replaced.
std::string with(const std::string& line) {
  std::string text = sliding;
  const std::size_t at = text.find("\n" + line.substr(0, line.find(' ')) + " =") + 1;
  return text.replace(at, text.find('\n', at) - at, line);
}
std::string message_of(const std::string& text) {
  try {
    defined(text);
  } catch (const ScenarioError& e) {
    return e.what();
  }
  return "accepted";
}

// The force; its slopes follow in the array.
Values friction_of(const FormulaSystem& system, const Values& q, const Values& v, const Values& psi) {
  const auto n = q.size();
  Values out(n + 2 * n * n + n * psi.size());
  system.friction(q.data(), v.data(), psi.data(), out.data());
  return out.head(n);
}
Values friction_of(const Vector<double, 2>& q, const Vector<double, 2>& v, double psi) {
  return friction_of(FormulaSystem(defined(sliding)), q, v, Values::Constant(1, psi));
}

TEST(FrictionFormulas, AreThatOfTheCubic) {
  const double x = 10, psi = 1.7586, load = psi * std::sqrt(1 + 9e-4 * std::pow(x, 4));
  const Vector<double, 2> v(-3.6, -10.8), expected = -0.1 * std::pow(load, 0.85) * v / v.norm();
  EXPECT_LT((friction_of({x, 10}, v, psi) - expected).norm(), 1e-15);
  EXPECT_LT((friction_of({x, 10}, v, -psi) - expected).norm(), 1e-15);
  EXPECT_TRUE(FormulaSystem(defined(sliding)).rubs());
  EXPECT_FALSE(FormulaSystem(defined(with("friction = []"))).rubs());
}

// As a DAE: derivatives by finite differences.
TEST(FrictionFormulas, HaveExactDerivatives) {
  const MechanicalDae dae(std::make_shared<FormulaSystem>(defined(sliding)));
  ASSERT_TRUE(dae.has_friction());
  const Values y{{2.0, 0.3}}, z{{-1.0, 0.5}}, psi{{0.7}};
  const auto at = [&](const Values& a, const Values& b, const Values& c) {
    DaeReaction r;
    dae.reaction(a, b, c, 1, r);
    return r;
  };
  const DaeReaction r = at(y, z, psi);
  const double h = 1e-6;
  for (int i = 0; i < 2; ++i) {
    const Values d = h * Values::Unit(2, i);
    EXPECT_LT(((at(y + d, z, psi).r - at(y - d, z, psi).r) / (2 * h) - r.r_y.col(i)).norm(), 1e-8);
    EXPECT_LT(((at(y, z + d, psi).r - at(y, z - d, psi).r) / (2 * h) - r.r_z.col(i)).norm(), 1e-8);
  }
  const Values d = Values::Constant(1, h);
  EXPECT_LT(((at(y, z, psi + d).r - at(y, z, psi - d).r) / (2 * h) - r.r_psi.col(0)).norm(), 1e-8);
}

// Nothing presses: the force is 0 for every exponent. A power below 1 has no slope there; the DAE gives one
// all the same, and a force too small to matter.
TEST(FrictionFormulas, VanishWithTheMultiplier) {
  EXPECT_EQ(friction_of({10, 10}, {-3.6, -10.8}, 0).norm(), 0);
  for (const std::string& text :
       {sliding, with("parameters = { m = 1, b = 0.01, g = 9.81, c = 0.1, r = 1 }")}) {
    const MechanicalDae dae(std::make_shared<FormulaSystem>(defined(text)));
    DaeReaction r;
    dae.reaction(Values{{2.0, 0.3}}, Values{{-1.0, 0.5}}, Values::Zero(1), 1, r);
    EXPECT_LT(r.r.norm(), 1e-150);
    EXPECT_TRUE(r.r_y.allFinite() && r.r_z.allFinite() && r.r_psi.allFinite());
  }
}

TEST(FrictionFormulas, NameTheMultipliersJointsFirst) {
  const FormulaSystem system(defined(R"toml(
[system]
name = "expression"
coordinates = ["x", "y", "a"]
lagrangian = "0.5*(x'^2 + y'^2 + a'^2)"
gaps = { floor = "y" }
joints = { rod = "x - a" }
friction = ["-psi1*x'", "-psi2*x'", 0]
[time]
end = 1.0
)toml"));
  const Values q{{0, 0, 0}}, v{{2, 0, 0}};
  EXPECT_EQ(friction_of(system, q, v, Values{{3, 5}}), (Values{{-6, -10, 0}}));
}

TEST(FrictionFormulas, RefuseWithPlaceAndReason) {
  EXPECT_EQ(message_of(sliding), "accepted");
  const std::string no_gaps = "gaps = {}";
  for (const auto& [line, message] : std::vector<std::pair<std::string, std::string>>{
           {"friction = [\"-N*x'\"]",
            "test.toml:11:12: system.friction = an array of 1: must have 2, one per coordinate"},
           {"friction = [\"-N*t\", 0]", "system.friction.0 = \"-N*t\": must not depend on t"},
           {"friction = [\"-N*q\", 0]", "system.friction.0 = \"-N*q\": column 4"},
           {"friction = [0, \"-0.1*x'\"]",
            "system.friction.1 = \"-0.1*x'\": must be 0 where N is 0; what is not stands in force"},
           {"friction = \"-N\"", "must be an array of strings"},
           {"psi = [\"N\", \"M\"]", "test.toml:10:7: system.psi = an array of 2: must have 1"},
           {"psi = [\"x\"]", "test.toml:10:7: system.psi.0 = \"x\": this name is taken already"},
           {"psi = [\"sin\"]", "name of a function"},
           {"psi = [\"load\"]", "system.let.load = \"load\": this name is taken already"},
           {"lagrangian = \"0.5*(x'^2 + y'^2) - N*y\"",
            "must not depend on the multiplier N, which may stand in friction only"},
           {"lagrangian = \"0.5*(x'^2 + y'^2) - load\"", "must not depend on the multiplier N"},
           {"gaps = { surface = \"y - N\" }", "must not depend on the multiplier N"}})
    EXPECT_NE(message_of(with(line)).find(message), std::string::npos) << line << "\n"
                                                                       << message_of(with(line));
}

TEST(FrictionFormulas, NeedSomethingThatPresses) {
  const std::string message = message_of(
      "[system]\nname = \"expression\"\ncoordinates = [\"x\"]\nlagrangian = \"0.5*x'^2\"\n"
      "friction = [\"-x'\"]\n[time]\nend = 1.0\n");
  EXPECT_NE(message.find("there are neither joints nor gaps that press; what needs none stands in force"),
            std::string::npos)
      << message;
}

// A name like a multiplier's is free where nothing names multipliers.
TEST(FrictionFormulas, OtherSystemsKeepTheirNames) {
  EXPECT_EQ(message_of("[system]\nname = \"expression\"\ncoordinates = [\"psi1\"]\n"
                       "lagrangian = \"0.5*psi1'^2\"\ngaps = { floor = \"psi1\" }\n[time]\nend = 1.0\n"),
            "accepted");
}

TEST(FrictionFormulas, EveryOtherStepperRefusesThem) {
  EXPECT_EQ(formula_model(parse_scenario(sliding, "test.toml")).stepper, "dae-euler");
  for (const std::string stepper : {"event-driven", "smooth", "contact", "gvi", "direct"}) {
    const Scenario s = parse_scenario(sliding, "test.toml", {"method.stepper=" + stepper});
    try {
      formula_model(s).check(s);
      ADD_FAILURE() << stepper;
    } catch (const ScenarioError& e) {
      EXPECT_EQ(std::string(e.what()), "test.toml:11:12: system.friction: the stepper \"" + stepper +
                                           "\" knows no friction; stepper = \"dae-euler\" does");
    }
  }
}

TEST(FrictionFormulas, AreCompiledWithTheOthers) {
  SystemFormulas formulas = *define_system(parse_scenario(sliding, "test.toml"));
  EXPECT_EQ(std::ranges::count(formulas.programs(), &formulas.friction), 1);
}

TEST(FrictionFormulas, ReadBackToTheSame) {
  const Scenario s = parse_scenario(sliding, "my.toml");
  const Scenario again = parse_scenario(to_toml(s), "again.toml");
  EXPECT_EQ(again.system, s.system);
  EXPECT_EQ(to_toml(again), to_toml(s));
}

TEST(FrictionFormulas, ABuiltInSystemMayStateThem) {
  const FormulaBuiltIn block = {.name = "block",
                                .summary = "a block on a floor",
                                .parameters = {{"mu", 0.5, ">= 0"}},
                                .coordinates = {"x", "y"},
                                .lagrangian = "0.5*(x'^2 + y'^2) - y",
                                .gaps = {{"floor", "y"}},
                                .friction = {"-mu*psi1*x'/abs(x')", "0"},
                                .start_q = {"0", "0"},
                                .start_v = {"mu", "0"}};
  const Model model = formula_built_in(block);
  EXPECT_EQ(model.stepper, "dae-euler");
  const Scenario s =
      in_formulas(block, parse_scenario("[system]\nname = \"block\"\n[time]\nend = 1.0\n", "my.toml"));
  EXPECT_EQ(s.system.friction, block.friction);
  EXPECT_EQ(*s.initial.v, (std::vector<double>{0.5, 0}));
}

}  // namespace
}  // namespace carom
