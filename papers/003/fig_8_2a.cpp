// 003, Fig. 8.2 (a): the nonlinear oscillator by the endpoint-constrained direct method.
#include <fmt/format.h>

#include <algorithm>

#include "common_b.hpp"
#include "measure.hpp"
#include "oscillator.hpp"
#include "settings_b.hpp"

namespace carom::papers::p003 {
namespace of_fig_8_2a {

std::vector<double> last_half(const std::vector<double>& values) {
  return {values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end()};
}

double share_closed(const std::vector<double>& gaps) {
  const auto closed = std::count_if(gaps.begin(), gaps.end(), [](double g) { return g < 1e-9; });
  return static_cast<double>(closed) / static_cast<double>(gaps.size());
}

Finding reproduce(const Lab& lab) {
  const double T = lab.pick(2000.0, 500.0), T_drawn = 100;
  const Recorded direct = lab.record(oscillator, with(endpoint(), until(T)));
  const Recorded ours = lab.record(oscillator, with(contact(), until(T_drawn)));
  const Recorded fine = lab.record(
      oscillator, with(with(contact(), step(0.05)), with(until(T_drawn), {"method.flow=kahan-li8"})));
  const auto& H = direct.trajectory["H"];
  const auto& L = direct.trajectory["momenta1"];
  const Sixths energy = sixths(H);
  const auto gaps = last_half(direct.trajectory["gaps1"]);
  const double lost = 1 - energy.second / H.front(), closed = share_closed(gaps), swing = band(gaps).high;
  const bool grows = !energy.steady() && energy.trend() > 0;
  const Sixths kept = sixths(ours.trajectory["H"]);
  Finding f;
  f.verdict = judge({lost > 0.1, closed > 0.5, grows});
  f.measured = fmt::format(
      "Over {} the bounces lose {:.0f} % of the energy, {:.3f} to {:.3f} on average, and L goes from {:.1f} "
      "to {:.3f}. After that the discs are not in contact: in the last half of the run they touch in {:.2g} "
      "% of the steps and the gap swings up to {:.2f}, because V'(1) = 0 where they touch and nothing "
      "presses discs together that turn. The energy does not grow either: its mean moves by {:.1e} from the "
      "second to the last sixth, within a band of {:.1e}.",
      shortened(lab, 2000, 500), 100 * lost, H.front(), energy.second, L.front(), L.back(), 100 * closed,
      swing, energy.trend(), energy.band);
  f.ours = fmt::format(
      "The stepper contact with midpoint and shadow, h = 0.1, T = {:g}: {} impacts, H between {:.3f} and "
      "{:.3f} with a mean that moves by {:.1e}, L to {:.1e}, smallest gap {:.1e}. kahan-li8 with h = 0.05: H "
      "within {:.1e}, L to {:.1e}.",
      T_drawn, ours.result.impacts, band(ours.trajectory["H"]).low, band(ours.trajectory["H"]).high,
      kept.trend(), departure(ours.trajectory["momenta1"]), *ours.result.smallest_gap,
      departure(fine.trajectory["H"]), departure(fine.trajectory["momenta1"]));
  f.numbers = {{"energy_lost", lost},
               {"angular_momentum_end", L.back()},
               {"share_in_contact", closed},
               {"largest_gap_later", swing},
               {"mean_energy_trend", energy.trend()},
               {"energy_band_in_a_sixth", energy.band},
               {"ours_momentum_error", departure(ours.trajectory["momenta1"])},
               {"ours_mean_energy_trend", kept.trend()},
               {"kahan_li8_energy_error", departure(fine.trajectory["H"])}};
  f.pictures = {{"", energy_above_momentum({{"endpoint-constrained", &direct}}, T_drawn)},
                {"ours", energy_above_momentum({{"endpoint-constrained", &direct},
                                                {"ours: contact, midpoint", &ours},
                                                {"ours: contact, kahan-li8, h = 0.05", &fine}},
                                               T_drawn)}};
  return f;
}

}  // namespace of_fig_8_2a

Item fig_8_2a() {
  using namespace of_fig_8_2a;
  return {.name = "003-fig-8.2a",
          .place = "Fig. 8.2 (a)",
          .title = "Nonlinear oscillator by direct substitution",
          .claim =
              "The endpoint-constrained direct method quickly loses the bouncing of the discs; after that "
              "they turn in constant contact, and the energy grows slowly.",
          .parameters = oscillator,
          .methods =
              "direct, scheme endpoint (the paper's); contact with shadow on midpoint and kahan-li8 (ours)",
          .reproduce = reproduce};
}

}  // namespace carom::papers::p003
