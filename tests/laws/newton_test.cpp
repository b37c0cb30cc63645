// Newton's method in a variational step: how many corrections it takes, and that what it ends with solves the
// step's equations to rounding, by the same equations in long double.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "carom/systems/cart_pendulum.hpp"
#include "carom/systems/double_pendulum.hpp"
#include "support/system_cases.hpp"

namespace carom::test {
namespace {

struct Iterations {
  std::vector<int> per_step;

  int median() {
    std::sort(per_step.begin(), per_step.end());
    return per_step[per_step.size() / 2];
  }
  double share_above(int most) const {
    const auto above = std::count_if(per_step.begin(), per_step.end(), [most](int k) { return k > most; });
    return static_cast<double>(above) / static_cast<double>(per_step.size());
  }
};

Iterations iterations(const SystemCase& c, const Flow& flow, double h, int steps) {
  ContactStepper stepper(c.system, SteadyFlow(flow, h), from_impact_to_impact(continuous_energy()));
  Phase z = c.start;
  Iterations r;
  for (int n = 0; n < steps; ++n) {
    const auto& next = stepper.step(n * h, z);
    if (next.failure) throw std::runtime_error(next.failure->reason);
    z = next.step.z, r.per_step.push_back(next.step.outcome.iterations);
  }
  return r;
}

// Two at the step of the papers, in nearly all steps; one where steps are tiny, three where they are coarse.
TEST(Newton, TwoIterationsInTheTypicalStep) {
  const auto pendulum = system_case("double-pendulum", DoublePendulum{.wall = -3}),
             cart = system_case("cart-pendulum", CartPendulum{});
  for (const Flow& flow : {svc(), midpoint()}) {
    Iterations of_pendulum = iterations(pendulum, flow, 0.01, 20000),
               of_cart = iterations(cart, flow, 0.01, 500);
    EXPECT_EQ(of_pendulum.median(), 2) << flow.name;
    EXPECT_LT(of_pendulum.share_above(2), 0.15) << flow.name;
    EXPECT_EQ(of_cart.median(), 2) << flow.name;
    EXPECT_LT(of_cart.share_above(2), 0.03) << flow.name;
  }
  EXPECT_EQ(iterations(pendulum, svc(), 1e-5, 1000).median(), 1);
  EXPECT_EQ(iterations(pendulum, svc(), 0.02, 2000).median(), 3);
}

// A step solved in long double by as many corrections as it takes.
template <SystemStruct Sys>
StepResult<long double, Sys::dim> precise_step(const Sys& system, const Rule& rule, double h,
                                               const State<double, Sys::dim>& z) {
  constexpr int N = Sys::dim;
  using V = Vector<long double, N>;
  const V q = z.q.template cast<long double>(), p = z.p.template cast<long double>();
  const DiscreteLagrangian<Sys, long double> Ld(system, rule, 0.0L, h, q);
  const DiscreteLagrangian<Sys, double> coarse(system, rule, 0.0, h, z.q);
  Vector<double, N> guess = velocity(system, 0.0, z.q, z.p).x;
  const LU<N> matrix(coarse.template jet<true>(guess).d_minus);
  V v = guess.template cast<long double>();
  for (int i = 0; i < 40; ++i) v -= matrix.solve(V(p + Ld.minus(v)));
  const auto jet = Ld.template jet<false>(v);
  return {{Ld.end(v), jet.plus}, jet.action, jet.energy, jet.work, {}};
}

// In units of rounding, at momenta of about 10 and energies of about 30. Without the first-order terms of the
// last correction action and energy are off by ten times as much.
TEST(Newton, StepsAreSolvedToRounding) {
  const DoublePendulum system;
  constexpr double eps = std::numeric_limits<double>::epsilon(), h = 0.01;
  for (const Flow& flow : {se1(), se2(), svc(), midpoint()}) {
    const Rule& rule = std::get<Rule>(flow.substeps.front().block);
    const auto start = system.start();
    State<double, 2> z{start.q, momentum(system, 0.0, start.q, *start.v)};
    double q = 0, p = 0, action = 0, energy = 0;
    const auto grow = [](double& most, long double x) {
      most = std::fmax(most, std::abs(static_cast<double>(x)) / eps);
    };
    for (int n = 0; n < 5000; ++n) {
      const auto exact = precise_step(system, rule, h, z);
      const auto r = flow_step(system, flow, 0.0, h, z);
      ASSERT_TRUE(r.outcome.ok());
      z = r.z;
      for (int i = 0; i < 2; ++i) grow(q, z.q[i] - exact.z.q[i]), grow(p, z.p[i] - exact.z.p[i]);
      grow(action, r.action - exact.action), grow(energy, r.energy - exact.energy);
    }
    EXPECT_LT(q, 2) << flow.name;
    EXPECT_LT(p, 32) << flow.name;
    EXPECT_LT(action, 2) << flow.name;
    EXPECT_LT(energy, 400) << flow.name;
    EXPECT_GT(std::min({q, p, action, energy}), 0) << flow.name << ": nothing is compared";
  }
}

}  // namespace
}  // namespace carom::test
