// Noether's momenta through impacts, with every impact law.
#include "carom/systems/particle.hpp"
#include "carom/systems/star.hpp"
#include "support/impact_cases.hpp"

namespace carom::test {
namespace {

// In a circle, flows and partial steps that keep quadratic invariants keep the angular momentum to rounding.
// The polynomial through the nodes is no canonical map: its truncation error, small as it is, reaches the
// momentum.
TEST(ImpactMomenta, AngularMomentumInACircle) {
  auto circle = spring_billiard();
  circle.a = circle.b = 1;
  const auto system = system_case("circle", circle, start_in_spring_billiard());
  for (const auto& c : all_laws(system.system, 0.1)) {
    const auto r = run(system, c, 1, 200, 20000);
    ASSERT_GE(r.seen.size(), 200u) << c.label << r.failure();
    ASSERT_EQ(r.momenta.front().name, "angular momentum");
    const double error = r.momenta.front().max_abs_error;
    if (c.keeps_quadratic) {
      EXPECT_LT(error, 1e-11) << c.label;
    } else {
      EXPECT_LT(error, 1e-5) << c.label;
      EXPECT_GT(error, 1e-10) << c.label;
    }
  }
}

// Exact: no gap or potential depends on x. Only the polynomial adds up weights that sum to one to rounding.
void expect_horizontal_momentum(const SystemCase& system) {
  for (const auto& c : all_laws(system.system))
    for (const double e : {1.0, 0.5}) {
      const auto r = run(system, c, e, e == 1 ? 10 : 2);
      ASSERT_EQ(r.momenta.front().name, "horizontal momentum");
      EXPECT_LE(r.momenta.front().max_abs_error, c.keeps_quadratic ? 0 : 1e-13) << c.label << ", e = " << e;
    }
}
TEST(ImpactMomenta, HorizontalMomentumOfTheParticle) {
  expect_horizontal_momentum(system_case("particle", Particle{}));
}
TEST(ImpactMomenta, HorizontalMomentumOfTheStar) {
  expect_horizontal_momentum(system_case("star", Star{.kappa = 0.1}));
}

}  // namespace
}  // namespace carom::test
