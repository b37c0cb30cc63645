#include "dae_start.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "model/dae_formulas.hpp"

namespace carom::papers::p004 {
namespace {

constexpr std::string_view mass_as_dae = R"toml([system]
name = "dae"
coordinates = ["y1", "y2"]
parameters = { m = 1.0, b = 0.01, g = 9.81, c_f = 0.1, r_f = 0.85 }
let = { rub = "c_f*(psi1*sqrt(1 + 9*b^2*y1^4))^r_f/hypot(z1, z2)" }
z = ["z1", "z2"]
v = ["z1", "z2"]
f = ["0", "-g"]
r = ["(-3*b*y1^2*psi1 - rub*z1)/m", "(psi1 - rub*z2)/m"]
joints = { curve = "y2 - b*y1^3" }
[time]
step = 0.1
end = 1.0
)toml";

Values two(double a, double b) {
  Values r(2);
  r << a, b;
  return r;
}

DaeStart start_of(const Problem& problem, std::string_view scenario, const std::vector<std::string>& set,
                  double psi) {
  const auto [y1, y2, z1, z2] = problem.start;
  return {define_dae(parse_scenario(std::string(scenario), "scenario", set)), two(y1, y2), two(z1, z2),
          Values::Constant(1, psi)};
}

}  // namespace

DaeStart dae_exponential() { return start_of(exponential, exponential.scenario, {}, 1); }
DaeStart dae_mass(double friction) {
  return start_of(mass_on_cubic, mass_as_dae, {fmt::format("system.parameters.c_f={:.2f}", friction)},
                  1.7586);
}

DaeEuler DaeStart::euler(const DaeScheme& scheme) const {
  DaeEuler r(*dae, scheme);
  r.Psi0 = r.Psi1 = psi;
  return r;
}

int advance(DaeEuler& euler, double h, bool adjoint, Values& y, Values& z) {
  const Outcome out = euler(0, h, adjoint, held, y, z);
  if (!out.ok()) throw std::runtime_error(fmt::format("a step of h = {} does not converge", h));
  return out.iterations + 1;
}

}  // namespace carom::papers::p004
