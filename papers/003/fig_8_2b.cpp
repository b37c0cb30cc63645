// 003, Fig. 8.2 (b): the nonlinear oscillator by a collision integrator.
#include <fmt/format.h>

#include "common_b.hpp"
#include "measure.hpp"
#include "oscillator.hpp"
#include "settings_b.hpp"

namespace carom::papers::p003 {
namespace of_fig_8_2b {

Finding reproduce(const Lab& lab) {
  const double T = lab.pick(10000.0, 1000.0), T_ours = lab.pick(1000.0, 200.0);
  const Recorded hybrid = lab.record(oscillator, with(collisions(), until(T)));
  const Recorded half = lab.record(oscillator, with(with(collisions(), step(0.05)), until(T)));
  const Settings shadow{"method.stepper=event-driven", "method.impact=shadow"};
  const Recorded ours = lab.record(oscillator, with(with(shadow, step(0.05)), until(T_ours)));
  const Recorded fine =
      lab.record(oscillator, with(with(shadow, step(0.05)), with(until(T_ours), {"method.flow=kahan-li8"})));
  const auto& H = hybrid.trajectory["H"];
  const Sixths energy = sixths(H), energy_half = sixths(half.trajectory["H"]),
               energy_ours = sixths(ours.trajectory["H"]), energy_fine = sixths(fine.trajectory["H"]);
  const double L_error = departure(hybrid.trajectory["momenta1"]);
  Finding f;
  f.verdict = judge({!energy.steady() && energy.trend() < 0, L_error < 1e-9});
  f.measured = fmt::format(
      "Over {} and {} impacts the energy does not fall: it swings between {:.3f} and {:.3f} from the first "
      "bounces on, so that its mean is {:.1f} % below the start, and there it stays ({:.4f} in the second "
      "sixth, {:.4f} in the last; with h = 0.05 {:.4f} and {:.4f}). L is kept to {:.1e}.",
      shortened(lab, 10000, 1000), hybrid.result.impacts, band(H).low, band(H).high,
      100 * (1 - energy.second / H.front()), energy.second, energy.last, energy_half.second, energy_half.last,
      L_error);
  f.ours = fmt::format(
      "Over T = {:g}: shadow on midpoint, h = 0.05 (0.1 is too large for its order 8: it warns), mean {:.4f} "
      "and {:.4f}, band {:.1e}, L to {:.1e}. kahan-li8 with h = 0.05: mean {:.5f} and {:.5f}, band {:.1e} "
      "within a sixth.",
      T_ours, energy_ours.second, energy_ours.last, energy_ours.band, departure(ours.trajectory["momenta1"]),
      energy_fine.second, energy_fine.last, energy_fine.band);
  f.numbers = {{"energy_start", H.front()},
               {"mean_energy_second_sixth", energy.second},
               {"mean_energy_last_sixth", energy.last},
               {"energy_band_in_a_sixth", energy.band},
               {"angular_momentum_error", L_error},
               {"ours_mean_energy_trend", energy_ours.trend()},
               {"ours_energy_band", energy_ours.band},
               {"kahan_li8_energy_band", energy_fine.band}};
  f.pictures = {{"", energy_above_momentum({{"collision integrator", &hybrid}})},
                {"ours", energy_above_momentum({{"collision integrator", &hybrid},
                                                {"ours: shadow, midpoint, h = 0.05", &ours},
                                                {"ours: shadow, kahan-li8, h = 0.05", &fine}},
                                               T_ours)}};
  return f;
}

}  // namespace of_fig_8_2b

Item fig_8_2b() {
  using namespace of_fig_8_2b;
  return {.name = "003-fig-8.2b",
          .place = "Fig. 8.2 (b)",
          .title = "Nonlinear oscillator by a collision integrator",
          .claim =
              "A collision integrator, which cuts steps at impacts and keeps H there, loses energy steadily; "
              "it keeps the angular momentum.",
          .parameters = oscillator,
          .methods =
              "event-driven with continuous-energy on midpoint (the paper's); shadow on midpoint and "
              "kahan-li8 (ours)",
          .reproduce = reproduce};
}

}  // namespace carom::papers::p003
