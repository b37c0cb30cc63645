// 002, 4.3, the question that Fig. 4 leaves open: is there a conserved energy nearby, or does the energy
// walk? An ensemble of starts tells: the spread of H after n impacts grows as n^0 or as n^0.5.
#include <fmt/format.h>

#include <cmath>

#include "common.hpp"
#include "item.hpp"
#include "measure.hpp"

namespace carom::papers::p002 {
namespace of_fig_4_walk {

constexpr std::string_view scenario = R"([system]
name = "star"
parameters = {m = 1.0, L = 1.0, g = 9.81, kappa = 0.0}  # g is our choice: the paper gives none

[initial]
q = [0.0, 3.5, 0.0]
v = [-2.0, 0.0, 5.0]  # our choice: 24 starts with spins 5.00, 5.01, ..., 5.23

[method]
name = "vci"

[time]
step = 0.005
impacts = 3000        # our choice: twice those of Fig. 4

[output]
every = 1000000000

# beside it, our choice: kappa = 0.1, V = m g y/(1 + kappa y), and v = [0.0, 0.0, spin]
)";

// Energies after each impact and, as the flow is exact with linear gravity, until the next.
std::vector<double> energy_errors(const Columns& impacts, double spin) {
  constexpr double g = 9.81, inertia = 29.0 / 192;
  const double H0 = 0.5 * 4 + 0.5 * inertia * spin * spin + g * 3.5;
  std::vector<double> r;
  for (std::size_t i = 0; i < impacts.rows(); ++i) {
    const double px = impacts["p_after1"][i], py = impacts["p_after2"][i], pt = impacts["p_after3"][i];
    r.push_back(0.5 * (px * px + py * py + pt * pt / inertia) + g * impacts["q2"][i] - H0);
  }
  return r;
}

// Root of the mean square over the ensemble, after each impact.
std::vector<double> spread(const std::vector<std::vector<double>>& ensemble) {
  std::vector<double> r(ensemble.front().size(), 0.0);
  for (std::size_t n = 0; n < r.size(); ++n) {
    for (const auto& member : ensemble) r[n] += member[n] * member[n] / static_cast<double>(ensemble.size());
    r[n] = std::sqrt(r[n]);
  }
  return r;
}

// Slope of the log of the spread over that of n, from the tenth impact on, equally weighted in decades.
double growth_of(const std::vector<double>& spread) {
  std::vector<double> n, value;
  for (double at = 10; at <= static_cast<double>(spread.size()); at *= 1.1)
    n.push_back(std::floor(at)), value.push_back(spread[static_cast<std::size_t>(at) - 1]);
  return log_slope(n, value);
}

constexpr double time_of_block = 50;

// Means of H over blocks of time, whose spread over the ensemble is compared: with nonlinear gravity H moves
// within each flight by h² with any method.
struct Blocks {
  std::vector<double> spread;
  std::int64_t impacts = 0, fallbacks = 0;
};

// Without the horizontal motion, which nothing depends on: an x of some thousands costs shadow its digits.
Blocks blocks_of(const Lab& lab, const std::string& method, int starts, int blocks) {
  Blocks r;
  std::vector<std::vector<double>> ensemble;
  for (int i = 0; i < starts; ++i) {
    const Recorded run =
        lab.record(scenario, {method, fmt::format("initial.v=[0.0, 0.0, {:.2f}]", 5 + 0.01 * i),
                              "system.parameters.kappa=0.1", "time.impacts=1000000000",
                              fmt::format("time.end={}", time_of_block * blocks), "output.every=10"});
    const auto means = means_of_parts(run.trajectory["H"], blocks);
    ensemble.push_back(minus({means.begin() + 1, means.end()}, means.front()));
    r.impacts += run.result.impacts, r.fallbacks += run.result.fallbacks;
  }
  r.spread = spread(ensemble);
  return r;
}

Series series_of(const std::string& label, const Blocks& blocks) {
  Series r{.label = label, .x = counted(blocks.spread.size()), .y = blocks.spread};
  for (double& t : r.x) t *= time_of_block;
  return r;
}

Axes single_starts(const std::vector<std::vector<double>>& ensemble) {
  Axes r{.title = "(a) single starts", .x_label = "impacts", .y_label = "H − H(0)", .series = {}};
  for (std::size_t i = 0; i < 6; ++i) {
    Series s{.label = fmt::format("spin {:.2f}", 5 + 0.01 * static_cast<double>(i))};
    for (std::size_t n = 0; n < ensemble[i].size(); n += 3)
      s.x.push_back(static_cast<double>(n + 1)), s.y.push_back(ensemble[i][n]);
    r.series.push_back(s);
  }
  return r;
}

Axes spread_of_starts(const std::vector<double>& seen, int starts) {
  const auto n = counted(seen.size());
  return {.title = fmt::format("(b) spread over {} starts", starts),
          .x_label = "impacts",
          .y_label = "r.m.s. of H − H(0)",
          .log_x = true,
          .log_y = true,
          .series = {thinned_by_decades({.label = "vci", .x = n, .y = seen}),
                     {.label = "slope 0.5",
                      .x = {1, n.back()},
                      .y = {seen[9] / std::sqrt(10.0), seen[9] * std::sqrt(n.back() / 10)},
                      .colour = Series::grey,
                      .dashed = true}}};
}

Finding reproduce(const Lab& lab) {
  const int starts = lab.pick(24, 12), impacts = lab.pick(3000, 600);
  std::vector<std::vector<double>> ensemble;
  for (int i = 0; i < starts; ++i) {
    const double spin = 5 + 0.01 * i;
    const Recorded run = lab.record(scenario, {fmt::format("initial.v=[-2.0, 0.0, {:.2f}]", spin),
                                               fmt::format("time.impacts={}", impacts)});
    ensemble.push_back(energy_errors(run.impacts, spin));
  }
  for (auto& member : ensemble) member.resize(static_cast<std::size_t>(impacts));
  const auto seen = spread(ensemble);
  const double growth = growth_of(seen);
  const bool walk = growth > 0.3 && growth < 0.7, conserved = std::abs(growth) < 0.15;
  const int members = lab.pick(16, 8), blocks = lab.pick(40, 10);
  const Blocks of_vci = blocks_of(lab, vci, members, blocks), of_cva = blocks_of(lab, cva, members, blocks),
               of_shadow = blocks_of(lab, shadow, members, blocks);

  Finding f;
  f.verdict = judge({walk || conserved});
  f.measured = fmt::format(
      "{}: over {} starts the spread of H grows as the {:.2f}th power of the number of impacts (a walk has "
      "0.5, a conserved energy 0), to {:.2g} after {}{}.",
      walk        ? "It is the random walk"
      : conserved ? "It is a conserved energy"
                  : "It is neither",
      starts, growth, seen.back(), impacts, lab.quick ? " (shortened from 3000)" : "");
  f.ours = fmt::format(
      "With the nonlinear gravity of Fig. 5, where svc is not exact, means of H over blocks of 50 units of "
      "time, {} starts, spread by {:.2g} with vci, {:.2g} with cva and {:.2g} with shadow from the first to "
      "the second block, and by {:.2g}, {:.2g} and {:.2g} after {} ({} of {} impacts of shadow fell back to "
      "the mirror).",
      members, of_vci.spread.front(), of_cva.spread.front(), of_shadow.spread.front(), of_vci.spread.back(),
      of_cva.spread.back(), of_shadow.spread.back(), blocks, of_shadow.fallbacks, of_shadow.impacts);
  f.numbers = {{"starts", starts},
               {"impacts", impacts},
               {"growth_exponent", growth},
               {"spread", seen.back()},
               {"nonlinear_spread_vci", of_vci.spread.back()},
               {"nonlinear_spread_cva", of_cva.spread.back()},
               {"nonlinear_spread_shadow", of_shadow.spread.back()}};
  f.pictures = {{"", {.axes = {single_starts(ensemble), spread_of_starts(seen, starts)}}},
                {"ours",
                 {.title = "Spread of the mean energy with nonlinear gravity",
                  .axes = {{.x_label = "t",
                            .y_label = "r.m.s. of the change of mean H",
                            .log_x = true,
                            .log_y = true,
                            .series = {series_of("vci", of_vci), series_of("cva", of_cva),
                                       series_of("ours: shadow", of_shadow)}}}}}};
  return f;
}

}  // namespace of_fig_4_walk

Item fig_4_walk() {
  using namespace of_fig_4_walk;
  return {.name = "002-fig-4-walk",
          .place = "section 4.3",
          .title = "Conserved energy or random walk?",
          .claim =
              "The energy of Fig. 4 is either conserved nearby, as for smooth systems, or a fairly stable "
              "random walk; which of them, the paper leaves open.",
          .parameters = scenario,
          .methods = "vci on svc (the paper's); cva and shadow on svc beside it",
          .reproduce = reproduce};
}

}  // namespace carom::papers::p002
