// Bad input is refused where it enters, by name and value: parameters, sizes, starts, masses.
// Tested in tests/unit/validate_test.cpp.
#pragma once

#include <cmath>
#include <sstream>
#include <stdexcept>
#include <string>

#include "carom/joints.hpp"

namespace carom {

// `field` names what was wrong ("parameters.m1", "initial.q"), `value` what it was, what() says all in one
// line.
struct InvalidInput : std::invalid_argument {
  InvalidInput(std::string field_name, std::string field_value, std::string reason)
      : std::invalid_argument(field_name + " = " + field_value + ": " + reason),
        field(std::move(field_name)),
        value(std::move(field_value)),
        why(std::move(reason)) {}
  std::string field, value, why;
};

namespace detail {

inline std::string to_text(double x) {
  if (std::isnan(x)) return "nan";  // without its sign
  std::ostringstream s;
  s.precision(10);
  s << x;
  return s.str();
}
template <class Derived>
std::string to_text(const Eigen::MatrixBase<Derived>& x) {
  std::string s = "[";
  for (int i = 0; i < x.size(); ++i) s += (i ? ", " : "") + to_text(static_cast<double>(x(i)));
  return s + "]";
}

}  // namespace detail

// Gaps this far below zero still count as touching, joints this far from zero as closed.
inline double gap_tolerance(double size_of_q) { return 1e-9 * std::fmax(1.0, size_of_q); }
inline double joint_tolerance(double size_of_q) { return gap_tolerance(size_of_q); }

inline void validate_parameter(const std::string& name, double value, Range range) {
  const auto refuse = [&](const char* why) {
    throw InvalidInput("parameters." + name, detail::to_text(value), why);
  };
  if (!std::isfinite(value)) refuse("must be finite");
  if (range == Range::positive && !(value > 0)) refuse("must be greater than 0");
  if (range == Range::not_negative && !(value >= 0)) refuse("must not be negative");
}

template <System Sys>
void validate_parameters(Sys system) {  // by value: parameters() hands out references
  if constexpr (requires { system.parameters([](const char*, double&, Range) {}); })
    system.parameters(
        [](const char* name, double& value, Range range) { validate_parameter(name, value, range); });
}

// ∂²L/∂v² must be positive definite, or v is not a function of p.
template <System Sys>
void validate_mass(const Sys& system, const Vector<double, Sys::dim>& q) {
  const Vector<double, Sys::dim> zero = Vector<double, Sys::dim>::Zero(q.size());
  const Matrix<double, Sys::dim> M = detail::fibre(system, q, zero).Lvv;
  const int n = coordinate_count(system);
  Matrix<double, Sys::dim> factors = M;
  if (!detail::factor_ldlt(factors))
    throw InvalidInput("mass", detail::to_text(M.topLeftCorner(n, n).reshaped()),
                       "the mass matrix at q = " + detail::to_text(q.head(n)) + " is not positive definite");
}

namespace detail {

template <int N>
void validate_vector(const std::string& field, const Vector<double, N>& x, int size) {
  if (x.size() != size)
    throw InvalidInput(field, to_text(x),
                       "must have " + std::to_string(size) + " entries, one per coordinate");
  if (!x.allFinite()) throw InvalidInput(field, to_text(x), "must be finite");
}

template <System Sys>
void validate_gaps(const Sys& system, const Vector<double, Sys::dim>& q) {
  if constexpr (HasGaps<Sys>) {
    const auto gaps = system.gaps(q);
    for (int i = 0; i < gaps.size(); ++i)
      if (!(gaps[i] >= -gap_tolerance(q.template lpNorm<Eigen::Infinity>())) || !std::isfinite(gaps[i]))
        throw InvalidInput(
            "initial.q", to_text(q.head(coordinate_count(system))),
            std::isfinite(gaps[i])
                ? "lies behind the contact \"" + gap_name(system, i) + "\": its gap is " + to_text(gaps[i])
                : "the gap of the contact \"" + gap_name(system, i) + "\" is not finite here");
  }
}

}  // namespace detail

namespace detail {

template <HasJoints Sys>
std::string own_entries(const Sys& system, const Vector<double, Sys::dim>& x) {
  return to_text(x.head(coordinate_count(system)));
}

// Where the start's q is off a joint by more than rounding of what a user types.
template <HasJoints Sys>
void validate_joints(const Sys& system, const Start<Sys::dim>& start, const Solved<double, Sys::dim>& nearest,
                     bool project) {
  const JointsAt<Sys, double> at(system, start.q);
  const double most = joint_tolerance(start.q.template lpNorm<Eigen::Infinity>());
  const auto refuse = [&](const std::string& why) {
    throw InvalidInput("initial.q", own_entries(system, start.q), why);
  };
  for (int i = 0; i < joint_count(system); ++i) {
    const std::string name = "the joint \"" + joint_name(system, i) + "\"";
    if (!std::isfinite(at.f[i]) || !at.F.col(i).allFinite()) refuse(name + " is not finite here");
    if (!(at.F.col(i).norm() > 0)) refuse(name + " has no gradient here, so that it holds nothing");
    if (std::abs(at.f[i]) <= most || (project && nearest.ok)) continue;
    const std::string off = "is off " + name + ", which is " + to_text(at.f[i]) + " and must be 0; ";
    if (!nearest.ok) refuse(off + "no point near it is on all joints");
    refuse(off + own_entries(system, nearest.x) +
           " is near and on the joints; initial.project = true takes it");
  }
  if (!nearest.ok) refuse("no point near it is on all joints");
}

// Where the start's velocity takes it off a joint; `tangent` is the velocity or momentum that does not.
template <HasJoints Sys>
void validate_joint_rates(const Sys& system, const Start<Sys::dim>& start, const Vector<double, Sys::dim>& v,
                          const Vector<double, Sys::dim>& tangent) {
  const JointsAt<Sys, double> at(system, start.q);
  for (int i = 0; i < joint_count(system); ++i) {
    const double rate = at.F.col(i).dot(v), size = at.F.col(i).norm() * v.norm();
    if (std::abs(rate) <= 1e-9 * size) continue;
    throw InvalidInput(start.v ? "initial.v" : "initial.p",
                       own_entries(system, start.v ? *start.v : *start.p),
                       "leaves the joint \"" + joint_name(system, i) + "\" at the rate " + to_text(rate) +
                           ", which must be 0; " + own_entries(system, tangent) +
                           " is near and along the joints; initial.project = true takes it");
  }
}

// The state of a start on its joints, to the last bits. Farther off than 1e-9 it is taken there on request.
template <HasJoints Sys>
State<double, Sys::dim> joined_state(const Sys& system, const Start<Sys::dim>& start, bool project) {
  constexpr int N = Sys::dim;
  const Vector<double, N> v = start.v ? *start.v : velocity(system, start.q, *start.p).x;
  const auto q = on_joints(system, start.q, v);
  validate_joints(system, start, q, project);
  const JointsAt<Sys, double> at(system, q.x);
  const JointMetric<Sys> metric(system, q.x, v, at.F);
  const auto p =
      tangent_momentum(system, q.x, at, metric, start.v ? momentum(system, q.x, *start.v) : *start.p);
  if (!p.ok)
    throw InvalidInput(start.v ? "initial.v" : "initial.p",
                       own_entries(system, start.v ? *start.v : *start.p),
                       "no velocity near it is along all joints");
  if (!project) validate_joint_rates(system, start, v, start.v ? velocity(system, q.x, p.x).x : p.x);
  return {q.x, p.x};
}

}  // namespace detail

// The state of a start, after every check that a run needs. `project` takes a start that is off its joints
// onto them.
template <System Sys>
State<double, Sys::dim> validated_state(const Sys& system, const Start<Sys::dim>& start,
                                        bool project = false) {
  const int n = dimension(system);
  detail::validate_vector("initial.q", start.q, n);
  if (start.v) detail::validate_vector("initial.v", *start.v, n);
  if (start.p) detail::validate_vector("initial.p", *start.p, n);
  if (start.v.has_value() == start.p.has_value())
    throw InvalidInput("initial", start.v ? "v and p" : "neither v nor p",
                       "must give velocities or momenta, one of the two");
  validate_parameters(system);
  validate_mass(system, start.q);
  State<double, Sys::dim> z{start.q, start.v ? momentum(system, start.q, *start.v) : *start.p};
  if constexpr (HasJoints<Sys>)
    if (joint_count(system) > 0) z = detail::joined_state(system, start, project);
  detail::validate_gaps(system, z.q);
  const double H = hamiltonian(system, z);
  if (!std::isfinite(H))
    throw InvalidInput("initial", "H = " + detail::to_text(H), "the energy at the start is not finite");
  return z;
}

}  // namespace carom
