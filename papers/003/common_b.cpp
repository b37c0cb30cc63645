#include "common_b.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "measure.hpp"

namespace carom::papers::p003 {

bool Sixths::steady() const { return std::abs(trend()) < 0.1 * band; }

Sixths sixths(const std::vector<double>& values) {
  const auto n = static_cast<std::ptrdiff_t>(values.size()) / 6;
  const auto at = [&](std::ptrdiff_t i) { return values.begin() + i; };
  const std::vector<double> second(at(n), at(2 * n)), last(values.end() - n, values.end());
  return {mean(second), mean(last), std::fmax(papers::band(second).width(), papers::band(last).width())};
}

double departure(const std::vector<double>& values) {
  const Band b = band(values);
  return std::fmax(b.high - values.front(), values.front() - b.low);
}

Series outline(std::string label, const std::vector<double>& t, const std::vector<double>& y, double end,
               std::size_t blocks) {
  const auto n = static_cast<std::size_t>(std::upper_bound(t.begin(), t.end(), end) - t.begin());
  Series r{.label = std::move(label)};
  if (n <= drawn_whole) {
    r.x.assign(t.begin(), t.begin() + static_cast<std::ptrdiff_t>(n));
    r.y.assign(y.begin(), y.begin() + static_cast<std::ptrdiff_t>(n));
    return r;
  }
  std::vector<double> low, high, middle;
  for (std::size_t k = 0; k < blocks; ++k) {
    const auto from = static_cast<std::ptrdiff_t>(n * k / blocks),
               to = static_cast<std::ptrdiff_t>(n * (k + 1) / blocks);
    const auto [least, most] = std::minmax_element(y.begin() + from, y.begin() + to);
    low.push_back(*least), high.push_back(*most);
    middle.push_back((t[static_cast<std::size_t>(from)] + t[static_cast<std::size_t>(to) - 1]) / 2);
  }
  const auto edge = [&r, &middle](const std::vector<double>& values) {
    r.x.insert(r.x.end(), middle.begin(), middle.end());
    r.y.insert(r.y.end(), values.begin(), values.end());
  };
  edge(low);
  r.x.push_back(middle.back()), r.y.push_back(std::nan(""));
  edge(high);
  return r;
}

Figure energy_above_momentum(const std::vector<Labelled>& runs, double end) {
  Axes energy{.x_label = "t", .y_label = "energy H"},
      momentum{.x_label = "t", .y_label = "angular momentum L"};
  Band L{HUGE_VAL, -HUGE_VAL};
  double last = 0;
  for (const auto& [label, run] : runs) {
    const auto& t = run->trajectory["t"];
    energy.series.push_back(outline(label, t, run->trajectory["H"], end));
    momentum.series.push_back(outline(label, t, run->trajectory["momenta1"], end));
    const Band b = band(momentum.series.back().y);
    L = {std::fmin(L.low, b.low), std::fmax(L.high, b.high)};
    last = std::fmax(last, std::fmin(end, t.back()));
    if (t.size() > drawn_whole) energy.y_label = "energy H, lowest and highest";
  }
  const double room = std::fmax(L.width(), 0.1 * std::abs(L.high));  // for the legend
  momentum.y_range = Interval{L.low - 0.1 * room, L.high + (runs.size() > 1 ? 0.9 : 0.1) * room};
  energy.x_range = momentum.x_range = Interval{0, last};
  return {.width = 760, .height = 520, .columns = 1, .axes = {energy, momentum}};
}

std::string shortened(const Lab& lab, double full, double quick) {
  return lab.quick ? fmt::format("T = {:g} (shortened from {:g})", quick, full)
                   : fmt::format("T = {:g}", full);
}

}  // namespace carom::papers::p003
