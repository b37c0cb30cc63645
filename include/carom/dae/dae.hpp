// Overdetermined differential-algebraic equations (004, (3.1), with the p(y, z) that it mentions):
//
//   y' = v(y, z),   d/dt p(y, z) = f(t, y, z) + r(y, z, psi),   0 = g(y),   0 = c(y, z) := g_y(y) v(y, z)
//
// A user writes a struct over any scalar S (OverdeterminedDae below). Methods see the class Dae: the same
// functions with their first derivatives, of run-time size, so that they compile once. dense_dae.hpp leads
// from one to the other by exact differentiation, mechanical_dae.hpp from a mechanical system to such a
// struct.
//
//   struct Exponential {                                              // 004, (4.1)
//     static constexpr int ny = 2, nz = 2;
//     template <class S> Vector<S, 2> v(const Vector<S, 2>& y, const Vector<S, 2>& z) const;
//     template <class S> Vector<S, 2> f(const Vector<S, 2>& y, const Vector<S, 2>& z) const;
//     template <class S> Vector<S, 2> r(const Vector<S, 2>& y, const Vector<S, 2>& z,
//                                       const Vector<S, 1>& psi) const;
//     template <class S> Vector<S, 1> g(const Vector<S, 2>& y) const;
//   };
//
// Optional members: f(t, y, z) instead of f(y, z); p(y, z), else p = z; friction(y, z, psi), a part of the
// reaction besides r that opposes the motion, vanishes with psi and may hold it; one_sided(i), where g_i >= 0
// takes the place of g_i = 0 and psi_i >= 0; energy(y, z) and force_power(t, y, z) for the ledger.
#pragma once

#include <cmath>
#include <functional>
#include <string>

#include "carom/numerics/sparse_rows.hpp"

namespace carom {

class System;

template <class D>
concept OverdeterminedDae = requires(const D& d, const Vector<double, D::ny>& y,
                                     const Vector<double, D::nz>& z) {
  d.v(y, z);
  d.g(y);
  d.r(y, z, d.g(y));
};

using Dense = Eigen::MatrixXd;

struct DaeSizes {
  int y = 0, z = 0, g = 0;
};

// What drives the motion at (t, y, z), and its derivatives.
struct DaeMotion {
  Values v, f, p;
  Dense v_y, v_z, f_y, f_z, p_y, p_z;
};

// What holds it at (y, z, psi): r, and as much of the friction as is asked for.
struct DaeReaction {
  Values r;
  Dense r_y, r_z, r_psi;
};

// The constraints g and their rates c = g_y v at (y, z).
struct DaeConstraint {
  Values g, c;
  Dense g_y, c_y, c_z;
};

class Dae {
 public:
  virtual ~Dae() = default;
  virtual DaeSizes sizes() const = 0;
  virtual void motion(double t, const Values& y, const Values& z, DaeMotion& into) const = 0;
  virtual void reaction(const Values& y, const Values& z, const Values& psi, double friction,
                        DaeReaction& into) const = 0;
  virtual void constraint(const Values& y, const Values& z, DaeConstraint& into) const = 0;

  virtual void gaps(const Values& y, Values& g) const = 0;                   // the constraints' values alone
  virtual bool z_of(const Values& y, const Values& p, Values& z) const = 0;  // with p(y, z) = p

  virtual bool one_sided(int /*i*/) const { return false; }
  // Of each coordinate: nothing couples those of different units (System::units). Empty where that is not
  // known.
  virtual const std::vector<int>& units() const {
    static const std::vector<int> none;
    return none;
  }
  // The mechanical system that it is made of, if it is one.
  virtual const System* mechanics() const { return nullptr; }
  virtual bool has_friction() const { return false; }
  virtual bool is_forced() const { return false; }  // by what does not come from a potential
  virtual bool depends_on_time() const { return false; }
  virtual double energy(const Values& /*y*/, const Values& /*z*/) const { return std::nan(""); }
  virtual double force_power(double /*t*/, const Values& /*y*/, const Values& /*z*/) const { return 0; }
  virtual double friction_power(const Values& /*y*/, const Values& /*z*/, const Values& /*psi*/) const {
    return 0;
  }

  virtual std::string coordinate_name(int i) const { return "y" + std::to_string(i + 1); }
  virtual std::string constraint_name(int i) const { return "constraint " + std::to_string(i + 1); }
  virtual void momenta(const Values& /*y*/, const Values& /*p*/,
                       const std::function<void(const char*, double)>&) const {}
};

// z with p(y, z) = p by Newton's method, from z = p.
bool solve_for_z(const Dae& dae, const Values& y, const Values& p, Values& z);

}  // namespace carom
