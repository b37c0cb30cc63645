// Hard spheres on a chain of rods (8.8) with a Lennard-Jones potential between all pairs (8.10), which must
// not overlap (8.9), inside a larger sphere (8.11): 003, 8.1.2, in reduced units.
#pragma once

#include "carom/system/local_system.hpp"

namespace carom {

struct LennardJonesChain : LocalSystem<LennardJonesChain> {
  int balls;
  double m, epsilon, sigma, r, radius, l;
  Values mass;

  explicit LennardJonesChain(int count = 6, double ball_mass = 1, double depth = 1, double width = 0.6,
                             double ball_radius = 0.3, double container = 5, double rod = 1)
      : balls(count),
        m(ball_mass),
        epsilon(depth),
        sigma(width),
        r(ball_radius),
        radius(container),
        l(rod),
        mass(Values::Constant(3 * count, ball_mass)) {}

  const Values& masses() const { return mass; }
  int contacts_in_all() const { return (balls - 1) * (balls - 2) / 2 + balls; }
  int joints_in_all() const { return balls - 1; }

  void potential(auto&& term) const {
    for (int i = 0; i < balls; ++i)
      for (int k = i + 1; k < balls; ++k)
        term(pair(i, k), [this](const auto& x) {
          const auto s2 = sigma * sigma / squared_distance(x), s6 = s2 * s2 * s2;
          return 4 * epsilon * (s6 * s6 - s6);
        });
  }
  // Spheres on the ends of one rod never touch.
  void contacts(auto&& gap) const {
    int id = 0;
    for (int i = 0; i < balls; ++i)
      for (int k = i + 2; k < balls; ++k)
        gap(id++, pair(i, k), [this](const auto& x) {
          using std::sqrt;
          return sqrt(squared_distance(x)) - 2 * r;
        });
    for (int i = 0; i < balls; ++i)
      gap(id++, std::array{3 * i, 3 * i + 1, 3 * i + 2}, [this](const auto& x) {
        using std::sqrt;
        return radius - r - sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
      });
  }
  void each_joint(auto&& joint) const {
    for (int i = 0; i + 1 < balls; ++i)
      joint(pair(i, i + 1), [this](const auto& x) {
        using std::sqrt;
        return sqrt(squared_distance(x)) - l;
      });
  }

  void momenta(double, const Values& q, const Values& p, const Tell& tell) const override {
    Vector<double, 3> sum = Vector<double, 3>::Zero();
    for (int i = 0; i < balls; ++i) {
      const double *x = q.data() + 3 * i, *u = p.data() + 3 * i;
      sum[0] += x[1] * u[2] - x[2] * u[1], sum[1] += x[2] * u[0] - x[0] * u[2],
          sum[2] += x[0] * u[1] - x[1] * u[0];
    }
    tell("angular momentum x", sum[0]), tell("angular momentum y", sum[1]),
        tell("angular momentum z", sum[2]);
  }

  std::string coordinate_name(int i) const override {
    return std::string(1, "xyz"[i % 3]) + std::to_string(i / 3 + 1);
  }
  std::string contact_name(int i) const override {
    for (int a = 0, id = 0; a < balls; ++a)
      for (int b = a + 2; b < balls; ++b, ++id)
        if (id == i) return std::to_string(a + 1) + "-" + std::to_string(b + 1);
    return "wall " + std::to_string(i - (balls - 1) * (balls - 2) / 2 + 1);
  }
  std::string joint_name(int i) const override { return "rod " + std::to_string(i + 1); }

  // A zigzag through the centre; 003 gives no start, so this one is ours.
  Values zigzag() const {
    Values q(3 * balls);
    for (int i = 0; i < balls; ++i) {
      q[3 * i] = l * 0.8 * (i - 0.5 * (balls - 1));
      q[3 * i + 1] = l * 0.3 * (i % 2 ? 1 : -1);
      q[3 * i + 2] = 0;
    }
    return q;
  }

 private:
  static std::array<int, 6> pair(int i, int k) {
    return {3 * i, 3 * i + 1, 3 * i + 2, 3 * k, 3 * k + 1, 3 * k + 2};
  }
  static auto squared_distance(const auto& x) {
    const auto dx = x[3] - x[0], dy = x[4] - x[1], dz = x[5] - x[2];
    return dx * dx + dy * dy + dz * dz;
  }
};

}  // namespace carom
