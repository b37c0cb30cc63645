#include "records/columns.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

namespace carom::detail {

namespace {

std::size_t offset_of(const Layout& layout, std::size_t column) {
  std::size_t sum = 0;
  for (std::size_t i = 0; i < column; ++i) sum += layout.columns[i].width;
  return sum;
}

}  // namespace

void refuse_text(const Layout& layout) {
  if (layout.text_width != 0)
    throw std::invalid_argument(
        fmt::format("the text column '{}' has no place in this format", layout.text_name));
}

void for_each_column_block(
    TableSource& source,
    const std::function<void(std::size_t, std::uint64_t, std::span<const double>)>& use) {
  const Layout& layout = source.layout();
  const std::size_t row = layout.row_width();
  std::vector<double> gathered;
  for_each_block(source, [&](std::uint64_t first, std::uint64_t count, std::span<const double> numbers) {
    for (std::size_t c = 0; c < layout.columns.size(); ++c) {
      const std::size_t width = layout.columns[c].width;
      const std::size_t offset = offset_of(layout, c);
      gathered.resize(count * width);
      for (std::size_t i = 0; i < count; ++i)
        for (std::size_t k = 0; k < width; ++k) gathered[i * width + k] = numbers[i * row + offset + k];
      use(c, first, gathered);
    }
  });
}

void place_column(const Layout& layout, std::size_t column, std::span<const double> from,
                  std::span<double> rows) {
  const std::size_t row = layout.row_width();
  const std::size_t width = layout.columns[column].width;
  const std::size_t offset = offset_of(layout, column);
  for (std::size_t i = 0; i * row < rows.size(); ++i)
    for (std::size_t k = 0; k < width; ++k) rows[i * row + offset + k] = from[i * width + k];
}

void append_number(std::string& text, double value) {
  if (std::isnan(value)) {
    text += "nan";  // fmt would add the sign that the processor happened to give it
  } else {
    fmt::format_to(std::back_inserter(text), "{}", value);
  }
}

}  // namespace carom::detail
