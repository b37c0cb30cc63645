// Systems with contacts and joints to try the laws on: the examples of 003, and some that are harder.
#pragma once

#include <gtest/gtest.h>

#include <numbers>
#include <random>

#include "carom/carom.hpp"
#include "carom/contact/gvi.hpp"
#include "carom/system/autodiff_system.hpp"
#include "carom/system/local_system.hpp"
#include "carom/systems/column.hpp"
#include "carom/systems/lennard_jones_chain.hpp"
#include "carom/systems/newton_cradle.hpp"
#include "support/at_zero.hpp"
#include "support/system_cases.hpp"

namespace carom::test {

inline Values values(std::initializer_list<double> list) {
  Values r(static_cast<Eigen::Index>(list.size()));
  std::copy(list.begin(), list.end(), r.begin());
  return r;
}

// 003, Fig. 1.4: two masses on a spring over a floor.
struct Pogo {
  static constexpr int dim = 2;
  double k = 10, l = 5, g = 9.8;
  Eigen::Matrix2d mass() const { return Eigen::Matrix2d::Identity(); }
  template <class S>
  S potential(const Vector<S, 2>& q) const {
    const S d = q[0] - q[1] - l;
    return 0.5 * k * d * d + g * (q[0] + q[1]);
  }
  template <class S>
  Vector<S, 1> gaps(const Vector<S, 2>& q) const {
    return Vector<S, 1>(q[1]);
  }
};

template <class S>
S angular_momentum(const Vector<S, 4>& q, const Vector<S, 4>& p) {
  return q[0] * p[1] - q[1] * p[0] + q[2] * p[3] - q[3] * p[2];
}

// 003, 5.2: two points on a spring inside of a circle that pulls them outwards.
struct SpringAndSphere {
  static constexpr int dim = 4;
  double l = 2 * std::sqrt(2.0), r = 5;
  Eigen::Matrix4d mass() const { return Eigen::Matrix4d::Identity(); }
  template <class S>
  S potential(const Vector<S, 4>& q) const {
    const S x = q[0] - q[2], y = q[1] - q[3], d = sqrt(x * x + y * y) - l;
    return 50.0 / (q[0] * q[0] + q[1] * q[1]) + 50.0 / (q[2] * q[2] + q[3] * q[3]) + 0.5 * d * d;
  }
  template <class S>
  Vector<S, 2> gaps(const Vector<S, 4>& q) const {
    return {r - sqrt(q[0] * q[0] + q[1] * q[1]), r - sqrt(q[2] * q[2] + q[3] * q[3])};
  }
  template <class S>
  void momenta(const Vector<S, 4>& q, const Vector<S, 4>& p, auto&& f) const {
    f("angular momentum", angular_momentum(q, p));
  }
};

// 003, 8.0.1: two discs in a nonlinear well.
struct Oscillator {
  static constexpr int dim = 4;
  Eigen::Matrix4d mass() const { return Eigen::Matrix4d::Identity(); }
  template <class S>
  S potential(const Vector<S, 4>& q) const {
    const S a = q[0] * q[0] + q[1] * q[1], b = q[2] * q[2] + q[3] * q[3];
    return a * (a - 1.0) * (a - 1.0) + b * (b - 1.0) * (b - 1.0);
  }
  template <class S>
  Vector<S, 1> gaps(const Vector<S, 4>& q) const {
    const S x = q[0] - q[2], y = q[1] - q[3];
    return Vector<S, 1>(sqrt(x * x + y * y) - 2.0);
  }
};

// A particle of mass m under gravity outside of a disc (or, inside = true, within a bowl).
struct Disc {
  static constexpr int dim = 2;
  double R = 1, g = 9.81, m = 2;
  bool inside = false;
  Eigen::Matrix2d mass() const { return m * Eigen::Matrix2d::Identity(); }
  template <class S>
  S potential(const Vector<S, 2>& q) const {
    return m * g * q[1];
  }
  template <class S>
  Vector<S, 1> gaps(const Vector<S, 2>& q) const {
    const S r = sqrt(q[0] * q[0] + q[1] * q[1]);
    return Vector<S, 1>(inside ? S(R - r) : S(r - R));
  }
};

// The same, close to the speed of light 5: not quadratic in v.
struct FastDisc : Disc {
  void mass() const = delete;
  template <class S>
  S lagrangian(const Vector<S, 2>& q, const Vector<S, 2>& v) const {
    return -25.0 * m * sqrt(1.0 - (v[0] * v[0] + v[1] * v[1]) / 25.0) - m * g * q[1];
  }
};

// The built-in column and cradle, by their number of balls.
struct Column : BallColumn {
  explicit Column(int count) : BallColumn(count) {}
  Values at_rest() const { return rest(); }
};
struct Cradle : CradleInCoordinates {
  explicit Cradle(int count) : CradleInCoordinates(CradleShape{count}) {}
  // The first `count` balls at -π/5.
  Values raised(int count) const {
    Values angles = Values::Zero(shape.balls);
    angles.head(count).setConstant(-std::numbers::pi / 5);
    return at(angles);
  }
};

// A chain of points (x, y) on nonlinear springs, hung up by a rod at its first, over a curved ground: every
// part of a LocalSystem, with masses that differ.
struct Chain : LocalSystem<Chain> {
  explicit Chain(int k) : n(k), m(2 * k) {
    for (int i = 0; i < n; ++i) m[2 * i] = m[2 * i + 1] = 1 + 0.3 * i;
  }
  int n;
  Values m;
  const Values& masses() const { return m; }
  void potential(auto&& term) const {
    for (int i = 0; i < n; ++i)
      term(std::array{2 * i + 1}, [this, i](const auto& y) { return 9.8 * m[2 * i] * y[0]; });
    for (int i = 1; i < n; ++i)
      term(std::array{2 * i - 2, 2 * i - 1, 2 * i, 2 * i + 1}, [](const auto& y) {
        const auto a = y[2] - y[0], b = y[3] - y[1], e = a * a + b * b - 1.0;
        return 3.0 * e * e + cos(a);
      });
  }
  void contacts(auto&& gap) const {
    for (int i = 0; i < n; ++i)
      gap(i, std::array{2 * i, 2 * i + 1}, [](const auto& y) { return y[1] + 3.0 + 0.2 * sin(y[0]); });
  }
  int contacts_in_all() const { return n; }
  int joints_in_all() const { return 1; }
  void each_joint(auto&& joint) const {
    joint(std::array{0, 1}, [](const auto& y) { return sqrt(y[0] * y[0] + y[1] * y[1]) - 1.0; });
  }
};

template <class Sys>
SystemRef dense(Sys system) {
  return {std::make_shared<AutodiffSystem<Sys>>(std::move(system))};
}

// A run of the GVI: what it was like.
struct GviRun {
  Phase z;
  double H0 = 0, low = 0, high = 0, least_gap = HUGE_VAL, joint = 0, drift = 0;
  std::int64_t impacts = 0, steps = 0;
  std::optional<Failure> failure;
};

inline GviRun run_gvi(GviStepper& stepper, const SystemRef& system, double h, std::int64_t steps, Phase z,
                      const std::function<double(const Phase&)>& kept = {}) {
  GviRun r;
  r.z = std::move(z), r.H0 = r.low = r.high = hamiltonian(system, r.z);
  const double kept0 = kept ? kept(r.z) : 0;
  const bool contacts = system->contact_count() > 0, jointed = system->joint_count() > 0;
  for (; r.steps < steps; ++r.steps) {
    const auto next = stepper.step(h * static_cast<double>(r.steps), r.z);
    r.failure = next.failure;
    if (r.failure) break;
    r.z = next.step.z, r.impacts += static_cast<std::int64_t>(next.impacts.size());
    const double H = hamiltonian(system, r.z);
    r.low = std::fmin(r.low, H), r.high = std::fmax(r.high, H);
    if (contacts) r.least_gap = std::fmin(r.least_gap, gaps(system, r.z.q).minCoeff());
    if (jointed) r.joint = std::fmax(r.joint, joints(system, r.z.q).lpNorm<Eigen::Infinity>());
    if (kept) r.drift = std::fmax(r.drift, std::abs(kept(r.z) - kept0));
  }
  return r;
}
inline GviRun run_gvi(const SystemRef& system, const Flow& flow, double h, std::int64_t steps, const Phase& z,
                      const GviOptions& options = {}, const std::function<double(const Phase&)>& kept = {}) {
  GviStepper stepper(system, SteadyFlow(flow, h), options);
  return run_gvi(stepper, system, h, steps, z, kept);
}

}  // namespace carom::test
