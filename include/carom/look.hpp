// What a run wants to know of a system at a point, evaluated once for all who look on. Tested in
// tests/unit/ledger_test.cpp.
#pragma once

#include <string>
#include <vector>

#include "carom/contact/mechanism_system.hpp"

namespace carom {

struct Look {
  struct Momentum {
    std::string name;
    double value;
  };
  Vector<double, Eigen::Dynamic> v, gaps;
  double H = 0, smallest_gap = HUGE_VAL, largest_joint = 0;
  std::vector<Momentum> momenta;

  // Called for one momentum after the other.
  void tell_momentum(std::size_t k, const char* name, double value) {
    if (k == momenta.size()) momenta.push_back({name, 0});
    momenta[k].value = value;
  }
};

// Looks at a mechanism, in memory that stays.
class MechanismLook {
 public:
  explicit MechanismLook(MechanismSystem system);
  void operator()(const State<double, Eigen::Dynamic>& z, Look& look);
  double hamiltonian(const Values& q, const Values& p) { return mechanism->hamiltonian(q, p, v, Lq, Lv); }
  double smallest_gap(const Values& q);

 private:
  std::shared_ptr<const Mechanism> mechanism;
  Values v, Lq, Lv, joints, gaps;
};

namespace detail {

template <System Sys>
void look_at_momenta(const Sys& system, const State<double, Sys::dim>& z, const Vector<double, Sys::dim>& v,
                     Look& look) {
  std::size_t k = 0;
  const auto tell = [&](const char* name, double value) { look.tell_momentum(k++, name, value); };
  if constexpr (requires { system.momenta_at(z.q, v, tell); })
    system.momenta_at(z.q, v, tell);
  else if constexpr (HasMomenta<Sys>)
    system.momenta(z.q, z.p, tell);
}

}  // namespace detail

template <System Sys>
void look_at(const Sys& system, const State<double, Sys::dim>& z, Look& look) {
  const auto v = velocity(system, z.q, z.p);
  const int n = coordinate_count(system);
  look.v.resize(n);
  for (int i = 0; i < n; ++i) look.v[i] = v.x[i];
  if constexpr (Sys::dim == Eigen::Dynamic)
    look.H = hamiltonian(system, z);
  else
    look.H = v.ok ? energy(system, z.q, v.x) : std::nan("");
  if constexpr (HasGaps<Sys>) {
    look.gaps = system.gaps(z.q);
    if (look.gaps.size() > 0) look.smallest_gap = look.gaps.minCoeff();
  }
  look.largest_joint = largest_joint(system, z.q);
  detail::look_at_momenta(system, z, v.x, look);
}

}  // namespace carom
