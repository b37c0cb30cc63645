#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "records/lines.hpp"
#include "records/names.hpp"

namespace carom {

namespace fs = std::filesystem;

namespace {

// The names of names.hpp: q.x,q.y -> q with two numbers; t -> a scalar. A coordinate that goes by its name
// alone is seen by its velocity, v.x.
Layout layout_of(const detail::Lines& header) {
  std::vector<std::string> names;
  if (!detail::split_csv(header.text(), names)) header.fail("has a quotation mark too few");
  const std::set<std::string> all(names.begin(), names.end());
  Layout layout;
  for (const std::string& name : names) {
    const bool coordinate = !is_record_name(name) && all.contains("v." + name);
    const std::size_t dot = name.find('.');
    if (dot == std::string::npos && !coordinate) {
      layout.columns.push_back({name});
      continue;
    }
    const std::string column = coordinate ? "q" : name.substr(0, dot);
    if (layout.columns.empty() || layout.columns.back().scalar || layout.columns.back().name != column)
      layout.columns.push_back({column, 0, false});
    layout.columns.back().parts.push_back(coordinate ? name : name.substr(dot + 1));
    ++layout.columns.back().width;
  }
  for (Column& column : layout.columns) detail::forget_places(column.parts);
  try {
    validate(layout);
  } catch (const std::invalid_argument& error) {
    header.fail(fmt::format("does not name the columns of a table: {}", error.what()));
  }
  return layout;
}

class CsvSource final : public TableSource {
 public:
  explicit CsvSource(const fs::path& path) : file_(path), lines_(file_) {
    if (!lines_.next()) throw RecordError(path, "is empty");
    layout_ = layout_of(lines_);
    for (; lines_.next(); ++rows_)
      if (rows_ % stride == 0) index_.push_back(lines_.offset());
    next_row_ = rows_;
  }

  [[nodiscard]] const Layout& layout() const override { return layout_; }
  [[nodiscard]] std::uint64_t rows() const override { return rows_; }

 private:
  static constexpr std::uint64_t stride = 4096;

  void fetch(std::uint64_t first, std::uint64_t count, std::span<double> numbers) override {
    const bool goes_on = first == next_row_;
    next_row_ = rows_;  // nowhere, should a line be bad
    if (!goes_on) {
      const std::uint64_t before = first / stride * stride;
      lines_.restart(index_[before / stride], before + 2);  // line 1 is the header
      for (std::uint64_t row = before; row < first; ++row) advance();
    }
    const std::size_t width = layout_.row_width();
    for (std::uint64_t i = 0; i < count; ++i) {
      advance();
      parse(numbers.subspan(i * width, width));
    }
    next_row_ = first + count;
  }

  void advance() {
    if (!lines_.next()) lines_.fail("is missing");
  }

  void parse(std::span<double> numbers) const {
    const std::string_view text = lines_.text();
    const char* at = text.data();
    const char* const end = at + text.size();
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const auto [stop, error] = std::from_chars(at, end, numbers[i]);
      const bool last = i + 1 == numbers.size();
      if (error != std::errc{} || (last ? stop != end : stop == end || *stop != ','))
        lines_.fail(fmt::format("has no number in column {}, or not {} columns", i + 1, numbers.size()));
      at = last ? end : stop + 1;
    }
  }

  detail::InputFile file_;
  detail::Lines lines_;
  Layout layout_;
  std::uint64_t rows_ = 0;
  std::uint64_t next_row_ = 0;        // the row that lines_ gives next
  std::vector<std::uint64_t> index_;  // where every stride-th row begins
};

}  // namespace

std::unique_ptr<TableSource> open_csv(const fs::path& path) { return std::make_unique<CsvSource>(path); }

}  // namespace carom
