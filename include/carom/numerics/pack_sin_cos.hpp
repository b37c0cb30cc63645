// Sine and cosine over packs, by polynomials: a third of what one call of the library per lane costs, and the
// same bits for every width. x = n π/2 + r with |r| <= π/4, and
//
//   sin r = r + r³ S(r²),   cos r = 1 - r²/2 + r⁴ C(r²)
//
// S and C interpolate at Chebyshev's points of [0, (π/4)²], to 2e-17. Included by pack.hpp; tested against
// the library, to two units in the last place, in tests/unit/pack_test.cpp.
#pragma once

namespace carom {

template <class X>
struct SinCos {
  X sin, cos;
};

namespace detail {

// π/2 in three parts, of which n times the first two are exact up to |n| = 2^20.
inline constexpr double half_pi_parts[] = {1.5707963267341256, 6.077100506303966e-11, 2.0222662487959506e-21};
inline constexpr double largest_reduced_angle = 1e6;

template <class P>
[[gnu::always_inline]] inline SinCos<P> reduced_sin_cos(const P& x) {
  constexpr double two_over_pi = 0.6366197723675814, shift = 0x1.8p52;  // adding it rounds to an integer
  const P shifted = x * P(two_over_pi) + P(shift), n = shifted - P(shift);
  const P r = (x - n * P(half_pi_parts[0])) - (n * P(half_pi_parts[1]) + n * P(half_pi_parts[2]));
  const P z = r * r, zz = z * z;  // the polynomials in pairs: shorter than Horner's way to the result
  const P S = (P(-0.16666666666666666) + z * P(0.008333333333330948)) +
              zz * ((P(-0.00019841269836756774) + z * P(2.7557316101617874e-06)) +
                    zz * (P(-2.505113165023518e-08) + z * P(1.5918115263265974e-10)));
  const P C = (P(0.041666666666666664) + z * P(-0.0013888888888887398)) +
              zz * ((P(2.480158729876456e-05) + z * P(-2.7557317271145144e-07)) +
                    zz * (P(2.087614614655861e-09) + z * P(-1.1382623647474604e-11)));
  const P sine = r + r * z * S, cosine = P(1.0) - (P(0.5) * z - zz * C);
  return turned_quarters(shifted, sine, cosine);
}

}  // namespace detail

}  // namespace carom
