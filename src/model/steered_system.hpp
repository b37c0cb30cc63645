// A system in formulas under a force of somebody's own, a program or a controller: it is asked before a step
// and stays as it is during it, so that it has no slopes, and does work as any other force does. Whoever
// holds `held` sets it. Tested from Python in tests/python/control_test.py.
#pragma once

#include "model/formula_system.hpp"

namespace carom {

class SteeredSystem final : public FormulaSystem {
 public:
  explicit SteeredSystem(std::shared_ptr<const SystemFormulas> formulas)
      : FormulaSystem(std::move(formulas)), held(std::make_shared<Values>(Values::Zero(size()))) {}

  bool forced() const override { return true; }
  using FormulaSystem::force;
  void force(double t, const double* q, const double* v, double* out) const override {
    std::fill_n(out, size(), 0.0);
    FormulaSystem::force(t, q, v, out);  // leaves `out` where the formulas have none
    for (int i = 0; i < size(); ++i) out[i] += (*held)[i];
  }
  void force_slopes(double t, const double* q, const double* v, double* out) const override {
    std::fill_n(out, 2 * size() * size(), 0.0);
    if (formulas().forced) FormulaSystem::force_slopes(t, q, v, out);
  }
  std::shared_ptr<System> with_own_branches() const override {
    return branch_count() > 0 ? std::make_shared<SteeredSystem>(*this) : nullptr;  // under the same force
  }

  const std::shared_ptr<Values> held;
};

}  // namespace carom
