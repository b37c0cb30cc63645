// The registry of built-in systems. A new one is a header in include/carom/systems/, a file in src/systems/
// and two lines here.
#include "formula_model.hpp"
#include "suggest.hpp"

namespace carom {

Model point_mass_model();
Model particle_model();
Model star_model();
Model double_pendulum_model();
Model cart_pendulum_model();
Model billiard_model();

const std::vector<Model>& built_in_models() {
  static const std::vector<Model> models = {point_mass_model(),      particle_model(),      star_model(),
                                            double_pendulum_model(), cart_pendulum_model(), billiard_model()};
  return models;
}

Model find_model(const Scenario& scenario) {
  if (scenario.system.is_expression()) return formula_model(scenario);
  std::vector<std::string> names = {"expression"};
  for (const Model& model : built_in_models()) {
    if (model.name == scenario.system.name) return model;
    names.push_back(model.name);
  }
  const std::string& name = scenario.system.name;
  scenario.reject("system.name", '"' + name + '"', "no system has this name" + suggestion(name, names));
}

}  // namespace carom
