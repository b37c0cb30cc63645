// DAEs in formulas: the same values and derivatives as the same DAE in C++, and what is refused.
#include "model/dae_formulas.hpp"

#include <gtest/gtest.h>

#include <random>

#include "carom/dae/dense_dae.hpp"
#include "model/dae_model.hpp"
#include "model/formula_built_in.hpp"
#include "scenario_helpers.hpp"

namespace carom {
namespace {

const std::string exponential = R"toml(
[system]
name = "dae"
coordinates = ["y1", "y2"]
z = ["z1", "z2"]
psi = ["psi1"]
v = ["2*z1", "-z2"]
f = ["2*y1*y2*z1*z2 - y1*z1*z2", "z1 - y1*z2^3"]
r = ["y2*z1*psi1^2", "-sqrt(y1)*z1*z2^2*psi1"]
joints = { g = "y1*y2^2 - 1" }
gaps = {}
[initial]
q = [1.0, 1.0]
v = [1.0, 1.0]
psi = [1.0]
[time]
end = 1.0
)toml";

struct Exponential {  // 004, (4.1)
  static constexpr int ny = 2, nz = 2;
  template <class S>
  using Pair = Vector<S, 2>;
  template <class S>
  Pair<S> v(const Pair<S>&, const Pair<S>& z) const {
    return {z[0] * 2.0, -z[1]};
  }
  template <class S>
  Pair<S> f(const Pair<S>& y, const Pair<S>& z) const {
    return {y[0] * y[1] * z[0] * z[1] * 2.0 - y[0] * z[0] * z[1], z[0] - y[0] * z[1] * z[1] * z[1]};
  }
  template <class S>
  Pair<S> r(const Pair<S>& y, const Pair<S>& z, const Vector<S, 1>& psi) const {
    return {y[1] * z[0] * psi[0] * psi[0], -sqrt(y[0]) * z[0] * z[1] * z[1] * psi[0]};
  }
  template <class S>
  Vector<S, 1> g(const Pair<S>& y) const {
    return Vector<S, 1>(y[0] * y[1] * y[1] - 1.0);
  }
};

// One of everything: time, momenta, a joint, a gap, friction and an energy.
const std::string everything = R"toml(
[system]
name = "dae"
coordinates = ["x", "y", "a"]
z = ["u", "w", "s"]
psi = ["N", "M"]
parameters = { m = 1.5, mu = 0.3, k = 2.0 }
let = { speed = "sqrt(u^2 + w^2)", load = "abs(N) + M^2" }
v = ["u", "w + 0.1*x*s", "s/(1 + x^2)"]
p = ["(m + x^2)*u", "m*w + 0.2*a*u", "s"]
f = ["-k*x*cos(t)", "-9.81*m", "sin(a)*u"]
r = ["N*y + M", "N^2*x - M", "0.5*N*M"]
friction = ["-mu*load*u/speed", "-mu*load*w/speed", 0]
joints = { rod = "x^2 + y^2*cos(a) - 1" }
gaps = { floor = "y + exp(a) - 0.2" }
energy = "0.5*m*(u^2 + w^2) + 9.81*m*y"
[time]
end = 1.0
)toml";

struct Everything {
  static constexpr int ny = 3, nz = 3;
  static constexpr double m = 1.5, mu = 0.3, k = 2;
  template <class S>
  using Three = Vector<S, 3>;
  template <class S>
  Three<S> v(const Three<S>& y, const Three<S>& z) const {
    return {z[0], z[1] + y[0] * z[2] * 0.1, z[2] / (y[0] * y[0] + 1.0)};
  }
  template <class S>
  Three<S> p(const Three<S>& y, const Three<S>& z) const {
    return {(y[0] * y[0] + m) * z[0], z[1] * m + y[2] * z[0] * 0.2, z[2]};
  }
  template <class S>
  Three<S> f(const S& t, const Three<S>& y, const Three<S>& z) const {
    return {y[0] * cos(t) * -k, S(-9.81 * m), sin(y[2]) * z[0]};
  }
  template <class S>
  Three<S> r(const Three<S>& y, const Three<S>&, const Vector<S, 2>& psi) const {
    return {psi[0] * y[1] + psi[1], psi[0] * psi[0] * y[0] - psi[1], psi[0] * psi[1] * 0.5};
  }
  template <class S>
  Three<S> friction(const Three<S>&, const Three<S>& z, const Vector<S, 2>& psi) const {
    const S push = (abs(psi[0]) + psi[1] * psi[1]) * -mu / sqrt(z[0] * z[0] + z[1] * z[1]);
    return {push * z[0], push * z[1], S(0.0)};
  }
  template <class S>
  Vector<S, 2> g(const Three<S>& y) const {
    return {y[0] * y[0] + y[1] * y[1] * cos(y[2]) - 1.0, y[1] + exp(y[2]) - 0.2};
  }
  bool one_sided(int i) const { return i == 1; }
  double energy(const Vector<double, 3>& y, const Vector<double, 3>& z) const {
    return 0.5 * m * (z[0] * z[0] + z[1] * z[1]) + 9.81 * m * y[1];
  }
};

std::shared_ptr<const FormulaDae> defined(const std::string& text) {
  return define_dae(parse_scenario(text, "test.toml"));
}

void expect_near(const auto& a, const auto& b, const char* what) {
  ASSERT_EQ(a.rows(), b.rows()) << what;
  ASSERT_EQ(a.cols(), b.cols()) << what;
  EXPECT_LE((a - b).norm(), 1e-12 * (1 + b.norm())) << what << "\n" << a << "\nnot\n" << b;
}

void expect_equal_at(const Dae& a, const Dae& b, double t, const Values& y, const Values& z,
                     const Values& psi) {
  DaeMotion m, n;
  a.motion(t, y, z, m), b.motion(t, y, z, n);
  expect_near(m.v, n.v, "v"), expect_near(m.f, n.f, "f"), expect_near(m.p, n.p, "p");
  expect_near(m.v_y, n.v_y, "v_y"), expect_near(m.v_z, n.v_z, "v_z");
  expect_near(m.f_y, n.f_y, "f_y"), expect_near(m.f_z, n.f_z, "f_z");
  expect_near(m.p_y, n.p_y, "p_y"), expect_near(m.p_z, n.p_z, "p_z");
  for (const double friction : {0.0, 1.0, 0.4}) {
    DaeReaction r, s;
    a.reaction(y, z, psi, friction, r), b.reaction(y, z, psi, friction, s);
    expect_near(r.r, s.r, "r"), expect_near(r.r_y, s.r_y, "r_y");
    expect_near(r.r_z, s.r_z, "r_z"), expect_near(r.r_psi, s.r_psi, "r_psi");
  }
  DaeConstraint g, c;
  a.constraint(y, z, g), b.constraint(y, z, c);
  expect_near(g.g, c.g, "g"), expect_near(g.c, c.c, "c"), expect_near(g.g_y, c.g_y, "g_y");
  expect_near(g.c_y, c.c_y, "c_y"), expect_near(g.c_z, c.c_z, "c_z");
  Values gaps;
  a.gaps(y, gaps);
  expect_near(gaps, c.g, "gaps");
  EXPECT_NEAR(a.friction_power(y, z, psi), b.friction_power(y, z, psi), 1e-12);
}

void expect_equal(const Dae& a, const Dae& b) {
  const DaeSizes size = a.sizes();
  EXPECT_EQ(size.y, b.sizes().y);
  EXPECT_EQ(size.z, b.sizes().z);
  EXPECT_EQ(size.g, b.sizes().g);
  EXPECT_EQ(a.has_friction(), b.has_friction());
  for (int i = 0; i < size.g; ++i) EXPECT_EQ(a.one_sided(i), b.one_sided(i));
  std::mt19937 random(1);
  std::uniform_real_distribution<double> number(0.2, 1.5);
  const auto point = [&](int n) {
    Values x(n);
    for (double& value : x) value = number(random);
    return x;
  };
  for (int k = 0; k < 50; ++k)
    expect_equal_at(a, b, number(random), point(size.y), point(size.z), point(size.g));
}

TEST(DaeFormulas, EqualTheSameDaeInCpp) {
  expect_equal(*defined(exponential), DenseDae<Exponential>({}));
  expect_equal(*defined(everything), DenseDae<Everything>({}));
}

TEST(DaeFormulas, KnowTheirNamesAndForm) {
  const auto dae = defined(everything), plain = defined(exponential);
  EXPECT_EQ(dae->coordinate_name(2), "a");
  EXPECT_EQ(dae->constraint_name(0), "rod");
  EXPECT_EQ(dae->constraint_name(1), "floor");
  EXPECT_TRUE(dae->depends_on_time());
  EXPECT_FALSE(plain->depends_on_time());
  const Values y{{0.3, 0.4, 0.5}}, z{{1, 2, 3}};
  EXPECT_DOUBLE_EQ(dae->energy(y, z), 0.75 * 5 + 9.81 * 1.5 * 0.4);
  EXPECT_TRUE(std::isnan(plain->energy(y.head(2), z.head(2))));
}

TEST(DaeFormulas, FindZForP) {
  const auto dae = defined(everything), plain = defined(exponential);
  const Values y{{0.3, 0.4, 0.5}}, z{{1, 2, 3}};
  DaeMotion m;
  dae->motion(0, y, z, m);
  Values found;
  EXPECT_TRUE(dae->z_of(y, m.p, found));
  EXPECT_LT((found - z).norm(), 1e-13);
  EXPECT_TRUE(plain->z_of(y.head(2), z.head(2), found));
  EXPECT_EQ(found, z.head(2));
}

TEST(DaeFormulas, NeedNoConstraints) {
  const auto dae = defined(
      "[system]\nname = \"dae\"\ncoordinates = [\"x\"]\nz = [\"u\"]\nv = [\"u\"]\nf = [\"-x\"]\n"
      "[time]\nend = 1.0\n");
  EXPECT_EQ(dae->sizes().g, 0);
  DaeReaction r;
  dae->reaction(Values::Ones(1), Values::Ones(1), Values(0), 1, r);
  EXPECT_EQ(r.r, Values::Zero(1));
}

// Each replaces the line of its key in the DAE above, or is added to it.
std::string message_of(const std::string& line) {
  std::string text = exponential;
  const std::size_t found = text.find("\n" + line.substr(0, line.find(' ')) + " =");
  const std::size_t at = found == std::string::npos ? text.find("gaps") : found + 1;
  const std::size_t length = found == std::string::npos ? 0 : text.find('\n', at) - at;
  text.replace(at, length, length == 0 ? line + "\n" : line);
  try {
    defined(text);
  } catch (const ScenarioError& e) {
    return e.what();
  }
  return "accepted";
}

TEST(DaeFormulas, RefuseWithPlaceAndReason) {
  EXPECT_EQ(message_of("psi = [\"psi1\"]"), "accepted");
  for (const auto& [line, message] : std::vector<std::pair<std::string, std::string>>{
           {"z = [\"z1\", \"z2\", \"z3\"]",
            "test.toml:5:5: system.z = an array of 3: must have 2, as many as coordinates"},
           {"z = []", "system.z: must be given: the names of z, 2, as many as coordinates"},
           {"coordinates = []", "system.coordinates: must be given, the names of y"},
           {"z = [\"z1\", \"y1\"]", "system.z.1 = \"y1\": this name is taken already"},
           {"psi = [\"z1\"]", "system.psi.0 = \"z1\": this name is taken already"},
           {"psi = [\"p1\", \"p2\"]",
            "system.psi = an array of 2: must have 1, one for each joint and then one for each contact"},
           {"r = [\"psi1\", \"0\", \"0\"]",
            "system.r = an array of 3: must have 2, one for each coordinate and its z"},
           {"r = []", "system.r: must be given, one formula for each of the 2 coordinates"},
           {"v = [\"z1\"]", "system.v = an array of 1: must have 2"},
           {"v = []", "system.v: must be given, one formula for each of the 2 coordinates: y' = v"},
           {"f = [\"0\"]", "system.f = an array of 1: must have 2"},
           {"p = [\"z1\"]", "system.p = an array of 1: must have 2"},
           {"f = [\"0\", \"psi1\"]",
            "system.f.1 = \"psi1\": must not depend on the multiplier psi1, which "
            "may stand in r and friction only"},
           {"v = [\"z1*t\", \"z2\"]",
            "system.v.0 = \"z1*t\": must not depend on t; time may stand in f only"},
           {"r = [\"psi1*t\", \"0\"]", "system.r.0 = \"psi1*t\": must not depend on t"},
           {"r = [\"psi1 +\", \"0\"]", "system.r.0 = \"psi1 +\": column 7"},
           {"joints = { g = \"y1*z2\" }",
            "system.joints.g = \"y1*z2\": must not depend on z2: constraints are formulas of y1, y2 only"},
           {"joints = { g = \"y1\", h = \"y2\" }", "system.psi = an array of 1: must have 2"},
           {"friction = [\"-psi1*z1\"]", "system.friction = an array of 1: must have 2, one per coordinate"},
           {"friction = [\"-psi1*z1\", \"-z2\"]", "system.friction.1 = \"-z2\": must be 0 where psi1 is 0"},
           {"energy = \"z1^2 + psi1\"", "system.energy = \"z1^2 + psi1\": must not depend on the multiplier"},
           {"energy = \"t\"", "must not depend on t"},
           {"lagrangian = \"0\"", "system.lagrangian: belongs to a mechanical system in formulas"},
           {"frcition = []", "unknown key; did you mean \"system.friction\"?"},
           {"let = { y1 = \"2\" }", "taken already"}})
    EXPECT_NE(message_of(line).find(message), std::string::npos) << line << "\n" << message_of(line);
}

TEST(DaeFormulas, JointsAreFewerThanCoordinates) {
  Scenario s = parse_scenario(exponential, "test.toml");
  s.system.joints.emplace_back("h", "y2 - 1"), s.system.psi = {};
  try {
    define_dae(s);
    FAIL();
  } catch (const ScenarioError& e) {
    EXPECT_NE(std::string(e.what()).find(
                  "system.joints = 2 formulas: must be fewer than the 2 coordinates, or nothing could move"),
              std::string::npos)
        << e.what();
  }
}

TEST(DaeFormulas, KeysOfOtherSystemsAreRefused) {
  for (const std::string name : {"column", "expression"})
    EXPECT_NE(error_of("[system]\nname = \"" + name + "\"\nz = [\"u\"]\n[time]\nend = 1.0\n")
                  .find("system.z: belongs to a DAE in formulas, with name = \"dae\""),
              std::string::npos);
}

TEST(DaeFormulas, ReadBackToTheSame) {
  for (const std::string& text : {exponential, everything}) {
    const Scenario s = parse_scenario(text, "my.toml");
    const Scenario again = parse_scenario(to_toml(s), "again.toml");
    EXPECT_EQ(again.system, s.system);
    EXPECT_EQ(again.initial, s.initial);
    EXPECT_EQ(to_toml(again), to_toml(s));
  }
  EXPECT_EQ(parse_scenario(everything, "my.toml").system.friction[2], "0");
}

// The paper's solution solves the DAE.
TEST(DaeFormulas, HaveTheExactSolutionOfThePaper) {
  const auto dae = defined(exponential);
  for (const double t : {0.0, 0.3, 1.0}) {
    const double a = std::exp(2 * t), b = std::exp(-t);
    const Values y{{a, b}}, rate{{2 * a, -b}}, psi{{std::exp(t)}};
    DaeMotion m;
    DaeReaction r;
    DaeConstraint c;
    dae->motion(t, y, y, m), dae->reaction(y, y, psi, 1, r), dae->constraint(y, y, c);
    expect_near(m.v, rate, "v");
    expect_near(Values(m.f + r.r), rate, "f + r");
    EXPECT_LT(std::abs(c.g[0]) + std::abs(c.c[0]), 1e-13);
  }
}

TEST(DaeModel, BuiltInOnesStateAStartAndItsMultipliers) {
  const FormulaBuiltIn own = {.name = "own",
                              .summary = "a DAE",
                              .parameters = {{"a", 3, "> 0"}},
                              .coordinates = {"x", "y"},
                              .joints = {{"line", "y - x"}},
                              .z = {"u", "w"},
                              .v = {"u", "w"},
                              .f = {"a*u", "-w"},
                              .r = {"-psi1", "psi1"},
                              .start_q = {"a", "a"},
                              .start_v = {"1", "1"},
                              .psi = {{2}}};
  const Model model = formula_built_in(own);
  EXPECT_EQ(model.name, "own");
  EXPECT_EQ(model.stepper, "dae-euler");
  EXPECT_EQ(model.start_q, (std::vector<double>{3, 3}));
  EXPECT_EQ(model.start_p, (std::vector<double>{1, 1}));
  const std::string text = "[system]\nname = \"own\"\n[time]\nend = 1.0\n";
  const Scenario s = in_formulas(own, parse_scenario(text, "my.toml"));
  EXPECT_EQ(s.system.r, own.r);
  EXPECT_EQ(*s.initial.psi, std::vector<double>{2});
  const Scenario given = parse_scenario(text + "[initial]\nq = [1, 1]\npsi = [5]\n", "my.toml");
  EXPECT_EQ(*in_formulas(own, given).initial.psi, std::vector<double>{5});
}

TEST(DaeModel, TakesItsOwnStepperOnly) {
  for (const std::string key : {"stepper=event-driven", "stepper=contact", "stepper=smooth", "name=cva"}) {
    const Scenario s = parse_scenario(exponential, "test.toml", {"method." + key});
    const std::string name = key.substr(0, key.find('=')), value = key.substr(key.find('=') + 1);
    try {
      dae_model(s).check(s);
      ADD_FAILURE() << key;
    } catch (const ScenarioError& e) {
      EXPECT_EQ(std::string(e.what()), "--set method." + key + ": method." + name + " = \"" + value +
                                           "\": steps mechanical systems; a DAE has stepper = \"dae-euler\"");
    }
  }
}

TEST(DaeModel, DescribesItself) {
  const Model model = dae_model(parse_scenario(everything, "test.toml"));
  EXPECT_EQ(model.name, "dae");
  EXPECT_EQ(model.stepper, "dae-euler");
  EXPECT_EQ(model.coordinates, (std::vector<std::string>{"x", "y", "a"}));
  EXPECT_EQ(model.contacts, std::vector<std::string>{"floor"});
}

}  // namespace
}  // namespace carom
