// Bad input is refused where it enters, by name and value: parameters, sizes, starts, masses.
// Tested in tests/unit/validate_test.cpp.
#pragma once

#include <cmath>
#include <sstream>
#include <stdexcept>
#include <string>

#include "carom/system/system_struct.hpp"

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

inline void validate_parameter(const std::string& name, double value, Range range) {
  const auto refuse = [&](const char* why) {
    throw InvalidInput("parameters." + name, detail::to_text(value), why);
  };
  if (!std::isfinite(value)) refuse("must be finite");
  if (range == Range::positive && !(value > 0)) refuse("must be greater than 0");
  if (range == Range::not_negative && !(value >= 0)) refuse("must not be negative");
}

template <SystemStruct Sys>
void validate_parameters(Sys system) {  // by value: parameters() hands out references
  if constexpr (requires { system.parameters([](const char*, double&, Range) {}); })
    system.parameters(
        [](const char* name, double& value, Range range) { validate_parameter(name, value, range); });
}

}  // namespace carom
