// Least squares over x >= 0 of as many unknowns as six contacts in the plane have edges, in memory of the
// stack.
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <array>

namespace carom {

inline constexpr int most_planar_rows = 12;
using SmallMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, most_planar_rows,
                                  most_planar_rows>;
using SmallVector = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, most_planar_rows, 1>;

// min |A x - c| over x >= 0 (Lawson & Hanson, Solving Least Squares Problems, 23.3); what is left of it.
inline double nonnegative_least_squares(const SmallMatrix& A, const SmallVector& c, SmallVector& x) {
  const auto n = A.cols();
  std::array<bool, most_planar_rows> in{};
  x.setZero(n);
  for (int round = 0; round < 8 * n + 8; ++round) {
    const SmallVector left = c - A * x, gain = A.transpose() * left;
    Eigen::Index enters = -1;
    for (Eigen::Index k = 0; k < n; ++k)
      if (!in[k] && gain[k] > 1e-13 * c.norm() && (enters < 0 || gain[k] > gain[enters])) enters = k;
    if (enters < 0) break;
    in[enters] = true;
    for (Eigen::Index inner = 0; inner <= n; ++inner) {
      SmallMatrix chosen(A.rows(), std::count(in.begin(), in.begin() + n, true));
      for (Eigen::Index k = 0, j = 0; k < n; ++k)
        if (in[k]) chosen.col(j++) = A.col(k);
      Eigen::ColPivHouseholderQR<SmallMatrix> parts(chosen);
      parts.setThreshold(1e-8);  // columns that all but depend on each other would cancel each other
      const SmallVector y = parts.solve(c);
      double step = 1;
      for (Eigen::Index k = 0, j = 0; k < n; ++k)
        if (in[k] && y[j++] <= 0) step = std::min(step, x[k] / (x[k] - y[j - 1]));
      for (Eigen::Index k = 0, j = 0; k < n; ++k)
        if (in[k]) {
          const bool leaves = y[j] <= 0;
          x[k] += step * (y[j++] - x[k]);
          if (leaves && x[k] <= 1e-15 * x.maxCoeff()) x[k] = 0, in[k] = false;
        }
      if (step == 1) break;
    }
  }
  return (c - A * x).norm();
}

}  // namespace carom
