// Gradients of functions of few coordinates each: contacts and joints. One row per function, its coordinates
// and the slopes along them, packed one after the other, so that filling them again allocates nothing.
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "carom/numerics/changing_values.hpp"

namespace carom {

class SparseRows {
 public:
  struct Row {
    std::span<const int> at;         // coordinates
    std::span<const double> slopes;  // along them
    double drift = 0;                // ∂/∂t

    double rate(const Values& v) const { return dot(v) + drift; }

    double dot(const Values& x) const {
      double sum = 0;
      for (std::size_t k = 0; k < at.size(); ++k) sum += slopes[k] * x[at[k]];
      return sum;
    }
    double size() const {  // the sum of the sizes of its slopes
      double sum = 0;
      for (const double slope : slopes) sum += std::abs(slope);
      return sum;
    }
    double size_along(const Values& x) const {  // and of the terms of dot(x)
      double sum = 0;
      for (std::size_t k = 0; k < at.size(); ++k) sum += std::abs(slopes[k] * x[at[k]]);
      return sum;
    }
    void add_to(Values& x, double factor) const {
      for (std::size_t k = 0; k < at.size(); ++k) x[at[k]] += factor * slopes[k];
    }
  };

  void reserve(std::size_t rows, std::size_t entries) {
    at.reserve(entries), slopes.reserve(entries), ends.reserve(rows), drifts.reserve(rows);
  }
  void clear() { at.clear(), slopes.clear(), ends.clear(), drifts.clear(); }
  void push(int coordinate, double slope) { at.push_back(coordinate), slopes.push_back(slope); }
  void end_row(double drift = 0) {
    ends.push_back(static_cast<int>(at.size()));
    drifts.push_back(drift);
  }
  void append(const Row& row) {
    for (std::size_t k = 0; k < row.at.size(); ++k) push(row.at[k], row.slopes[k]);
    end_row(row.drift);
  }

  int size() const { return static_cast<int>(ends.size()); }
  // Whether both have entries in the same places.
  bool stands_as(const SparseRows& other) const { return at == other.at && ends == other.ends; }
  Row operator[](int row) const {
    const int begin = row == 0 ? 0 : ends[row - 1];
    const auto count = static_cast<std::size_t>(ends[row] - begin);
    return {{at.data() + begin, count}, {slopes.data() + begin, count}, drifts[row]};
  }

 private:
  std::vector<int> at, ends;
  std::vector<double> slopes, drifts;
};

}  // namespace carom
