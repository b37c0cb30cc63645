#include "formula/friction_formulas.hpp"

#include <fmt/format.h>

#include <cmath>

#include "formula/program.hpp"
#include "scenario/scenario_text.hpp"

namespace carom {
namespace {

// At a place like any other, in motion, with all multipliers at one value.
double friction_at(const formula::Program& program, const FormulaNames& names, double psi) {
  std::vector<double> in(static_cast<std::size_t>(names.inputs_with_psi()));
  for (int i = 0; i < names.inputs_with_psi(); ++i)
    in[static_cast<std::size_t>(i)] = i < names.inputs() ? 0.6 + 0.13 * i : psi;
  double out = 0;
  program(std::span<const double>(in), std::span<double>(&out, 1));
  return out;
}

}  // namespace

void check_friction_size(const Scenario& scenario, const FormulaNames& names) {
  const auto& friction = scenario.system.friction;
  if (static_cast<int>(friction.size()) != names.dim())
    scenario.reject("system.friction", fmt::format("an array of {}", friction.size()),
                    fmt::format("must have {}, one per coordinate", names.dim()));
  if (names.multipliers().empty())
    scenario.reject("system.friction", fmt::format("an array of {}", friction.size()),
                    fmt::format("there are neither joints nor gaps that press; what needs none stands in {}",
                                scenario.system.is_dae() ? "f" : "force"));
}

void check_friction(const Scenario& scenario, const FormulaNames& names, const std::string& key,
                    const std::string& text, formula::Node node) {
  const auto refuse = [&](const std::string& why) { scenario.reject(key, detail::quoted(text), why); };
  if (names.expressions.depends_on(node, names.t())) refuse("must not depend on t");
  const formula::Program program =
      formula::compile(names.expressions, std::span(&node, 1), names.inputs_with_psi());
  const double pressed = friction_at(program, names, 1), free = friction_at(program, names, 0);
  if (std::isfinite(pressed) && !(std::abs(free) <= 1e-12 * std::abs(pressed)))
    refuse(fmt::format(
        "must be 0 where {} {}; what is not stands in {}", fmt::join(names.multipliers(), ", "),
        names.multipliers().size() == 1 ? "is 0" : "are 0", scenario.system.is_dae() ? "f" : "force"));
}

}  // namespace carom
