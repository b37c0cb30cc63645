// For what a scenario cannot say: a DAE of 004 with its start, to be stepped by the core's DaeEuler.
#pragma once

#include <memory>

#include "carom/dae/euler_step.hpp"
#include "common.hpp"

namespace carom::papers::p004 {

struct DaeStart {
  std::shared_ptr<const Dae> dae;
  Values y, z;
  Values psi;  // consistent

  DaeEuler euler(const DaeScheme& scheme) const;
};

DaeStart dae_exponential();          // (4.1)
DaeStart dae_mass(double friction);  // (4.2) with c_f = friction

inline constexpr int held[] = {0};

// One step, which must converge; the iterations that it took.
int advance(DaeEuler& euler, double h, bool adjoint, Values& y, Values& z);

}  // namespace carom::papers::p004
