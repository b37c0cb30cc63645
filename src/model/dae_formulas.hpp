// An overdetermined DAE that a scenario states in formulas: [system] name = "dae".
//
//   y' = v(y, z),   d/dt p(y, z) = f(t, y, z) + r(y, z, psi) + friction(y, z, psi),
//   joints: 0 = g(y),   gaps: 0 <= g(y)
//
//   scenario -> DaeExpressions (read, checked) -> define_dae() -> FormulaDae (programs) -> run_dae()
//
// All derivatives are symbolic and compiled with the values, so that an evaluation runs one program and
// allocates nothing. One object belongs to one thread. Tested in tests/unit/dae_formulas_test.cpp.
#pragma once

#include <memory>

#include "carom/dae/dae.hpp"
#include "formula/dae_expressions.hpp"
#include "formula/program.hpp"

namespace carom {

class FormulaDae : public Dae {
 public:
  explicit FormulaDae(DaeExpressions expressions);

  DaeSizes sizes() const override { return size; }
  void motion(double t, const Values& y, const Values& z, DaeMotion& into) const override;
  void reaction(const Values& y, const Values& z, const Values& psi, double friction,
                DaeReaction& into) const override;
  void constraint(const Values& y, const Values& z, DaeConstraint& into) const override;
  void gaps(const Values& y, Values& g) const override;
  bool z_of(const Values& y, const Values& p, Values& z) const override;

  bool one_sided(int i) const override { return i >= joints; }
  bool has_friction() const override { return rubs; }
  bool depends_on_time() const override { return timed; }
  double energy(const Values& y, const Values& z) const override;
  double friction_power(const Values& y, const Values& z, const Values& psi) const override;

  std::vector<formula::Program*> programs() {
    return {&moves, &reacts, &frets, &holds, &places, &rubbing, &energies};
  }

  std::string coordinate_name(int i) const override { return coordinates[static_cast<std::size_t>(i)]; }
  std::string constraint_name(int i) const override { return constraints[static_cast<std::size_t>(i)]; }

 private:
  // Runs a program at a point; its outputs are at `out` until the next one runs.
  const double* run(const formula::Program& program, double t, const Values& y, const Values& z,
                    const Values* psi = nullptr) const;

  DaeSizes size;
  int joints = 0;
  bool rubs = false, timed = false, has_energy = false, p_is_z = true;
  std::vector<std::string> coordinates, constraints;
  formula::Program moves;    // v, f, p, v_y, v_z, f_y, f_z, p_y, p_z; matrices row by row
  formula::Program reacts;   // r, r_y, r_z, r_psi
  formula::Program frets;    // the same of friction
  formula::Program holds;    // g, c, g_y, c_y, c_z
  formula::Program places;   // g
  formula::Program rubbing;  // v, friction
  formula::Program energies;
  mutable std::vector<double> in, out;
  mutable Values pressed;
};

// Throws ScenarioError for whatever does not fit, pointing at the formula's column.
std::shared_ptr<FormulaDae> define_dae(const Scenario& scenario);

}  // namespace carom
