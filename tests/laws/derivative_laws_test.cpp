// Derivatives of runs through impacts, for every flow and law that has them: they are slopes of the stepper's
// own map, forwards and backwards alike, and as symplectic as the map is. tests/cli/sensitivity_test.py
// compares them with 22 digits.
#include <gtest/gtest.h>

#include "carom/derivative/run_slopes.hpp"
#include "carom/systems/cart_pendulum.hpp"
#include "carom/systems/double_pendulum.hpp"
#include "support/system_cases.hpp"

namespace carom::test {
namespace {

const auto derived_cart = system_case("cart-pendulum", CartPendulum{}, CartPendulum::family(4.2));
const auto derived_double = system_case("double-pendulum", DoublePendulum{});

const ImpactLaw& law_named(const std::string& name) {
  static const ImpactLaw shadow = shadow_law(8), continuous = continuous_energy(),
                         discrete = discrete_energy();
  return name == "shadow" ? shadow : name == "discrete" ? discrete : continuous;
}

struct Derived {
  RunTape tape;
  RunSlopes::Tangent tangent;
  double backwards = 0;  // how far the adjoint is from the tangent, relative to its largest entry
};

Phase end_of(const SystemCase& system, const Flow& flow, const ImpactLaw& law, double h, int steps,
             const Phase& z, RunTape* tape = nullptr) {
  ContactStepper stepper(system.system, SteadyFlow(flow, h), from_impact_to_impact(law));
  const Grid grid{0, h, steps};
  RunTape none(grid, system.system->size());
  return simulate(stepper, z, grid, tape ? *tape : none).z;
}

Derived derive(const SystemCase& system, const Flow& flow, const ImpactLaw& law, double h, int steps) {
  const auto& dense = static_cast<const DenseSystem&>(*system.system);
  Derived r{RunTape({0, h, steps}, dense.size()), {}};
  end_of(system, flow, law, h, steps, system.start, &r.tape);
  const SteadyFlow steady(flow, h);
  RunSlopes slopes({dense, steady, law});
  r.tangent = slopes.tangent(r.tape);
  EXPECT_FALSE(r.tangent.failure) << r.tangent.failure->reason << " in step " << r.tangent.failed_step;
  const double most = r.tangent.state.lpNorm<Eigen::Infinity>();
  for (int i = 0; i < r.tangent.state.rows(); ++i) {
    const auto adjoint = slopes.adjoint(r.tape, SlopeRow::Unit(r.tangent.state.rows(), i));
    EXPECT_FALSE(adjoint.failure);
    r.backwards =
        std::fmax(r.backwards, (adjoint.slopes - r.tangent.state.row(i)).lpNorm<Eigen::Infinity>() / most);
  }
  return r;
}

// By differences of order 8 of the stepper itself.
double off_differences(const SystemCase& system, const Flow& flow, const ImpactLaw& law, double h, int steps,
                       const Slopes& own) {
  constexpr std::array weights{4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
  const int n = system.system->size();
  double worst = 0;
  for (int k = 0; k < 2 * n; ++k) {
    const double d = 2e-3;
    Values slope = Values::Zero(2 * n);
    for (int m = 1; m <= 4; ++m)
      for (const int sign : {1, -1}) {
        Phase z = system.start;
        (k < n ? z.q[k] : z.p[k - n]) += sign * m * d;
        const Phase end = end_of(system, flow, law, h, steps, z);
        slope.head(n) += sign * weights[static_cast<std::size_t>(m - 1)] / d * end.q;
        slope.tail(n) += sign * weights[static_cast<std::size_t>(m - 1)] / d * end.p;
      }
    worst = std::fmax(worst, (own.col(k) - slope).lpNorm<Eigen::Infinity>());
  }
  return worst / own.leftCols(2 * n).lpNorm<Eigen::Infinity>();
}

double symplectic_defect_of(const Slopes& S) {
  const Eigen::Index n = S.rows() / 2;
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(2 * n, 2 * n);
  J.topRightCorner(n, n).setIdentity(), J.bottomLeftCorner(n, n) = -Eigen::MatrixXd::Identity(n, n);
  const Eigen::MatrixXd A = S.leftCols(2 * n);
  return (A.transpose() * J * A - J).lpNorm<Eigen::Infinity>();
}

TEST(DerivativeLaws, TheyAreSlopesOfTheMapForEveryFlowAndLaw) {
  const double h = 0.02;
  const int steps = 60;  // one impact
  for (const char* law : {"continuous", "discrete", "shadow"})
    for (const std::string_view flow : flow_names) {
      if (flow == "gamma") continue;  // midpoint, where it is of order 2
      if (flow == "kahan-li8" && law != std::string("shadow")) continue;
      const auto r = derive(derived_cart, make_flow(flow), law_named(law), h, steps);
      SCOPED_TRACE(std::string(law) + ", " + std::string(flow));
      ASSERT_EQ(r.tape.impacts.size(), 1u);
      EXPECT_EQ(r.tape.impacts[0].by_law_energy, law != std::string("continuous"));
      EXPECT_LT(r.backwards, 1e-11);
      EXPECT_LT(off_differences(derived_cart, make_flow(flow), law_named(law), h, steps, r.tangent.state),
                1e-8);
    }
}

TEST(DerivativeLaws, BackwardsIsForwardsThroughSeveralImpacts) {
  for (const char* law : {"continuous", "discrete", "shadow"})
    for (const char* flow : {"svc", "yoshida4", "gauss"}) {
      const auto r = derive(derived_double, make_flow(flow), law_named(law), 0.01, 400);
      EXPECT_GT(r.tape.impacts.size(), 1u);
      EXPECT_LT(r.backwards, 1e-11) << law << ", " << flow;
    }
}

TEST(DerivativeLaws, DiscreteEnergyIsSymplecticThroughImpacts) {
  const auto discrete = derive(derived_cart, svc(), law_named("discrete"), 0.01, 260);
  EXPECT_EQ(discrete.tape.impacts.size(), 2u);
  const double size = discrete.tangent.state.lpNorm<Eigen::Infinity>();
  EXPECT_LT(symplectic_defect_of(discrete.tangent.state), 1e-12 * size * size);
  const auto continuous = derive(derived_cart, svc(), law_named("continuous"), 0.01, 260);
  EXPECT_GT(symplectic_defect_of(continuous.tangent.state), 1e-4);
}

TEST(DerivativeLaws, OtherRunsAreRefusedByName) {
  const SteadyFlow flow(svc(), 0.01);
  const auto& dense = static_cast<const DenseSystem&>(*derived_cart.system);
  const ImpactLaw polynomial = shadow_law(8, ImpactLaw::Part::polynomial);
  EXPECT_NE(RunSlopes::unsupported({dense, flow, polynomial}).find("polynomial"), std::string::npos);
  EXPECT_EQ(RunSlopes::unsupported({dense, flow, law_named("shadow")}), "");
}

}  // namespace
}  // namespace carom::test
