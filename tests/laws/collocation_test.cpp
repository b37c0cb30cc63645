// The fast stepper for Gauss collocation: the same method as the flow gauss and the careful search, bit for
// bit the same on every width of packs, and as accurate as its tolerance says.
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>

#include "carom/contact/contact_stepper.hpp"
#include "carom/system/autodiff_system.hpp"
#include "collocation/step_choice.hpp"
#include "support/flow_cases.hpp"
#include "support/order.hpp"

namespace carom::test {
namespace {

using Z = Phase;

// A system and where it starts, as values.
struct Case {
  std::shared_ptr<const System> system;
  Z start;
  std::vector<Z> some_states;
  double hamiltonian(const Z& z) const { return system->hamiltonian(0, z.q, z.p); }
};
template <SystemStruct Sys>
Case make_case(const Sys& system) {
  const auto dynamic = [](const auto& z) { return Z{z.q, z.p}; };
  Case r{std::make_shared<AutodiffSystem<Sys>>(system), dynamic(validated_state(system, system.start())), {}};
  for (const auto& z : some_states(system)) r.some_states.push_back(dynamic(z));
  return r;
}
Case cart() { return make_case(CartPendulum{}); }
Case pendulum() { return make_case(DoublePendulum{}); }
Case spring_billiard() {
  Billiard box;
  box.k = 2;
  Case r = make_case(box);
  r.start = {Eigen::Vector2d(0.3, 0.2), Eigen::Vector2d(3, 1)};
  return r;
}

Z steps_of_gauss(const Case& c, int s, Z z, double T, int steps) {
  const auto flow = make_free_flow(*c.system);
  for (int n = 0; n < steps; ++n) EXPECT_TRUE((*flow)(gauss(s), n * T / steps, T / steps, z).outcome.ok());
  return z;
}

// Without contacts in the way, one step is that of the flow.
TEST(Collocation, AStepIsThatOfTheFlow) {
  for (const Case& c : {make_case(PointMass{}), make_case(Particle{}), make_case(Star{}), pendulum(), cart(),
                        make_case(Billiard{})})
    for (int s = 1; s <= most_stages; ++s)
      for (const Z& z : c.some_states) {
        const double h = 0.02;
        Z end = z;
        const Spent right = (*make_free_flow(*c.system))(gauss(s), 0.3, h, end);
        ASSERT_TRUE(right.outcome.ok());
        const auto stepper = make_collocation_stepper(*c.system, h, {.stages = s});
        const auto& found = stepper->step(0.3, z);
        if (!found.impacts.empty() || found.failure) continue;
        const double size = 1 + distance(z, Z{0 * z.q, 0 * z.p});
        EXPECT_LE(distance(found.step.z, end), 1e-14 * size) << s << " stages";
        EXPECT_NEAR(found.step.action, right.action, 1e-13 * size * size);
        EXPECT_NEAR(found.step.energy, right.energy, 1e-13 * size * size);
      }
}

struct Trip {
  Z z;
  std::vector<double> times;
  std::int64_t fallbacks = 0;
  std::optional<Failure> failure = {};
};
Trip travel(const Case& c, const Z& start, double H, int steps, const CollocationOptions& o) {
  const auto stepper = make_collocation_stepper(*c.system, H, o);
  Trip r{start, {}};
  for (int n = 0; n < steps && !r.failure; ++n) {
    const auto& s = stepper->step(n * H, r.z);
    for (const auto& impact : s.impacts) r.times.push_back(impact.t);
    r.z = s.step.z, r.failure = s.failure;
  }
  r.fallbacks = stepper->fallbacks();
  return r;
}
Trip travel(const Case& c, double H, int steps, const CollocationOptions& o) {
  return travel(c, c.start, H, steps, o);
}

bool same_bits(const Trip& a, const Trip& b) {
  const auto same = [](double x, double y) {
    return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
  };
  bool r = a.times.size() == b.times.size();
  for (int i = 0; i < 2; ++i) r = r && same(a.z.q[i], b.z.q[i]) && same(a.z.p[i], b.z.p[i]);
  for (std::size_t i = 0; r && i < a.times.size(); ++i) r = same(a.times[i], b.times[i]);
  return r;
}

TEST(Collocation, TwoAndFourLanesGiveTheSameBits) {
  if (widest_lanes() < 4) GTEST_SKIP() << "this machine has no AVX2";
  const Case c = cart(), d = pendulum();
  for (int s = 1; s <= most_stages; ++s) {
    const CollocationOptions two{.stages = s, .lanes = 2}, four{.stages = s, .lanes = 4};
    EXPECT_TRUE(same_bits(travel(c, 0.1, 200, two), travel(c, 0.1, 200, four))) << s;
    EXPECT_TRUE(same_bits(travel(d, 0.05, 200, two), travel(d, 0.05, 200, four))) << s;
  }
  const CollocationOptions two{.tolerance = 1e-9, .lanes = 2}, four{.tolerance = 1e-9, .lanes = 4};
  EXPECT_TRUE(same_bits(travel(c, 1, 20, two), travel(c, 1, 20, four)));
}

// The careful search and this stepper agree on every impact.
void expect_as_careful_search(const Case& c, double h, int steps, int s, double restitution) {
  ContactStepper careful(SystemRef{c.system}, SteadyFlow(gauss(s), h),
                         {.law = continuous_energy(), .restitution = restitution, .lasting = false});
  Z z = c.start;
  std::vector<Impact> right;
  for (int n = 0; n < steps; ++n) {
    const auto& r = careful.step(n * h, z);
    ASSERT_FALSE(r.failure) << r.failure->reason;
    right.insert(right.end(), r.impacts.begin(), r.impacts.end()), z = r.step.z;
  }
  const auto fast = make_collocation_stepper(*c.system, h, {.stages = s, .restitution = restitution});
  Z y = c.start;
  std::size_t seen = 0;
  for (int n = 0; n < steps; ++n) {
    const auto& r = fast->step(n * h, y);
    ASSERT_FALSE(r.failure) << r.failure->reason;
    for (const auto& impact : r.impacts) {
      ASSERT_LT(seen, right.size());
      EXPECT_NEAR(impact.t, right[seen].t, 1e-10);
      EXPECT_EQ(impact.contacts[0], right[seen].contacts[0]);
      EXPECT_NEAR(impact.rate_after, right[seen].rate_after, 1e-9 * (1 + std::abs(impact.rate_after)));
      EXPECT_NEAR(impact.impulse, right[seen].impulse, 1e-9 * (1 + impact.impulse));
      ++seen;
    }
    y = r.step.z;
  }
  EXPECT_EQ(seen, right.size());
  EXPECT_GT(seen, 1u);
  EXPECT_LE(distance(y, z), 1e-9);
}
TEST(Collocation, ImpactsAreThoseOfTheCarefulSearch) {
  const Case mass = make_case(PointMass{});
  expect_as_careful_search(cart(), 0.05, 120, 4, 1);
  expect_as_careful_search(cart(), 0.05, 120, 8, 1);
  expect_as_careful_search(pendulum(), 0.02, 250, 4, 1);
  expect_as_careful_search(spring_billiard(), 0.03, 100, 4, 1);
  expect_as_careful_search(mass, 0.11, 60, 3, 1);
  expect_as_careful_search(cart(), 0.05, 80, 5, 0.9);
  expect_as_careful_search(pendulum(), 0.02, 200, 4, 0.9);
  expect_as_careful_search(mass, 0.11, 60, 3, 0.9);
}

// One grid step may hold a whole run: the steps inside are equal from impact to impact, and the error falls
// with the order of the method through three impacts.
TEST(Collocation, OrderThroughImpacts) {
  const Case system = cart();
  const auto exact = travel(system, 5, 1, {.stages = 8, .longest_step = 0.05});
  for (const int s : {1, 2, 3, 4}) {
    std::vector<ErrorAt> errors;
    for (const int n : {100, 140, 200, 280}) {
      const double h = (s > 2 ? 8.0 : 2.0) / n;
      const auto found = travel(system, 5, 1, {.stages = s, .longest_step = h});
      ASSERT_EQ(found.times.size(), 3u);
      errors.push_back({h, distance(found.z, exact.z)});
    }
    const auto order = observed_order(errors, 1e-12);
    EXPECT_NEAR(order.slope, 2 * s, 0.15 * 2 * s) << s << " stages\n" << order.table;
  }
}

// --- accuracy ---------------------------------------------------------------------------------------------

TEST(Collocation, AToleranceIsKeptOverAFamilyOfStarts) {
  const Case system = cart();
  for (const double tolerance : {1e-5, 1e-7, 1e-9, 1e-11, 1e-13}) {
    double worst = 0;
    for (int k = 0; k <= 40; ++k) {
      const auto start = validated_state(CartPendulum{}, CartPendulum::family(3.2 + 0.05 * k));
      const Z z{start.q, start.p};
      const auto exact = travel(system, z, 5, 1, {.stages = 8, .longest_step = 0.05});
      const auto found = travel(system, z, 5, 1, {.tolerance = tolerance});
      ASSERT_FALSE(found.failure);
      EXPECT_EQ(found.times.size(), exact.times.size()) << "an impact missed, k = " << k;
      worst = std::max(worst, distance(found.z, exact.z));
    }
    EXPECT_LE(worst, 100 * tolerance) << tolerance;   // three impacts amplify what a step errs by
    EXPECT_GE(worst, 0.01 * tolerance) << tolerance;  // more than was asked for costs time
  }
}

// What a step is thought to err by, against its true error at the worst step of a motion: hardly ever less,
// and not so much more that steps would be a quarter of what they could be.
void expect_estimates(const Case& c, double T, double longest, int s) {
  const SizedSystem<2> system(*c.system);
  for (const double h : {longest, longest / 2}) {
    Collocation<2> stages(system, s, 2);
    StepChoice<2> choice(1e-9, h, 4e-16);
    Z at = c.start, size{at.q.cwiseAbs(), at.p.cwiseAbs()};
    for (int n = 0; n < 40; ++n) {
      size = {size.q.cwiseMax(at.q.cwiseAbs()), size.p.cwiseMax(at.p.cwiseAbs())};
      at = steps_of_gauss(c, 8, at, T / 40, 4);
    }
    choice.remember({size.q, size.p});
    at = c.start;
    double estimated = 0, erred = 0;
    for (int n = 0; n < 40; ++n) {
      const State<double, 2> z{at.q, at.p};
      stages.forget();
      stages.prepare(0, h, z);
      ASSERT_TRUE(stages.solve(0, h, z, 4e-16).ok());
      const auto end = stages.reached(h, z);
      const Z right = steps_of_gauss(c, 8, at, h, 16);
      estimated = std::max(estimated, choice.error(stages, 0, z));
      erred = std::max({erred, (end.q - right.q).cwiseAbs().cwiseQuotient(size.q).maxCoeff(),
                        (end.p - right.p).cwiseAbs().cwiseQuotient(size.p).maxCoeff()});
      at = steps_of_gauss(c, 8, at, T / 40, 4);
    }
    EXPECT_GE(estimated, 0.3 * erred) << s << " stages, h = " << h;
    EXPECT_LE(std::pow(estimated / erred, 1.0 / (2 * s + 1)), 4) << s << " stages, h = " << h;
  }
}
TEST(Collocation, StepsErrByAboutWhatIsEstimated) {
  expect_estimates(cart(), 1.5, 0.3, 4);
  expect_estimates(cart(), 1.5, 0.3, 6);
  expect_estimates(cart(), 1.5, 0.4, 8);
  expect_estimates(pendulum(), 3, 0.06, 4);
  expect_estimates(pendulum(), 3, 0.06, 6);
  expect_estimates(pendulum(), 3, 0.06, 8);
}

// --- what is hard -----------------------------------------------------------------------------------------

// Steps too long for the iteration in the wilder moments of a run: taken in halves, counted, and right.
TEST(Collocation, WhatDoesNotConvergeIsTakenInHalves) {
  const Case system = cart();
  const auto found = travel(system, 10, 100, {.stages = 8, .longest_step = 0.3});
  ASSERT_FALSE(found.failure) << found.failure->reason;
  EXPECT_GT(found.fallbacks, 10);
  const double H = system.hamiltonian(system.start);
  EXPECT_NEAR(system.hamiltonian(found.z), H, 5e-4 * H);
}

// A point mass whose weight points away from the floor dips below it, or just does not.
TEST(Collocation, EveryGrazeIsFoundAndNoMissBecomesOne) {
  const AutodiffSystem<PointMass> rising(PointMass{.m = 1, .g = -1});
  for (const double h : {0.1, 0.7})
    for (const int s : {2, 5})
      for (double depth : {1e-2, 1e-4, 1e-6, 1e-8, 1e-10, -1e-12, -1e-6, -1e-2})
        for (int k = 0; k < 20; ++k) {
          const double bottom = (2 + (k + 0.5) / 20) * h;
          const auto stepper = make_collocation_stepper(rising, h, {.stages = s});
          Z z{Vector<double, 1>(0.5 * bottom * bottom - depth), Vector<double, 1>(-bottom)};
          std::size_t impacts = 0;
          for (int n = 0; n < 5; ++n) {
            const auto& r = stepper->step(n * h, z);
            ASSERT_FALSE(r.failure) << r.failure->reason;
            z = r.step.z, impacts += r.impacts.size();
          }
          EXPECT_EQ(impacts, depth > 0 ? 1u : 0u) << "h = " << h << ", depth " << depth << ", phase " << k;
        }
}

// Into a corner: both walls at once, where the careful search takes over.
TEST(Collocation, CornersAreLeftToTheCarefulSearch) {
  const Case box = make_case(Billiard{});
  const Z z{Eigen::Vector2d(0, 0), Eigen::Vector2d(1, 1)};
  const auto found = travel(box, z, 0.3, 50, {.stages = 3});
  ASSERT_FALSE(found.failure) << found.failure->reason;
  EXPECT_GT(found.times.size(), 3u);
  EXPECT_NEAR(box.hamiltonian(found.z), box.hamiltonian(z), 1e-12);
}

// What ends the run of a point mass that is let go from a height of 1; nothing within 50.
std::optional<Failure> end_of_fall(const CollocationOptions& options) {
  const AutodiffSystem<PointMass> mass(PointMass{});
  const auto stepper = make_collocation_stepper(mass, 0.5, options);
  Z z{Vector<double, 1>(1.0), Vector<double, 1>(0.0)};
  std::optional<Failure> failure;
  for (int n = 0; n < 100 && !failure; ++n) {
    const auto& r = stepper->step(0.5 * n, z);
    z = r.step.z, failure = r.failure;
  }
  return failure;
}
// Bounces that lose energy accumulate: named, not followed for ever.
TEST(Collocation, AccumulatingImpactsAreNamed) {
  const auto failure = end_of_fall({.stages = 3, .restitution = 0.5});
  ASSERT_TRUE(failure);
  EXPECT_NE(failure->reason.find("accumulate"), std::string::npos) << failure->reason;
}
TEST(Collocation, WithoutALawTheFirstContactEndsTheRun) {
  const auto failure = end_of_fall({.stages = 3, .stops_at_contacts = true});
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->contact, gap_name(PointMass{}, 0));
}

struct Keep final : KeptNumbers {
  std::vector<double> all;
  void operator()(double& x) override { all.push_back(x); }
  void operator()(std::int64_t& x) override { all.push_back(static_cast<double>(x)); }
};
struct Restore final : KeptNumbers {
  explicit Restore(const std::vector<double>& kept) : all(kept) {}
  const std::vector<double>& all;
  std::size_t next = 0;
  void operator()(double& x) override { x = all[next++]; }
  void operator()(std::int64_t& x) override { x = static_cast<std::int64_t>(all[next++]); }
};
// A run that is stopped and goes on from its numbers is the run that was never stopped.
TEST(Collocation, ARunGoesOnFromItsNumbers) {
  const Case c = cart();
  for (const CollocationOptions& o :
       {CollocationOptions{.stages = 5}, CollocationOptions{.tolerance = 1e-8}}) {
    const auto whole = make_collocation_stepper(*c.system, 0.2, o),
               second = make_collocation_stepper(*c.system, 0.2, o);
    Z z = c.start;
    for (int n = 0; n < 40; ++n) z = whole->step(0.2 * n, z).step.z;
    Keep kept;
    whole->numbers(kept);
    Restore restore(kept.all);
    second->numbers(restore);
    Z y = z;
    for (int n = 40; n < 80; ++n) z = whole->step(0.2 * n, z).step.z, y = second->step(0.2 * n, y).step.z;
    EXPECT_EQ(z.q, y.q);
    EXPECT_EQ(z.p, y.p);
  }
}

// The energy over 1400 impacts: no more than the method's own error, however long the run.
TEST(Collocation, EnergyOverManyImpacts) {
  const Case system = cart();
  const double H = system.hamiltonian(system.start);
  const auto found = travel(system, 10, 200, {.stages = 8, .longest_step = 0.08});
  ASSERT_FALSE(found.failure);
  EXPECT_GT(found.times.size(), 1400u);
  EXPECT_EQ(found.fallbacks, 0);
  EXPECT_LE(std::abs(system.hamiltonian(found.z) - H), 1e-11 * H);
}

}  // namespace
}  // namespace carom::test
