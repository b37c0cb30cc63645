#include "round_cones.hpp"

#include <cmath>

#include "small_least_squares.hpp"

namespace carom {

double RoundCones::solve(double enough) {
  begin();
  double before = HUGE_VAL, part = 0;
  constexpr int most = 200;
  for (int round = 0; round < most; ++round) {
    columns.resize(A.rows(), static_cast<Eigen::Index>(rays.size()));
    for (std::size_t k = 0; k < rays.size(); ++k) {
      const auto& [column, along] = rays[k];
      columns.col(static_cast<Eigen::Index>(k)) =
          A.col(column) + along[0] * A.col(column + 1) + along[1] * A.col(column + 2);
    }
    const double now = nonnegative_least_squares(columns, c, forces);
    part = now / (c.norm() + forces.sum() + 1e-300);
    if (part <= enough || !(now < before * (1 - 1e-15))) break;
    before = now, left = c - columns * forces;
    drop_unused();
    if (!add_best()) break;
  }
  P.setZero(A.cols());
  for (std::size_t k = 0; k < rays.size() && static_cast<Eigen::Index>(k) < forces.size(); ++k) {
    const double y = forces[static_cast<Eigen::Index>(k)];
    P[rays[k].column] += y;
    for (const int t : {0, 1}) P[rays[k].column + 1 + t] += rays[k].along[t] * y;
  }
  return part;
}

void RoundCones::begin() {
  rays.clear();
  for (const auto& [column, mu, single, along] : cones) {
    if (single)
      rays.push_back({column, along});
    else
      for (const auto& [x, y] : {std::array{1.0, 0.0}, {0.0, 1.0}, {-1.0, 0.0}, {0.0, -1.0}})
        rays.push_back({column, {mu * x, mu * y}});
  }
}

void RoundCones::drop_unused() {
  std::size_t used = 0;
  for (std::size_t k = 0; k < rays.size(); ++k)
    if (forces[static_cast<Eigen::Index>(k)] > 0) {
      forces[static_cast<Eigen::Index>(used)] = forces[static_cast<Eigen::Index>(k)];
      rays[used++] = rays[k];
    }
  for (const Cone& cone : cones)  // one that cannot be found again
    if (cone.single) {
      bool there = false;
      for (std::size_t k = 0; k < used; ++k) there = there || rays[k].column == cone.column;
      if (!there) rays[used++] = {cone.column, cone.along};
    }
  rays.resize(used);
}

bool RoundCones::add_best() {
  bool more = false;
  for (const auto& [column, mu, single, along] : cones) {
    if (single) continue;
    const std::array gain{A.col(column).dot(left), A.col(column + 1).dot(left), A.col(column + 2).dot(left)};
    const double across = std::hypot(gain[1], gain[2]);
    if (!(gain[0] + mu * across > 1e-14 * A.col(column).norm() * c.norm())) continue;
    more = true;
    if (across > 0)
      rays.push_back({column, {mu * gain[1] / across, mu * gain[2] / across}});
    else
      rays.push_back({column, {0, 0}});
  }
  return more;
}

}  // namespace carom
