// What the numbers of a run's records are called, in every format:
//
//   H, work             a column of one number
//   q.x, gaps.floor     a number of a wider column, by its name; q.0, gaps.0 by its place
//   x, height           a coordinate or a quantity alone, unless a column of the records has that name: H is
//                       always the energy, and a coordinate H is q.H
//
// Tested in tests/unit/records_names_test.cpp.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "records/table.hpp"

namespace carom {

namespace detail {
// Names that are places, 0, 1, ..., are none.
void forget_places(std::vector<std::string>& parts);
}  // namespace detail

// Whether a column of a run's records has this name.
bool is_record_name(std::string_view name);

// Where the number of this name stands in a row, if it does.
std::optional<std::size_t> column_of(const Layout& layout, std::string_view name);

// A name for each number of a row, no two alike: those of a csv file.
std::vector<std::string> number_names(const Layout& layout);

// A table with the names of `named`; with `copies` its coordinates and quantities, where there are at most a
// hundred, stand behind the others once more, each as a column of its own, so that they are found by name.
class NamedTable final : public TableSource {
 public:
  static constexpr std::size_t most_copies = 100;  // of coordinates, and of quantities

  NamedTable(TableSource& source, const Layout& named, bool copies);

  [[nodiscard]] const Layout& layout() const override { return layout_; }
  [[nodiscard]] std::uint64_t rows() const override { return source_.rows(); }

 private:
  void fetch(std::uint64_t first, std::uint64_t count, std::span<double> numbers) override;

  TableSource& source_;
  Layout layout_;
  std::vector<std::size_t> copied_;  // places in the source's rows
  std::vector<double> block_;
};

}  // namespace carom
