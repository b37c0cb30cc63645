#include "records/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace carom {

RecordError::RecordError(const std::filesystem::path& path, std::string_view what)
    : std::runtime_error(fmt::format("'{}': {}", path.string(), what)) {}

std::size_t Layout::row_width() const {
  std::size_t sum = 0;
  for (const Column& column : columns) sum += column.width;
  return sum;
}

std::size_t Layout::row_bytes() const { return row_width() * sizeof(double) + text_width; }

namespace {

bool usable_name(std::string_view name) {
  const auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c & 0x80) != 0;
  };
  const auto part = [&](char c) { return letter(c) || (c >= '0' && c <= '9') || c == '_'; };
  return !name.empty() && (letter(name.front()) || name.front() == '_') &&
         std::all_of(name.begin(), name.end(), part);
}

}  // namespace

void validate(const Layout& layout) {
  std::set<std::string_view> names;
  const auto check_name = [&](std::string_view name) {
    if (!usable_name(name)) throw std::invalid_argument(fmt::format("'{}' cannot be a column's name", name));
    if (!names.insert(name).second)
      throw std::invalid_argument(fmt::format("two columns are named '{}'", name));
  };
  for (const Column& column : layout.columns) {
    check_name(column.name);
    if (column.scalar && column.width != 1)
      throw std::invalid_argument(
          fmt::format("column '{}' is scalar and {} numbers wide", column.name, column.width));
  }
  if (layout.text_width != 0) check_name(layout.text_name);
  if (layout.row_bytes() == 0) throw std::invalid_argument("a table needs a column that is not empty");
}

void TableSource::read(std::uint64_t first, std::uint64_t count, std::span<double> numbers) {
  if (first > rows() || count > rows() - first)
    throw std::out_of_range(fmt::format("rows {} to {} of {}", first, first + count, rows()));
  if (numbers.size() != count * layout().row_width())
    throw std::invalid_argument(fmt::format("{} rows of {} numbers do not fit a buffer of {}", count,
                                            layout().row_width(), numbers.size()));
  if (count > 0) fetch(first, count, numbers);
}

void for_each_block(TableSource& source,
                    const std::function<void(std::uint64_t, std::uint64_t, std::span<const double>)>& use) {
  constexpr std::size_t block_numbers = std::size_t{1} << 19;
  const std::size_t width = source.layout().row_width();
  const std::uint64_t block = std::min<std::uint64_t>(
      source.rows(), std::max<std::size_t>(1, block_numbers / std::max<std::size_t>(1, width)));
  std::vector<double> numbers(block * width);
  for (std::uint64_t first = 0; first < source.rows(); first += block) {
    const std::uint64_t count = std::min(block, source.rows() - first);
    const std::span<double> part = std::span(numbers).first(count * width);
    source.read(first, count, part);
    use(first, count, part);
  }
}

}  // namespace carom
