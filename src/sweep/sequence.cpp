#include "sweep/sequence.hpp"

#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

namespace carom {
namespace {

// The output function of splitmix64 (Steele, Lea, Flood 2014): every bit of x has a say in every bit of the
// result.
std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

// One after the other, so that (1, 2) and (2, 1) differ.
std::uint64_t hashed(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  constexpr std::uint64_t golden = 0x9E3779B97F4A7C15u;  // 2^64 divided by the golden ratio
  return mixed(mixed(mixed(a + golden) + golden + b) + golden + c);
}

std::uint64_t prime(std::uint64_t number) {
  for (std::uint64_t candidate = 2;; ++candidate) {
    bool divided = false;
    for (std::uint64_t d = 2; d * d <= candidate && !divided; ++d) divided = candidate % d == 0;
    if (!divided && number-- == 0) return candidate;
  }
}

std::vector<std::uint32_t> permutation(std::uint64_t size, std::uint64_t seed, std::uint64_t place) {
  std::vector<std::uint32_t> r(size);
  std::iota(r.begin(), r.end(), 0u);
  for (std::uint64_t i = size - 1; i > 0; --i) std::swap(r[i], r[hashed(seed, place, i) % (i + 1)]);
  return r;
}

}  // namespace

double random_coordinate(std::uint64_t seed, std::uint64_t index, std::uint64_t axis) {
  return (static_cast<double>(hashed(seed, index, axis) >> 11) + 0.5) * 0x1p-53;
}

HaltonAxis::HaltonAxis(std::uint64_t seed, std::uint64_t axis) : base_(prime(axis)) {
  const auto places = static_cast<std::uint64_t>(std::ceil(53 / std::log2(static_cast<double>(base_))));
  const std::uint64_t own = hashed(seed, axis, 0);
  for (std::uint64_t k = 0; k < places; ++k) permutations_.push_back(permutation(base_, own, k));
}

double HaltonAxis::operator()(std::uint64_t index) const {
  const double b = static_cast<double>(base_);
  double x = 0, weight = 1 / b;
  for (const auto& digits : permutations_) {
    x += weight * digits[index % base_];
    index /= base_;
    weight /= b;
  }
  return std::fmin(x + 0.5 * weight * b,
                   1 - 0x1p-53);  // the middle of the last digit's interval, never an end
}

double normal_quantile(double u) {
  const double tail = std::fmin(u, 1 - u);
  // Abramowitz and Stegun 26.2.22, right to 3e-3; Halley's method then triples the digits.
  const double t = std::sqrt(-2 * std::log(tail));
  double x = t - (2.30753 + 0.27061 * t) / (1 + t * (0.99229 + 0.04481 * t));
  for (int k = 0; k < 3; ++k) {
    const double excess = 0.5 * std::erfc(x / std::numbers::sqrt2) - tail;
    const double density = std::exp(-0.5 * x * x) / std::sqrt(2 * std::numbers::pi);
    const double newton = excess / density;
    x += newton / (1 - 0.5 * x * newton);
  }
  return u < 0.5 ? -x : x;
}

}  // namespace carom
