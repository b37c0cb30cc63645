// Balls at rest on each other, on a floor: n coordinates, n contacts that last.
#pragma once

#include "carom/system/local_system.hpp"

namespace carom {

struct BallColumn : LocalSystem<BallColumn> {
  int balls;
  double m, r, g;
  Values mass;

  explicit BallColumn(int count, double ball_mass = 1, double radius = 0.5, double gravity = 9.81)
      : balls(count), m(ball_mass), r(radius), g(gravity), mass(Values::Constant(count, ball_mass)) {}

  const Values& masses() const { return mass; }
  int contacts_in_all() const { return balls; }
  int joints_in_all() const { return 0; }

  void potential(auto&& term) const {
    for (int i = 0; i < balls; ++i) term(std::array{i}, [this](const auto& y) { return m * g * y[0]; });
  }
  void contacts(auto&& gap) const {
    gap(0, std::array{0}, [this](const auto& y) { return y[0] - r; });
    for (int i = 1; i < balls; ++i)
      gap(i, std::array{i - 1, i}, [this](const auto& y) { return y[1] - y[0] - 2 * r; });
  }
  void each_joint(auto&&) const {}

  std::string coordinate_name(int i) const override { return "y" + std::to_string(i + 1); }
  std::string contact_name(int i) const override {
    return i == 0 ? "floor" : std::to_string(i) + "-" + std::to_string(i + 1);
  }

  Values rest() const {
    Values q(balls);
    for (int i = 0; i < balls; ++i) q[i] = (2 * i + 1) * r;
    return q;
  }
};

}  // namespace carom
