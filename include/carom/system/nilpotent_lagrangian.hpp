// A system as modified Hamiltonians see it: L and its slopes over nilpotent numbers, behind virtual calls.
// What takes derivatives of them (modified.hpp) is then compiled once and not for each system. Tested in
// tests/laws/modified_test.cpp.
#pragma once

#include <memory>

#include "carom/numerics/nilpotent.hpp"
#include "carom/system/lagrangian.hpp"

namespace carom {

// L and its first and second derivatives; (k, i) of Lqv is ∂²L/∂q_k∂v_i.
using RunTimeJet = LagrangianJet<double, Eigen::Dynamic>;

class NilpotentLagrangian {
 public:
  virtual ~NilpotentLagrangian() = default;
  virtual int size() const = 0;

  // ∂L/∂q and ∂L/∂v at (q, v), arrays of size(), which have no generator from `free` on.
  virtual void slopes(const Nilpotent* q, const Nilpotent* v, int free, Nilpotent* Lq,
                      Nilpotent* Lv) const = 0;
  // All derivatives in doubles, for Newton's method: faster than by nilpotents.
  virtual void jet(const double* q, const double* v, RunTimeJet& out) const = 0;
};

// For a system that is a C++ struct: each slope is the part of L with one more generator.
template <SystemStruct Sys>
class StructLagrangian : public NilpotentLagrangian {
  static constexpr int N = Sys::dim;
  using Vec = Vector<Nilpotent, N>;

 public:
  explicit StructLagrangian(const Sys& s) : system(s) {}
  int size() const override { return dimension(system); }

  void slopes(const Nilpotent* q, const Nilpotent* v, int free, Nilpotent* Lq, Nilpotent* Lv) const override {
    const int n = size();
    Vec x = Eigen::Map<const Vec>(q, n), u = Eigen::Map<const Vec>(v, n);
    const auto slope = [&](Nilpotent& variable) {
      const Nilpotent at = variable;
      variable.move(free, 1);
      const Nilpotent L = lagrangian(system, Nilpotent(0.0), x, u);
      variable = at;
      return L.slope(free);
    };
    for (int i = 0; i < n; ++i) Lq[i] = slope(x[i]);
    if constexpr (ConstantMass<Sys>)
      Eigen::Map<Vec>(Lv, n) = system.mass().template cast<Nilpotent>() * u;
    else if constexpr (VariableMass<Sys>)
      Eigen::Map<Vec>(Lv, n) = system.mass(x) * u;
    else
      for (int i = 0; i < n; ++i) Lv[i] = slope(u[i]);
  }

  void jet(const double* q, const double* v, RunTimeJet& out) const override {
    using Own = Eigen::Map<const Vector<double, N>>;
    const int n = size();
    const Vector<double, N> x = Own(q, n), u = Own(v, n);
    const auto own = LagrangianAt<Sys, double, Need::all>(system, 0.0, x).jet(u);
    out.L = own.L, out.Lq = own.Lq, out.Lv = own.Lv;
    out.Lqv = own.Lqv, out.Lvv = own.Lvv, out.Lqq = own.Lqq;
  }

 private:
  Sys system;
};

// A system may bring its own.
template <SystemStruct Sys>
std::shared_ptr<const NilpotentLagrangian> over_nilpotents(const Sys& system) {
  if constexpr (requires { system.over_nilpotents(); })
    return system.over_nilpotents();
  else
    return std::make_shared<StructLagrangian<Sys>>(system);
}

}  // namespace carom
