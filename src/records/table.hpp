// Tables of numbers on disk: what a run records, row by row, whatever the file's format.
//
// A table is read in blocks of rows, so that its size never matters. Every reader checks what a file claims
// against what it holds, and throws RecordError for a file that was cut, changed or written by something
// else. Tested in tests/unit/records_*_test.cpp and, from numpy's and h5py's side, records_numpy_test.py.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace carom {

// A file's contents are not what they should be; the message names the file.
struct RecordError : std::runtime_error {
  RecordError(const std::filesystem::path& path, std::string_view what);
};

// Numbers of one name: one in each row (an array of shape (rows)), or `width` (of shape (rows, width)).
struct Column {
  std::string name;
  std::size_t width = 1;                // 0 is allowed: the gaps of a system without gaps
  bool scalar = true;                   // then width is 1
  std::vector<std::string> parts = {};  // what the numbers are called; empty: by their places, 0, 1, ...
  // Names are no part of how a table lies in its file.
  bool operator==(const Column& other) const {
    return name == other.name && width == other.width && scalar == other.scalar;
  }
};

// The columns of float64 in their order, and optionally one of text, which comes last.
struct Layout {
  std::vector<Column> columns;
  std::size_t text_width = 0;  // bytes; 0 for no text
  std::string text_name;
  bool operator==(const Layout&) const = default;

  [[nodiscard]] std::size_t row_width() const;  // numbers in a row
  [[nodiscard]] std::size_t row_bytes() const;  // numbers and text
};

// Throws std::invalid_argument for names that are repeated or no names (letters, digits and '_', no digit
// first; all beyond ASCII counts as a letter), a scalar wider than one, and rows without a byte.
void validate(const Layout& layout);

class TableSource {
 public:
  TableSource() = default;
  virtual ~TableSource() = default;
  TableSource(const TableSource&) = delete;
  TableSource& operator=(const TableSource&) = delete;

  [[nodiscard]] virtual const Layout& layout() const = 0;
  [[nodiscard]] virtual std::uint64_t rows() const = 0;
  // Rows first ... first + count - 1, one after the other, columns in the order of the layout. Throws
  // std::out_of_range for rows that are not there, std::invalid_argument unless `numbers` has count x
  // row_width() elements, and RecordError. Not for several threads at once.
  void read(std::uint64_t first, std::uint64_t count, std::span<double> numbers);

 private:
  virtual void fetch(std::uint64_t first, std::uint64_t count, std::span<double> numbers) = 0;
};

// Calls `use` with all rows in order, about four megabytes at a time.
void for_each_block(TableSource& source, const std::function<void(std::uint64_t first, std::uint64_t count,
                                                                  std::span<const double> numbers)>& use);

// All throw FileError when the file cannot be opened and RecordError when it is no such table.
// open_npz checks the archive's checksums, which reads it once. A live table is the one of live_table.hpp;
// what is appended after its opening is not seen.
std::unique_ptr<TableSource> open_npz(const std::filesystem::path& path);
std::unique_ptr<TableSource> open_csv(const std::filesystem::path& path);
std::unique_ptr<TableSource> open_hdf5(const std::filesystem::path& path);

}  // namespace carom
