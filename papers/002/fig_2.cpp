// 002, Fig. 2: the energy of a bouncing particle over a thousand bounces, by the variational collision
// integrator.
//
// Verlet follows the parabolas exactly, so that H changes at impacts only: by m g² h² (1 - 2α)/8 at one that
// is α h into its step, from (72) on both parts.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common.hpp"
#include "item.hpp"
#include "measure.hpp"

namespace carom::papers::p002 {
namespace of_fig_2 {

constexpr double g = 9.81, h = 0.01, H0 = 0.5 * 2 * 2 + g;

constexpr std::string_view scenario = R"([system]
name = "particle"
parameters = {m = 1.0, g = 9.81}  # g is our choice: the paper gives none

[initial]
q = [0.0, 1.0]
v = [-2.0, 0.0]

[method]
name = "vci"

[time]
step = 0.01
impacts = 1000
)";

// After each impact, and therefore until the next.
std::vector<double> energies(const Columns& impacts) {
  std::vector<double> r;
  for (std::size_t i = 0; i < impacts.rows(); ++i)
    r.push_back((std::pow(impacts["p_after1"][i], 2) + std::pow(impacts["p_after2"][i], 2)) / 2 +
                g * impacts["q2"][i]);
  return r;
}

struct Jumps {
  std::vector<double> alpha, size;
  double from_formula = 0;  // largest difference
};

Jumps jumps(const Columns& impacts) {
  Jumps r;
  for (std::size_t i = 0; i < impacts.rows(); ++i) {
    const double before = std::pow(impacts["p_before2"][i], 2) / 2,
                 after = std::pow(impacts["p_after2"][i], 2) / 2;
    r.alpha.push_back(impacts["t"][i] / h - (impacts["step"][i] - 1));
    r.size.push_back(after - before);
    r.from_formula =
        std::fmax(r.from_formula, std::abs(after - before - g * g * h * h * (1 - 2 * r.alpha.back()) / 8));
  }
  return r;
}

Figure paper_figure(const Recorded& run) {
  return {.axes = {{.x_label = "t",
                    .y_label = "energy",
                    .series = {{.label = "vci", .x = run.trajectory["t"], .y = run.trajectory["H"]}}}}};
}

Figure why_figure(const Jumps& seen, const std::vector<double>& error) {
  std::vector<std::pair<double, double>> points;
  for (std::size_t i = 0; i < seen.alpha.size(); i += 20) points.emplace_back(seen.alpha[i], seen.size[i]);
  std::sort(points.begin(), points.end());
  Series dots{.label = "vci, every 20th impact", .markers = true};
  for (const auto& [alpha, size] : points) dots.x.push_back(alpha), dots.y.push_back(size);
  const double jump = g * g * h * h / 8;
  return {.title = "Why the energy fluctuates, and how far",
          .axes = {{.title = "(a) jump of H at an impact",
                    .x_label = "α, the part of the step before the impact",
                    .y_label = "H after − H before",
                    .series = {dots,
                               {.label = "m g² h² (1 − 2α)/8",
                                .x = {0, 1},
                                .y = {jump, -jump},
                                .colour = Series::grey,
                                .dashed = true}}},
                   {.title = "(b) largest |H − H(0)| so far",
                    .x_label = "impacts",
                    .y_label = "energy error",
                    .log_x = true,
                    .log_y = true,
                    .series = {thinned_by_decades(
                                   {.label = "vci", .x = counted(error.size()), .y = running_largest(error)}),
                               {.label = "a random walk of these jumps",
                                .x = {1, static_cast<double>(error.size())},
                                .y = {jump / std::sqrt(3.0),
                                      jump / std::sqrt(3.0) * std::sqrt(static_cast<double>(error.size()))},
                                .colour = Series::grey,
                                .dashed = true}}}}};
}

Series error_of(const std::string& label, const Recorded& run) {
  return {.label = label,
          .x = run.trajectory["t"],
          .y = absolute(minus(run.trajectory["H"], run.trajectory["H"].front()))};
}

Finding reproduce(const Lab& lab) {
  const std::string every = "output.every=50", none = "output.every=1000000000";
  const int many = 100'000;
  const Recorded by_vci = lab.record(scenario, {every}), by_cva = lab.record(scenario, {every, cva}),
                 by_shadow = lab.record(scenario, {every, shadow}),
                 longer = lab.record(scenario, {none, fmt::format("time.impacts={}", many)});
  const auto error = minus(energies(by_vci.impacts), H0), long_error = minus(energies(longer.impacts), H0);
  const auto so_far = running_largest(long_error);
  const double largest_error = largest(error), long_largest = so_far.back();
  const auto parts = means_of_parts(error, 6);
  const double trend = std::abs(parts.back() - parts.front()), width = band(error).width();
  // Of a walk 0.5, of what stays in a band 0.
  const double growth = std::log10(so_far.back() / so_far[so_far.size() / 10]);
  const Jumps seen = jumps(by_vci.impacts);

  Finding f;
  f.verdict = judge({largest_error < 1e-3 * H0, trend < width, growth < 0.1});
  f.measured = fmt::format(
      "Over {} impacts H stays within {:.2g} of {:.4g}, in a band {:.2g} wide; its mean moves by {:.2g} from "
      "the first to the last sixth. Over {} impacts it stays within {:.2g}, and grows over the last tenfold "
      "as the {:.2f}th power of their number, where a walk has 0.5. Each jump of H is m g² h² (1 − 2α)/8 to "
      "{:.1g}.",
      by_vci.result.impacts, largest_error, H0, width, trend, longer.result.impacts, long_largest, growth,
      seen.from_formula);
  const double of_cva = largest(error_of("", by_cva).y), of_shadow = largest(error_of("", by_shadow).y);
  f.ours = fmt::format(
      "Here the fluctuation is the law's own doing: the flow is exact, and a law that keeps H has no error "
      "to make. H stays to {:.1g} with continuous-energy and to {:.1g} with shadow, where the rounding of x "
      "shows, which ends at {:.0f}.",
      of_cva, of_shadow, by_shadow.result.q[0]);
  f.numbers = {{"largest_energy_error", largest_error},
               {"energy_band", width},
               {"change_of_mean", trend},
               {"impacts_of_long_run", static_cast<double>(longer.result.impacts)},
               {"largest_energy_error_of_long_run", long_largest},
               {"growth_exponent", growth},
               {"largest_difference_from_jump_formula", seen.from_formula},
               {"largest_energy_error_cva", of_cva},
               {"largest_energy_error_shadow", of_shadow}};
  f.pictures = {{"", paper_figure(by_vci)},
                {"why", why_figure(seen, long_error)},
                {"ours",
                 {.title = "The same by laws that keep H or the shadow energy",
                  .axes = {{.x_label = "t",
                            .y_label = "|H − H(0)|",
                            .log_y = true,
                            .series = {error_of("vci", by_vci), error_of("cva", by_cva),
                                       error_of("ours: shadow", by_shadow)}}}}}};
  return f;
}

}  // namespace of_fig_2

Item fig_2() {
  using namespace of_fig_2;
  return {.name = "002-fig-2",
          .place = "Fig. 2",
          .title = "Energy of a bouncing particle",
          .claim =
              "Over a thousand impacts, and over essentially arbitrarily long times, the energy fluctuates "
              "and does not drift.",
          .parameters = scenario,
          .methods = "vci on svc (the paper's); cva and shadow on svc beside it",
          .reproduce = reproduce};
}

}  // namespace carom::papers::p002
