#include "formula_model.hpp"

#include <algorithm>
#include <array>

#include "native.hpp"

namespace carom {
namespace {

const FormulaRunner& runner_for(int coordinates) {
  static const std::array runners = {formula_runner_2(), formula_runner_4(), formula_runner_8(),
                                     formula_runner_16()};
  return *std::find_if(runners.begin(), runners.end(),
                       [=](const auto& runner) { return coordinates <= runner.most_coordinates; });
}

// Modified Hamiltonians are instantiated for small systems only.
void refuse_modified(const Scenario& scenario, int coordinates) {
  if (coordinates <= 2) return;
  const std::string law = make_method(scenario).impact;
  if (law == "modified-energy" || law == "stable-energy")
    scenario.reject(
        "method.impact", '"' + law + '"',
        "is there for systems in formulas of up to 2 coordinates; take \"shadow\", which keeps the "
        "same energy without derivatives");
}

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

std::shared_ptr<const SystemFormulas> at_full_speed(const SystemFormulas& formulas,
                                                    const Scenario& scenario) {
  auto r = std::make_shared<SystemFormulas>(formulas);
  compile_formulas(r->programs(), scenario.time);
  return r;
}

}  // namespace

Model formula_model(const Scenario& scenario) {
  const auto formulas = define_system(scenario);
  const FormulaRunner runner = runner_for(formulas->dim);
  Model r;
  r.name = "expression", r.summary = "a system in formulas";
  r.dim = formulas->dim, r.coordinates = formulas->coordinates, r.contacts = formulas->gap_names;
  const bool rubs = formulas->friction.outputs() > 0;
  if (rubs) r.stepper = "dae-euler";
  r.check = [formulas, runner, rubs](const Scenario& s) {
    if (rubs) refuse_friction(s, make_method(s));
    refuse_modified(s, formulas->dim);
    if (!formulas->joint_names.empty()) refuse_with_joints(s);
    runner.check(formulas, s);
  };
  r.run = [formulas, runner, rubs](const Scenario& s, const Method& method, const RunHooks& hooks) {
    if (rubs) refuse_friction(s, method);
    return runner.run(at_full_speed(*formulas, s), s, method, hooks);
  };
  if (!rubs)
    r.run_together = [formulas, runner](const Scenario& s, const Method& method, const RunHooks& hooks,
                                        const MemberFeed& feed) {
      return runner.run_together(formulas, s, method, hooks, feed);
    };
  return r;
}

}  // namespace carom
