// What a system says at t = 0: most laws are about systems that do not depend on time.
#pragma once

#include "carom/run/stepper.hpp"
#include "carom/system/mechanics.hpp"
#include "carom/system/system_ref.hpp"
#include "support/built_in.hpp"

namespace carom::test {

using carom::hamiltonian;
using carom::lagrangian;
using carom::velocity;

inline double hamiltonian(const System& system, const Phase& z) { return system.hamiltonian(0, z.q, z.p); }
inline double hamiltonian(const SystemRef& system, const Phase& z) { return hamiltonian(*system, z); }

inline Values gaps(const SystemRef& system, const Values& q) {
  Values g;
  system->gaps(0, q, g);
  return g;
}
inline Values joints(const SystemRef& system, const Values& q) {
  Values f;
  system->joints(0, q, f);
  return f;
}
inline double largest_joint(const SystemRef& system, const Values& q) {
  const Values f = joints(system, q);
  return f.size() > 0 ? f.cwiseAbs().maxCoeff<Eigen::PropagateNaN>() : 0;
}
inline Values velocity(const SystemRef& system, const Values& q, const Values& p) {
  Values v(q.size());
  if (!system->velocity(0, q, p, v)) v.setConstant(std::nan(""));
  return v;
}
inline double lagrangian(const SystemRef& system, const Values& q, const Values& v) {
  Values Lq(q.size()), Lv(q.size());
  return system->slopes(0, q, v, Lq, Lv);
}

// Calls f with each number that a stepper keeps.
template <class F>
void keep_numbers(Stepper& stepper, F f) {
  struct Each final : KeptNumbers {
    explicit Each(F& function) : f(function) {}
    void operator()(double& x) override { f(x); }
    void operator()(std::int64_t& x) override { f(x); }
    F& f;
  } each(f);
  stepper.numbers(each);
}

}  // namespace carom::test
