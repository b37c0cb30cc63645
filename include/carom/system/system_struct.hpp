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
//                       if (q[0] > 0): stages of collocation and members of sweeps are then taken side by
//                       side
//   has_kinks           there where L or the forces have kinks, as abs(v) has; method.tolerance then trusts
//   no step
//                       that its halves do not confirm
//   start()             a default start; dimension() where dim is Eigen::Dynamic
// lagrangian, potential, gaps and joints may take t before q, of the same scalar: lagrangian(t, q, v),
// gaps(t, q). A system made at run time has all of them and says which ones count: coordinate_count(),
// is_forced(), is_timed(), is_quadratic(), has_constant_mass(), has_friction(), joint_count(), gap_name(i),
// joint_name(i), coordinate_name(i); it brings its own derivatives (lagrangian.hpp). Tested over every
// built-in system in tests/laws/system_laws_test.cpp.
#pragma once

#include <optional>
#include <string>
#include <type_traits>

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

// Which of its functions depend on time.
template <class Sys>
concept TimedPotential = requires(const Sys& s, const Coordinates<Sys>& q) {
  s.potential(0.0, q);
};
template <class Sys>
concept TimedLagrangian = requires(const Sys& s, const Coordinates<Sys>& q) {
  s.lagrangian(0.0, q, q);
};
template <class Sys>
concept TimedGaps = requires(const Sys& s, const Coordinates<Sys>& q) {
  s.gaps(0.0, q);
};
template <class Sys>
concept TimedJoints = requires(const Sys& s, const Coordinates<Sys>& q) {
  s.joints(0.0, q);
};

template <class Sys>
concept HasPotential = TimedPotential<Sys> || requires(const Sys& s, const Coordinates<Sys>& q) {
  s.potential(q);
};
template <class Sys>
concept ConstantMass = HasPotential<Sys> && requires(const Sys& s) {
  s.mass();
};
template <class Sys>
concept VariableMass = HasPotential<Sys> && requires(const Sys& s, const Coordinates<Sys>& q) {
  s.mass(q);
};
template <class Sys>
concept GeneralLagrangian = TimedLagrangian<Sys> || requires(const Sys& s, const Coordinates<Sys>& q) {
  s.lagrangian(q, q);
};

// L is quadratic in v; preferred where a system gives both forms.
template <class Sys>
concept QuadraticKinetic = ConstantMass<Sys> || VariableMass<Sys>;

template <class Sys>
concept SystemStruct = QuadraticKinetic<Sys> || GeneralLagrangian<Sys>;

template <class Sys>
concept HasGaps = TimedGaps<Sys> || requires(const Sys& s, const Coordinates<Sys>& q) {
  s.gaps(q);
};
template <class Sys>
concept HasJoints = TimedJoints<Sys> || requires(const Sys& s, const Coordinates<Sys>& q) {
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

// The scalar of a time, which may be given as a plain number.
template <class S>
using Time = std::type_identity_t<S>;

// What a struct says at (t, q), with t or without.
template <class Sys, class S>
[[gnu::always_inline]] inline auto potential_of(const Sys& system, const Time<S>& t,
                                                const Vector<S, Sys::dim>& q) {
  if constexpr (TimedPotential<Sys>)
    return system.potential(t, q);
  else
    return system.potential(q);
}
template <class Sys, class S>
[[gnu::always_inline]] inline auto gaps_of(const Sys& system, const Time<S>& t,
                                           const Vector<S, Sys::dim>& q) {
  if constexpr (TimedGaps<Sys>)
    return system.gaps(t, q);
  else
    return system.gaps(q);
}
template <class Sys, class S>
[[gnu::always_inline]] inline auto joints_of(const Sys& system, const Time<S>& t,
                                             const Vector<S, Sys::dim>& q) {
  if constexpr (TimedJoints<Sys>)
    return system.joints(t, q);
  else
    return system.joints(q);
}

// Where q goes with velocity v within h; System::move() for those of any size.
template <class S, int N>
Vector<S, N> moved(const Vector<S, N>& q, const Vector<S, N>& v, const Time<S>& h) {
  return q + v * h;
}

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

// Whether L, gaps or joints depend on t.
template <SystemStruct Sys>
constexpr bool is_timed(const Sys& system) {
  if constexpr (requires { system.is_timed(); })
    return system.is_timed();
  else
    return (QuadraticKinetic<Sys> ? TimedPotential<Sys> : TimedLagrangian<Sys>) || TimedGaps<Sys> ||
           TimedJoints<Sys>;
}

template <SystemStruct Sys>
int gap_count(const Sys& system) {
  if constexpr (HasGaps<Sys>) {
    const Coordinates<Sys> anywhere = Coordinates<Sys>::Zero(dimension(system));
    return static_cast<int>(gaps_of(system, 0.0, anywhere).size());
  } else {
    return 0;
  }
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
    using Joints = decltype(joints_of(system, 0.0, std::declval<const Coordinates<Sys>&>()));
    if constexpr (Joints::SizeAtCompileTime != Eigen::Dynamic) return Joints::SizeAtCompileTime;
    const Coordinates<Sys> anywhere = Coordinates<Sys>::Zero(dimension(system));
    return static_cast<int>(joints_of(system, 0.0, anywhere).size());
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

// L(t, q, v), however the system states it.
template <SystemStruct Sys, class S>
S lagrangian(const Sys& system, const Time<S>& t, const Vector<S, Sys::dim>& q,
             const Vector<S, Sys::dim>& v) {
  if constexpr (ConstantMass<Sys>) {
    const Vector<S, Sys::dim> p = system.mass().template cast<S>() * v;
    return 0.5 * v.dot(p) - potential_of(system, t, q);
  } else if constexpr (VariableMass<Sys>) {
    const Vector<S, Sys::dim> p = system.mass(q) * v;
    return 0.5 * v.dot(p) - potential_of(system, t, q);
  } else if constexpr (TimedLagrangian<Sys>) {
    return system.lagrangian(t, q, v);
  } else {
    return system.lagrangian(q, v);
  }
}

}  // namespace carom
