// The registry of built-in systems. A new one is a file in src/systems/ and two lines here; a header in
// include/carom/systems/, too, where it is written in C++.
#include "formula_model.hpp"
#include "suggest.hpp"

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
                                            box_of_discs_model()};
  return models;
}

void choose_stepper(Scenario& scenario, const Model& model) {
  MethodSpec& m = scenario.method;
  const bool fits = !m.impact || *m.impact == "shadow" || *m.impact == "continuous-energy";
  if (!model.stepper.empty() && !m.stepper && !m.name && fits) m.stepper = model.stepper;
}

Model find_model(const Scenario& scenario) {
  if (scenario.system.is_expression()) return formula_model(scenario);
  std::vector<std::string> names = {"expression"};
  for (const Model& model : built_in_models()) {
    if (model.name == scenario.system.name) return model.specialise ? model.specialise(scenario) : model;
    names.push_back(model.name);
  }
  const std::string& name = scenario.system.name;
  scenario.reject("system.name", '"' + name + '"', "no system has this name" + suggestion(name, names));
}

}  // namespace carom
