// Steps that a tolerance chooses: right from rest and through kinks, the same in all units, and stopped when
// asked.
#include <gtest/gtest.h>

#include <bit>

#include "carom/flow/collocation.hpp"
#include "carom/system/autodiff_system.hpp"

namespace carom::test {
namespace {

struct Units {
  double length = 1, mass = 1, time = 1;
};

// A mass on a stiffening spring, with drag that has a kink or not, a push in time, and a wall: in any units.
// Beside it a free mass of any speed.
struct Pushed {
  static constexpr int dim = 2;
  static constexpr std::array coordinate_names{"x", "s"};
  static constexpr std::array gap_names{"wall"};
  static constexpr bool has_kinks = true;
  Units u = {};
  double k = 2, b = 1, push = 2, damping = 0.1, drag = 0, wall = -0.7;

  Matrix<double, 2> mass() const { return u.mass * Matrix<double, 2>::Identity(); }
  template <class S>
  S potential(const Vector<S, 2>& q) const {
    const double stiffness = u.mass / (u.time * u.time);
    return (0.5 * k * stiffness) * q[0] * q[0] +
           (0.25 * b * stiffness / (u.length * u.length)) * q[0] * q[0] * q[0] * q[0];
  }
  template <class S>
  Vector<S, 2> force(const S& t, const Vector<S, 2>&, const Vector<S, 2>& v) const {
    const double speed = u.length / u.time, force = u.mass * speed / u.time;
    return Vector<S, 2>((push * force) * sin(t * (1.7 / u.time)) - (damping * u.mass / u.time) * v[0] -
                            (drag * u.mass / u.length) * v[0] * abs(v[0]),
                        S(0.0));
  }
  template <class S>
  Vector<S, 1> gaps(const Vector<S, 2>& q) const {
    return Vector<S, 1>(q[0] - wall * u.length);
  }
};

struct Motion {
  Phase z;
  std::vector<double> impacts;
  std::optional<Failure> failure = {};
  bool stopped = false;
};
Motion travel(const Pushed& p, double x, double v, double T, int grid, CollocationOptions options,
              double spectator = 0) {
  const AutodiffSystem<Pushed> system(p);
  const double speed = p.u.length / p.u.time, H = T * p.u.time / grid;
  options.longest_step *= p.u.time;
  const auto stepper = make_collocation_stepper(system, H, options);
  Motion r{{Eigen::Vector2d(x * p.u.length, 0), Eigen::Vector2d(v, spectator) * p.u.mass * speed}, {}};
  for (int n = 0; n < grid && !r.failure && !r.stopped; ++n) {
    const auto& s = stepper->step(n * H, r.z);
    for (const auto& impact : s.impacts) r.impacts.push_back(impact.t / p.u.time);
    r.z = s.step.z, r.failure = s.failure, r.stopped = s.stopped;
  }
  r.z.q /= p.u.length, r.z.p /= p.u.mass * speed;
  return r;
}
Motion exact(const Pushed& p, double x, double v, double T) {
  return travel(p, x, v, T, 1, {.stages = 8, .longest_step = 2e-3});
}
double error_of(const Motion& found, const Motion& right) {
  return std::max(std::abs(found.z.q[0] - right.z.q[0]), std::abs(found.z.p[0] - right.z.p[0]));
}

// Nothing moves, or nothing yet: the step is what the grid has, or what the force will need.
TEST(Tolerance, StartsAtRestEnd) {
  for (const double tolerance : {1e-3, 1e-6, 1e-12, 1e-15})
    for (const double T : {1e-9, 1.0, 1e6}) {
      const auto still = travel({.push = 0}, 0, 0, T, 2, {.tolerance = tolerance});
      ASSERT_FALSE(still.failure);
      EXPECT_EQ(still.z.q[0], 0);
      EXPECT_EQ(still.z.p[0], 0);
    }
  const Pushed pushed{.damping = 0};
  const auto right = exact(pushed, 0, 0, 3);
  for (const double tolerance : {1e-5, 1e-8, 1e-11})
    EXPECT_LE(error_of(travel(pushed, 0, 0, 3, 2, {.tolerance = tolerance}), right), 10 * tolerance)
        << tolerance;
}

TEST(Tolerance, IsKeptThroughKinksAndImpacts) {
  for (const Pushed& p : {Pushed{}, Pushed{.damping = 0, .drag = 0.7}, Pushed{.drag = 0.3, .wall = -5}})
    for (const auto& [x, v] : {std::pair{0.2, 0.5}, {0.5, 3.0}, {-0.3, 0.0}}) {
      // A kink in the second derivative costs fixed steps of 1e-3 less than 1e-12.
      const auto right = travel(p, x, v, 4, 1, {.stages = 8, .longest_step = 2e-4});
      for (const double tolerance : {1e-5, 1e-7, 1e-9, 1e-11}) {
        const auto found = travel(p, x, v, 4, 3, {.tolerance = tolerance});
        ASSERT_FALSE(found.failure);
        EXPECT_EQ(found.impacts.size(), right.impacts.size());
        EXPECT_LE(error_of(found, right), 10 * tolerance + 3e-12) << tolerance << ' ' << x << ' ' << v;
      }
    }
}

// A narrow push is seen by steps that are told not to be longer than it is wide.
struct Pulse {
  static constexpr int dim = 1;
  static constexpr std::array coordinate_names{"x"};
  Matrix<double, 1> mass() const { return Matrix<double, 1>(1.0); }
  template <class S>
  S potential(const Vector<S, 1>&) const {
    return S(0.0);
  }
  template <class S>
  Vector<S, 1> force(const S& t, const Vector<S, 1>&, const Vector<S, 1>&) const {
    const S s = (t - 3.0) * 1e3;
    return Vector<S, 1>(exp(-s * s));
  }
};
TEST(Tolerance, StepsAreNoLongerThanTheLongest) {
  const AutodiffSystem<Pulse> pulse{Pulse{}};
  const auto stepper = make_collocation_stepper(pulse, 5, {.longest_step = 2e-3, .tolerance = 1e-9});
  const auto& found = stepper->step(0, Phase{Vector<double, 1>(1.0), Vector<double, 1>(1.0)});
  EXPECT_NEAR(found.step.z.p[0], 1 + 1e-3 * std::sqrt(std::acos(-1)), 1e-8);
}

// Powers of two change no bit, others nothing but rounding.
void expect_scaled(const Pushed& p, const Units& u, const CollocationOptions& options, bool bits) {
  Pushed scaled = p;
  scaled.u = u;
  const auto plain = travel(p, 0.2, 0.5, 4, 8, options), found = travel(scaled, 0.2, 0.5, 4, 8, options);
  ASSERT_FALSE(found.failure);
  ASSERT_EQ(found.impacts.size(), plain.impacts.size());
  if (!bits) {
    EXPECT_LE(error_of(found, plain), std::fmax(1e-13, options.tolerance));
    return;
  }
  EXPECT_EQ(found.z.q, plain.z.q);
  EXPECT_EQ(found.z.p, plain.z.p);
  EXPECT_EQ(found.impacts, plain.impacts);
}
TEST(Tolerance, UnitsDoNotMatter) {
  for (const Pushed& p : {Pushed{}, Pushed{.drag = 0.5}, Pushed{.push = 0, .damping = 0}})
    for (const CollocationOptions& options :
         {CollocationOptions{.tolerance = 1e-6}, CollocationOptions{.tolerance = 1e-11},
          CollocationOptions{.stages = 4}}) {
      for (const int a : {-40, 0, 40})
        for (const int b : {-40, 13})
          for (const int c : {-40, 40})
            expect_scaled(p, {std::ldexp(1, a), std::ldexp(1, b), std::ldexp(1, c)}, options, true);
      expect_scaled(p, {1e-12, 1, 1}, options, false), expect_scaled(p, {1, 1e12, 1e-12}, options, false);
      expect_scaled(p, {3e7, 1e-9, 1e3}, options, false);
    }
}

TEST(Tolerance, WhatMovesBesideDoesNotMatter) {
  const Pushed p{.drag = 0.3};
  const auto right = exact(p, 0.2, 0.5, 4);
  for (const double speed : {0.0, 1.0, 1e3, 1e6, 1e9})
    EXPECT_LE(error_of(travel(p, 0.2, 0.5, 4, 3, {.tolerance = 1e-9}, speed), right), 1e-8) << speed;
}

// Asked between steps: what is left is the node before, from which the run goes on.
TEST(Tolerance, AStepStopsWhenAsked) {
  int asked = 0;
  const auto found =
      travel({}, 0.2, 0.5, 1e6, 1, {.tolerance = 1e-9, .stop = [&asked] { return ++asked > 100; }});
  EXPECT_TRUE(found.stopped);
  EXPECT_EQ(asked, 101);
  EXPECT_EQ(found.z.q[0], 0.2);
}

}  // namespace
}  // namespace carom::test
