// How long a run stays with the true motion: measured against the same scenario by a flow of high order
// (Gauss collocation of order 12, or kahan-li8 along joints and lasting contacts), which is exact to rounding
// where the methods that are compared have long gone their own way.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "model/model.hpp"

namespace carom {

// Records t and q in memory.
class MemoryRecords final : public RunRecords {
 public:
  void begin(const Layout& rows, const Layout&, const Layout&) override { dim = rows.columns[1].width; }
  void row(std::span<const double> numbers) override {
    t.push_back(numbers[0]);
    q.insert(q.end(), numbers.begin() + 1, numbers.begin() + 1 + static_cast<std::ptrdiff_t>(dim));
  }
  void impact(std::span<const double>, std::string_view) override {}
  void change(std::span<const double>, std::string_view) override {}

  std::size_t dim = 0;
  std::vector<double> t, q;
};

// For each folder the time until which its coordinates stay within a twentieth of their range so far from the
// reference, at most the end of the run; nothing where the reference itself fails.
std::vector<std::optional<double>> followed_until(const Scenario& scenario, const Model& model,
                                                  const std::vector<std::filesystem::path>& folders);

}  // namespace carom
