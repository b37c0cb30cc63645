// Included by the files formula_*.cpp beside it only, each of which instantiates one size.
#pragma once

#include "formula_model.hpp"
#include "make_model.hpp"

namespace carom {

template <int N>
FormulaRunner make_formula_runner() {
  using Shared = std::shared_ptr<const SystemFormulas>;
  return {N,
          [](Shared formulas, const Scenario& scenario) {
            detail::check_any(FormulaSystem<N>(std::move(formulas)), scenario);
          },
          [](Shared formulas, const Scenario& scenario, const Method& method, const RunHooks& hooks) {
            return detail::run_any(FormulaSystem<N>(std::move(formulas)), scenario, method, hooks);
          },
          [](Shared formulas, const Scenario& scenario, const Method& method, const RunHooks& hooks,
             const MemberFeed& feed) {
            return detail::run_packed(FormulaSystem<N>(std::move(formulas)), scenario, method, hooks, feed,
                                      widest_lanes());
          }};
}

}  // namespace carom
