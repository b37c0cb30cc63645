#include "records/contact_changes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "files/files.hpp"
#include "records/columns.hpp"
#include "records/lines.hpp"
#include "records/live_texts.hpp"

namespace carom {

namespace fs = std::filesystem;

Layout change_layout(std::size_t contact_width) {
  return {.columns = {{"t"}, {"step"}, {"begins"}, {"settled"}},
          .text_width = contact_width,
          .text_name = "contact"};
}

namespace {

constexpr auto changes_header = "time,step,contact,event,settled";
constexpr std::size_t csv_columns = 5;
const std::array<std::string, 6> event_words = {"released",       "begins",          "sticks",
                                                "slides forward", "slides backward", "slides"};

class LiveChanges {
 public:
  explicit LiveChanges(const fs::path& path) : path_(path), source_(path) {
    if (source_.layout() != change_layout(source_.layout().text_width))
      throw RecordError(path, "is not a table of changes of contacts");
  }
  [[nodiscard]] std::uint64_t total() const { return source_.rows(); }

  // Calls use(row) for the first `limit` changes.
  void for_each(std::uint64_t limit, const auto& use) {
    detail::for_each_row(source_, limit, [&](auto numbers, const std::string& contact, std::uint64_t row) {
      use(change_of(numbers, contact, row));
    });
  }

 private:
  [[nodiscard]] ChangeRow change_of(std::span<const double> row, const std::string& contact,
                                    std::uint64_t number) const {
    if (!detail::is_step(row[1]))
      throw RecordError(path_, fmt::format("change {} has step {}", number, row[1]));
    if (!(row[2] >= 0 && row[2] < static_cast<double>(event_words.size()) && row[2] == std::floor(row[2])))
      throw RecordError(path_, fmt::format("change {} neither begins nor ends: {}", number, row[2]));
    const int event = static_cast<int>(row[2]);
    return {.t = row[0],
            .step = static_cast<std::int64_t>(row[1]),
            .contact = contact,
            .begins = event > 0,
            .settled = row[3],
            .mode = std::max(0, event - 1)};
  }

  fs::path path_;
  LiveSource source_;
};

ChangeRow parse_change(const detail::Lines& line, std::vector<std::string>& fields) {
  if (!detail::split_csv(line.text(), fields) || fields.size() != csv_columns)
    line.fail(fmt::format("has not {} columns", csv_columns));
  const auto number = [&](std::size_t column) {
    const auto value = detail::parse_number(fields[column]);
    if (!value) line.fail(fmt::format("has no number in column {}: '{:.40}'", column + 1, fields[column]));
    return *value;
  };
  const double t = number(0), step = number(1), settled = number(4);
  if (!detail::is_step(step))
    line.fail(fmt::format("has no number of a step in column 2: '{:.40}'", fields[1]));
  const auto event = change_event(fields[3]);
  if (!event) line.fail(fmt::format("has neither 'begins' nor 'released' in column 4: '{:.40}'", fields[3]));
  return {.t = t,
          .step = static_cast<std::int64_t>(step),
          .contact = fields[2],
          .begins = *event > 0,
          .settled = settled,
          .mode = std::max(0, static_cast<int>(*event) - 1)};
}

}  // namespace

std::optional<double> change_event(const std::string& word) {
  const auto found = std::find(event_words.begin(), event_words.end(), word);
  if (found == event_words.end()) return std::nullopt;
  return static_cast<double>(found - event_words.begin());
}

void export_changes(const fs::path& live, const fs::path& csv) {
  LiveChanges changes(live);
  AtomicFile file(csv);
  std::string text = std::string(changes_header) + '\n';
  changes.for_each(changes.total(), [&](const ChangeRow& row) {
    constexpr std::size_t piece = std::size_t{1} << 16;
    detail::append_number(text, row.t);
    text += fmt::format(",{},{},{},", row.step, detail::csv_field(row.contact),
                        event_words[row.begins ? static_cast<std::size_t>(1 + row.mode) : 0]);
    detail::append_number(text, row.settled);
    text += '\n';
    if (text.size() < piece) return;
    file.write(text);
    text.clear();
  });
  file.write(text);
  file.commit();
}

ChangeRows read_live_changes(const fs::path& live, std::size_t limit) {
  LiveChanges changes(live);
  ChangeRows result{.rows = {}, .total = changes.total()};
  changes.for_each(limit, [&](ChangeRow row) { result.rows.push_back(std::move(row)); });
  return result;
}

ChangeRows read_changes(const fs::path& csv, std::size_t limit) {
  const detail::InputFile file(csv);
  detail::Lines lines(file);
  if (!lines.next()) throw RecordError(csv, "is empty");
  if (lines.text() != changes_header) lines.fail("is not the header of a file of changes of contacts");
  std::vector<std::string> fields;
  ChangeRows result;
  for (; lines.next(); ++result.total)
    if (result.rows.size() < limit) result.rows.push_back(parse_change(lines, fields));
  return result;
}

}  // namespace carom
