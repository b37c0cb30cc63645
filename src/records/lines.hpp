// The lines of a text file of any size, and the fields of a line of csv.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "records/input_file.hpp"

namespace carom::detail {

class Lines {
 public:
  explicit Lines(const InputFile& file) : file_(file) {}
  Lines(const Lines&) = delete;
  Lines& operator=(const Lines&) = delete;

  // next() goes to the line that begins at byte `offset` and has the number `number`, counted from 1.
  void restart(std::uint64_t offset, std::uint64_t number);
  // Goes to the next line; false at the end of the file. Throws RecordError for a last line without its
  // newline, because such a file was cut, and for a line over a megabyte.
  bool next();
  [[nodiscard]] std::string_view text() const { return text_; }   // without the newline; until next()
  [[nodiscard]] std::uint64_t offset() const { return offset_; }  // of its first byte
  [[nodiscard]] std::uint64_t number() const { return number_; }
  // Throws RecordError with the file and the line.
  [[noreturn]] void fail(std::string_view what) const;

 private:
  bool refill();

  const InputFile& file_;
  std::string buffer_;
  std::string_view rest_;     // what of the buffer was not yet a line
  std::uint64_t unread_ = 0;  // where in the file the buffer ends
  std::uint64_t offset_ = 0;
  std::uint64_t number_ = 0;
  std::string_view text_;
};

// The fields between the commas of a line; one in quotation marks may hold commas, and marks that are doubled
// (RFC 4180). False when a mark is missing. The fields' strings are used again, to spare allocations.
bool split_csv(std::string_view line, std::vector<std::string>& fields);

// `field` in quotation marks where it needs them. A line break becomes a space: a row is a line.
std::string csv_field(std::string_view field);

// A whole field as a number, or nothing.
std::optional<double> parse_number(std::string_view field);

}  // namespace carom::detail
