// Points in the unit cube for the samples of a sweep: pseudo-random, or a low-discrepancy sequence. Every
// point is a function of its number and the seed alone, so that any process can take any part of a sequence.
//
// Tested in tests/unit/sweep_sequence_test.cpp.
#pragma once

#include <cstdint>
#include <vector>

namespace carom {

// Coordinate `axis` of point number `index`: independent and uniform in (0, 1), on a grid of 2^-53.
double random_coordinate(std::uint64_t seed, std::uint64_t index, std::uint64_t axis);

// One coordinate of Halton's sequence with its digits permuted: the digits of `index` in base b, last one
// first, are the digits of the point after the point. Any b^k points from a multiple of b^k on have one in
// each of b^k equal intervals. Halton's own sequence lines up between large bases; independent random
// permutations of the digits at each place, drawn from the seed, undo this (A. B. Owen, A randomized Halton
// algorithm in R, 2017).
class HaltonAxis {
 public:
  HaltonAxis(std::uint64_t seed, std::uint64_t axis);  // its base is prime number `axis`; the first is 2
  double operator()(std::uint64_t index) const;        // in (0, 1)
  std::uint64_t base() const { return base_; }

 private:
  std::uint64_t base_;
  std::vector<std::vector<std::uint32_t>> permutations_;  // for each place of a digit
};

// The x at which the standard normal distribution reaches the probability 0 < u < 1.
double normal_quantile(double u);

}  // namespace carom
