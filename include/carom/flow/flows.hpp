// The flows by name: building blocks and the coefficients of their compositions.
// Orders, inverses and actions of all of them are measured in tests/laws/.
#pragma once

#include <cmath>
#include <span>
#include <stdexcept>
#include <string_view>

#include "carom/flow/flow.hpp"

namespace carom {

inline Flow se1() { return {"se1", 1, false, {{Rule{{0, 1}}}}}; }
inline Flow se2() { return {"se2", 1, false, {{Rule{{1, 1}}}}}; }
inline Flow midpoint() { return {"midpoint", 2, true, {{Rule{{0.5, 1}}}}}; }
inline Flow svc() { return {"svc", 2, true, {{Rule{{0, 0.5}, {1, 0.5}}}}}; }
inline Flow sva() { return {"sva", 2, true, {{Rule{{0, 1}}, 0.5}, {Rule{{1, 1}}, 0.5}}}; }
inline Flow svb() { return {"svb", 2, true, {{Rule{{1, 1}}, 0.5}, {Rule{{0, 1}}, 0.5}}}; }

// 002, (57): one node at γ q0 + (1-γ) q1; of second order for γ = 1/2 only.
inline Flow gamma_flow(double gamma) {
  if (!(gamma >= 0 && gamma <= 1)) throw std::invalid_argument("gamma must lie in [0, 1]");
  const bool centred = gamma == 0.5;
  return {"gamma", centred ? 2 : 1, centred, {{Rule{{1 - gamma, 1}}}}};
}

inline Flow gauss(int stages) {
  gauss_table(stages);  // throws outside 1 to 8
  return {"gauss", 2 * stages, true, {{Gauss{stages}}}};
}

// The base applied with each fraction in turn. Of the stated order if the base is symmetric and of order 2.
inline Flow compose(std::string name, int order, const Flow& base, std::span<const double> fractions) {
  if (!base.symmetric || base.order != 2)
    throw std::invalid_argument(name + " needs a symmetric base of order 2, and " + base.name + " is not");
  Flow r{std::move(name), order, true, {}};
  for (const double fraction : fractions)
    for (const Substep& s : base.substeps) r.substeps.push_back({s.block, s.fraction * fraction});
  return r;
}

namespace detail {

// The outer fractions, the middle one left to make the sum 1, and the outer ones mirrored.
inline std::vector<double> mirrored(std::initializer_list<double> outer) {
  std::vector<double> r(outer);
  double middle = 1;
  for (const double fraction : outer) middle -= 2 * fraction;
  r.push_back(middle);
  r.insert(r.end(), std::rbegin(outer), std::rend(outer));
  return r;
}

}  // namespace detail

inline Flow yoshida4(const Flow& base) {
  return compose("yoshida4", 4, base, detail::mirrored({1 / (2 - std::cbrt(2.0))}));
}
inline Flow suzuki4(const Flow& base) {
  const double g = 1 / (4 - std::cbrt(4.0));
  return compose("suzuki4", 4, base, detail::mirrored({g, g}));
}
// Kahan & Li (1997), 9 and 17 stages.
inline Flow kahan_li6(const Flow& base) {
  return compose("kahan-li6", 6, base,
                 detail::mirrored({0.39216144400731413928, 0.33259913678935943860, -0.70624617255763935981,
                                   0.08221359629355080023}));
}
inline Flow kahan_li8(const Flow& base) {
  return compose("kahan-li8", 8, base,
                 detail::mirrored({0.13020248308889008088, 0.56116298177510838456, -0.38947496264484728641,
                                   0.15884190655515560090, -0.39590389413323757734, 0.18453964097831570709,
                                   0.25837438768632204729, 0.29501172360931029887}));
}

struct FlowOptions {
  std::string_view base = "sva";  // of compositions: svc, sva, svb or midpoint
  int stages = 4;                 // of gauss
  double gamma = 0.5;             // of gamma
};

inline constexpr std::array<std::string_view, 12> flow_names = {
    "se1", "se2",      "midpoint", "gamma",     "svc",       "sva",
    "svb", "yoshida4", "suzuki4",  "kahan-li6", "kahan-li8", "gauss"};
inline constexpr std::array<std::string_view, 4> base_names = {"svc", "sva", "svb", "midpoint"};

// Throws std::invalid_argument with the name for one that is not known.
inline Flow make_flow(std::string_view name, const FlowOptions& options = {}) {
  if (name == "se1") return se1();
  if (name == "se2") return se2();
  if (name == "midpoint") return midpoint();
  if (name == "gamma") return gamma_flow(options.gamma);
  if (name == "svc") return svc();
  if (name == "sva") return sva();
  if (name == "svb") return svb();
  if (name == "gauss") return gauss(options.stages);
  const auto base = [&options] { return make_flow(options.base); };
  if (name == "yoshida4") return yoshida4(base());
  if (name == "suzuki4") return suzuki4(base());
  if (name == "kahan-li6") return kahan_li6(base());
  if (name == "kahan-li8") return kahan_li8(base());
  throw std::invalid_argument("no flow is called \"" + std::string(name) + "\"");
}

}  // namespace carom
