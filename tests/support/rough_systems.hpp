// Bodies in the plane on rough ground, as structs.
#pragma once

#include "carom/system/autodiff_system.hpp"
#include "carom/system/local_system.hpp"

namespace carom::test {

// A rod of mass 1 and length 2l that stands on its foot, leaning by a.
struct RoughRod {
  static constexpr int dim = 3;
  double friction = 0.3, l = 0.5, inertia = 1.0 / 12, gravity = 9.81, wind = 0;
  Eigen::Matrix3d mass() const { return Eigen::Vector3d(1, 1, inertia).asDiagonal(); }
  template <class S>
  S potential(const Vector<S, 3>& q) const {
    return gravity * q[1] - wind * q[0];
  }
  template <class S>
  Vector<S, 2> gaps(const Vector<S, 3>& q) const {
    return {q[1] - l * cos(q[2]), q[1] + l * cos(q[2])};
  }
  double mu(int) const { return friction; }
  template <class S>
  Vector<S, 2> slides(const Vector<S, 3>& q) const {
    return {q[0] - l * sin(q[2]), q[0] + l * sin(q[2])};
  }
  Phase leaning(double a, double x = 0) const {
    Phase z{Values(3), Values::Zero(3)};
    z.q << x + l * std::sin(a), l * std::cos(a), a;
    return z;
  }
};

// A mass on a belt that moves with speed w, held by a spring.
struct OnBelt {
  static constexpr int dim = 2;
  double friction = 0.4, stiffness = 20, gravity = 9.81, w = 0.5;
  Eigen::Matrix2d mass() const { return Eigen::Matrix2d::Identity(); }
  template <class S>
  S potential(const Vector<S, 2>& q) const {
    return gravity * q[1] + 0.5 * stiffness * q[0] * q[0];
  }
  template <class S>
  Vector<S, 1> gaps(const Vector<S, 2>& q) const {
    return Vector<S, 1>(q[1]);
  }
  double mu(int) const { return friction; }
  template <class T, class S>
  Vector<S, 1> slides(const T& t, const Vector<S, 2>& q) const {
    return Vector<S, 1>(S(q[0] - w * t));
  }
};

// Discs of mass 1 in rows, each row between those of the one below, on a rough floor; all can spin. While two
// touch, the angle of the line between their centres tells how they roll on each other.
struct RoughPile : LocalSystem<RoughPile> {
  double friction = 0.5, r = 0.5, gravity = 9.81;
  std::vector<std::array<int, 2>> pairs;
  Values mass, start;
  int floor_discs = 0;

  explicit RoughPile(const std::vector<int>& rows) {
    std::vector<std::array<double, 2>> at;
    for (std::size_t row = 0; row < rows.size(); ++row)
      for (int k = 0; k < rows[row]; ++k)
        at.push_back(
            {2 * r * k + r * static_cast<double>(row), r + std::sqrt(3.0) * r * static_cast<double>(row)});
    const int n = static_cast<int>(at.size());
    floor_discs = rows[0], mass.resize(3 * n), start.resize(3 * n);
    for (int i = 0; i < n; ++i) {
      mass.segment<3>(3 * i) << 1, 1, 0.5 * r * r;
      start.segment<3>(3 * i) << at[i][0], at[i][1], 0;
      for (int k = 0; k < i; ++k)
        if (std::hypot(at[i][0] - at[k][0], at[i][1] - at[k][1]) < 2.1 * r) pairs.push_back({k, i});
    }
  }
  const Values& masses() const { return mass; }
  int contacts_in_all() const { return floor_discs + static_cast<int>(pairs.size()); }
  int joints_in_all() const { return 0; }
  void potential(auto&& term) const {
    for (int i = 0; i < mass.size() / 3; ++i)
      term(std::array{3 * i + 1}, [this](const auto& y) { return gravity * y[0]; });
  }
  void contacts(auto&& gap) const {
    for (int i = 0; i < floor_discs; ++i)
      gap(i, std::array{3 * i + 1}, [this](const auto& y) { return y[0] - r; });
    each_pair([&](int contact, const auto& at) {
      gap(contact, at, [this](const auto& y) {
        const auto x = y[3] - y[0], z = y[4] - y[1];
        return sqrt(x * x + z * z) - 2 * r;
      });
    });
  }
  void each_joint(auto&&) const {}
  double mu(int) const override { return friction; }
  void each_slide(auto&& slide) const {
    for (int i = 0; i < floor_discs; ++i)
      slide(i, std::array{3 * i, 3 * i + 2}, [this](const auto& y) { return y[0] + r * y[1]; });
    each_pair([&](int contact, const auto& at) {
      slide(contact, at,
            [this](const auto& y) { return 2 * r * atan2(y[4] - y[1], y[3] - y[0]) - r * (y[2] + y[5]); });
    });
  }

 private:
  void each_pair(auto&& use) const {
    int contact = floor_discs;
    for (const auto& [a, b] : pairs)
      use(contact++, std::array{3 * a, 3 * a + 1, 3 * a + 2, 3 * b, 3 * b + 1, 3 * b + 2});
  }
};

}  // namespace carom::test
