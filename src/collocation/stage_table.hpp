// Gauss's table laid out for packs: stages run along the lanes, and those past the last repeat it, so that
// every lane computes something sensible. Beside it what else is linear in the slopes K_j of a step: their
// polynomial at its ends, at the stages of a step that follows, and its last Legendre coefficients.
#pragma once

#include "carom/flow/gauss.hpp"
#include "carom/system/system.hpp"

namespace carom {

struct StageTable {
  using Row = std::array<double, most_stages>;
  static_assert(most_stages == StageRows::row);
  using Weights = std::array<Row, most_stages>;  // [j][i]: of slope j in stage i; 0 past the last slope

  int stages;
  alignas(32) Row c, b;
  alignas(32) Weights a;
  // Of slope j in the polynomial at 1 + c_i, a step of equal length on; and at 0 and 1.
  alignas(32) Weights onward;
  Row begin, end;
  std::array<Row, 4> legendre;  // of slope j in the Legendre coefficients of degree s - 1, s - 2, ...
  Row scale;                    // 1 / Π_(k≠j) (c_j - c_k)

  // Weights of the slopes in their polynomial at x, in steps from the start: scale_j Π_(k≠j) (x - c_k).
  Row at(double x) const {
    Row r{};
    double below = 1, above = 1;
    for (int j = 0; j < stages; ++j) r[j] = scale[j] * below, below *= x - c[j];
    for (int j = stages - 1; j >= 0; --j) r[j] *= above, above *= x - c[j];
    return r;
  }
};

namespace detail {

inline StageTable make_stage_table(int stages) {
  const GaussTable& gauss = gauss_table(stages);
  StageTable r{};
  r.stages = stages, r.b = gauss.b;
  for (int i = 0; i < most_stages; ++i) r.c[i] = gauss.c[std::min(i, stages - 1)];
  for (int j = 0; j < stages; ++j) {
    r.scale[j] = 1;
    for (int k = 0; k < stages; ++k)
      if (k != j) r.scale[j] /= r.c[j] - r.c[k];
  }
  for (int i = 0; i < most_stages; ++i) {
    const auto ahead = r.at(1 + r.c[i]);
    for (int j = 0; j < stages; ++j)
      r.a[j][i] = gauss.a[std::min(i, stages - 1)][j], r.onward[j][i] = ahead[j];
  }
  r.begin = r.at(0), r.end = r.at(1);
  for (int k = 0; k < 4; ++k)
    for (int j = 0; j < stages; ++j) {
      const int degree = stages - 1 - k;
      const double P = degree < 1 ? degree + 1 : static_cast<double>(legendre(degree, 2 * r.c[j] - 1).value);
      r.legendre[k][j] = (2 * degree + 1) * r.b[j] * P;
    }
  return r;
}

}  // namespace detail

inline const StageTable& stage_table(int stages) {
  static const auto tables = [] {
    std::array<StageTable, most_stages> r;
    for (int s = 1; s <= most_stages; ++s) r[s - 1] = detail::make_stage_table(s);
    return r;
  }();
  return tables[stages - 1];
}

}  // namespace carom
