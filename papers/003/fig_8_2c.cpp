// 003, Fig. 8.2 (c): the nonlinear oscillator by GVI.
#include <fmt/format.h>

#include <cmath>

#include "common_b.hpp"
#include "measure.hpp"
#include "oscillator.hpp"
#include "settings_b.hpp"

namespace carom::papers::p003 {
namespace of_fig_8_2c {

struct Bounces {
  std::int64_t early = 0, late = 0;  // impacts in the first and the last sixth of the run
  double time_between = 0;           // on average
};

Bounces bounces(const Recorded& run) {
  const auto& times = run.impacts["t"];
  const double end = run.trajectory["t"].back();
  Bounces r;
  for (const double t : times) r.early += t < end / 6, r.late += t >= end - end / 6;
  r.time_between = (times.back() - times.front()) / static_cast<double>(times.size() - 1);
  return r;
}

Finding reproduce(const Lab& lab) {
  const double T = lab.pick(10000.0, 1000.0), T_ours = lab.pick(2000.0, 500.0);
  const Recorded gvi = lab.record(oscillator, until(T));
  const Recorded numerical = lab.record(oscillator, with({"method.energy=numerical"}, until(T_ours)));
  const Recorded shadow =
      lab.record(oscillator, with(with({"method.energy=shadow"}, step(0.05)), until(T_ours)));
  const Recorded ours = lab.record(oscillator, with(with(contact(), step(0.05)), until(T_ours)));
  const Recorded exact = lab.record(oscillator, with(reference(), until(lab.pick(1000.0, 200.0))));
  const auto& H = gvi.trajectory["H"];
  const Sixths energy = sixths(H), e_numerical = sixths(numerical.trajectory["H"]),
               e_shadow = sixths(shadow.trajectory["H"]), e_ours = sixths(ours.trajectory["H"]);
  const double L_error = departure(gvi.trajectory["momenta1"]);
  const Bounces b = bounces(gvi), b_exact = bounces(exact), b_ours = bounces(ours);
  Finding f;
  const bool bouncing = b.early > 0 && std::abs(b.late - b.early) <= 1;
  f.verdict = judge({energy.steady(), L_error < 1e-9, bouncing});
  f.measured = fmt::format(
      "Over {} the energy stays between {:.4f} and {:.4f} ({:.4f} at the start), its mean moves by {:.1e}; L "
      "is kept to {:.1e}; {} bounces in the first sixth and {} in the last. The motion itself is a little "
      "off: it locks to the grid, a bounce every {:.4f}, {:.0f} steps, where it is {:.4f}, and the discs "
      "turn back {:.3f} before they touch.",
      shortened(lab, 10000, 1000), band(H).low, band(H).high, H.front(), energy.trend(), L_error, b.early,
      b.late, b.time_between, b.time_between / gvi.result.grid.step, b_exact.time_between,
      band(gvi.trajectory["gaps1"]).low);
  f.ours = fmt::format(
      "Over T = {:g}: GVI with the numerical Hamiltonian does the same here, band {:.2e}, trend {:.1e}. With "
      "shadow and h = 0.05 the mean moves by {:.1e} in a band of {:.1e}. The stepper contact with h = 0.05: "
      "a bounce every {:.4f}, smallest gap {:.1e}, band {:.2e}, trend {:.1e}, L to {:.1e}.",
      T_ours, e_numerical.band, e_numerical.trend(), e_shadow.trend(), e_shadow.band, b_ours.time_between,
      *ours.result.smallest_gap, e_ours.band, e_ours.trend(), departure(ours.trajectory["momenta1"]));
  f.numbers = {{"energy_low", band(H).low},
               {"energy_high", band(H).high},
               {"mean_energy_trend", energy.trend()},
               {"angular_momentum_error", L_error},
               {"bounces_first_sixth", static_cast<double>(b.early)},
               {"bounces_last_sixth", static_cast<double>(b.late)},
               {"time_between_bounces", b.time_between},
               {"time_between_bounces_exact", b_exact.time_between},
               {"time_between_bounces_contact", b_ours.time_between},
               {"contact_mean_energy_trend", e_ours.trend()},
               {"contact_energy_band", e_ours.band}};
  f.pictures = {{"", energy_above_momentum({{"GVI, E = H", &gvi}})},
                {"ours", energy_above_momentum({{"GVI, E = H", &gvi},
                                                {"ours: GVI, shadow, h = 0.05", &shadow},
                                                {"ours: contact, h = 0.05", &ours}},
                                               T_ours)}};
  return f;
}

}  // namespace of_fig_8_2c

Item fig_8_2c() {
  using namespace of_fig_8_2c;
  return {.name = "003-fig-8.2c",
          .place = "Fig. 8.2 (c)",
          .title = "Nonlinear oscillator by GVI",
          .claim =
              "GVI keeps the energy without drift, the angular momentum exactly, and the bouncing, turning "
              "and swinging of the discs.",
          .parameters = oscillator,
          .methods =
              "gvi with E = H on midpoint (the paper's); gvi with the numerical Hamiltonian and with shadow, "
              "contact with shadow (ours); gauss with 6 stages to compare with",
          .reproduce = reproduce};
}

}  // namespace carom::papers::p003
