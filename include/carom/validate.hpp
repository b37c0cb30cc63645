// Bad input is refused where it enters, by name and value: parameters, sizes, starts, masses.
// Tested in tests/unit/validate_test.cpp.
#pragma once

#include <cmath>
#include <sstream>
#include <stdexcept>
#include <string>

#include "carom/mechanics.hpp"

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

// Gaps this far below zero still count as touching.
inline double gap_tolerance(double size_of_q) { return 1e-9 * std::fmax(1.0, size_of_q); }

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
  Matrix<double, Sys::dim> M = detail::fibre(system, q, zero).Lvv;
  const int n = coordinate_count(system);
  const std::string value = detail::to_text(M.topLeftCorner(n, n).reshaped());
  if (!detail::factor_ldlt(M))
    throw InvalidInput("mass", value,
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

}  // namespace detail

// The state of a start, after every check that a run needs.
template <System Sys>
State<double, Sys::dim> validated_state(const Sys& system, const Start<Sys::dim>& start) {
  const int n = dimension(system);
  detail::validate_vector("initial.q", start.q, n);
  if (start.v) detail::validate_vector("initial.v", *start.v, n);
  if (start.p) detail::validate_vector("initial.p", *start.p, n);
  if (start.v.has_value() == start.p.has_value())
    throw InvalidInput("initial", start.v ? "v and p" : "neither v nor p",
                       "must give velocities or momenta, one of the two");
  validate_parameters(system);
  validate_mass(system, start.q);
  if constexpr (HasGaps<Sys>) {
    const auto gaps = system.gaps(start.q);
    for (int i = 0; i < gaps.size(); ++i)
      if (!(gaps[i] >= -gap_tolerance(start.q.template lpNorm<Eigen::Infinity>())) || !std::isfinite(gaps[i]))
        throw InvalidInput("initial.q", detail::to_text(start.q.head(coordinate_count(system))),
                           std::isfinite(gaps[i])
                               ? "lies behind the contact \"" + gap_name(system, i) + "\": its gap is " +
                                     detail::to_text(gaps[i])
                               : "the gap of the contact \"" + gap_name(system, i) + "\" is not finite here");
  }
  const State<double, Sys::dim> z{start.q, start.v ? momentum(system, start.q, *start.v) : *start.p};
  const double H = hamiltonian(system, z);
  if (!std::isfinite(H))
    throw InvalidInput("initial", "H = " + detail::to_text(H), "the energy at the start is not finite");
  return z;
}

}  // namespace carom
