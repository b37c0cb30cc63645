// Systems in formulas: the same numbers as the built-in system of the same physics, the form that is found in
// them, and what is refused.
#include "model/formula_system.hpp"

#include <gtest/gtest.h>

#include "carom/carom.hpp"
#include "carom/system/sized_system.hpp"
#include "carom/systems/double_pendulum.hpp"
#include "scenario_helpers.hpp"
#include "support/jointed_systems.hpp"

namespace carom {
namespace {

const std::string double_pendulum = R"toml(
[system]
name = "expression"
coordinates = ["a", "b"]
parameters = { m1 = 1.0, m2 = 1.0, L1 = 1.0, L2 = 1.0, g = 10.0 }
lagrangian = "0.5*(m1+m2)*L1^2*a'^2 + 0.5*m2*L2^2*(a'+b')^2 + m2*L1*L2*cos(b)*a'*(a'+b') - (m1+m2)*g*L1*(1-cos(a)) - m2*g*L2*(1-cos(a+b))"
gaps = { wall = "L1*sin(a) + L2*sin(a+b) + 0.25" }
[initial]
q = [0.5647, 1.1106]
[time]
end = 1.0
)toml";

std::shared_ptr<const SystemFormulas> defined(const std::string& text) {
  return define_system(parse_scenario(text, "test.toml"));
}

// Everything that the core asks of a system, at some points.
template <int N>
void expect_equal_to_double_pendulum() {
  const DoublePendulum built_in;
  const FormulaSystem formulas(defined(double_pendulum));
  const SizedSystem<N> system(formulas);
  const Vector<double, 2> q(0.5, 1.1), v(0.3, -0.7);
  Vector<double, N> Q = Vector<double, N>::Zero(), V = Q;
  Q.head(2) = q, V.head(2) = v;
  const auto a = LagrangianAt<DoublePendulum, double, Need::all>(built_in, 0.0, q).jet(v);
  const auto b = LagrangianAt<SizedSystem<N>, double, Need::all>(system, 0.0, Q).jet(V);
  EXPECT_NEAR(a.L, b.L, 1e-14);
  EXPECT_LT((a.Lq - b.Lq.template head<2>()).norm() + (a.Lv - b.Lv.template head<2>()).norm(), 1e-13);
  EXPECT_LT((a.Lqq - b.Lqq.template topLeftCorner<2, 2>()).norm(), 1e-13);
  EXPECT_LT((a.Lqv - b.Lqv.template topLeftCorner<2, 2>()).norm(), 1e-13);
  EXPECT_LT((a.Lvv - b.Lvv.template topLeftCorner<2, 2>()).norm(), 1e-13);
  Values gaps;
  formulas.gaps(0, q, gaps);
  EXPECT_NEAR(built_in.gaps(q)[0], gaps[0], 1e-15);

  State<double, 2> z{q, momentum(built_in, 0.0, q, v)};
  State<double, N> Z{Q, momentum(system, 0.0, Q, V)};
  const auto flow = make_flow("yoshida4");
  for (int n = 0; n < 100; ++n)
    z = flow_step(built_in, flow, 0.0, 0.01, z).z, Z = flow_step(system, flow, 0.0, 0.01, Z).z;
  EXPECT_LT((z.q - Z.q.template head<2>()).norm() + (z.p - Z.p.template head<2>()).norm(), 1e-11);
  EXPECT_EQ(Z.q.tail(N - 2).norm() + Z.p.tail(N - 2).norm(), 0);  // what pads the type stays at rest
}

TEST(FormulaSystem, EqualsTheBuiltInDoublePendulum) { expect_equal_to_double_pendulum<2>(); }
TEST(FormulaSystem, PaddingChangesNothing) {
  expect_equal_to_double_pendulum<8>();
  expect_equal_to_double_pendulum<16>();
}

std::shared_ptr<const SystemFormulas> of_lagrangian(const std::string& lagrangian) {
  return defined(
      "[system]\nname = \"expression\"\ncoordinates = [\"x\", \"y\"]\nparameters = { m = 2.0 }\n"
      "lagrangian = \"" +
      lagrangian + "\"\n[time]\nend = 1.0\n");
}

TEST(FormulaSystem, FindsTheFormOfTheLagrangian) {
  struct Case {
    const char* lagrangian;
    bool quadratic, constant_mass;
  };
  for (const Case& c : {Case{"0.5*m*(x'^2 + y'^2) - x*y", true, true},
                        {"0.5*m*x'^2 + x'*y' + y'*y' - cos(x)", true, true},
                        {"0.5*m*(x'^2 + x^2*y'^2)", true, false},                  // mass depends on q
                        {"0.5*m*(x'^2 + y'^2) + 0.5*(x*y' - y*x')", true, false},  // a magnetic field
                        {"-m*sqrt(1 - x'^2 - y'^2)", false, false}}) {             // relativity
    const auto f = of_lagrangian(c.lagrangian);
    EXPECT_EQ(f->quadratic, c.quadratic) << c.lagrangian;
    EXPECT_EQ(f->constant_mass, c.constant_mass) << c.lagrangian;
  }
  EXPECT_EQ(of_lagrangian("0.5*m*(x'^2 + y'^2) + 0.5*x'*y'")->mass,
            (Eigen::Matrix2d() << 2, 0.5, 0.5, 2).finished());
}

// The explicit step of a constant mass is the step that Newton's method finds.
TEST(FormulaSystem, ExplicitStepsEqualImplicitOnes) {
  struct Slow : FormulaSystem {
    using FormulaSystem::FormulaSystem;
    bool constant_mass() const override { return false; }
  };
  const auto formulas = of_lagrangian("0.5*m*(x'^2 + y'^2) - 0.5*(x^2 + y^2) - x^2*y + y^3/3");
  const FormulaSystem explicit_one(formulas);
  const Slow implicit_one(formulas);
  const auto fast = make_free_flow(explicit_one), slow = make_free_flow(implicit_one);
  Phase a{Vector<double, 2>(0.1, 0.2), Vector<double, 2>(0.3, -0.1)}, b = a;
  for (int n = 0; n < 200; ++n) {
    EXPECT_TRUE((*fast)(svc(), 0.0, 0.05, a).outcome.ok());
    EXPECT_TRUE((*slow)(svc(), 0.0, 0.05, b).outcome.ok());
  }
  EXPECT_LT((a.q - b.q).norm() + (a.p - b.p).norm(), 1e-12);
}

TEST(FormulaSystem, DefinitionsMayUseEachOther) {
  const auto f = defined(R"toml(
[system]
name = "expression"
coordinates = ["x", "y"]
lagrangian = "T - V"
let = { V = "k*r^2", T = "0.5*(x'^2 + y'^2)", r = "hypot(x, y)" }
parameters = { k = 3.0 }
[time]
end = 1.0
)toml");
  Values Lq(2), Lv(2);
  EXPECT_DOUBLE_EQ(FormulaSystem(f).slopes(0, Vector<double, 2>(3, 4), Vector<double, 2>(1, 1), Lq, Lv),
                   1 - 75.0);
}

// Two rods with joints in formulas take the steps of the same system in C++.
TEST(FormulaSystem, JointsAsInCpp) {
  const auto built_in = make_system(test::TwoRods{});
  const FormulaSystem system(defined(R"toml(
[system]
name = "expression"
coordinates = ["x", "y", "X", "Y"]
parameters = { g = 9.81, l = 0.8 }
lagrangian = "0.5*(x'^2 + y'^2) + 0.25*(X'^2 + Y'^2) - g*(y + 0.5*Y)"
joints = { upper = "x^2 + y^2 - 1", lower = "(X - x)^2 + (Y - y)^2 - l^2" }
[time]
end = 1.0
)toml"));
  EXPECT_EQ(system.joint_count(), 2);
  EXPECT_EQ(system.joint_name(1), "lower");
  HeldFlow in_cpp(*built_in), in_formulas(system);
  auto a = validated_state(*built_in, test::TwoRods{}.start()), b = a;
  for (const char* name : {"svc", "midpoint", "yoshida4"})
    for (int n = 0; n < 50; ++n) {
      ASSERT_TRUE(in_cpp(make_flow(name), 0.0, 0.01, a, {}, HeldFlow::Hold::bilateral).outcome.ok());
      ASSERT_TRUE(in_formulas(make_flow(name), 0.0, 0.01, b, {}, HeldFlow::Hold::bilateral).outcome.ok());
    }
  EXPECT_LT((a.q - b.q).norm() + (a.p - b.p).norm(), 1e-11);
  Values f;
  system.joints(0, b.q, f);
  EXPECT_LT(f.lpNorm<Eigen::Infinity>(), 1e-14);
}
TEST(FormulaSystem, HasNoJointsWhereNoneAreStated) {
  const FormulaSystem system(of_lagrangian("0.5*m*(x'^2 + y'^2)"));
  EXPECT_EQ(system.joint_count(), 0);
}

// Each replaces the line of its key in a scenario that is good.
TEST(FormulaSystem, RefusesWithPlaceAndReason) {
  const std::string good =
      "[system]\nname = \"expression\"\ncoordinates = [\"x\", \"y\"]\nparameters = { m = 1.0 }\n"
      "lagrangian = \"0.5*m*(x'^2 + y'^2)\"\nlet = { r = \"x\" }\ngaps = { floor = \"y\" }\n"
      "momenta = { px = \"x'\" }\nforce = [\"0\", \"0\"]\njoints = {}\n[time]\nend = 1.0\n";
  const auto message_of = [&](const std::string& line) -> std::string {
    std::string text = good;
    const std::size_t at = text.find("\n" + line.substr(0, line.find(' ')) + " ") + 1;
    text.replace(at, text.find('\n', at) - at, line);
    try {
      defined(text);
    } catch (const ScenarioError& e) {
      return e.what();
    }
    return "accepted";
  };
  EXPECT_EQ(message_of("gaps = { floor = \"y - 1\" }"), "accepted");
  for (const auto& [line, message] : std::vector<std::pair<std::string, std::string>>{
           {"lagrangian = \"0.5*m*x'^2 -\"",
            "test.toml:5:14: system.lagrangian = \"0.5*m*x'^2 -\": column 13: expected"},
           {"lagrangian = \"0.5*M*x'^2\"", "column 5: "},
           {"lagrangian = \"\"", "system.lagrangian"},
           {"lagrangian = 5", "must be a string"},
           {"lagrangian = [5]", "must be a string"},
           {"coordinates = []", "must be given"},
           {"coordinates = [\"sin\", \"y\"]", "name of a function"},
           {"coordinates = [\"x\", \"x\"]", "taken already"},
           {"coordinates = [\"t\", \"y\"]", "name of time"},
           {"coordinates = [\"m\", \"y\"]", "taken already"},
           {"coordinates = [\"2x\", \"y\"]", "begins with a letter"},
           {"coordinates = [\"x'\", \"y\"]", "letters, digits"},
           {"parameters = { m = \"heavy\" }", "must be a number"},
           {"parameters = { pi = 3.0 }", "name of a function or constant"},
           {"let = { r = \"r + 1\" }", "defined by itself"},
           {"let = { r = \"s\", s = \"r\" }", "defined by itself"},
           {"let = { x = \"1\" }", "taken already"},
           {"gaps = { floor = \"y + x'\" }", "must not depend on the velocity x'"},
           {"gaps = { floor = \"y +* 1\" }", "column 4"},
           {"gaps = \"y\"", "must be a table"},
           {"momenta = { px = \"x' + q\" }", "column 6"},
           {"force = [\"0\"]", "must have 2, one per coordinate"},
           {"force = [\"0\", \"sin(\"]", "system.force.1"},
           {"joints = { rod = \"x^2 + y'^2 - 1\" }", "a joint must not depend on the velocity y'"},
           {"joints = { rod = \"x\", bar = \"y\" }",
            "system.joints = 2 formulas: must be fewer than the 2 coordinates"},
           {"joints = { rod = \"x^2 + \" }", "column"},
           {"gaps = { floor = \"y - floor(x)\" }", "jumps near x = "},
           {"gaps = { floor = \"y - sign(x)\" }", "; a gap must be continuous"},
           {"gaps = { floor = \"if(t < 3, y, y + 1)\" }", "jumps near t = 3, from "},
           {"joints = { rod = \"x - mod(y, 2)\" }", "; a joint must be continuous"},
           {"lagrangian = \"0.5*m*(x'^2 + y'^2) - if(x > 1, 2, 0)\"", "jumps near x = 1, from "},
           {"lagrangian = \"0.5*if(x < 2, 1, m + 1)*(x'^2 + y'^2)\"", "; a Lagrangian must be continuous"}})
    EXPECT_NE(message_of(line).find(message), std::string::npos) << line << "\n" << message_of(line);
}

}  // namespace
}  // namespace carom
