// 002, Fig. 2: the energy of a bouncing particle over a thousand bounces, by the variational collision
// integrator.
#include <fmt/format.h>

#include "item.hpp"
#include "measure.hpp"

namespace carom::papers::p002 {
namespace {

constexpr std::string_view scenario = R"([system]
name = "particle"
parameters = {g = 9.81}  # our choice: the paper gives none

[initial]
q = [0.0, 1.0]
v = [-2.0, 0.0]     # our choice

[method]
name = "vci"

[time]
step = 0.01
impacts = 1000
)";

Finding reproduce(const Lab& lab) {
  const Recorded vci = lab.record(scenario, {fmt::format("time.impacts={}", lab.pick(1000, 200))});
  const auto& H = vci.trajectory["H"];
  const Band energies = band(H);
  Finding f;
  f.verdict = judge({energies.width() < 1e-3 * H.front()});
  f.measured = fmt::format("Over {} bounces the energy stays within {:.2g} of {:.6g}.", vci.result.impacts,
                           energies.width(), H.front());
  f.numbers = {{"energy_band", energies.width()}};
  f.pictures = {{"",
                 {.axes = {{.x_label = "t",
                            .y_label = "H",
                            .series = {{.label = "vci", .x = vci.trajectory["t"], .y = H}}}}}}};
  return f;
}

}  // namespace

Item fig_2() {
  return {
      .name = "002-fig-2",
      .place = "Fig. 2",
      .title = "Energy of a bouncing particle",
      .claim = "The energy of the variational collision integrator shows no drift over a thousand bounces.",
      .parameters = scenario,
      .methods = "vci on svc (the paper's)",
      .reproduce = reproduce};
}

}  // namespace carom::papers::p002
