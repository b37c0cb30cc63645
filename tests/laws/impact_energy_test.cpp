// Energy over thousands of impacts: what the papers' figures claim, measured.
#include <gtest/gtest.h>

#include "carom/run/ledger.hpp"
#include "carom/systems/billiard.hpp"
#include "carom/systems/cart_pendulum.hpp"
#include "support/sixths.hpp"
#include "support/system_cases.hpp"

namespace carom::test {
namespace {

struct LongRun {
  Sixths sixths;
  std::int64_t impacts;
  double smallest_gap;
};

LongRun run_cart(const Flow& flow, double h, double T, const ImpactLaw& law) {
  const auto [name, cart, start] = system_case("cart-pendulum", CartPendulum{}, CartPendulum::family(4.2));
  ContactStepper stepper(cart, SteadyFlow(flow, h), from_impact_to_impact(law));
  const std::int64_t steps = std::lround(T / h);
  const double H0 = hamiltonian(cart, start);
  LongRun r{Sixths(steps), 0, 0};
  const auto watch = [&, &cart = cart](const GridPoint& point) {
    r.sixths.add(point.n, hamiltonian(cart, point.z) - H0);
    r.impacts += static_cast<std::int64_t>(point.impacts.size());
    for (const auto& impact : point.impacts) r.smallest_gap = std::min(r.smallest_gap, impact.q[0]);
  };
  const auto ended = simulate(stepper, start, Grid{0, h, steps}, watch);
  EXPECT_FALSE(ended.failure) << ended.failure->reason;
  return r;
}

TEST(ImpactEnergy, ShadowHoldsTheMeanOver1400Impacts) {
  for (const char* name : {"svc", "sva"}) {
    const auto r = run_cart(make_flow(name), 0.01, 2000, shadow_law(8));
    EXPECT_GT(r.impacts, 1300) << name;
    EXPECT_LT(std::abs(r.sixths.mean(5) - r.sixths.mean(0)), 2e-3) << name << r.sixths.table();
    EXPECT_LT(std::abs(r.sixths.mean(5)), 4e-3) << name;  // of 49.4
    EXPECT_GT(r.smallest_gap, -1e-13);
  }
}

TEST(ImpactEnergy, ShadowHasNoTrendOver14000Impacts) {
  const auto r = run_cart(svc(), 0.01, 20000, shadow_law(8));
  EXPECT_GT(r.impacts, 13000);
  EXPECT_LT(r.sixths.trend(), 0.1 * r.sixths.band_within()) << r.sixths.table();
  for (int k = 0; k < 6; ++k)
    EXPECT_NEAR(r.sixths.mean(k), 2e-3, 5e-4) << k;  // a constant offset of order h²
}

// What it is measured against: laws that keep an energy which the flow does not keep walk.
TEST(ImpactEnergy, ContinuousAndDiscreteEnergyWalk) {
  const auto continuous = run_cart(svc(), 0.01, 2000, continuous_energy());
  const auto discrete = run_cart(svc(), 0.01, 2000, discrete_energy());
  EXPECT_GT(std::abs(continuous.sixths.mean(5)), 3e-3);
  EXPECT_GT(std::abs(discrete.sixths.mean(5)), 3e-2);
}

// The free billiard in an ellipse: the product of the angular momenta about the foci over 1e5 bounces.
TEST(ImpactEnergy, EllipticBilliardKeepsItsIntegral) {
  const auto [name, system, start] = system_case("billiard", Billiard{});
  ContactStepper stepper(system, SteadyFlow(svc(), 0.02), from_impact_to_impact(continuous_energy()));
  Ledger ledger(system);
  const auto stop = [&ledger](const GridPoint&) { return ledger.impacts >= 100000; };
  const auto ended = simulate(stepper, start, Grid{0, 0.02, 100000000}, stop, ledger);
  ASSERT_FALSE(ended.failure) << ended.failure->reason;
  EXPECT_GE(ledger.impacts, 100000);
  EXPECT_LT(ledger.momenta.at(0).max_abs_error, 1e-9);
  EXPECT_LT(ledger.energy.max_abs_error, 1e-11);
}

}  // namespace
}  // namespace carom::test
