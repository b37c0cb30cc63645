// DAEs with inequalities: take-off, flight, landing with restitution and friction, rest. Times are compared
// with motions that are located elsewhere: Gauss collocation of the mass along its curve, and parabolas.
#include <gtest/gtest.h>

#include "support/dae_systems.hpp"

namespace carom::test {
namespace {

using Z = Phase;

struct Seen {
  std::vector<double> take_offs, landings, begins;
  std::vector<Impact> impacts;
  Z z;
  double smallest_gap = HUGE_VAL, work = 0, friction = 0, loss = 0, change = 0;
  std::optional<double> rest;  // the end of the step in which it began
  std::optional<Failure> failure;

  double remainder() const { return change - work - friction + loss; }
};

struct Setting {
  std::string flow = "sva";
  double h = 0.01, end = 10, restitution = 0.5;
  DaeScheme scheme = {};
};

Seen observe(std::shared_ptr<const Dae> dae, const Setting& s, Values y, Values z) {
  const DaeSystem system(std::move(dae));
  DaeStepper stepper(system, make_flow(s.flow), s.h, {.scheme = s.scheme, .restitution = s.restitution});
  DaeMotion motion;
  system.dae->motion(0, y, z, motion);
  Seen r;
  r.z = {y, motion.p};
  const double H = hamiltonian(system, r.z);
  for (int n = 0; n * s.h < s.end - 1e-9 && !r.rest; ++n) {
    const auto& step = stepper.step(n * s.h, r.z);
    if (step.failure) {
      r.failure = step.failure;
      break;
    }
    r.z = step.step.z;
    r.work += step.step.work, r.friction += step.step.friction;
    for (const auto& impact : step.impacts) {
      r.landings.push_back(impact.t), r.impacts.push_back(impact);
      r.loss += hamiltonian(system, Z{impact.q, impact.p_before}) -
                hamiltonian(system, Z{impact.q, impact.p_after});
    }
    for (const auto& change : step.changes) (change.begins ? r.begins : r.take_offs).push_back(change.t);
    if (system.one_sided.size() > 0)
      r.smallest_gap = std::fmin(r.smallest_gap, system.gaps(r.z.q).minCoeff());
    if (stepper.rests()) r.rest = (n + 1) * s.h;
  }
  r.change = hamiltonian(system, r.z) - H;
  return r;
}

template <class Curve>
Seen on_curve(const MassOn<Curve>& system, const Setting& s, double x, double u) {
  return observe(mechanical(system), s, values({x, system.curve.height(x)}),
                 values({u, system.curve.slope(x) * u}));
}

// Take-off and the next landing of a mass that slides from (x, u), to about 1e-12: by Gauss collocation along
// the curve until psi = 0, and by the parabola after that.
struct Flight {
  double take_off, landing;
};
template <class Curve>
Flight exact_flight(const MassOn<Curve>& on, double x, double u) {
  const Sliding<Curve> sliding{on};
  const Flow flow = gauss(4);
  State<double, 1> s{Vector<double, 1>(x),
                     momentum(sliding, 0.0, Vector<double, 1>(x), Vector<double, 1>(u))};
  const double h = 1e-3;
  const auto after = [&](double tau) { return flow_step(sliding, flow, 0.0, tau, s).z; };
  const auto pressed = [&](const State<double, 1>& z) {
    return sliding.multiplier(z.q[0], velocity(sliding, 0.0, z.q, z.p).x[0]) > 0;
  };
  double t = 0;
  for (; pressed(after(h)); t += h) s = after(h);
  double low = 0, high = h;
  for (int i = 0; i < 60; ++i) (pressed(after(0.5 * (low + high))) ? low : high) = 0.5 * (low + high);
  s = after(low);
  const double x0 = s.q[0], u0 = velocity(sliding, 0.0, s.q, s.p).x[0], y0 = on.curve.height(x0),
               w0 = on.curve.slope(x0) * u0;
  const auto gap = [&](double tau) {
    return y0 + w0 * tau - 0.5 * on.g * tau * tau - on.curve.height(x0 + u0 * tau);
  };
  double open = 0.05;
  while (gap(open) > 0) open += 1e-3;
  double before = open - 1e-3, behind = open;
  for (int i = 0; i < 60; ++i) (gap(0.5 * (before + behind)) > 0 ? before : behind) = 0.5 * (before + behind);
  return {t + low, t + low + before};
}

// A wave so high and a mass so fast that it takes off behind the first crest and lands in front of the
// second.
MassOn<Wave> wave(double c_f = 0.1) {
  MassOn<Wave> r;
  r.c_f = c_f;
  return r;
}
constexpr double wave_x = -0.6, wave_u = 2.6;

struct FlightOrder {
  std::string flow;
  double order, tolerance;
};
class DaeFlights : public testing::TestWithParam<FlightOrder> {};
INSTANTIATE_TEST_SUITE_P(Flows, DaeFlights,
                         testing::Values(FlightOrder{"se1", 1, 0.1}, FlightOrder{"sva", 2, 0.15},
                                         FlightOrder{"svb", 2, 0.15}),
                         [](const auto& of) { return of.param.flow; });

TEST_P(DaeFlights, TakeOffAndLandingConverge) {
  for (const double r_f : {0.85, 1.0}) {
    MassOn<Wave> system = wave();
    system.r_f = r_f;
    const Flight exact = exact_flight(system, wave_x, wave_u);
    std::vector<ErrorAt> take_off, landing;
    for (const double h : {0.01, 0.005, 0.0025, 0.00125}) {
      const Seen seen =
          on_curve(system, {.flow = GetParam().flow, .h = h, .end = exact.landing + 0.1}, wave_x, wave_u);
      ASSERT_FALSE(seen.take_offs.empty()) << (seen.failure ? seen.failure->reason : "");
      ASSERT_FALSE(seen.landings.empty());
      take_off.push_back({h, std::abs(seen.take_offs[0] - exact.take_off)});
      landing.push_back({h, std::abs(seen.landings[0] - exact.landing)});
      EXPECT_GE(seen.smallest_gap, -1e-13);
    }
    // |psi|^0.85 has no derivative at take-off, where psi = 0: the order is less regular then.
    const double tolerance = r_f < 1 ? 0.35 : GetParam().tolerance;
    const auto off = observed_order(take_off, 1e-12), down = observed_order(landing, 1e-12);
    EXPECT_NEAR(off.slope, GetParam().order, tolerance) << r_f << '\n' << off.table;
    EXPECT_NEAR(down.slope, GetParam().order, tolerance) << r_f << '\n' << down.table;
  }
}

// The start presses outwards, so the mass is in the air at once; where it comes down is a cubic's root.
TEST(DaeContact, AStartThatTakesOffLandsOnTime) {
  const MassOn<Cubic> system;
  const double x = -3, u = 9, b = system.curve.b;
  const double landing = (-0.5 * system.g - 3 * b * x * u * u) / (b * u * u * u);
  for (const std::string flow : {"se1", "sva", "yoshida4"}) {
    const Seen seen = on_curve(system, {.flow = flow, .end = 0.4}, x, u);
    ASSERT_EQ(seen.landings.size(), 1u);
    EXPECT_NEAR(seen.landings[0], landing, 1e-12) << flow;
    EXPECT_NEAR(seen.impacts[0].rate_after, -0.5 * seen.impacts[0].rate_before, 1e-13);
  }
}

// Several landings and take-offs, then rest: the place converges with the order of the flow.
TEST(DaeContact, HopsAndComesToRest) {
  MassOn<Wave> system;
  system.curve.a = 0.2;
  const auto place = [&](const std::string& flow, double h) {
    const Seen seen = on_curve(system, {.flow = flow, .h = h, .end = 30, .restitution = 0}, -0.3, 8);
    EXPECT_FALSE(seen.failure) << seen.failure->reason;
    EXPECT_EQ(seen.landings.size(), 3u);
    EXPECT_EQ(seen.take_offs.size(), 1u);  // the first is that of the start, the second of a landing
    EXPECT_TRUE(seen.rest);
    EXPECT_EQ(seen.z.p, values({0, 0}));
    EXPECT_GE(seen.smallest_gap, -1e-13);
    return seen.z.q[0];
  };
  const double finest = place("yoshida4", 0.0025);
  std::vector<ErrorAt> first, second;
  for (const double h : {0.01, 0.005, 0.0025}) {
    first.push_back({h, std::abs(place("se1", h) - finest)});
    second.push_back({h, std::abs(place("sva", h) - finest)});
  }
  EXPECT_NEAR(observed_order(first, 1e-10).slope, 1, 0.15) << observed_order(first, 1e-10).table;
  EXPECT_NEAR(observed_order(second, 1e-10).slope, 2, 0.2) << observed_order(second, 1e-10).table;
}
TEST(DaeContact, BouncesOnTheCubicAndComesToRest) {
  MassOn<Cubic> system;
  system.c_f = 0.4;
  for (const std::string flow : {"se1", "sva", "yoshida4"}) {
    const Seen seen = on_curve(system, {.flow = flow, .end = 30}, -3, 9);
    EXPECT_FALSE(seen.failure) << seen.failure->reason;
    EXPECT_GT(seen.landings.size(), 5u);
    EXPECT_TRUE(seen.rest);
    EXPECT_EQ(seen.z.p, values({0, 0}));
    EXPECT_GE(seen.smallest_gap, -1e-13);
  }
}

// Rounding of y is one of y/h in z: small steps at small speeds converge all the same.
TEST(DaeContact, SmallStepsConverge) {
  const DaeSystem system(mechanical(wave()));
  for (const double h : {1e-4, 1e-5}) {
    DaeStepper stepper(system, sva(), h, {.scheme = {}, .restitution = 0.3});
    Z z{values({0.3, Wave{}.height(0.3)}), values({1e-3, 1e-3 * Wave{}.slope(0.3)})};
    for (int n = 0; n < 2000; ++n) {
      const auto& step = stepper.step(n * h, z);
      ASSERT_FALSE(step.failure) << step.failure->reason;
      z = step.step.z;
    }
    EXPECT_EQ(stepper.fallbacks(), 0);
  }
}

TEST(DaeContact, EnergyBalanceOfSlidingAndLanding) {
  for (const std::string flow : {"sva", "yoshida4"}) {
    double last = HUGE_VAL;
    for (const double h : {0.02, 0.01, 0.005}) {
      const Seen seen =
          on_curve(wave(), {.flow = flow, .h = h, .end = 1.5, .restitution = 0.3}, wave_x, wave_u);
      ASSERT_FALSE(seen.failure);
      EXPECT_LT(seen.friction, -0.01);
      EXPECT_GT(seen.loss, 0.01);
      EXPECT_LT(std::abs(seen.remainder()), last / 3) << flow << h;
      last = std::abs(seen.remainder());
    }
    EXPECT_LT(last, 1e-3);
  }
}

TEST(DaeContact, WithoutFrictionElasticLandingsKeepTheEnergy) {
  MassOn<Wave> system = wave(0);
  system.curve.a = 0.2;
  const Seen seen = on_curve(system, {.h = 0.005, .end = 20, .restitution = 1}, -0.6, 5);
  ASSERT_FALSE(seen.failure);
  EXPECT_GT(seen.landings.size(), 10u);
  EXPECT_EQ(seen.friction, 0);
  EXPECT_LT(std::abs(seen.loss), 1e-11);
  EXPECT_LT(std::abs(seen.change), 1e-3);
}

TEST(DaeContact, RestIsKeptBitForBit) {
  const MassOn<Cubic> system;  // friction 0.1 * 9.81^0.85 = 0.697 holds slopes up to 0.071, x up to 1.54
  const DaeSystem dae(mechanical(system));
  DaeStepper stepper(dae, sva(), 0.01, {});
  Z z{values({1.4, system.curve.height(1.4)}), values({0, 0})};
  const Z start = z;
  for (int n = 0; n < 1000; ++n) z = stepper.step(n * 0.01, z).step.z;
  EXPECT_EQ(z.q, start.q);
  EXPECT_EQ(z.p, start.p);
  EXPECT_TRUE(stepper.rests());
}
TEST(DaeContact, WhatFrictionCannotHoldSlides) {
  const MassOn<Cubic> system;
  const Seen seen = on_curve(system, {.end = 0.5}, 1.7, 0);
  EXPECT_FALSE(seen.rest);
  EXPECT_LT(seen.z.q[0], 1.7);
  // From rest: x'' = tangential force over mass.
  const double s = system.curve.slope(1.7), normal = system.g / std::hypot(1, s);
  const double a =
      (system.g * s / std::hypot(1, s) - system.c_f * std::pow(normal, system.r_f)) / std::hypot(1, s);
  const Seen early = on_curve(system, {.h = 0.001, .end = 0.02}, 1.7, 0);
  EXPECT_NEAR((1.7 - early.z.q[0]) / (0.5 * a * 0.02 * 0.02), 1, 1e-3);
}

// Slides up, stops, and slides down again, or stays, as the slope says.
TEST(DaeContact, TurnsRoundOrStays) {
  const MassOn<Cubic> system;
  const Seen turned = on_curve(system, {.end = 3}, 4, 3);
  EXPECT_FALSE(turned.rest);
  EXPECT_LT(turned.z.q[0], 4);
  MassOn<Cubic> rough;
  rough.c_f = 3;
  const Seen stayed = on_curve(rough, {.end = 3}, 4, 3);
  EXPECT_TRUE(stayed.rest);
  EXPECT_GT(stayed.z.q[0], 4);
}

// A block on the ground, pushed harder and harder: it slips when the push passes c_f N^r_f.
struct PushedBlock {
  static constexpr int dim = 2;
  double push = 0.7, c_f = 0.4, r_f = 0.9, g = 9.81;
  Matrix<double, 2> mass() const { return Matrix<double, 2>::Identity(); }
  template <class S>
  S potential(const Vector<S, 2>& q) const {
    return g * q[1];
  }
  template <class S>
  Vector<S, 2> force(const S& t, const Vector<S, 2>&, const Vector<S, 2>&) const {
    return {push * t, S(0.0)};
  }
  template <class S>
  Vector<S, 1> gaps(const Vector<S, 2>& q) const {
    return Vector<S, 1>(q[1]);
  }
  template <class S>
  Vector<S, 2> friction(const Vector<S, 2>&, const Vector<S, 2>& v, const auto& psi) const {
    return v * (-c_f * pow(abs(psi[0]), r_f) / sqrt(v.dot(v)));
  }
};
TEST(DaeContact, ABlockSlipsWhenThePushIsEnough) {
  const PushedBlock block;
  const DaeSystem system(mechanical(block));
  DaeStepper stepper(system, sva(), 0.05, {});
  Z z{values({0, 0}), values({0, 0})};
  const double hold = block.c_f * std::pow(block.g, block.r_f), slip = hold / block.push, end = 5;
  ASSERT_LT(slip, end);
  int n = 0;
  for (; (n + 1) * 0.05 < slip; ++n) {
    z = stepper.step(n * 0.05, z).step.z;
    EXPECT_EQ(z.p, values({0, 0}));
  }
  for (; n < 100; ++n) z = stepper.step(n * 0.05, z).step.z;
  const double since = end - slip;
  EXPECT_NEAR(z.p[0], 0.5 * block.push * since * since, 1e-6);
  EXPECT_NEAR(z.q[0], block.push * since * since * since / 6, 2e-3);
}

// A landing stops at most what moves along the surface, however rough that is.
TEST(DaeContact, FrictionAtALandingDoesNotTurnTheMotionRound) {
  PushedBlock block;
  block.push = 0, block.c_f = 50;
  const Seen seen =
      observe(mechanical(block), {.end = 0.5, .restitution = 0}, values({0, 0.1}), values({0.3, 0}));
  ASSERT_EQ(seen.landings.size(), 1u);
  EXPECT_NEAR(seen.landings[0], std::sqrt(0.2 / 9.81), 1e-12);
  EXPECT_TRUE(seen.rest);
  EXPECT_EQ(seen.z.p, values({0, 0}));
  EXPECT_NEAR(seen.z.q[0], 0.3 * seen.landings[0], 1e-12);
}
// The impulse of friction follows the law of the force: c_f |Lambda|^r_f.
TEST(DaeContact, FrictionAtALandingFollowsItsLaw) {
  PushedBlock block;
  block.push = 0, block.c_f = 0.2;
  const double e = 0.4, down = std::sqrt(2 * 9.81 * 0.1);
  const Seen seen =
      observe(mechanical(block), {.end = 0.15, .restitution = e}, values({0, 0.1}), values({3, 0}));
  ASSERT_EQ(seen.impacts.size(), 1u);
  const auto& impact = seen.impacts[0];
  EXPECT_NEAR(impact.p_after[1], e * down, 1e-12);
  EXPECT_NEAR(impact.p_after[0], 3 - 0.2 * std::pow((1 + e) * down, 0.9), 1e-12);
}

// Bounces that get shorter and shorter: t = sqrt(2 h / g) (1 + e) / (1 - e), then sliding or rest.
TEST(DaeContact, BouncesSettleOnTime) {
  PushedBlock block;
  block.push = 0;
  for (const double h : {0.1, 0.01}) {
    const DaeSystem system(mechanical(block));
    DaeStepper stepper(system, sva(), h, {.scheme = {}, .restitution = 0.5});
    Z z{values({0, 1}), values({0, 0})};
    double settled = NAN;
    for (int n = 0; n * h < 3; ++n) {
      const auto& step = stepper.step(n * h, z);
      for (const auto& change : step.changes) settled = change.settled;
      z = step.step.z;
    }
    EXPECT_NEAR(settled, std::sqrt(2 / 9.81) * 3, 1e-9);
    EXPECT_TRUE(stepper.rests());
    EXPECT_LE(std::abs(z.q[1]), 1e-15);
  }
}

// Two grounds in a corner: sliding along one, the other is hit, and both last.
struct Corner {
  static constexpr int dim = 2;
  double c_f = 0.1;
  Matrix<double, 2> mass() const { return Matrix<double, 2>::Identity(); }
  template <class S>
  S potential(const Vector<S, 2>& q) const {
    return 9.81 * q[1] - 2.0 * q[0];  // the ground is below, the wall to the right
  }
  template <class S>
  Vector<S, 2> gaps(const Vector<S, 2>& q) const {
    return {q[1], 1.0 - q[0]};
  }
  template <class S>
  Vector<S, 2> friction(const Vector<S, 2>&, const Vector<S, 2>& v, const auto& psi) const {
    return v * (-c_f * (abs(psi[0]) + abs(psi[1])) / sqrt(v.dot(v)));
  }
};
TEST(DaeContact, ACorner) {
  for (const double e : {0.0, 0.5}) {
    const Seen seen =
        observe(mechanical(Corner{}), {.end = 20, .restitution = e}, values({0, 0}), values({1, 0}));
    ASSERT_FALSE(seen.failure) << seen.failure->reason;
    EXPECT_TRUE(seen.rest);
    EXPECT_NEAR(seen.z.q[0], 1, 1e-12);
    EXPECT_NEAR(seen.z.q[1], 0, 1e-12);
    EXPECT_GE(seen.smallest_gap, -1e-12);
  }
}

TEST(DaeContact, BadOptionsAreRefused) {
  const auto refused = [](const Flow& flow, double h, const DaeOptions& options) {
    try {
      DaeStepper stepper(DaeSystem(mechanical(MassOn<Cubic>{})), flow, h, options);
    } catch (const InvalidInput& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_EQ(refused(se1(), 0.01, {.scheme = {.alpha = 0}}), "alpha = 0: must not be 0");
  EXPECT_EQ(refused(se1(), 0.01, {.scheme = {.natural = true, .alpha = 1}}), "alpha = 1: must not be 0 or 1");
  EXPECT_EQ(refused(se1(), 0, {}), "step = 0: must be greater than 0");
  EXPECT_EQ(refused(se1(), 0.01, {.scheme = {}, .restitution = 1.5}),
            "restitution = 1.5: must be from 0 to 1");
  EXPECT_EQ(refused(svc(), 0.01, {}),
            "flow = svc: is not made of symplectic Euler steps; se1, sva and svb are");
  EXPECT_EQ(refused(gauss(2), 0.01, {}),
            "flow = gauss: is not made of symplectic Euler steps; se1, sva and svb are");
}

}  // namespace
}  // namespace carom::test
