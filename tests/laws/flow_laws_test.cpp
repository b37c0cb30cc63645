// The law suite of flows (DESIGN: every flow is symplectic, is inverted by its inverse, and its action
// generates it), over every flow and every built-in system. Derivatives of the step are exact, by dual
// numbers.
#include <gtest/gtest.h>

#include "support/flow_cases.hpp"

namespace carom::test {
namespace {

template <class Sys>
class FlowLaws : public testing::Test {};

using BuiltIn = testing::Types<PointMass, Particle, Star, DoublePendulum, CartPendulum, Billiard>;
TYPED_TEST_SUITE(FlowLaws, BuiltIn);

constexpr double h = 0.04;

template <SystemStruct Sys>
using Moved = Dual<double, 2 * Sys::dim>;

template <SystemStruct Sys>
State<Moved<Sys>, Sys::dim> as_variables(const State<double, Sys::dim>& z) {
  State<Moved<Sys>, Sys::dim> r;
  for (int i = 0; i < Sys::dim; ++i) {
    r.q[i] = Moved<Sys>::variable(z.q[i], i);
    r.p[i] = Moved<Sys>::variable(z.p[i], Sys::dim + i);
  }
  return r;
}

// Calls law(label, flow, z) for every flow and some states.
template <SystemStruct Sys, class ImpactLaw>
void for_every_flow(ImpactLaw&& law) {
  Sys system;
  if constexpr (std::is_same_v<Sys, Star>) system.kappa = 0.1;
  if constexpr (std::is_same_v<Sys, Billiard>) system.k = 2;
  for (const auto& [label, flow] : all_flows())
    for (const auto& z : some_states(system)) law(system, label, flow, z);
}

TYPED_TEST(FlowLaws, StepIsSymplectic) {
  constexpr int N = TypeParam::dim;
  for_every_flow<TypeParam>(
      [](const auto& system, const std::string& label, const Flow& flow, const auto& z) {
        const auto r =
            flow_step(system, flow, Moved<TypeParam>(0.0), Moved<TypeParam>(h), as_variables<TypeParam>(z));
        ASSERT_TRUE(r.outcome.ok()) << label << ": " << describe(r.outcome.status);
        Matrix<double, 2 * N> A, J = Matrix<double, 2 * N>::Zero();
        for (int i = 0; i < N; ++i) {
          J(i, N + i) = 1, J(N + i, i) = -1;
          for (int k = 0; k < 2 * N; ++k) A(i, k) = r.z.q[i].d[k], A(N + i, k) = r.z.p[i].d[k];
        }
        EXPECT_LT((A.transpose() * J * A - J).template lpNorm<Eigen::Infinity>(), 1e-9) << label;
      });
}

// dA = p1·dq1 - p0·dq0, direction by direction.
TYPED_TEST(FlowLaws, ActionGeneratesTheStep) {
  constexpr int N = TypeParam::dim;
  for_every_flow<TypeParam>([](const auto& system, const std::string& label, const Flow& flow,
                               const auto& z) {
    const auto r =
        flow_step(system, flow, Moved<TypeParam>(0.0), Moved<TypeParam>(h), as_variables<TypeParam>(z));
    ASSERT_TRUE(r.outcome.ok()) << label;
    for (int k = 0; k < 2 * N; ++k) {
      double expected = k < N ? -z.p[k] : 0;
      for (int i = 0; i < N; ++i) expected += r.z.p[i].a * r.z.q[i].d[k];
      EXPECT_NEAR(r.action.d[k], expected, 1e-10 * (1 + std::abs(expected))) << label << ", direction " << k;
    }
  });
}

TYPED_TEST(FlowLaws, InverseInverts) {
  for_every_flow<TypeParam>(
      [](const auto& system, const std::string& label, const Flow& flow, const auto& z) {
        const auto there = flow_step(system, flow, 0.0, h, z);
        const auto back = flow_step(system, inverse(flow), h, h, there.z);
        ASSERT_TRUE(there.outcome.ok() && back.outcome.ok()) << label;
        EXPECT_LT(distance(back.z, z), 1e-12) << label;
        EXPECT_NEAR(back.action, -there.action, 1e-12 * (1 + std::abs(there.action))) << label;
      });
}

// Φ_{-h} inverts Φ_h exactly where the flow says that it is symmetric; on the non-linear systems only there.
TYPED_TEST(FlowLaws, SymmetricAsClaimed) {
  constexpr bool nonlinear =
      std::is_same_v<TypeParam, DoublePendulum> || std::is_same_v<TypeParam, CartPendulum>;
  for_every_flow<TypeParam>(
      [](const auto& system, const std::string& label, const Flow& flow, const auto& z) {
        const auto there = flow_step(system, flow, 0.0, h, z);
        const auto back = flow_step(system, flow, h, -h, there.z);
        ASSERT_TRUE(there.outcome.ok() && back.outcome.ok()) << label;
        if (flow.symmetric) {
          EXPECT_LT(distance(back.z, z), 1e-12) << label;
        } else if (nonlinear) {
          EXPECT_GT(distance(back.z, z), 1e-6) << label;
        }
      });
}

// The discrete energy is -D3 of the action where the flow is one rule: dL_d/dh with both ends held.
TYPED_TEST(FlowLaws, DiscreteEnergyIsTheDerivativeInTheStep) {
  using D = Dual<double, 1>;
  constexpr int N = TypeParam::dim;
  for_every_flow<TypeParam>(
      [](const auto& system, const std::string& label, const Flow& flow, const auto& z) {
        if (flow.substeps.size() != 1 || !std::holds_alternative<Rule>(flow.substeps[0].block)) return;
        const auto r = flow_step(system, flow, 0.0, h, z);
        const D step = D::variable(h, 0);
        D Ld(0.0);
        for (const Node& node : std::get<Rule>(flow.substeps[0].block)) {
          Vector<D, N> x, v;
          for (int i = 0; i < N; ++i) {
            x[i] = D((1 - node.c) * z.q[i] + node.c * r.z.q[i]);
            v[i] = (r.z.q[i] - z.q[i]) / step;
          }
          Ld += step * node.b * lagrangian(system, 0.0, x, v);
        }
        EXPECT_NEAR(r.action, Ld.a, 1e-12 * (1 + std::abs(Ld.a))) << label;
        EXPECT_NEAR(r.energy, -Ld.d[0], 1e-10 * (1 + std::abs(Ld.d[0]))) << label;
      });
}

// Noether: what the system calls its momenta, every flow keeps.
TYPED_TEST(FlowLaws, MomentaAreKept) {
  if constexpr (HasMomenta<TypeParam>) {
    for_every_flow<TypeParam>([](auto system, const std::string& label, const Flow& flow, const auto& z) {
      if constexpr (requires { system.g; }) system.g = 0;
      if constexpr (std::is_same_v<TypeParam, Billiard>) system.b = system.a;
      const auto momenta = [&system](const auto& state) {
        std::vector<double> r;
        system.momenta(state.q, state.p, [&r](const char*, double value) { r.push_back(value); });
        return r;
      };
      const auto r = flow_step(system, flow, 0.0, h, z);
      ASSERT_TRUE(r.outcome.ok()) << label;
      const auto before = momenta(z), after = momenta(r.z);
      ASSERT_FALSE(before.empty());
      for (std::size_t i = 0; i < before.size(); ++i)
        EXPECT_NEAR(after[i], before[i], 2e-14 * (1 + std::abs(before[i]))) << label;
    });
  }
}

}  // namespace
}  // namespace carom::test
