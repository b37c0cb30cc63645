#include "model/formula_built_in.hpp"

#include <cmath>

#include "carom/system/validate.hpp"
#include "formula/formula_names.hpp"
#include "model/dae_formulas.hpp"
#include "model/dae_model.hpp"
#include "model/formula_model.hpp"
#include "model/parameters.hpp"
#include "model/system_formulas.hpp"
#include "run/start.hpp"
#include "scenario/scenario_text.hpp"

namespace carom {
namespace {

using Numbers = std::map<std::string, double>;

Range range_of(const ParameterInfo& parameter) {
  return parameter.range == "> 0"    ? Range::positive
         : parameter.range == ">= 0" ? Range::not_negative
                                     : Range::any;
}

// The values of formulas of the parameters.
std::vector<double> evaluated(const Scenario& scenario, const std::string& key,
                              const std::vector<std::string>& formulas, const Numbers& parameters) {
  FormulaNames names(scenario, {}, parameters);
  std::vector<double> r;
  for (const std::string& text : formulas) {
    const auto value = names.expressions.constant(names.parse(key, text));
    r.push_back(value ? *value : NAN);  // such as 1/0, which is refused as any start that is not finite
  }
  return r;
}

void check_ranges(const FormulaBuiltIn& system, const Scenario& scenario, const Numbers& parameters) {
  try {
    for (const auto& p : system.parameters) validate_parameter(p.name, parameters.at(p.name), range_of(p));
  } catch (const InvalidInput& e) {
    scenario.reject("system." + e.field, e.value, e.why);
  }
  for (const auto& [name, limit] : system.below) {
    const std::string key = "system.parameters." + name;
    if (!(parameters.at(name) < evaluated(scenario, key, {limit}, parameters)[0]))
      scenario.reject(key, detail::to_text(parameters.at(name)), "must be less than " + limit);
  }
}

Numbers checked_parameters(const FormulaBuiltIn& system, const Scenario& scenario) {
  std::vector<std::string> known;
  for (const auto& parameter : system.parameters) known.push_back(parameter.name);
  Numbers r = stated_parameters(scenario, known);
  for (const auto& parameter : system.parameters) r.try_emplace(parameter.name, parameter.value);
  check_ranges(system, scenario, r);
  return r;
}

// A checkpoint holds the scenario as the user wrote it, which is what it is compared with later.
class RecordsOf : public RunRecords {
 public:
  RecordsOf(RunRecords& outer_records, const Scenario& stated) : outer(outer_records), scenario(stated) {}

  void begin(const Layout& rows, const Layout& impacts, const Layout& changes) override {
    outer.begin(rows, impacts, changes);
  }
  void row(std::span<const double> numbers) override { outer.row(numbers); }
  void impact(std::span<const double> numbers, std::string_view contact) override {
    outer.impact(numbers, contact);
  }
  void change(std::span<const double> numbers, std::string_view contact) override {
    outer.change(numbers, contact);
  }
  bool wants_checkpoint(bool stopping) override { return outer.wants_checkpoint(stopping); }
  void keep(Checkpoint checkpoint) override {
    checkpoint.scenario = to_toml(scenario);
    outer.keep(std::move(checkpoint));
  }

 private:
  RunRecords& outer;
  const Scenario& scenario;
};

Model model_of(const FormulaBuiltIn& system, const Scenario& formulas) {
  return system.lagrangian.empty() ? dae_model(formulas) : formula_model(formulas);
}

RunResult run_in_formulas(const FormulaBuiltIn& system, const Scenario& scenario, const Method& method,
                          RunHooks hooks) {
  const Scenario formulas = in_formulas(system, scenario);
  std::optional<RecordsOf> records;
  if (hooks.records) hooks.records = &records.emplace(*hooks.records, scenario);
  return model_of(system, formulas).run(formulas, method, hooks);
}

bool run_together_in_formulas(const FormulaBuiltIn& system, const Scenario& first, const Method& method,
                              const RunHooks& hooks, const MemberFeed& feed) {
  const Scenario formulas = in_formulas(system, first);
  const Model model = model_of(system, formulas);
  Scenario member;
  const auto next = [&]() -> const Scenario* {
    const Scenario* stated = feed.next();
    return stated ? &(member = in_formulas(system, *stated)) : nullptr;
  };
  return model.run_together && model.run_together(formulas, method, hooks, {next, feed.done});
}

std::vector<double> momenta_at(const Scenario& scenario) {
  const std::vector<double>&q = *scenario.initial.q, &v = *scenario.initial.v;
  if (!scenario.system.lagrangian) {
    DaeMotion at;
    const auto values = [](const std::vector<double>& x) {
      return Eigen::Map<const Values>(x.data(), static_cast<Eigen::Index>(x.size()));
    };
    define_dae(scenario)->motion(0, values(q), values(v), at);
    return {at.p.begin(), at.p.end()};
  }
  const auto shared = define_system(scenario);
  const SystemFormulas& formulas = *shared;
  std::vector<double> in = q, out(formulas.fibre.outputs());
  in.insert(in.end(), v.begin(), v.end());
  in.push_back(0);  // time
  formulas.fibre(std::span<const double>(in), std::span<double>(out));
  out.resize(q.size());  // what follows is the mass
  return out;
}

}  // namespace

Scenario in_formulas(const FormulaBuiltIn& system, const Scenario& scenario) {
  const Numbers parameters = checked_parameters(system, scenario);
  Scenario r = scenario;
  for (const auto& [name, value] : parameters) r.system.parameters[name] = value;
  r.system.coordinates = system.coordinates;
  if (!system.lagrangian.empty()) r.system.lagrangian = system.lagrangian;
  r.system.gaps = system.gaps, r.system.joints = system.joints, r.system.momenta = system.momenta;
  r.system.friction = system.friction;
  r.system.z = system.z, r.system.v = system.v, r.system.f = system.f, r.system.r = system.r;
  if (!r.initial.psi) r.initial.psi = system.psi;
  if (r.initial.q) return r;
  r.initial.q = evaluated(scenario, "initial.q", system.start_q, parameters);
  if (!r.initial.v && !r.initial.p)
    r.initial.v = evaluated(scenario, "initial.v", system.start_v, parameters);
  return r;
}

Model formula_built_in(const FormulaBuiltIn& system) {
  Scenario defaults;
  defaults.system.name = system.name;
  const Scenario formulas = in_formulas(system, defaults);
  Model r = model_of(system, formulas);
  r.name = system.name, r.summary = system.summary, r.parameters = system.parameters, r.draw = system.draw;
  if (!system.stepper.empty()) r.stepper = system.stepper;
  for (const auto& [name, limit] : system.below)
    for (auto& parameter : r.parameters)
      if (parameter.name == name) parameter.range += ", < " + limit;
  r.start_q = *formulas.initial.q;
  r.start_p = momenta_at(formulas);
  r.check = [system](const Scenario& s) {
    const Scenario stated = in_formulas(system, s);
    model_of(system, stated).check(stated);
  };
  r.run = [system](const Scenario& s, const Method& method, const RunHooks& hooks) {
    return run_in_formulas(system, s, method, hooks);
  };
  r.run_together = [system](const Scenario& first, const Method& method, const RunHooks& hooks,
                            const MemberFeed& feed) {
    return run_together_in_formulas(system, first, method, hooks, feed);
  };
  if (r.by_hand)
    r.by_hand = [system](const Scenario& s, const Method& method, bool steered) {
      const Scenario stated = in_formulas(system, s);
      return model_of(system, stated).by_hand(stated, method, steered);
    };
  if (r.ready)
    r.ready = [system](const Scenario& s, const std::vector<std::string>& varied) {
      const Scenario stated = in_formulas(system, s);
      return model_of(system, stated).ready(stated, varied);
    };
  if (r.system)
    r.system = [system](const Scenario& s) {
      const Scenario stated = in_formulas(system, s);
      return model_of(system, stated).system(stated);
    };
  return r;
}

}  // namespace carom
