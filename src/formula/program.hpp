// A compiled formula: a list of instructions over numbered registers that runs over any scalar, double or
// dual; over doubles by machine code that does the same, where there is some (to_c.hpp).
// Tested in tests/unit/formula_program_test.cpp.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "formula/expression.hpp"
#include "formula/steps.hpp"

namespace carom::formula {

enum class Code : std::uint16_t {
  load,  // a constant
  add,
  add_constant,
  subtract,
  subtract_from_constant,
  multiply,
  multiply_constant,
  divide,
  divide_by_constant,
  divide_constant,
  negate,
  square,
  power_constant,
  sin_cos,  // writes two registers
  if_less,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  sinh,
  cosh,
  tanh,
  exp,
  log,
  sqrt,
  abs,
  floor,
  sign,
  power,
  atan2,
  min,
  max,
};

struct Instruction {
  Code code;
  std::uint16_t to;
  std::uint16_t a, b;  // registers read; b may be the number of a constant, or where sin_cos puts the cosine
  std::uint16_t c, d;  // the choices of if_less
};

// One fused call: nested dual numbers would otherwise take the sine and cosine of their value at each level.
template <class S>
std::pair<S, S> sin_cos(const S& x) {
  if constexpr (DualNumber<S>) {
    const auto [s, c] = sin_cos(x.a);
    return {chain(x, s, c, -s), chain(x, c, -s, -c)};
  } else {
    return {sin(x), cos(x)};
  }
}

template <class S>
S call_function(Code code, const S& x, const S& y) {
  switch (code) {
    case Code::sin:
      return sin(x);
    case Code::cos:
      return cos(x);
    case Code::tan:
      return tan(x);
    case Code::asin:
      return asin(x);
    case Code::acos:
      return acos(x);
    case Code::atan:
      return atan(x);
    case Code::sinh:
      return sinh(x);
    case Code::cosh:
      return cosh(x);
    case Code::tanh:
      return tanh(x);
    case Code::exp:
      return exp(x);
    case Code::log:
      return log(x);
    case Code::sqrt:
      return sqrt(x);
    case Code::abs:
      return abs(x);
    case Code::floor:
      return floor(x);
    case Code::sign:
      return sign(x);
    case Code::power:
      return pow(x, y);
    case Code::atan2:
      return atan2(x, y);
    case Code::min:
      return min(x, y);
    default:
      return max(x, y);
  }
}

template <class S>
S* workspace(std::size_t registers) {
  thread_local std::vector<S> storage;
  if (storage.size() < registers) storage.resize(registers);
  return storage.data();
}

using MachineCode = void (*)(const double* in, double* out);

class Program {
 public:
  Program() = default;

  int inputs() const { return static_cast<int>(inputs_); }
  int outputs() const { return static_cast<int>(results_.size()); }
  std::span<const Instruction> instructions() const { return instructions_; }
  // Whether its values have kinks, or their derivatives.
  bool has_kinks() const {
    return std::any_of(instructions_.begin(), instructions_.end(), [](const Instruction& i) {
      return i.code == Code::if_less || i.code == Code::abs || i.code == Code::min || i.code == Code::max ||
             i.code == Code::sign || i.code == Code::floor;
    });
  }
  std::span<const double> constants() const { return constants_; }
  std::span<const std::uint16_t> results() const { return results_; }  // the registers of the outputs
  std::size_t registers() const { return registers_; }

  // From now on over doubles; must do what the instructions do, to the last bit.
  void run_by(MachineCode code) { machine_code_ = code; }

  // Allocates only the first time that a thread needs as many registers of this scalar. `out` may be `in`.
  template <class S>
  void operator()(std::span<const S> in, std::span<S> out) const {
    assert(in.size() == inputs_ && out.size() == results_.size());
    if constexpr (std::is_same_v<S, double>)
      if (machine_code_) return machine_code_(in.data(), out.data());
    if constexpr (std::is_same_v<Base<S>, ExactPack<4>>)
      run_four_lanes(in, out);
    else
      run(in, out);
  }

 private:
  friend class Compiler;

  // Measured on the double pendulum: inlined into the loop, small scalars take 0.6 times as long, large
  // ones 1.5.
  static constexpr std::size_t largest_inlined = 32;
  template <class S>
  [[gnu::always_inline]] void run(std::span<const S> in, std::span<S> out) const {
    S* r = workspace<S>(registers_);
    for (std::size_t i = 0; i < inputs_; ++i) r[i] = in[i];
    for (const Instruction& i : instructions_) {
      if constexpr (sizeof(S) <= largest_inlined)
        r[i.to] = result(i, r);
      else
        r[i.to] = called_result(i, r);
    }
    for (std::size_t i = 0; i < results_.size(); ++i) out[i] = r[results_[i]];
  }
  // For the wider registers, once, and not into each place that calls it.
  template <class S>
  [[gnu::target("avx2"), gnu::flatten, gnu::noclone, gnu::noinline]] void run_four_lanes(
      std::span<const S> in, std::span<S> out) const {
    run(in, out);
  }
  template <class S>
  S called_result(const Instruction& i, S* r) const {
    return result(i, r);
  }
  template <class S>
  [[gnu::always_inline]] S result(const Instruction& i, S* r) const {
    const double* k = constants_.data();
    switch (i.code) {
      case Code::load:
        return S(k[i.b]);
      case Code::add:
        return r[i.a] + r[i.b];
      case Code::add_constant:
        return r[i.a] + k[i.b];
      case Code::subtract:
        return r[i.a] - r[i.b];
      case Code::subtract_from_constant:
        return k[i.b] - r[i.a];
      case Code::multiply:
        return r[i.a] * r[i.b];
      case Code::multiply_constant:
        return r[i.a] * k[i.b];
      case Code::divide:
        return r[i.a] / r[i.b];
      case Code::divide_by_constant:
        return r[i.a] / k[i.b];
      case Code::divide_constant:
        return k[i.b] / r[i.a];
      case Code::negate:
        return -r[i.a];
      case Code::square:
        return r[i.a] * r[i.a];
      case Code::power_constant:
        return pow(r[i.a], k[i.b]);
      case Code::if_less:
        return select(r[i.a] < r[i.b], r[i.c], r[i.d]);
      case Code::sin_cos: {
        const auto [s, c] = sin_cos(r[i.a]);
        r[i.b] = c;
        return s;
      }
      default:
        return call_function(i.code, r[i.a], r[i.b]);
    }
  }

  std::vector<Instruction> instructions_;
  std::vector<double> constants_;
  std::vector<std::uint16_t> results_;
  std::uint32_t inputs_ = 0, registers_ = 0;
  MachineCode machine_code_ = nullptr;
};

// Each common part is computed once, what no output needs is left out, and registers are used again. Throws a
// FormulaError where more than 65535 registers would be needed.
Program compile(const Expressions& expressions, std::span<const Node> outputs, int inputs);

}  // namespace carom::formula
