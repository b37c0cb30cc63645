// Numbers of R[e1, ..., ek] with e_i² = 0: a value and its mixed derivatives along k directions, none of them
// twice. The part at the mask {i, j, ...} of x moved by d_i e_i is the derivative along d_i, d_j, ...:
//
//   f(x + d1 e1 + d2 e2) = f + f'(d1) e1 + f'(d2) e2 + f''(d1, d2) e1 e2
//
// As a scalar it does what nested dual numbers do, but k is known at run time only: whatever takes many
// derivatives over it is compiled once, for every system. Nothing allocates. Modified Hamiltonians
// (modified.hpp) need four generators: three directions, and one for the slopes of L.
// Tested against closed forms and dual numbers in tests/unit/nilpotent_test.cpp.
#pragma once

#include <cassert>

#include "carom/numerics/dual_math.hpp"

namespace carom {

class Nilpotent {
 public:
  static constexpr int most_generators = 4, most_parts = 1 << most_generators;

  Nilpotent() : Nilpotent(0.0) {}
  Nilpotent(double value) : used(0) { c[0] = value; }
  Nilpotent(const Nilpotent& x) { copy(x); }
  Nilpotent& operator=(const Nilpotent& x) {
    copy(x);
    return *this;
  }

  double value() const { return c[0]; }
  int generators() const { return used; }  // none above these occurs
  int parts() const { return 1 << used; }
  double part(int mask) const { return mask < parts() ? c[mask] : 0; }

  // Adds d e_i, i from 0.
  void move(int i, double d) {
    assert(i < most_generators);
    reach(i + 1);
    c[1 << i] += d;
  }
  // z of x = y + z e_i, where e_i is the last generator.
  Nilpotent slope(int i) const;

  // f(x), given f, f', f'', ... at the value, one more than there are generators.
  Nilpotent composed(const double* derivatives) const;

  friend Nilpotent operator+(const Nilpotent& x, const Nilpotent& y);
  friend Nilpotent operator-(const Nilpotent& x, const Nilpotent& y);
  friend Nilpotent operator*(const Nilpotent& x, const Nilpotent& y);
  friend Nilpotent operator*(const Nilpotent& x, double y);
  friend Nilpotent operator+(const Nilpotent& x, double y) {
    Nilpotent r = x;
    r.c[0] += y;
    return r;
  }
  friend Nilpotent operator-(const Nilpotent& x) { return x * -1.0; }
  friend Nilpotent operator+(double x, const Nilpotent& y) { return y + x; }
  friend Nilpotent operator-(const Nilpotent& x, double y) { return x + -y; }
  friend Nilpotent operator-(double x, const Nilpotent& y) { return y * -1.0 + x; }
  friend Nilpotent operator*(double x, const Nilpotent& y) { return y * x; }
  friend Nilpotent operator/(const Nilpotent& x, double y) { return x * (1.0 / y); }
  friend Nilpotent operator/(const Nilpotent& x, const Nilpotent& y) { return x * reciprocal(y); }
  friend Nilpotent operator/(double x, const Nilpotent& y) { return reciprocal(y) * x; }
  friend Nilpotent reciprocal(const Nilpotent& x);

  Nilpotent& operator+=(const Nilpotent& y) { return *this = *this + y; }
  Nilpotent& operator-=(const Nilpotent& y) { return *this = *this - y; }
  Nilpotent& operator*=(const Nilpotent& y) { return *this = *this * y; }
  Nilpotent& operator/=(const Nilpotent& y) { return *this = *this / y; }

  // Comparisons look at values only.
  friend bool operator==(const Nilpotent& x, const Nilpotent& y) { return x.c[0] == y.c[0]; }
  friend auto operator<=>(const Nilpotent& x, const Nilpotent& y) { return x.c[0] <=> y.c[0]; }

 private:
  // With the number of generators and no parts set yet.
  struct Raw {
    int generators;
  };
  explicit Nilpotent(Raw raw) : used(raw.generators) {}

  void copy(const Nilpotent& x) {
    used = x.used;
    for (int i = 0; i < 1 << used; ++i) c[i] = x.c[i];
  }
  void reach(int generators) {
    for (; used < generators; ++used)
      for (int i = 1 << used; i < 2 << used; ++i) c[i] = 0;
  }

  int used;
  double c[most_parts];  // set up to parts()
};

Nilpotent sin(const Nilpotent& x);
Nilpotent cos(const Nilpotent& x);
SinCos<Nilpotent> sin_cos(const Nilpotent& x);
Nilpotent tan(const Nilpotent& x);
Nilpotent asin(const Nilpotent& x);
Nilpotent acos(const Nilpotent& x);
Nilpotent atan(const Nilpotent& x);
Nilpotent exp(const Nilpotent& x);
Nilpotent log(const Nilpotent& x);
Nilpotent sqrt(const Nilpotent& x);
Nilpotent sinh(const Nilpotent& x);
Nilpotent cosh(const Nilpotent& x);
Nilpotent tanh(const Nilpotent& x);
Nilpotent pow(const Nilpotent& x, double e);
Nilpotent pow(const Nilpotent& x, const Nilpotent& y);
Nilpotent pow(double x, const Nilpotent& y);
Nilpotent atan2(const Nilpotent& y, const Nilpotent& x);

inline Nilpotent select(bool which, const Nilpotent& yes, const Nilpotent& no) { return which ? yes : no; }
inline Nilpotent abs(const Nilpotent& x) { return x < 0.0 ? -x : x; }
inline Nilpotent min(const Nilpotent& x, const Nilpotent& y) { return y < x ? y : x; }
inline Nilpotent max(const Nilpotent& x, const Nilpotent& y) { return x < y ? y : x; }

inline double base_value(const Nilpotent& x) { return x.value(); }
double magnitude(const Nilpotent& x);

}  // namespace carom

namespace Eigen {
template <>
struct NumTraits<carom::Nilpotent> : NumTraits<double> {
  using Real = carom::Nilpotent;
  using NonInteger = carom::Nilpotent;
  using Nested = carom::Nilpotent;
  using Literal = double;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = 4,
    AddCost = 8,
    MulCost = 16
  };
};
template <class Op>
struct ScalarBinaryOpTraits<carom::Nilpotent, double, Op> {
  using ReturnType = carom::Nilpotent;
};
template <class Op>
struct ScalarBinaryOpTraits<double, carom::Nilpotent, Op> {
  using ReturnType = carom::Nilpotent;
};
}  // namespace Eigen
