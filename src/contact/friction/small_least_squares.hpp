// Least squares over x >= 0; of as many unknowns as six contacts in the plane have edges in memory of the
// stack.
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <type_traits>
#include <vector>

namespace carom {

inline constexpr int most_planar_rows = 12;
using SmallMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, most_planar_rows,
                                  most_planar_rows>;
using SmallVector = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, most_planar_rows, 1>;

// min |A x - c| over x >= 0 (Lawson & Hanson, Solving Least Squares Problems, 23.3); what is left of it.
template <class Matrix, class Vector>
double nonnegative_least_squares(const Matrix& A, const Vector& c, Vector& x) {
  const auto n = A.cols();
  constexpr int most = Matrix::MaxColsAtCompileTime;
  std::conditional_t<most == Eigen::Dynamic, std::vector<char>,
                     std::array<char, most == Eigen::Dynamic ? 1 : most>>
      in{};
  if constexpr (most == Eigen::Dynamic) in.assign(static_cast<std::size_t>(n), 0);
  x.setZero(n);
  for (int round = 0; round < 8 * n + 8; ++round) {
    const Vector left = c - A * x, gain = A.transpose() * left;
    Eigen::Index enters = -1;
    for (Eigen::Index k = 0; k < n; ++k)
      if (!in[k] && gain[k] > 1e-13 * c.norm() && (enters < 0 || gain[k] > gain[enters])) enters = k;
    if (enters < 0) break;
    in[enters] = 1;
    for (Eigen::Index inner = 0; inner <= n; ++inner) {
      Matrix chosen(A.rows(), std::count(in.begin(), in.begin() + n, 1));
      for (Eigen::Index k = 0, j = 0; k < n; ++k)
        if (in[k]) chosen.col(j++) = A.col(k);
      Eigen::ColPivHouseholderQR<Matrix> parts(chosen);
      parts.setThreshold(1e-8);  // columns that all but depend on each other would cancel each other
      const Vector y = parts.solve(c);
      double step = 1;
      for (Eigen::Index k = 0, j = 0; k < n; ++k)
        if (in[k] && y[j++] <= 0) step = std::min(step, x[k] / (x[k] - y[j - 1]));
      for (Eigen::Index k = 0, j = 0; k < n; ++k)
        if (in[k]) {
          const bool leaves = y[j] <= 0;
          x[k] += step * (y[j++] - x[k]);
          if (leaves && x[k] <= 1e-15 * x.maxCoeff()) x[k] = 0, in[k] = 0;
        }
      if (step == 1) break;
    }
  }
  return (c - A * x).norm();
}

}  // namespace carom
