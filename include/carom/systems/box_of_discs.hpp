// Hard discs in a box under gravity: two coordinates each, contacts between all of them and with four walls.
// With g = 0 and elastic impacts a gas; with losses a heap.
#pragma once

#include <numbers>

#include "carom/system/local_system.hpp"

namespace carom {

struct BoxOfDiscs : LocalSystem<BoxOfDiscs> {
  Values radius, mass;
  double width, height, g;

  BoxOfDiscs(Values radii, const Values& disc_masses, double w, double h, double gravity)
      : radius(std::move(radii)), mass(2 * radius.size()), width(w), height(h), g(gravity) {
    for (int i = 0; i < discs(); ++i) mass[2 * i] = mass[2 * i + 1] = disc_masses[i];
  }

  int discs() const { return static_cast<int>(radius.size()); }
  const Values& masses() const { return mass; }
  int contacts_in_all() const { return 4 * discs() + discs() * (discs() - 1) / 2; }
  int joints_in_all() const { return 0; }

  void potential(auto&& term) const {
    for (int i = 0; i < discs(); ++i)
      term(std::array{2 * i + 1}, [this, i](const auto& y) { return mass[2 * i] * g * y[0]; });
  }
  // Floor, left, right and lid of each disc; then the pairs (0, 1), (0, 2), (1, 2), (0, 3), ...
  void contacts(auto&& gap) const {
    int next = 0;
    for (int i = 0; i < discs(); ++i) {
      const double r = radius[i];
      gap(next++, std::array{2 * i + 1}, [r](const auto& y) { return y[0] - r; });
      gap(next++, std::array{2 * i}, [r](const auto& x) { return x[0] - r; });
      gap(next++, std::array{2 * i}, [this, r](const auto& x) { return width - r - x[0]; });
      gap(next++, std::array{2 * i + 1}, [this, r](const auto& y) { return height - r - y[0]; });
    }
    for (int k = 1; k < discs(); ++k)
      for (int i = 0; i < k; ++i)
        gap(next++, std::array{2 * i, 2 * i + 1, 2 * k, 2 * k + 1}, [this, i, k](const auto& q) {
          const auto dx = q[2] - q[0], dy = q[3] - q[1];
          using std::sqrt;
          return sqrt(dx * dx + dy * dy) - (radius[i] + radius[k]);
        });
  }
  void each_joint(auto&&) const {}

  std::string coordinate_name(int i) const override {
    return (i % 2 == 0 ? "x" : "y") + std::to_string(i / 2 + 1);
  }
  std::string contact_name(int i) const override {
    static constexpr const char* walls[] = {"floor", "left", "right", "lid"};
    if (i < 4 * discs()) return walls[i % 4] + (' ' + std::to_string(i / 4 + 1));
    int k = 1;
    for (i -= 4 * discs(); i >= k; ++k) i -= k;
    return std::to_string(i + 1) + "-" + std::to_string(k + 1);
  }

  // Rows from the floor up, every second one shifted; the rows have `spare` of the largest radius between
  // them.
  Values rows(double spare) const {
    Values q(mass.size());
    const double r = radius.maxCoeff(), pitch = (2 + spare) * r;
    const int in_row = std::max(1, static_cast<int>((width - 3 * r) / pitch) + 1);
    for (int i = 0; i < discs(); ++i) {
      const int row = i / in_row, place = i % in_row;
      q[2 * i] = r + spare * r / 2 + place * pitch + (row % 2 ? r / 2 : 0);
      q[2 * i + 1] = r + spare * r / 2 + row * pitch;
    }
    return q;
  }
  // All discs at the same speed, in directions a golden angle apart: like random ones, but always the same.
  Values momenta_of(double speed) const {
    Values p(mass.size());
    const double golden = std::numbers::pi * (3 - std::sqrt(5.0));
    for (int i = 0; i < discs(); ++i) {
      p[2 * i] = mass[2 * i] * speed * std::cos(golden * i);
      p[2 * i + 1] = mass[2 * i] * speed * std::sin(golden * i);
    }
    return p;
  }
};

}  // namespace carom
