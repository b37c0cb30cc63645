// A system in formulas whose parameters may vary, as derivatives ask for it (carom/derivative/): its
// Lagrangian, gaps, forces, restitutions and quantities, differentiated by t and by the parameters that are
// named.
//
//   scenario, names -> define_variations() -> VariedFormulas (programs) -> VariedSystem
//
// Tested in tests/cli/sensitivity_test.py.
#pragma once

#include "model/formula_system.hpp"

namespace carom {

// Inputs of every program: those of FormulaNames, the parameters last.
struct VariedFormulas {
  std::vector<std::string> names;
  std::vector<double> values;
  int multipliers = 0;            // inputs between t and the parameters, which nothing here depends on
  formula::Program motion;        // blocks  Lx | Lqx | Lvx | fx,  x = t first
  formula::Program gaps, joints;  // blocks of all gaps,  gx | gqx | gtx; and of all joints
  formula::Program restitutions;  // of each contact by each parameter
  std::vector<std::string> quantity_names;
  formula::Program quantities;  // value | by q | by v | by t | by the parameters, of each

  std::vector<formula::Program*> programs() { return {&motion, &gaps, &joints, &restitutions, &quantities}; }
};

// Throws ScenarioError for names that are no parameters.
std::shared_ptr<const VariedFormulas> define_variations(const Scenario& scenario,
                                                        const std::vector<std::string>& names);

class VariedSystem final : public FormulaSystem {
 public:
  VariedSystem(std::shared_ptr<const SystemFormulas> formulas,
               std::shared_ptr<const VariedFormulas> variations)
      : FormulaSystem(std::move(formulas)), varied(std::move(variations)) {}

  bool knows_parameter_slopes() const override { return true; }
  int parameter_count() const override { return static_cast<int>(varied->names.size()); }
  std::string parameter_name(int k) const override { return varied->names[static_cast<std::size_t>(k)]; }
  void parameter_slopes(double t, const double* q, const double* v, double* out) const override;
  void parameter_gap_slopes(double t, const double* q, double* out) const override;
  void parameter_joint_slopes(double t, const double* q, double* out) const override;
  double restitution_slope(int contact, int parameter) const override;

  // Rows of VariedFormulas::quantities.
  void quantities(double t, const double* q, const double* v, double* out) const {
    run(varied->quantities, t, q, v, out);
  }
  const VariedFormulas& variations() const { return *varied; }

 private:
  void run(const formula::Program& program, double t, const double* q, const double* v, double* out) const;

  std::shared_ptr<const VariedFormulas> varied;
};

}  // namespace carom
