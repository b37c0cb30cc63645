// carom new: a commented scenario to start from, on standard output.
#include <fmt/format.h>

#include <algorithm>

#include "commands.hpp"
#include "model/model.hpp"
#include "scenario/scenario_text.hpp"
#include "scenario/suggest.hpp"

namespace carom::cli {
namespace {

std::string array_of(const std::vector<double>& numbers) {
  std::vector<std::string> written;
  for (const double number : numbers) written.push_back(detail::written(number));
  return fmt::format("[{}]", fmt::join(written, ", "));
}

std::string parameter_lines(const Model& model) {
  std::string text;
  for (const auto& p : model.parameters) {
    const std::string range = p.range == "any" ? "" : "  # " + p.range;
    const std::string value = p.word.empty() ? detail::written(p.value) : '"' + p.word + '"';
    text += fmt::format("{} = {}{}\n", detail::key_part(p.name), value, range);
  }
  return text;
}

constexpr auto event_driven = R"(
[method]                    # 'carom list methods' has them all
flow = "svc"                # moves the system: svc, sva, yoshida4, kahan-li6, gauss, ...
impact = "shadow"           # what an impact keeps: shadow, continuous-energy, discrete-energy, ...
# order = 8                 # of the shadow energy
# restitution = 0.9         # lossy impacts; 1 is elastic
)";

constexpr auto contact = R"(
[method]                    # 'carom list methods' has them all
stepper = "contact"         # for contacts that last; or "gvi", and "direct", the baseline
flow = "svc"                # moves the system: svc, midpoint, sva, yoshida4, ...
impact = "shadow"           # what an impact keeps: shadow or continuous-energy
# restitution = 0.9         # lossy impacts; 1 is elastic
)";

constexpr auto dae_euler = R"(
[method]                    # 'carom list methods' has them all
stepper = "dae-euler"       # for DAEs and for friction, symplectic Euler methods
flow = "se1"                # moves the system
scheme = "true"             # how its multipliers enter
)";

constexpr auto time_range = R"(
[time]
step = 0.01
end = 10.0                  # or else, or whichever comes first:
# impacts = 100             # after so many impacts
)";

constexpr auto output = R"(
[output]
every = 1                   # keep every so many steps; the last state is always kept
)";

const char* method_of(const Model& model) {
  return model.stepper == "dae-euler" ? dae_euler : model.stepper == "contact" ? contact : event_driven;
}

std::string scenario_of(const Model& model) {
  return fmt::format(R"(# A scenario for carom: 'carom check FILE' validates it, 'carom run FILE' runs it.
title = "My {0}"

[system]                    # {1}
name = "{0}"

[system.parameters]         # with their defaults; a line left out is its default
{2}
[initial]                   # left out, the system's own start, which is this one
q = {3}  # {4}
p = {5}  # momenta; or v = [...], velocities
{6}{7})",
                     model.name, model.summary, parameter_lines(model), array_of(model.start_q),
                     fmt::join(model.coordinates, ", "), array_of(model.start_p), method_of(model),
                     fmt::format("{}{}", time_range, output));
}

constexpr auto formulas =
    R"toml(# A system of your own, in formulas: 'carom check FILE' validates it, 'carom run FILE' runs it.
# They have + - * / ^, pi, sin cos tan asin acos atan atan2 sinh cosh tanh exp log sqrt abs min max hypot pow.
title = "Spring pendulum over a floor"

[system]
name = "expression"
coordinates = ["r", "a"]    # length and angle from the vertical; the velocities are r' and a'
parameters = { m = 1.0, k = 40.0, rest = 1.0, g = 9.81, depth = 1.3 }
let = { x = "r*sin(a)", y = "-r*cos(a)" }         # names for parts of formulas
lagrangian = "0.5*m*(r'^2 + r^2*a'^2) - 0.5*k*(r - rest)^2 - m*g*y"
gaps = { floor = "y + depth" }                    # an impact where one closes; at least 0 at the start
# momenta = { "angular momentum" = "m*r^2*a'" }   # conserved quantities to watch; this one where g = 0
# force = ["0", "-0.1*a'"]                        # not from L, one for each coordinate; t is time
# Friction at gaps and joints, for stepper = "dae-euler": friction = [...] with their multipliers psi1, psi2, ...

[initial]
q = [1.1, 1.2]
v = [0.0, 0.0]              # or p = [...], momenta
)toml";

constexpr auto dae =
    R"toml(# An overdetermined DAE of your own, in formulas: 'carom check FILE' validates it, 'carom run FILE' runs it.
#   y' = v(y, z),   d/dt p(y, z) = f(t, y, z) + r(y, z, psi) + friction(y, z, psi),   0 = g(y)
title = "A mass on a parabola"

[system]
name = "dae"
coordinates = ["x", "y"]    # the names of y
z = ["u", "w"]              # as many
psi = ["N"]                 # a multiplier for each constraint, joints first; left out, psi1, psi2, ...
parameters = { m = 1.0, a = 0.5, g = 9.81, mu = 0.1 }
v = ["u", "w"]
p = ["m*u", "m*w"]          # left out, z itself
f = ["0", "-m*g"]
r = ["-2*a*x*N", "N"]       # need not be linear in the multipliers
joints = { parabola = "y - a*x^2" }       # g = 0; or gaps, where g >= 0
# friction = ["-mu*abs(N)*sqrt(1 + 4*a^2*x^2)*u/hypot(u, w)", "-mu*abs(N)*sqrt(1 + 4*a^2*x^2)*w/hypot(u, w)"]
energy = "0.5*m*(u^2 + w^2) + m*g*y"      # to watch

[initial]
q = [1.0, 0.5]              # y
v = [0.5, 0.5]              # z; or p = [...], p(y, z)
# psi = [1.0]               # near the multipliers that are meant, where several fit
)toml";

constexpr auto dae_drawing = R"toml(
[draw]                      # for the animation in the report
points.mass = ["x", "y"]
circles = [["mass", "0.05"]]
curves = [["s", "a*s^2", "-1.5", "1.5"]]
trails = ["mass"]
)toml";

constexpr auto until = R"toml(# until = "x"               # when a formula changes sign
)toml";

constexpr auto drawing = R"toml(
[draw]                      # for the animation in the report
points.pivot = ["0", "0"]
points.bob = ["x", "y"]
lines = [["pivot", "bob"]]
circles = [["bob", "0.08"]]
ground = [["-1.5", "-depth", "1.5", "-depth"]]
trails = ["bob"]
view = [-1.6, 1.6, -1.6, 0.6]
)toml";

const Model& built_in(const std::string& name) {
  std::vector<std::string> names;
  for (const Model& model : built_in_models()) {
    if (model.name == name) return model;
    names.push_back(model.name);
  }
  names.insert(names.end(), {"expression", "dae"});
  throw ScenarioError(detail::complaint("--system " + detail::clipped(name), "", "",
                                        "no system has this name" + suggestion(name, names)));
}

}  // namespace

int print_new(const NewOptions& options) {
  if (options.expression || options.system == "expression")
    fmt::print("{}{}{}{}{}", formulas, fmt::format("{}{}", event_driven, time_range), until, output, drawing);
  else if (options.system == "dae")
    fmt::print("{}{}{}{}{}", dae, dae_euler, time_range, output, dae_drawing);
  else
    fmt::print("{}", scenario_of(built_in(options.system)));
  return done;
}

}  // namespace carom::cli
