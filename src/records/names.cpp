#include "records/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <set>

namespace carom {
namespace {

constexpr std::array record_names{
    "t",        "q",           "v",         "p",    "H",      "shadow_energy",   "discrete_energy",
    "work",     "loss",        "momenta",   "gaps", "forces", "friction_forces", "slips",
    "friction", "multipliers", "quantities"};

// Columns whose numbers also go by their own names alone.
bool goes_by_name(const Column& column) {
  return !column.scalar && (column.name == "q" || column.name == "quantities");
}

// The place among the numbers of a column, from its name or its number.
std::optional<std::size_t> part_of(const Column& column, std::string_view part) {
  const auto own = std::find(column.parts.begin(), column.parts.end(), part);
  if (own != column.parts.end()) return static_cast<std::size_t>(own - column.parts.begin());
  std::size_t place = 0;
  const auto read = std::from_chars(part.data(), part.data() + part.size(), place);
  const bool whole = read.ec == std::errc{} && read.ptr == part.data() + part.size();
  return whole && place < column.width ? std::optional(place) : std::nullopt;
}

}  // namespace

void detail::forget_places(std::vector<std::string>& parts) {
  for (std::size_t k = 0; k < parts.size(); ++k)
    if (parts[k] != std::to_string(k)) return;
  parts.clear();
}

bool is_record_name(std::string_view name) {
  return std::find(record_names.begin(), record_names.end(), name) != record_names.end();
}

std::optional<std::size_t> column_of(const Layout& layout, std::string_view name) {
  const std::size_t dot = name.find('.');
  const bool alone = dot == std::string_view::npos;
  std::size_t at = 0;
  for (const Column& column : layout.columns) {
    if (column.scalar && column.name == name) return at;
    if (!column.scalar && !alone && name.substr(0, dot) == column.name)
      if (const auto part = part_of(column, name.substr(dot + 1))) return at + *part;
    if (alone && goes_by_name(column) && !is_record_name(name)) {
      const auto own = std::find(column.parts.begin(), column.parts.end(), name);
      if (own != column.parts.end()) return at + static_cast<std::size_t>(own - column.parts.begin());
    }
    at += column.width;
  }
  return std::nullopt;
}

std::vector<std::string> number_names(const Layout& layout) {
  std::set<std::string, std::less<>> taken(record_names.begin(), record_names.end());
  for (const Column& column : layout.columns)
    if (column.scalar) taken.insert(column.name);
  std::vector<std::string> names;
  for (const Column& column : layout.columns) {
    if (column.scalar) names.push_back(column.name);
    for (std::size_t k = 0; !column.scalar && k < column.width; ++k) {
      const bool named = k < column.parts.size();
      if (named && goes_by_name(column) && taken.insert(column.parts[k]).second)
        names.push_back(column.parts[k]);
      else
        names.push_back(fmt::format("{}.{}", column.name, named ? column.parts[k] : std::to_string(k)));
    }
  }
  return names;
}

NamedTable::NamedTable(TableSource& source, const Layout& named, bool copies)
    : source_(source), layout_(named) {
  if (!copies) return;
  const auto names = number_names(named);
  std::size_t at = 0;
  for (const Column& column : named.columns) {
    const bool few = goes_by_name(column) && column.width <= most_copies;
    for (std::size_t k = 0; few && k < column.parts.size(); ++k)
      if (names[at + k] == column.parts[k]) {
        layout_.columns.push_back({column.parts[k]});
        copied_.push_back(at + k);
      }
    at += column.width;
  }
}

void NamedTable::fetch(std::uint64_t first, std::uint64_t count, std::span<double> numbers) {
  if (copied_.empty()) return source_.read(first, count, numbers);
  const std::size_t width = source_.layout().row_width(), wide = width + copied_.size();
  block_.resize(count * width);
  source_.read(first, count, block_);
  for (std::size_t i = 0; i < count; ++i) {
    std::copy_n(&block_[i * width], width, &numbers[i * wide]);
    for (std::size_t k = 0; k < copied_.size(); ++k)
      numbers[i * wide + width + k] = block_[i * width + copied_[k]];
  }
}

}  // namespace carom
