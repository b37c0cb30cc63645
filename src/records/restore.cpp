#include "records/restore.hpp"

#include <fmt/format.h>

#include "files/files.hpp"
#include "records/contact_changes.hpp"
#include "records/lines.hpp"
#include "records/live_table.hpp"
#include "records/names.hpp"

namespace carom {
namespace fs = std::filesystem;

namespace {

void fill_in(const fs::path& live, const Layout& layout, const auto& fill) {
  const fs::path half = live.parent_path() / (".carom-" + live.filename().string());
  std::error_code error;
  try {
    LiveTable table = LiveTable::create(half, layout);
    fill([&table](std::span<const double> numbers, std::string_view text) { table.append(numbers, text); });
    table.flush();
  } catch (...) {
    fs::remove(half, error);
    throw;
  }
  fs::rename(half, live, error);
  if (error) throw FileError("replace", live, error.value());
}

// A number, or the word that stands for one.
double number_in(const std::string& field, const detail::Lines& line) {
  if (const auto event = change_event(field)) return *event;
  const auto value = detail::parse_number(field);
  if (!value) line.fail(fmt::format("has no number where one should be: '{:.40}'", field));
  return *value;
}

// Where the numbers of a live row stand in those of a final file, which has names, and copies beside them.
std::vector<std::size_t> places_of(const Layout& live, const Layout& final) {
  std::vector<std::size_t> places;
  const auto names = number_names(live);
  for (const Column& column : live.columns)
    for (std::size_t k = 0; k < column.width; ++k) {
      const std::string by_place = column.scalar ? column.name : fmt::format("{}.{}", column.name, k);
      const auto found = column_of(final, by_place);
      const auto place = found ? found : column_of(final, names[places.size()]);
      if (!place) return {};
      places.push_back(*place);
    }
  return places;
}

}  // namespace

void for_each_row(TableSource& rows, const Layout& layout, const AppendRow& append) {
  const auto places = places_of(layout, rows.layout());
  if (places.empty()) throw RecordError("trajectory", "has other columns than this run");
  const std::size_t width = rows.layout().row_width();
  std::vector<double> row(places.size());
  for_each_block(rows, [&](std::uint64_t, std::uint64_t count, std::span<const double> numbers) {
    for (std::uint64_t i = 0; i < count; ++i) {
      for (std::size_t k = 0; k < row.size(); ++k) row[k] = numbers[i * width + places[k]];
      append(row, {});
    }
  });
}

void for_each_event(const fs::path& csv, const Layout& layout, const AppendRow& append) {
  constexpr std::size_t text = 2;
  const detail::InputFile file(csv);
  detail::Lines lines(file);
  if (!lines.next()) throw RecordError(csv, "is empty");
  std::vector<std::string> fields;
  std::vector<double> numbers;
  while (lines.next()) {
    if (!detail::split_csv(lines.text(), fields) || fields.size() != layout.row_width() + 1)
      lines.fail(fmt::format("has not {} columns", layout.row_width() + 1));
    numbers.clear();
    for (std::size_t i = 0; i < fields.size(); ++i)
      if (i != text) numbers.push_back(number_in(fields[i], lines));
    append(numbers, fields[text]);
  }
}

void restore_rows(TableSource& rows, const fs::path& live, const Layout& layout) {
  if (fs::exists(live)) return;
  if (places_of(layout, rows.layout()).empty())
    throw RecordError(live.parent_path(), "its trajectory has other columns than this run");
  fill_in(live, layout, [&](const AppendRow& append) { for_each_row(rows, layout, append); });
}

void restore_events(const fs::path& csv, const fs::path& live, const Layout& layout) {
  if (fs::exists(live)) return;
  fill_in(live, layout, [&](const AppendRow& append) { for_each_event(csv, layout, append); });
}

}  // namespace carom
