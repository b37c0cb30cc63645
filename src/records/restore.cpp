#include "records/restore.hpp"

#include <fmt/format.h>

#include "files/files.hpp"
#include "records/lines.hpp"
#include "records/live_table.hpp"

namespace carom {
namespace fs = std::filesystem;

namespace {

void fill_in(const fs::path& live, const Layout& layout, const auto& fill) {
  const fs::path half = live.parent_path() / (".carom-" + live.filename().string());
  {
    LiveTable table = LiveTable::create(half, layout);
    fill(table);
    table.flush();
  }
  std::error_code error;
  fs::rename(half, live, error);
  if (error) throw FileError("replace", live, error.value());
}

// A number, or the word that stands for one.
double number_in(const std::string& field, const detail::Lines& line) {
  if (field == "begins" || field == "released") return field == "begins" ? 1 : 0;
  const auto value = detail::parse_number(field);
  if (!value) line.fail(fmt::format("has no number where one should be: '{:.40}'", field));
  return *value;
}

}  // namespace

void restore_rows(TableSource& rows, const fs::path& live, const Layout& layout) {
  if (fs::exists(live)) return;
  const std::size_t width = layout.row_width();
  if (rows.layout().row_width() != width)
    throw RecordError(live.parent_path(), "its trajectory has other columns than this run");
  fill_in(live, layout, [&](LiveTable& table) {
    for_each_block(rows, [&](std::uint64_t, std::uint64_t count, std::span<const double> numbers) {
      for (std::uint64_t i = 0; i < count; ++i) table.append(numbers.subspan(i * width, width));
    });
  });
}

void restore_events(const fs::path& csv, const fs::path& live, const Layout& layout) {
  if (fs::exists(live)) return;
  constexpr std::size_t text = 2;
  const detail::InputFile file(csv);
  detail::Lines lines(file);
  if (!lines.next()) throw RecordError(csv, "is empty");
  std::vector<std::string> fields;
  std::vector<double> numbers;
  fill_in(live, layout, [&](LiveTable& table) {
    while (lines.next()) {
      if (!detail::split_csv(lines.text(), fields) || fields.size() != layout.row_width() + 1)
        lines.fail(fmt::format("has not {} columns", layout.row_width() + 1));
      numbers.clear();
      for (std::size_t i = 0; i < fields.size(); ++i)
        if (i != text) numbers.push_back(number_in(fields[i], lines));
      table.append(numbers, fields[text]);
    }
  });
}

}  // namespace carom
