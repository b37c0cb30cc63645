// What a mechanical system is: a plain struct that says its physics once, over any scalar S.
//
//   struct Pendulum {
//     static constexpr int dim = 1;
//     template <class S> S lagrangian(const Vector<S, 1>& q, const Vector<S, 1>& v) const {
//       return 0.5 * v[0] * v[0] + cos(q[0]);
//     }
//   };
//
// Instead of lagrangian(q, v) it may give mass(q) and potential(q), or mass() where the mass is constant:
// then L = ½ v'M v - V, derivatives are cheaper, and flows with nodes at the ends are explicit. Optional
// members:
//   gaps(q)             a vector of contact functions, >= 0 where the system may be
//   joints(q)           a vector of functions f that hold the system together, = 0 wherever it is: f(q) = 0
//   gap_names, joint_names, coordinate_names   what contacts, joints and coordinates are called
//   force(t, q, v)      forces that do not come from a potential
//   friction(q, v, psi) forces that oppose the motion and depend on the multipliers of joints and gaps, in
//                       this order: what a joint or contact i exerts is psi_i times its gradient
//   momenta(q, p, f)    calls f("name", value) for each conserved momentum it has with its parameters
//   parameters(f)       calls f("name", member, Range) for each parameter that a scenario may set
//   in_lanes            there where all of these take packs of numbers, none of them asking for a value as in
//                       if (q[0] > 0): stages of collocation and members of sweeps are then taken side by side
//   start()             a default start; dimension() where dim is Eigen::Dynamic
// A system made at run time has all of them and says which ones count: coordinate_count(), is_forced(),
// is_quadratic(), has_constant_mass(), has_friction(), joint_count(), gap_name(i), joint_name(i),
// coordinate_name(i); it brings its own derivatives (lagrangian.hpp). Tested over every built-in system in
// tests/laws/system_laws_test.cpp.
#pragma once

#include <optional>
#include <string>

#include "carom/numerics/dual_math.hpp"

namespace carom {

enum class Range { any, positive, not_negative };

// A start as a user states it: coordinates, and velocities or momenta.
template <int N>
struct Start {
  Vector<double, N> q;
  std::optional<Vector<double, N>> v, p;

  operator Start<Eigen::Dynamic>() const requires(N != Eigen::Dynamic) {
    Start<Eigen::Dynamic> r{q, {}, {}};
    if (v) r.v = *v;
    if (p) r.p = *p;
    return r;
  }
};

template <class Sys>
using Coordinates = Vector<double, Sys::dim>;

template <class Sys>
concept ConstantMass = requires(const Sys& s, const Coordinates<Sys>& q) {
  s.mass();
  s.potential(q);
};
template <class Sys>
concept VariableMass = requires(const Sys& s, const Coordinates<Sys>& q) {
  s.mass(q);
  s.potential(q);
};
template <class Sys>
concept GeneralLagrangian = requires(const Sys& s, const Coordinates<Sys>& q) {
  s.lagrangian(q, q);
};

// L is quadratic in v; preferred where a system gives both forms.
template <class Sys>
concept QuadraticKinetic = ConstantMass<Sys> || VariableMass<Sys>;

template <class Sys>
concept SystemStruct = QuadraticKinetic<Sys> || GeneralLagrangian<Sys>;

template <class Sys>
concept HasGaps = requires(const Sys& s, const Coordinates<Sys>& q) {
  s.gaps(q);
};
template <class Sys>
concept HasJoints = requires(const Sys& s, const Coordinates<Sys>& q) {
  s.joints(q);
};
template <class Sys>
concept HasForce = requires(const Sys& s, const Coordinates<Sys>& q) {
  s.force(0.0, q, q);
};
template <class Sys>
concept HasMomenta = requires(const Sys& s, const Coordinates<Sys>& q) {
  s.momenta(q, q, [](const char*, double) {});
};

template <SystemStruct Sys>
int dimension(const Sys& system) {
  if constexpr (Sys::dim == Eigen::Dynamic)
    return system.dimension();
  else
    return Sys::dim;
}

// How many of the coordinates are the system's own: a system made at run time may be smaller than its type,
// and the rest stays at zero.
template <SystemStruct Sys>
int coordinate_count(const Sys& system) {
  if constexpr (requires { system.coordinate_count(); })
    return system.coordinate_count();
  else
    return dimension(system);
}

// Whether forces act that do not come from a potential.
template <SystemStruct Sys>
constexpr bool is_forced(const Sys& system) {
  if constexpr (requires { system.is_forced(); })
    return system.is_forced();
  else
    return HasForce<Sys>;
}

// Whether L is quadratic in v, and whether ∂²L/∂v² is constant besides and L splits into T(v) - V(q).
template <SystemStruct Sys>
constexpr bool is_quadratic(const Sys& system) {
  if constexpr (requires { system.is_quadratic(); })
    return system.is_quadratic();
  else
    return QuadraticKinetic<Sys>;
}
template <SystemStruct Sys>
constexpr bool has_constant_mass(const Sys& system) {
  if constexpr (requires { system.has_constant_mass(); })
    return system.has_constant_mass();
  else
    return ConstantMass<Sys>;
}

template <SystemStruct Sys>
int gap_count(const Sys& system) {
  if constexpr (HasGaps<Sys>) {
    const Coordinates<Sys> anywhere = Coordinates<Sys>::Zero(dimension(system));
    return static_cast<int>(system.gaps(anywhere).size());
  } else {
    return 0;
  }
}

// The smallest gap; infinite where nothing can be hit.
template <SystemStruct Sys>
double smallest_gap(const Sys& system, const Vector<double, Sys::dim>& q) {
  if constexpr (HasGaps<Sys>) {
    const auto gaps = system.gaps(q);
    if (gaps.size() > 0) return gaps.minCoeff();
  }
  return HUGE_VAL;
}

// What contact i is called: by the system, or "contact 1" and so on.
template <SystemStruct Sys>
std::string gap_name(const Sys& system, int i) {
  if constexpr (requires { system.gap_name(i); })
    return system.gap_name(i);
  else if constexpr (requires { Sys::gap_names[0]; })
    return Sys::gap_names[i];
  else
    return "contact " + std::to_string(i + 1);
}

// Whether friction acts at joints or contacts; the stepper for DAEs knows it, the others do not.
template <SystemStruct Sys>
constexpr bool has_friction(const Sys& system) {
  if constexpr (requires { system.has_friction(); })
    return system.has_friction();
  else
    return requires(const Coordinates<Sys>& q) { system.friction(q, q, q); };
}

// How many joints hold the system together. Steps ask, so a number that the type knows costs nothing.
template <SystemStruct Sys>
constexpr int joint_count(const Sys& system) {
  if constexpr (requires { system.joint_count(); }) {
    return system.joint_count();
  } else if constexpr (HasJoints<Sys>) {
    using Joints = decltype(system.joints(std::declval<const Coordinates<Sys>&>()));
    if constexpr (Joints::SizeAtCompileTime != Eigen::Dynamic) return Joints::SizeAtCompileTime;
    const Coordinates<Sys> anywhere = Coordinates<Sys>::Zero(dimension(system));
    return static_cast<int>(system.joints(anywhere).size());
  } else {
    return 0;
  }
}

// How far the system is from its joints, max |f_i|; 0 where it has none.
template <SystemStruct Sys>
double largest_joint(const Sys& system, const Vector<double, Sys::dim>& q) {
  if constexpr (HasJoints<Sys>) {
    const auto f = system.joints(q);
    double largest = 0;
    for (int i = 0; i < f.size(); ++i)
      if (std::abs(f[i]) > largest || std::isnan(f[i])) largest = std::abs(f[i]);  // NaN wins
    return largest;
  } else {
    return 0;
  }
}

// What joint i is called: by the system, or "joint 1" and so on.
template <SystemStruct Sys>
std::string joint_name(const Sys& system, int i) {
  if constexpr (requires { system.joint_name(i); })
    return system.joint_name(i);
  else if constexpr (requires { Sys::joint_names[0]; })
    return Sys::joint_names[i];
  else
    return "joint " + std::to_string(i + 1);
}

// What coordinate i is called: by the system, or "q1" and so on.
template <SystemStruct Sys>
std::string coordinate_name(const Sys& system, int i) {
  if constexpr (requires { system.coordinate_name(i); })
    return system.coordinate_name(i);
  else if constexpr (requires { Sys::coordinate_names[0]; })
    return Sys::coordinate_names[i];
  else
    return "q" + std::to_string(i + 1);
}

// L(q, v), however the system states it.
template <SystemStruct Sys, class S>
S lagrangian(const Sys& system, const Vector<S, Sys::dim>& q, const Vector<S, Sys::dim>& v) {
  if constexpr (ConstantMass<Sys>) {
    const Vector<S, Sys::dim> p = system.mass().template cast<S>() * v;
    return 0.5 * v.dot(p) - system.potential(q);
  } else if constexpr (VariableMass<Sys>) {
    const Vector<S, Sys::dim> p = system.mass(q) * v;
    return 0.5 * v.dot(p) - system.potential(q);
  } else {
    return system.lagrangian(q, v);
  }
}

}  // namespace carom
