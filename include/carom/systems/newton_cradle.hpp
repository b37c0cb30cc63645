// Newton's cradle (003, 8.1.1): n balls on rods, pivots one diameter (and `gap`) apart, in Cartesian
// coordinates with a joint for each rod (8.6), or in the angles of the rods. Contacts (8.7) are between
// neighbours.
#pragma once

#include "carom/system/local_system.hpp"

namespace carom {

struct CradleShape {
  int balls = 5;
  double m = 1, r = 0.25, l = 1, g = 9.8, gap = 0;

  double pivot(int i) const { return i * (2 * r + gap); }
  std::string contact_name(int i) const { return std::to_string(i + 1) + "-" + std::to_string(i + 2); }
};

struct CradleInCoordinates : LocalSystem<CradleInCoordinates> {
  CradleShape shape;
  Values mass;

  explicit CradleInCoordinates(const CradleShape& s) : shape(s), mass(Values::Constant(2 * s.balls, s.m)) {}

  const Values& masses() const { return mass; }
  int contacts_in_all() const { return shape.balls - 1; }
  int joints_in_all() const { return shape.balls; }

  void potential(auto&& term) const {
    for (int i = 0; i < shape.balls; ++i)
      term(std::array{2 * i + 1}, [this](const auto& y) { return shape.m * shape.g * y[0]; });
  }
  void contacts(auto&& gap) const {
    for (int i = 0; i + 1 < shape.balls; ++i)
      gap(i, std::array{2 * i, 2 * i + 1, 2 * i + 2, 2 * i + 3}, [this](const auto& x) {
        const auto dx = x[2] - x[0], dy = x[3] - x[1];
        using std::sqrt;
        return sqrt(dx * dx + dy * dy) - 2 * shape.r;
      });
  }
  void each_joint(auto&& joint) const {
    for (int i = 0; i < shape.balls; ++i)
      joint(std::array{2 * i, 2 * i + 1}, [this, i](const auto& x) {
        const auto dx = x[0] - shape.pivot(i);
        using std::sqrt;
        return sqrt(dx * dx + x[1] * x[1]) - shape.l;
      });
  }

  std::string coordinate_name(int i) const override {
    return (i % 2 == 0 ? "x" : "y") + std::to_string(i / 2 + 1);
  }
  std::string contact_name(int i) const override { return shape.contact_name(i); }
  std::string joint_name(int i) const override { return "rod " + std::to_string(i + 1); }

  Values at(const Values& angles) const {
    Values q(2 * shape.balls);
    for (int i = 0; i < shape.balls; ++i) {
      q[2 * i] = shape.pivot(i) + shape.l * std::sin(angles[i]);
      q[2 * i + 1] = -shape.l * std::cos(angles[i]);
    }
    return q;
  }
};

struct CradleInAngles : LocalSystem<CradleInAngles> {
  CradleShape shape;
  Values mass;

  explicit CradleInAngles(const CradleShape& s)
      : shape(s), mass(Values::Constant(s.balls, s.m * s.l * s.l)) {}

  const Values& masses() const { return mass; }
  int contacts_in_all() const { return shape.balls - 1; }
  int joints_in_all() const { return 0; }

  void potential(auto&& term) const {
    for (int i = 0; i < shape.balls; ++i)
      term(std::array{i}, [this](const auto& a) {
        using std::cos;
        return -shape.m * shape.g * shape.l * cos(a[0]);
      });
  }
  double gap_constant(int) const override { return 2 * shape.r; }
  void contacts(auto&& gap) const {
    for (int i = 0; i + 1 < shape.balls; ++i)
      gap(i, std::array{i, i + 1}, [this](const auto& a) {
        using std::cos, std::sin, std::sqrt;
        const auto dx = shape.pivot(1) + shape.l * (sin(a[1]) - sin(a[0])),
                   dy = shape.l * (cos(a[0]) - cos(a[1]));
        return sqrt(dx * dx + dy * dy) - 2 * shape.r;
      });
  }
  void each_joint(auto&&) const {}

  std::string coordinate_name(int i) const override { return "theta" + std::to_string(i + 1); }
  std::string contact_name(int i) const override { return shape.contact_name(i); }
};

}  // namespace carom
