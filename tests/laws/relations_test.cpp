// How the flows of 000 hang together: its section 3.3, Fig. 2 and Lemma 1.
#include <gtest/gtest.h>

#include "support/flow_cases.hpp"
#include "support/order.hpp"

namespace carom::test {
namespace {

constexpr double h = 0.02;

// 000, Fig. 2: where H is separable, the trapezoidal L_d and SVA are one method.
template <SystemStruct Sys>
void expect_svc_is_sva(const Sys& system) {
  for (const auto& z : some_states(system, 5))
    EXPECT_LT(distance(run_flow(system, svc(), z, 30 * h, 30), run_flow(system, sva(), z, 30 * h, 30)),
              1e-12);
}
TEST(Relations, SvcIsSvaWhereHIsSeparable) {
  expect_svc_is_sva(PointMass{});
  expect_svc_is_sva(Particle{});
  expect_svc_is_sva(Star{.kappa = 0.1});
  expect_svc_is_sva(Billiard{.k = 3, .g = 1});
}
TEST(Relations, SvcIsNotSvaWhereHIsNotSeparable) {
  const CartPendulum system;
  const auto z = validated_state(system, system.start());
  EXPECT_GT(distance(run_flow(system, svc(), z, 1, 50), run_flow(system, sva(), z, 1, 50)), 1e-4);
}

// 000, 3.3: N steps of SVA are N-1 of SVB between half a step of SE1 and half a step of SE2.
template <SystemStruct Sys>
void expect_sva_from_svb(const Sys& system) {
  constexpr int N = 50;
  for (const auto& z : some_states(system, 3)) {
    auto x = run_flow(system, se1(), z, h / 2, 1);
    x = run_flow(system, svb(), x, (N - 1) * h, N - 1);
    x = run_flow(system, se2(), x, h / 2, 1);
    EXPECT_LT(distance(x, run_flow(system, sva(), z, N * h, N)), 1e-11);
  }
}
TEST(Relations, SvaFromSvb) {
  expect_sva_from_svb(DoublePendulum{});
  expect_sva_from_svb(CartPendulum{});
  expect_sva_from_svb(Star{.kappa = 0.1});
}

// 000, after L_d^SE2: SE1 and SE2 are adjoint, Φ^SE1_h ∘ Φ^SE2_{-h} = identity.
TEST(Relations, SymplecticEulersAreAdjoint) {
  const CartPendulum system;
  for (const auto& z : some_states(system, 5))
    EXPECT_LT(distance(run_flow(system, se1(), run_flow(system, se2(), z, -h, 1), h, 1), z), 1e-12);
}

// The gamma rule of 002, (57) at its ends and centre.
TEST(Relations, GammaRuleAtSpecialValues) {
  const DoublePendulum system;
  for (const auto& z : some_states(system)) {
    EXPECT_LT(distance(run_flow(system, gamma_flow(1), z, h, 1), run_flow(system, se1(), z, h, 1)), 1e-14);
    EXPECT_LT(distance(run_flow(system, gamma_flow(0), z, h, 1), run_flow(system, se2(), z, h, 1)), 1e-14);
    EXPECT_LT(distance(run_flow(system, gamma_flow(0.5), z, h, 1), run_flow(system, midpoint(), z, h, 1)),
              1e-14);
  }
}

// Midpoint as a rule of L and as Gauss collocation of H agree: two derivations of one map.
TEST(Relations, MidpointIsGaussWithOneStage) {
  const DoublePendulum system;
  for (const auto& z : some_states(system))
    EXPECT_LT(distance(run_flow(system, midpoint(), z, 1, 50), run_flow(system, gauss(1), z, 1, 50)), 1e-11);
}

// 000, Lemma 1: η(q, p) = p·(q1 - q)/h - L_d(q, q1, h)/h with p = D2 L_d(q, q1, h) equals H(q, p) + O(h).
double eta(const CartPendulum& system, const Flow& flow, double step, const State<double, 2>& z) {
  State<double, 2> x = z;  // its momentum is sought so that the step ends with momentum z.p
  StepResult<double, 2> r;
  for (int i = 0; i < 200; ++i) {
    r = flow_step(system, flow, 0.0, step, x);
    x.p += z.p - r.z.p;
  }
  EXPECT_LT((r.z.p - z.p).norm(), 1e-12);
  return (z.p.dot(r.z.q - z.q) - r.action) / step;
}
TEST(Relations, EtaIsTheHamiltonianToFirstOrder) {
  const CartPendulum system;
  const State<double, 2> z{{0.7, 0.9}, {1.3, 2.1}};
  for (const char* name : {"se1", "se2", "svc", "midpoint"}) {
    std::vector<ErrorAt> errors;
    for (double step = 0.004; step > 1e-4; step /= 2)
      errors.push_back({step, std::abs(eta(system, make_flow(name), step, z) - hamiltonian(system, 0.0, z))});
    const auto observed = observed_order(errors, 1e-12);
    // SE1's generating function *is* h H(q0, p1): 000's lemma holds there with an error of zero.
    if (std::string(name) == "se1") {
      EXPECT_LT(errors.front().error, 1e-9) << observed.table;
      continue;
    }
    EXPECT_NEAR(observed.slope, 1, 0.2) << name << "\n" << observed.table;
  }
}
TEST(Relations, EtaOfSvcMatchesTheTestVector) {
  // One-term truncation of the modified Hamiltonian at h = 0.01: the error of η is known to be 0.0638 with
  // respect to the modified Hamiltonian H - 4.915856 h² + O(h⁴).
  const CartPendulum system;
  const State<double, 2> z{{0.7, 0.9}, {1.3, 2.1}};
  const double modified = hamiltonian(system, 0.0, z) - 4.915856e-4;
  EXPECT_NEAR(std::abs(eta(system, svc(), 0.01, z) - modified), 0.0638, 5e-5);
}

}  // namespace
}  // namespace carom::test
