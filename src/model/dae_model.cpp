#include "model/dae_model.hpp"

#include "formula/native.hpp"
#include "model/dae_formulas.hpp"
#include "run/run_dae.hpp"

namespace carom {
namespace {

void refuse_other_steppers(const Scenario& scenario, const Method& method) {
  if (method.stepper == "dae-euler") return;
  const bool short_name = !scenario.method.stepper && scenario.method.name;
  scenario.reject(short_name ? "method.name" : "method.stepper",
                  '"' + (short_name ? *scenario.method.name : method.stepper) + '"',
                  "steps mechanical systems; a DAE has stepper = \"dae-euler\"");
}

ReadyDae ready(std::shared_ptr<const FormulaDae> dae, const Scenario& scenario) {
  return ready_dae(std::move(dae), scenario, number_parameters(scenario));
}

}  // namespace

Model dae_model(const Scenario& scenario) {
  const auto dae = define_dae(scenario);
  Model r;
  r.name = "dae", r.summary = "a DAE in formulas", r.stepper = "dae-euler";
  r.dim = dae->sizes().y;
  for (int i = 0; i < r.dim; ++i) r.coordinates.push_back(dae->coordinate_name(i));
  for (int i = 0; i < dae->sizes().g; ++i)
    if (dae->one_sided(i)) r.contacts.push_back(dae->constraint_name(i));
  r.check = [](const Scenario& s) {
    const Method method = make_method(s);
    refuse_other_steppers(s, method);
    check_dae(ready(define_dae(s), s), s, method);
  };
  r.run = [](const Scenario& s, const Method& method, const RunHooks& hooks) {
    refuse_other_steppers(s, method);
    if (hooks.force) refuse_force(s);
    const auto dae_of_run = define_dae(s);
    compile_formulas(dae_of_run->programs(), s.time);
    return run_dae(ready(dae_of_run, s), s, method, hooks);
  };
  return r;
}

}  // namespace carom
