// How fast the symplectic Euler methods for DAEs and their compositions converge, and to what (004, Figs. 4.1
// to 4.4, Theorems 3.1 to 3.3, section 3.4). Each error is that of a whole run to t = 1.
#include <gtest/gtest.h>

#include "support/dae_systems.hpp"

namespace carom::test {
namespace {

struct Problem {
  std::string name;
  std::shared_ptr<const Dae> dae;
  Values y, z;          // start
  Values y_end, z_end;  // at t = 1
  double psi_end;
};

Problem exponential() {
  const double e = std::exp(1.0);
  const Values end = values({e * e, 1 / e});
  return {"exponential", dense(Exponential{}), values({1, 1}), values({1, 1}), end, end, e};
}

// (4.2) along the curve by Gauss collocation of order 8 at h = 1/2000.
Problem mass_on_cubic() {
  const MassOn<Cubic> system;
  const Sliding<Cubic> sliding{system};
  State<double, 1> s{Vector<double, 1>(10.0),
                     momentum(sliding, 0.0, Vector<double, 1>(10.0), Vector<double, 1>(-3.6))};
  const Flow flow = gauss(4);
  for (int n = 0; n < 2000; ++n) s = flow_step(sliding, flow, n / 2000.0, 1 / 2000.0, s).z;
  const double x = s.q[0], u = velocity(sliding, 0.0, s.q, s.p).x[0];
  return {"mass on cubic",
          mechanical(system),
          values({10, 10}),
          values({-3.6, -10.8}),
          values({x, system.curve.height(x)}),
          values({u, system.curve.slope(x) * u}),
          sliding.multiplier(x, u)};
}

const Problem& problem(int i) {
  static const Problem problems[] = {exponential(), mass_on_cubic()};
  return problems[i];
}

using Ends = std::vector<std::pair<double, DaeEnd>>;  // by h
Ends ends(const Problem& p, const DaeScheme& scheme, const Flow& flow, std::initializer_list<int> steps) {
  Ends r;
  for (const int n : steps) r.emplace_back(1.0 / n, dae_run(*p.dae, scheme, flow, 1.0 / n, n, p.y, p.z));
  for (const auto& [h, end] : r) EXPECT_TRUE(end.ok) << p.name << ", h = " << h;
  return r;
}
template <class Error>
double slope(const Ends& runs, const Error& error) {
  std::vector<ErrorAt> errors;
  for (const auto& [h, end] : runs) errors.push_back({h, error(end)});
  return observed_order(errors, 1e-12).slope;
}
double y_slope(const Ends& runs, const Problem& p) {
  return slope(runs, [&](const DaeEnd& e) { return (e.y - p.y_end).norm(); });
}
double z_slope(const Ends& runs, const Problem& p) {
  return slope(runs, [&](const DaeEnd& e) { return (e.z - p.z_end).norm(); });
}

// Of y and z together: where the error of y alone changes its sign with h, it has no slope.
auto whole_error(const Problem& p) {
  return [&p](const DaeEnd& e) { return std::hypot((e.y - p.y_end).norm(), (e.z - p.z_end).norm()); };
}

class DaeOrders : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Problems, DaeOrders, testing::Values(0, 1));

const auto euler_steps = {320, 640, 1280, 2560};

TEST_P(DaeOrders, TrueConvergesWithOrderOne) {
  const Problem& p = problem(GetParam());
  for (const bool conjugate : {false, true}) {
    const Ends runs = ends(p, {.conjugate = conjugate}, se1(), euler_steps);
    EXPECT_NEAR(y_slope(runs, p), 1, 0.05);
    EXPECT_NEAR(z_slope(runs, p), 1, 0.05);
  }
}

TEST_P(DaeOrders, TrueConvergesWhereverTheReactionIsTaken) {
  const Problem& p = problem(GetParam());
  for (const auto at : {DaeScheme::At::z0, DaeScheme::At::z1, DaeScheme::At::Z1})
    for (const double alpha : {0.3, 1.0, 1.7}) {
      const Ends runs = ends(p, {.alpha = alpha, .at = at}, se1(), {640, 1280, 2560});
      EXPECT_NEAR(y_slope(runs, p), 1, 0.1) << alpha;
      EXPECT_NEAR(z_slope(runs, p), 1, 0.1) << alpha;
    }
}

TEST_P(DaeOrders, NaturalStagnates) {
  const Problem& p = problem(GetParam());
  for (const bool conjugate : {false, true}) {
    const Ends runs = ends(p, {.natural = true, .conjugate = conjugate}, se1(), {5120, 10240, 20480});
    EXPECT_LT(std::abs(y_slope(runs, p)), 0.2) << conjugate;
    EXPECT_LT(std::abs(z_slope(runs, p)), 0.2) << conjugate;
    const double error = (runs.back().second.z - p.z_end).norm();
    EXPECT_GT(error, 3e-3) << conjugate;
  }
}

TEST_P(DaeOrders, WithTheAdjointOrderTwo) {
  const Problem& p = problem(GetParam());
  for (const DaeScheme scheme : {DaeScheme{}, DaeScheme{.conjugate = true}, DaeScheme{.alpha = 1.5}})
    for (const Flow& flow : {sva(), svb()}) {
      const Ends runs = ends(p, scheme, flow, {80, 160, 320, 640});
      EXPECT_NEAR(y_slope(runs, p), 2, 0.1) << flow.name;
      EXPECT_NEAR(z_slope(runs, p), 2, 0.1) << flow.name;
    }
}

// r is not linear in psi in either problem: compositions reach their orders all the same.
TEST_P(DaeOrders, CompositionsReachTheirs) {
  const Problem& p = problem(GetParam());
  for (const Flow& flow : {yoshida4(sva()), yoshida4(svb()), suzuki4(sva())}) {
    const Ends runs = ends(p, {}, flow, {80, 160, 320});
    EXPECT_NEAR(slope(runs, whole_error(p)), 4, 0.2) << flow.name;
  }
  const Ends runs = ends(p, {}, kahan_li6(sva()), {15, 20, 30, 40});
  EXPECT_NEAR(slope(runs, whole_error(p)), 6, 0.5);
}

// (3.8) is not the adjoint of (3.5): one after the other is of order one only.
TEST(DaeOrders, TheConjugateIsNotTheAdjoint) {
  const Problem& p = problem(0);
  const int held[] = {0};
  std::vector<ErrorAt> errors;
  for (const int n : {160, 320, 640}) {
    DaeEuler first(*p.dae, {}), second(*p.dae, {.conjugate = true});
    first.Psi0 = first.Psi1 = second.Psi0 = second.Psi1 = values({1});
    Values y = p.y, z = p.z;
    for (int k = 0; k < n; ++k) {
      ASSERT_TRUE(first(0, 0.5 / n, false, held, y, z).ok());
      ASSERT_TRUE(second(0, 0.5 / n, false, held, y, z).ok());
    }
    errors.push_back({1.0 / n, (y - p.y_end).norm()});
  }
  EXPECT_NEAR(observed_order(errors, 1e-12).slope, 1, 0.15);
}

TEST_P(DaeOrders, Multipliers) {
  const Problem& p = problem(GetParam());
  const auto off = [&](double psi) { return std::abs(psi - p.psi_end); };
  const Ends runs = ends(p, {}, se1(), euler_steps);
  EXPECT_NEAR(slope(runs, [&](const DaeEnd& e) { return off(e.Psi1[0]); }), 1, 0.1);
  EXPECT_LT(std::abs(slope(runs, [&](const DaeEnd& e) { return off(e.Psi0[0]); })), 0.1);  // inconsistent
  EXPECT_GT(off(runs.back().second.Psi0[0]), 0.1);
  // What (y, z) imply is as good as (y, z) are.
  EXPECT_NEAR(slope(runs, [&](const DaeEnd& e) { return off(e.psi[0]); }), 1, 0.1);
  const Ends symmetric = ends(p, {}, sva(), {80, 160, 320, 640});
  EXPECT_NEAR(slope(symmetric, [&](const DaeEnd& e) { return off(e.psi[0]); }), 2, 0.1);
  EXPECT_NEAR(slope(symmetric, [&](const DaeEnd& e) { return off(e.Psi1[0]); }), 1, 0.1);
}

// The inconsistent ODEs of section 3.4, by the classical Runge-Kutta method.
class Inconsistent {
 public:
  explicit Inconsistent(const Problem& p) : problem(p), psi0(values({1})), psi1(values({1})) {}

  std::pair<Values, Values> at_one(int steps) {
    Values y = problem.y, z = problem.z;
    const double h = 1.0 / steps;
    for (int n = 0; n < steps; ++n) {
      const auto [y1, z1] = rates(y, z);
      const auto [y2, z2] = rates(y + 0.5 * h * y1, z + 0.5 * h * z1);
      const auto [y3, z3] = rates(y + 0.5 * h * y2, z + 0.5 * h * z2);
      const auto [y4, z4] = rates(y + h * y3, z + h * z3);
      y += h / 6 * (y1 + 2 * y2 + 2 * y3 + y4), z += h / 6 * (z1 + 2 * z2 + 2 * z3 + z4);
    }
    return {y, z};
  }

 private:
  // With alpha = 1/2. c_y v is g_yy(v, v) + g_y v_y v, and v_y = 0 in both problems.
  std::pair<Values, Values> rates(const Values& y, const Values& z) {
    const Dae& dae = *problem.dae;
    dae.motion(0, y, z, motion), dae.constraint(y, z, constraint);
    const Dense to_rates = constraint.c_z * motion.p_z.inverse();
    const double bend = 0.5 * (constraint.c_y * motion.v)[0], pull = (to_rates * motion.f)[0];
    solve(y, z, to_rates, bend + pull, psi0);
    solve(y, z, to_rates, bend, psi1);
    dae.reaction(y, z, psi0, 1, reaction);
    Values force = motion.f + 0.5 * reaction.r;
    dae.reaction(y, z, psi1, 1, reaction);
    force += 0.5 * reaction.r;
    return {motion.v, motion.p_z.inverse() * force};
  }
  // rest + ½ g_y v_z r(psi) = 0.
  void solve(const Values& y, const Values& z, const Dense& to_rates, double rest, Values& psi) {
    for (int i = 0; i < 50; ++i) {
      problem.dae->reaction(y, z, psi, 1, reaction);
      const double miss = rest + 0.5 * (to_rates * reaction.r)[0],
                   slope = 0.5 * (to_rates * reaction.r_psi)(0, 0);
      psi[0] -= miss / slope;
      if (std::abs(miss / slope) <= 1e-14 * std::abs(psi[0])) return;
    }
  }

  const Problem& problem;
  Values psi0, psi1;
  DaeMotion motion;
  DaeReaction reaction;
  DaeConstraint constraint;
};

TEST_P(DaeOrders, NaturalConvergesToTheInconsistentOde) {
  const Problem& p = problem(GetParam());
  Inconsistent ode(p);
  const auto [y, z] = ode.at_one(1000);
  EXPECT_GT((z - p.z_end).norm(), 3e-3);  // another solution
  const Ends runs = ends(p, {.natural = true}, se1(), euler_steps);
  EXPECT_NEAR(slope(runs, [&, y = y](const DaeEnd& e) { return (e.y - y).norm(); }), 1, 0.05);
  EXPECT_NEAR(slope(runs, [&, z = z](const DaeEnd& e) { return (e.z - z).norm(); }), 1, 0.05);
}

}  // namespace
}  // namespace carom::test
