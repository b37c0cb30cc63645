#include "scenario/prepare.hpp"

namespace carom {

Prepared prepare(Scenario scenario) {
  drop_keys_of_other_steppers(scenario);
  Model model = find_model(scenario);
  choose_stepper(scenario, model);
  Method method = make_method(scenario);
  model.check(scenario);
  return {std::move(scenario), std::move(model), std::move(method)};
}

}  // namespace carom
