// 003, Fig. 1.4: the energy of a pogo stick, by a collision integrator and by GVI.
#include <fmt/format.h>

#include <algorithm>

#include "item.hpp"
#include "measure.hpp"
#include "pogo_runs.hpp"

namespace carom::papers::p003 {
namespace of_fig_1_4 {

constexpr std::string_view scenario = R"([system]
name = "pogo-stick"
parameters = {m = 1.0, k = 10.0, l = 5.0, g = 9.8}  # 9.8213 in the caption

[initial]
q = [6.0, 1.0]        # our choice: the paper states no start; and 17 from q = [5.25, 0.25] to [9.25, 4.25]
p = [0.0, 0.0]

[method]
stepper = "gvi"
flow = "svc"
energy = "hamiltonian"

[time]
step = 0.1
end = 546.0           # and 100 000
)";

using Set = std::vector<std::string>;
const Set collisions{"method.stepper=event-driven", "method.impact=continuous-energy"};
const Set shadow{"method.stepper=event-driven", "method.impact=shadow"};
const Set contact{"method.stepper=contact"};

Set with(Set set, std::initializer_list<std::string> more) {
  set.insert(set.end(), more);
  return set;
}

// Of all starts: the largest error of H over H, how many runs arrive, and how many reach 2 H.
struct Starts {
  double worst = 0;
  int arrived = 0, doubled = 0;
};
Starts over_starts(const Lab& lab, const Set& method, double T) {
  Starts r;
  for (const double height : pogo_heights()) {
    const RunResult run =
        lab.run(scenario, with(method, {dropped_from(height), fmt::format("time.end={}", T)}));
    const double error = run.energy.max_abs_error / run.energy.initial;
    r.worst = std::fmax(r.worst, error);
    r.arrived += run.status == "completed";
    r.doubled += !(error < 1);
  }
  return r;
}

std::vector<Picture> pictures_of(const Recorded& gvi, const Recorded& cva, const Recorded& long_gvi,
                                 const Recorded& own, const CarelessRun& careless) {
  const Interval shown{64, 74};
  const Axes a{.title = "(a)",
               .x_label = "t",
               .y_label = "H",
               .y_range = shown,
               .series = {energy_of(cva, "collisions", 1), energy_of(gvi, "gvi", 0)}};
  const Axes b{.title = "(b)",
               .x_label = "t",
               .y_label = "H",
               .y_range = shown,
               .series = {energy_of(long_gvi, "gvi", 0)}};
  const Axes careless_axes{.title = "collisions, one event a step",
                           .x_label = "t",
                           .y_label = "H",
                           .series = {{.label = "careless", .x = careless.t, .y = careless.H, .colour = 3}}};
  const Axes ours_axes{.title = "ours",
                       .x_label = "t",
                       .y_label = "H",
                       .y_range = shown,
                       .series = {energy_of(cva, "collisions", 1), energy_of(own, "ours: contact", 2)}};
  return {{"", {.axes = {a, b}}}, {"ours", {.axes = {ours_axes, careless_axes}}}};
}

Finding reproduce(const Lab& lab) {
  const double T = 546, far = lab.pick(1e5, 1e4), starts_until = lab.pick(1e5, 3e3),
               later = lab.pick(2000, 1000);
  const Recorded gvi = lab.record(scenario), cva = lab.record(scenario, collisions);
  const Recorded long_gvi = lab.record(
      scenario, {fmt::format("time.end={}", far), fmt::format("output.every={}", lab.pick(101, 11))});
  const Recorded own = lab.record(scenario, contact), own_events = lab.record(scenario, shadow);
  const Recorded caption = lab.record(scenario, {"system.parameters.g=9.8213"});
  const CarelessRun careless = collide_carelessly(1, false, 0.1, later);
  const Starts gvi_tenth = over_starts(lab, {}, starts_until / 10),
               gvi_far = over_starts(lab, {}, starts_until);
  const Starts cva_early = over_starts(lab, collisions, T / 10), cva_all = over_starts(lab, collisions, T),
               cva_later = over_starts(lab, collisions, later);
  const Careless careless_all = careless_starts(false, later);
  const Band bounded = band(long_gvi.trajectory["H"]), caption_band = band(caption.trajectory["H"]);
  const Band walked = band(cva.trajectory["H"]), kept = band(own.trajectory["H"]);
  const double H0 = gvi.trajectory["H"][0];

  Finding f;
  const bool bounds = gvi_far.arrived == 17 && gvi_far.worst < std::fmin(0.1, 1.05 * gvi_tenth.worst);
  const bool grows = cva_later.worst > 2 * cva_early.worst;
  f.verdict = judge({bounds, grows, cva_later.doubled > 0});
  f.measured = fmt::format(
      "GVI from q = (6, 1), H = {:.1f}: H in [{:.2f}, {:.2f}] until T = {:g}; {} of 17 starts arrive at "
      "{:g}, largest error {:.1f} %, {:.2f} times that of the first tenth. The collision integrator has H in "
      "[{:.2f}, {:.2f}] until T = 546; of 17 starts the largest error is {:.1f} % at {:g}, {:.1f} % at 546 "
      "and {:.1f} % at {:g}, where {} have arrived and {} have reached 2 H. One that takes one event a step, "
      "and its time as it comes, reaches 2 H in {} of 17 starts until t = {:g}, the first at {:.1f}.",
      H0, bounded.low, bounded.high, far, gvi_far.arrived, starts_until, 100 * gvi_far.worst,
      gvi_far.worst / gvi_tenth.worst, walked.low, walked.high, 100 * cva_early.worst, T / 10,
      100 * cva_all.worst, 100 * cva_later.worst, later, cva_later.arrived, cva_later.doubled,
      careless_all.doubled, later, careless_all.first);
  if (lab.quick) f.measured += " (Shortened from T = 100 000 and 2000.)";
  f.ours = fmt::format(
      "Until T = 546 the contact stepper keeps H in [{:.2f}, {:.2f}], shadow in [{:.2f}, {:.2f}], and both "
      "find every impact; no gap is below {:.0e}.",
      kept.low, kept.high, band(own_events.trajectory["H"]).low, band(own_events.trajectory["H"]).high,
      own.result.smallest_gap.value_or(0));
  f.numbers = {{"gvi_low", bounded.low},
               {"gvi_high", bounded.high},
               {"gvi_low_g_9.8213", caption_band.low},
               {"gvi_high_g_9.8213", caption_band.high},
               {"gvi_worst_of_17", gvi_far.worst},
               {"gvi_worst_of_17_first_tenth", gvi_tenth.worst},
               {"gvi_arrived", gvi_far.arrived},
               {"collisions_low_546", walked.low},
               {"collisions_high_546", walked.high},
               {"collisions_worst_of_17_early", cva_early.worst},
               {"collisions_worst_of_17_546", cva_all.worst},
               {"collisions_worst_of_17_later", cva_later.worst},
               {"collisions_arrived_later", cva_later.arrived},
               {"collisions_doubled", cva_later.doubled},
               {"careless_doubled", careless_all.doubled},
               {"careless_first_doubled", careless_all.first},
               {"contact_low", kept.low},
               {"contact_high", kept.high}};
  f.pictures = pictures_of(gvi, cva, long_gvi, own, careless);
  return f;
}

}  // namespace of_fig_1_4

Item fig_1_4() {
  using namespace of_fig_1_4;
  return {
      .name = "003-fig-1.4",
      .place = "Fig. 1.4",
      .title = "The energy of a pogo stick",
      .claim =
          "The energy of GVI stays bounded over 100 000 units of time; that of a collision integrator grows "
          "and blows up after t = 546.",
      .parameters = scenario,
      .methods = "gvi, energy H, and continuous-energy on svc (the paper's); ours: contact and shadow on svc",
      .reproduce = reproduce};
}

}  // namespace carom::papers::p003
