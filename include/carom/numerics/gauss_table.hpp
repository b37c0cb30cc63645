// The tables of Gauss collocation, as data: nodes, weights and the Runge-Kutta matrix for 1 to 8 stages.
// Tested in tests/unit/gauss_test.cpp.
#pragma once

#include <array>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace carom {

inline constexpr int most_stages = 8;

struct Gauss {
  int stages;
};

// Nodes, weights and the Runge-Kutta matrix on [0, 1].
struct GaussTable {
  int stages = 0;
  std::array<double, most_stages> c{}, b{};
  std::array<std::array<double, most_stages>, most_stages> a{};
};

namespace detail {

struct LegendreValue {
  long double value, slope;
};
inline LegendreValue legendre(int n, long double x) {
  long double before = 1, now = x;
  for (int k = 2; k <= n; ++k) {
    const long double next = ((2 * k - 1) * x * now - (k - 1) * before) / k;
    before = now, now = next;
  }
  return {now, n * (x * now - before) / (x * x - 1)};
}

inline GaussTable make_gauss_table(int s) {
  std::array<long double, most_stages> c{}, b{};
  for (int i = 0; i < s; ++i) {
    long double x = -std::cos(std::numbers::pi_v<long double> * (i + 0.75L) / (s + 0.5L));
    for (int k = 0; k < 10; ++k) {
      const auto P = legendre(s, x);
      x -= P.value / P.slope;
    }
    const long double slope = legendre(s, x).slope;
    c[i] = (1 + x) / 2, b[i] = 1 / ((1 - x * x) * slope * slope);
  }
  const auto basis = [&](int j, long double x) {  // the j-th Lagrange polynomial through the nodes
    long double l = 1;
    for (int k = 0; k < s; ++k)
      if (k != j) l *= (x - c[k]) / (c[j] - c[k]);
    return l;
  };
  GaussTable r;
  r.stages = s;
  for (int i = 0; i < s; ++i) {
    r.c[i] = static_cast<double>(c[i]), r.b[i] = static_cast<double>(b[i]);
    for (int j = 0; j < s; ++j) {
      long double integral =
          0;  // of the j-th basis polynomial over [0, c_i], which the rule integrates exactly
      for (int k = 0; k < s; ++k) integral += c[i] * b[k] * basis(j, c[i] * c[k]);
      r.a[i][j] = static_cast<double>(integral);
    }
  }
  return r;
}

}  // namespace detail

inline const GaussTable& gauss_table(int stages) {
  static const auto tables = [] {
    std::array<GaussTable, most_stages> r;
    for (int s = 1; s <= most_stages; ++s) r[s - 1] = detail::make_gauss_table(s);
    return r;
  }();
  if (stages < 1 || stages > most_stages) throw std::out_of_range("Gauss collocation has 1 to 8 stages");
  return tables[stages - 1];
}

}  // namespace carom
