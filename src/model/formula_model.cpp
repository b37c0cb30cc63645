#include "model/formula_model.hpp"

#include "carom/system/validate.hpp"
#include "formula/formula_names.hpp"
#include "formula/native.hpp"
#include "model/mechanical_model.hpp"
#include "model/steered_system.hpp"
#include "model/varied_system.hpp"
#include "run/stepping.hpp"

namespace carom {
namespace {

// What does not keep joints.
void refuse_with_joints(const Scenario& scenario) {
  const Method method = make_method(scenario);
  if (method.tolerance > 0)
    scenario.reject("method.tolerance", detail::to_text(method.tolerance),
                    "is of Gauss collocation, which does not keep joints");
  if (method.flow.name == "gauss")
    scenario.reject("method.flow", "\"gauss\"",
                    "does not keep joints; every other flow does, \"kahan-li8\" with order 8");
  if (method.impact == "modified-energy" || method.impact == "stable-energy")
    scenario.reject("method.impact", '"' + method.impact + '"',
                    "has no modified Hamiltonian for a system with joints; take \"shadow\", which keeps the "
                    "same energy without derivatives");
  if (method.fraction == "polynomial")
    scenario.reject("method.fraction", "\"polynomial\"", "leaves the joints; \"composition\" does not");
}

// Kernels of Gauss collocation are compiled by size.
void refuse_gauss_of_many(const Scenario& scenario, const SystemFormulas& formulas) {
  const Method method = make_method(scenario);
  if (!formulas.sparse() || method.flow.name != "gauss") return;
  const bool chosen = method.tolerance > 0;
  scenario.reject(chosen ? "method.tolerance" : "method.flow",
                  chosen ? detail::to_text(method.tolerance) : "\"gauss\"",
                  "Gauss collocation takes up to 16 coordinates, and this system has " +
                      std::to_string(formulas.dim) + "; \"kahan-li8\" has order 8, too");
}

std::shared_ptr<const SystemFormulas> at_full_speed(const SystemFormulas& formulas,
                                                    const Scenario& scenario) {
  auto r = std::make_shared<SystemFormulas>(formulas);
  compile_formulas(r->programs(), scenario.time);
  return r;
}

RunResult run_steered(const SystemFormulas& formulas, const Scenario& s, const Method& method,
                      const RunHooks& hooks) {
  if (method.stepper == "dae-euler") refuse_force(s);
  const auto steered = std::make_shared<SteeredSystem>(at_full_speed(formulas, s));
  RunHooks own = hooks;
  own.before_step = [&](double t, std::span<const double> q, std::span<const double> v) {
    return hooks.force(t, q, v, {steered->held->data(), steered->held->data() + steered->size()});
  };
  return run_mechanical({steered, number_parameters(s), {}}, s, method, own);
}

std::unique_ptr<Stepping> by_hand(const SystemFormulas& formulas, const Scenario& s, const Method& method,
                                  bool steered) {
  const auto fast = at_full_speed(formulas, s);
  if (!steered)
    return mechanical_stepping({std::make_shared<FormulaSystem>(fast), number_parameters(s), {}}, s, method,
                               nullptr);
  const auto own = std::make_shared<SteeredSystem>(fast);
  return mechanical_stepping({own, number_parameters(s), {}}, s, method, own->held);
}

}  // namespace

Model formula_model(const Scenario& scenario) {
  const auto system = std::make_shared<FormulaSystem>(define_system(scenario));
  const SystemFormulas& formulas = system->formulas();
  Model r;
  r.name = "expression", r.summary = "a system in formulas";
  r.dim = formulas.dim, r.coordinates = formulas.coordinates, r.contacts = formulas.gap_names;
  if (system->rubs()) r.stepper = "dae-euler";
  const auto make = [system](const Scenario& s) { return MadeSystem{system, number_parameters(s), {}}; };
  r.check = [system, make](const Scenario& s) {
    if (system->rubs()) refuse_friction(s, make_method(s));
    if (system->joint_count() > 0) refuse_with_joints(s);
    refuse_gauss_of_many(s, system->formulas());
    check_mechanical(make(s), s);
  };
  r.run = [system, make](const Scenario& s, const Method& method, const RunHooks& hooks) {
    if (system->rubs()) refuse_friction(s, method);
    if (hooks.force) return run_steered(system->formulas(), s, method, hooks);
    const auto fast = std::make_shared<FormulaSystem>(at_full_speed(system->formulas(), s));
    return run_mechanical({fast, number_parameters(s), {}}, s, method, hooks);
  };
  r.by_hand = [system](const Scenario& s, const Method& method, bool steered) {
    if (system->rubs()) refuse_friction(s, method);
    return by_hand(system->formulas(), s, method, steered);
  };
  r.run_together = [system](const Scenario& first, const Method& method, const RunHooks& hooks,
                            const MemberFeed& feed) {
    const auto fast = std::make_shared<FormulaSystem>(at_full_speed(system->formulas(), first));
    return run_mechanical_together({fast, number_parameters(first), {}}, first, method, hooks, feed);
  };
  r.system = [system](const Scenario&) { return system; };
  r.ready = [system](const Scenario& s, const std::vector<std::string>& varied) {
    SystemFormulas own = system->formulas();
    VariedFormulas variations = *define_variations(s, varied);
    auto programs = own.programs();
    for (formula::Program* program : variations.programs()) programs.push_back(program);
    compile_formulas(programs, s.time);
    const auto fast = std::make_shared<VariedSystem>(std::make_shared<SystemFormulas>(std::move(own)),
                                                     std::make_shared<VariedFormulas>(std::move(variations)));
    return ready_mechanical({fast, number_parameters(s), {}}, s);
  };
  return r;
}

}  // namespace carom
