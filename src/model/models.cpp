// The registry of built-in systems. A new one is a file in src/systems/ and two lines here; a header in
// include/carom/systems/, too, where it is written in C++.
#include <fmt/format.h>

#include "model/dae_model.hpp"
#include "model/formula_model.hpp"
#include "model/scene_model.hpp"
#include "scenario/scenario_text.hpp"
#include "scenario/suggest.hpp"

namespace carom {

Model point_mass_model();
Model particle_model();
Model star_model();
Model double_pendulum_model();
Model cart_pendulum_model();
Model billiard_model();
Model pogo_stick_model();
Model spring_and_sphere_model();
Model nonlinear_oscillator_model();
Model wedge_model();
Model disc_model();
Model pendulum_model();
Model newton_cradle_model();
Model lennard_jones_chain_model();
Model column_model();
Model box_of_discs_model();
Model mass_on_cubic_model();
Model dae_exponential_model();

const std::vector<Model>& built_in_models() {
  static const std::vector<Model> models = {point_mass_model(),
                                            particle_model(),
                                            star_model(),
                                            double_pendulum_model(),
                                            cart_pendulum_model(),
                                            billiard_model(),
                                            pogo_stick_model(),
                                            spring_and_sphere_model(),
                                            nonlinear_oscillator_model(),
                                            wedge_model(),
                                            disc_model(),
                                            pendulum_model(),
                                            newton_cradle_model(),
                                            lennard_jones_chain_model(),
                                            column_model(),
                                            box_of_discs_model(),
                                            mass_on_cubic_model(),
                                            dae_exponential_model()};
  return models;
}

void choose_stepper(Scenario& scenario, const Model& model) {
  refuse_held_force(scenario);
  MethodSpec& m = scenario.method;
  const bool fits = !m.impact || *m.impact == "shadow" || *m.impact == "continuous-energy";
  if (!model.stepper.empty() && !m.stepper && !m.name && fits) m.stepper = model.stepper;
}

void refuse_friction(const Scenario& scenario, const Method& method) {
  if (method.stepper != "dae-euler")
    scenario.reject(
        "system.friction", "",
        fmt::format("the stepper \"{}\" knows no friction; stepper = \"dae-euler\" does", method.stepper));
}

void refuse_force(const Scenario& scenario) {
  scenario.reject("system.name", '"' + scenario.system.name + '"',
                  "takes no force of the caller's own; a mechanical system in formulas does, by every "
                  "stepper but dae-euler");
}

void refuse_held_force(const Scenario& scenario) {
  if (const auto& by = scenario.system.held_force)
    scenario.reject("system.held_force", '"' + *by + '"',
                    "gave this run a force, which no file holds: it can be looked at, and neither be run "
                    "again nor go on");
}

void refuse_multipliers(const Scenario& scenario, const Method& method) {
  if (scenario.initial.psi && method.stepper != "dae-euler")
    scenario.reject("initial.psi", fmt::format("[{}]", detail::listed(*scenario.initial.psi)),
                    fmt::format("the stepper \"{}\" starts without multipliers; \"dae-euler\" takes them",
                                method.stepper));
}

Model find_model(const Scenario& scenario) {
  if (scenario.system.is_expression()) return formula_model(scenario);
  if (scenario.system.is_dae()) return dae_model(scenario);
  if (scenario.system.is_scene()) return scene_model(scenario);
  std::vector<std::string> names = {"expression", "dae", "bodies"};
  for (const Model& model : built_in_models()) {
    if (model.name == scenario.system.name) return model.specialise ? model.specialise(scenario) : model;
    names.push_back(model.name);
  }
  const std::string& name = scenario.system.name;
  scenario.reject("system.name", '"' + name + '"', "no system has this name" + suggestion(name, names));
}

}  // namespace carom
