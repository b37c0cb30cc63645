// 003, Fig. 5.1: two particles on a spring slide along a circle, by direct substitution and by the
// discrete-smooth integrator.
#include <fmt/format.h>

#include "item.hpp"
#include "measure.hpp"

namespace carom::papers::p003 {
namespace of_fig_5_1 {

constexpr std::string_view scenario = R"([system]
name = "spring-and-sphere"
parameters = {m = 1.0, a = 50.0, k = 1.0, l = 2.8284271247461903, r = 5.0}  # m: our choice

[initial]
q = [4.0, -3.0, 3.0, -4.0]
p = [0.6, 0.8, 0.8, 0.6]

[method]
stepper = "gvi"       # where nothing is hit this is the discrete-smooth integrator
flow = "midpoint"

[time]
step = 0.5
end = 1000.0          # 100 for endpoint-direct
)";

using Set = std::vector<std::string>;

// Energy, angular momentum and gaps along a run.
struct Kept {
  Band H;
  double L_error = 0, gap = 0;
};
Kept kept(const Recorded& r) {
  Kept k{band(r.trajectory["H"])};
  const auto& L = r.trajectory["momenta1"];
  for (const double x : L) k.L_error = std::fmax(k.L_error, std::abs(x - L[0]));
  k.gap = std::fmax(largest(r.trajectory["gaps1"]), largest(r.trajectory["gaps2"]));
  return k;
}

Axes energy_and_momentum(std::string title, const Recorded& r, Interval shown) {
  return {
      .title = std::move(title),
      .x_label = "t",
      .y_label = "H and L",
      .y_range = shown,
      .series = {
          {.label = "energy", .x = r.trajectory["t"], .y = r.trajectory["H"], .colour = 0},
          {.label = "angular momentum", .x = r.trajectory["t"], .y = r.trajectory["momenta1"], .colour = 1}}};
}

Axes path(const Recorded& r) {
  const auto first = [&r](std::string_view name) {
    const auto& x = r.trajectory[name];
    return std::vector<double>(x.begin(), x.begin() + 21);
  };
  Series circle{.label = "", .colour = Series::grey};
  for (const double angle : evenly(0, 2 * 3.14159265358979, 181))
    circle.x.push_back(5 * std::cos(angle)), circle.y.push_back(5 * std::sin(angle));
  return {.title = "(a) until t = 10",
          .x_label = "x",
          .y_label = "y",
          .equal_aspect = true,
          .series = {circle,
                     {.label = "first", .x = first("q1"), .y = first("q2"), .colour = 0, .markers = true},
                     {.label = "second", .x = first("q3"), .y = first("q4"), .colour = 1, .markers = true}}};
}

std::vector<Picture> pictures_of(const Recorded& gvi, const Recorded& endpoint, const Recorded& own,
                                 const Recorded& sixth) {
  return {{"",
           {.width = 1200,
            .axes = {path(gvi), energy_and_momentum("(b) endpoint-direct", endpoint, {0, 12}),
                     energy_and_momentum("(c) discrete-smooth", gvi, {0, 12})}}},
          {"ours",
           {.axes = {energy_and_momentum("ours: contact, midpoint", own, {0, 12}),
                     {.title = "energy",
                      .x_label = "t",
                      .y_label = "H",
                      .x_range = Interval{0, 100},
                      .series = {{.label = "discrete-smooth",
                                  .x = gvi.trajectory["t"],
                                  .y = gvi.trajectory["H"],
                                  .colour = 1},
                                 {.label = "ours: kahan-li6",
                                  .x = sixth.trajectory["t"],
                                  .y = sixth.trajectory["H"],
                                  .colour = 0}}}}}}};
}

Finding reproduce(const Lab& lab) {
  const double T = 1000;
  const Recorded gvi = lab.record(scenario);
  const Recorded endpoint =
      lab.record(scenario, {"method.stepper=direct", "method.scheme=endpoint", "time.end=100.0"});
  const Recorded far = lab.record(scenario, {fmt::format("time.end={}", 10 * T), "output.every=10"});
  const Recorded collisions =
      lab.record(scenario, {"method.stepper=event-driven", "method.impact=continuous-energy"});
  const Recorded own = lab.record(scenario, {"method.stepper=contact"});
  const Recorded sixth =
      lab.record(scenario, {"method.stepper=contact", "method.flow=kahan-li6", "method.base=midpoint"});
  const Kept k = kept(gvi), k_far = kept(far), k_own = kept(own), k_sixth = kept(sixth);
  const double H_end = endpoint.trajectory["H"].back(), L_end = endpoint.trajectory["momenta1"].back();
  const double H0 = gvi.trajectory["H"][0], L0 = gvi.trajectory["momenta1"][0];
  const double error = std::fmax(k.H.high - H0, H0 - k.H.low);

  Finding f;
  f.verdict = judge({H_end < 0.8 * H0 && L_end < 0.5 * L0, error < 0.01 * H0, k.L_error < 1e-11,
                     gvi.result.impacts == 0 && k.gap < 1e-13});
  f.measured = fmt::format(
      "Endpoint-direct falls from H = {:.3f}, L = {:.3f} to {:.3f} and {:.3f} at t = 100. The "
      "discrete-smooth integrator keeps H in [{:.3f}, {:.3f}], L to {:.0e} and both particles on the circle "
      "to {:.0e} until T = {:g}; until {:g} [{:.3f}, {:.3f}], {:.0e} and {:.0e}. A collision integrator {} "
      "at t = {:g} (text of 5.2).",
      H0, L0, H_end, L_end, k.H.low, k.H.high, k.L_error, k.gap, T, 10 * T, k_far.H.low, k_far.H.high,
      k_far.L_error, k_far.gap, collisions.result.status == "completed" ? "arrives" : "gives up",
      collisions.result.t);
  f.ours = fmt::format(
      "The contact stepper takes the same steps here: H in [{:.3f}, {:.3f}], L to {:.0e}; with kahan-li6 H "
      "in [{:.6f}, {:.6f}], L to {:.0e}.",
      k_own.H.low, k_own.H.high, k_own.L_error, k_sixth.H.low, k_sixth.H.high, k_sixth.L_error);
  f.numbers = {{"endpoint_energy", H_end},
               {"endpoint_angular_momentum", L_end},
               {"smooth_low", k.H.low},
               {"smooth_high", k.H.high},
               {"smooth_angular_momentum_error", k.L_error},
               {"smooth_gap", k.gap},
               {"smooth_low_10_times_longer", k_far.H.low},
               {"smooth_high_10_times_longer", k_far.H.high},
               {"collisions_end", collisions.result.t},
               {"contact_low", k_own.H.low},
               {"contact_high", k_own.H.high},
               {"contact_kahan_li6_low", k_sixth.H.low},
               {"contact_kahan_li6_high", k_sixth.H.high}};
  f.pictures = pictures_of(gvi, endpoint, own, sixth);
  return f;
}

}  // namespace of_fig_5_1

Item fig_5_1() {
  using namespace of_fig_5_1;
  return {.name = "003-fig-5.1",
          .place = "Fig. 5.1",
          .title = "Two particles on a spring slide along a circle",
          .claim =
              "With contact forces at the end of the step energy and angular momentum decay; the "
              "discrete-smooth integrator keeps the energy approximately and the angular momentum exactly.",
          .parameters = scenario,
          .methods =
              "direct: endpoint; gvi on midpoint, here the discrete-smooth integrator (the paper's); ours: "
              "contact on midpoint and kahan-li6",
          .reproduce = reproduce};
}

}  // namespace carom::papers::p003
