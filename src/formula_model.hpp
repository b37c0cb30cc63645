// The Model of a system in formulas, made from the scenario that states it.
#pragma once

#include "formula_system.hpp"
#include "model.hpp"

namespace carom {

Model formula_model(const Scenario& scenario);  // throws ScenarioError for a bad formula

// How a system of up to N coordinates is checked and run: one file in src/systems/ for each N.
struct FormulaRunner {
  int most_coordinates;
  void (*check)(std::shared_ptr<const SystemFormulas>, const Scenario&);
  RunResult (*run)(std::shared_ptr<const SystemFormulas>, const Scenario&, const Method&, const RunHooks&);
  bool (*run_together)(std::shared_ptr<const SystemFormulas>, const Scenario&, const Method&, const RunHooks&,
                       const MemberFeed&);
};
FormulaRunner formula_runner_2();
FormulaRunner formula_runner_4();
FormulaRunner formula_runner_8();
FormulaRunner formula_runner_16();

}  // namespace carom
