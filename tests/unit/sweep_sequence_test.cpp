// The points of a sweep's samples: equidistributed exactly where the sequence promises it, and functions of
// number and seed alone.
#include "sweep/sequence.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <set>

namespace carom {
namespace {

constexpr std::uint64_t seed = 7;

TEST(Halton, BasesArePrimes) {
  const std::uint64_t primes[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29};
  for (std::uint64_t axis = 0; axis < 10; ++axis) EXPECT_EQ(HaltonAxis(seed, axis).base(), primes[axis]);
}

TEST(Halton, EveryStretchOfAPowerOfTheBaseFillsEqualIntervals) {
  for (std::uint64_t axis = 0; axis < 8; ++axis) {
    const HaltonAxis x(seed, axis);
    for (std::uint64_t n = x.base(); n <= 5000; n *= x.base())
      for (const std::uint64_t first : {std::uint64_t{0}, n, 17 * n}) {
        std::set<int> filled;
        for (std::uint64_t i = 0; i < n; ++i)
          filled.insert(static_cast<int>(x(first + i) * static_cast<double>(n)));
        EXPECT_EQ(filled.size(), n) << "base " << x.base() << " from " << first;
      }
  }
}

// 2^a 3^b points have one in each box of that many (Halton's theorem in two dimensions).
TEST(Halton, BoxesOfTheFirstTwoAxesHaveOnePointEach) {
  const HaltonAxis x(seed, 0), y(seed, 1);
  constexpr int columns = 32, rows = 27;
  std::set<int> filled;
  for (std::uint64_t i = 0; i < columns * rows; ++i)
    filled.insert(static_cast<int>(x(i) * columns) * rows + static_cast<int>(y(i) * rows));
  EXPECT_EQ(filled.size(), columns * rows);
}

// Halton's own sequence has the points of bases 23 and 29 on few lines: of 20 points, their products then
// differ from those of independent numbers far more than chance does.
TEST(Halton, LargeBasesAreNotCorrelated) {
  const HaltonAxis x(seed, 8), y(seed, 9);
  double sum = 0;
  constexpr int n = 20;
  for (std::uint64_t i = 0; i < n; ++i) sum += (x(i) - 0.5) * (y(i) - 0.5);
  const double correlation = sum / n * 12, chance = 1 / std::sqrt(n);
  EXPECT_LT(std::abs(correlation), 2.5 * chance);
}

TEST(Halton, IntegratesBetterThanRandomNumbers) {
  const HaltonAxis x(seed, 0), y(seed, 1);
  constexpr std::uint64_t n = 1 << 12;
  double even = 0, random = 0;
  for (std::uint64_t i = 0; i < n; ++i) {
    even += std::sin(3 * x(i)) * std::exp(y(i));
    random += std::sin(3 * random_coordinate(seed, i, 0)) * std::exp(random_coordinate(seed, i, 1));
  }
  const double exact = (1 - std::cos(3.0)) / 3 * (std::numbers::e - 1);
  EXPECT_LT(std::abs(even / n - exact), 5e-4);
  EXPECT_GT(std::abs(random / n - exact), 2 * std::abs(even / n - exact));
}

TEST(Sequences, LieInsideTheInterval) {
  for (std::uint64_t axis = 0; axis < 12; ++axis) {
    const HaltonAxis x(seed, axis);
    for (std::uint64_t i = 0; i < 1000; ++i)
      for (const double u : {x(i), random_coordinate(seed, i, axis)}) EXPECT_TRUE(u > 0 && u < 1) << u;
  }
}

TEST(Sequences, DependOnTheSeed) {
  const HaltonAxis one(1, 2), same(1, 2), other(2, 2);
  int equal = 0;
  for (std::uint64_t i = 0; i < 100; ++i) {
    EXPECT_EQ(one(i), same(i));
    equal += one(i) == other(i) || random_coordinate(1, i, 0) == random_coordinate(2, i, 0);
  }
  EXPECT_EQ(equal, 0);
}

TEST(RandomNumbers, HaveTheMomentsOfIndependentUniformOnes) {
  constexpr std::uint64_t n = 100'000;
  double mean = 0, square = 0, beside = 0, next = 0;
  for (std::uint64_t i = 0; i < n; ++i) {
    const double u = random_coordinate(seed, i, 0) - 0.5;
    mean += u, square += u * u;
    beside += u * (random_coordinate(seed, i, 1) - 0.5),
        next += u * (random_coordinate(seed, i + 1, 0) - 0.5);
  }
  const double deviation = 1 / std::sqrt(12.0 * n);  // of a mean of n
  EXPECT_LT(std::abs(mean / n), 4 * deviation);
  EXPECT_NEAR(square / n, 1.0 / 12, 4 / std::sqrt(180.0 * n));
  EXPECT_LT(std::abs(beside / n), 4 / (12 * std::sqrt(n)));
  EXPECT_LT(std::abs(next / n), 4 / (12 * std::sqrt(n)));
}

TEST(NormalQuantile, InvertsTheDistribution) {
  for (const double u : {1e-300, 1e-16, 1e-6, 0.01, 0.3, 0.5, 0.7, 0.99, 1 - 1e-9}) {
    const double x = normal_quantile(u);
    EXPECT_NEAR(0.5 * std::erfc(-x / std::numbers::sqrt2) / u, 1, 1e-12 * std::fmax(1, x * x)) << u;
  }
  EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 1e-14);  // the usual table's 1.96
  EXPECT_EQ(normal_quantile(0.25), -normal_quantile(0.75));
}

}  // namespace
}  // namespace carom
