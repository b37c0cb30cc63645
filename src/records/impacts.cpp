#include "records/impacts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "files/files.hpp"
#include "records/columns.hpp"
#include "records/lines.hpp"
#include "records/live_texts.hpp"
#include "records/names.hpp"

namespace carom {

namespace fs = std::filesystem;

Layout impact_layout(std::size_t dim, std::size_t contact_width,
                     const std::vector<std::string>& coordinates) {
  return {.columns = {{"t"},
                      {"step"},
                      {"q", dim, false, coordinates},
                      {"p_before", dim, false, coordinates},
                      {"p_after", dim, false, coordinates},
                      {"impulse"},
                      {"rate_before"},
                      {"rate_after"}},
          .text_width = contact_width,
          .text_name = "contact"};
}

namespace {

constexpr std::size_t plain_columns = 6;  // all but contact, q and p

std::string impacts_header(std::size_t dim, const std::vector<std::string>& coordinates) {
  Layout layout = impact_layout(dim, 0, coordinates);
  layout.columns[0].name = "time";
  layout.columns.insert(layout.columns.begin() + 2, {"contact"});
  for (Column& column : layout.columns)
    if (column.name.starts_with("rate_")) column.name = "gap_" + column.name;
  std::string header;
  for (const std::string& name : number_names(layout))
    header += (header.empty() ? "" : ",") + detail::csv_field(name);
  return header;
}

std::vector<double> slice(std::span<const double> numbers, std::size_t begin, std::size_t count) {
  const auto part = numbers.subspan(begin, count);
  return {part.begin(), part.end()};
}

// From t, step, q, p_before, p_after, impulse, rate_before, rate_after.
ImpactRow impact_of(std::span<const double> numbers, std::string contact) {
  const std::size_t dim = (numbers.size() - 5) / 3;
  const auto tail = numbers.last(3);
  return {.t = numbers[0],
          .step = static_cast<std::int64_t>(numbers[1]),
          .contact = std::move(contact),
          .q = slice(numbers, 2, dim),
          .p_before = slice(numbers, 2 + dim, dim),
          .p_after = slice(numbers, 2 + 2 * dim, dim),
          .impulse = tail[0],
          .rate_before = tail[1],
          .rate_after = tail[2]};
}

class LiveImpacts {
 public:
  explicit LiveImpacts(const fs::path& path) : path_(path), source_(path) {
    const Layout& layout = source_.layout();
    const std::size_t dim = layout.columns.size() > 2 ? layout.columns[2].width : 0;
    if (layout != impact_layout(dim, layout.text_width)) throw RecordError(path, "is not a table of impacts");
  }

  [[nodiscard]] std::size_t dim() const { return source_.layout().columns[2].width; }
  [[nodiscard]] std::uint64_t total() const { return source_.rows(); }

  // Calls use(numbers, contact) for the first `limit` impacts.
  void for_each(std::uint64_t limit, const auto& use) {
    detail::for_each_row(source_, limit, [&](auto row, const std::string& contact, std::uint64_t number) {
      if (!detail::is_step(row[1]))
        throw RecordError(path_, fmt::format("impact {} has step {}", number, row[1]));
      use(row, contact);
    });
  }

 private:
  fs::path path_;
  LiveSource source_;
};

// How many coordinates a header speaks of.
std::size_t dim_of(const detail::Lines& header, std::vector<std::string>& fields) {
  const auto fail = [&] { header.fail("is not the header of a file of impacts"); };
  if (!detail::split_csv(header.text(), fields) || fields.size() < plain_columns) fail();
  const std::size_t dim = (fields.size() - plain_columns) / 3;
  std::vector<std::string> coordinates;  // from p_before.x
  for (std::size_t i = 0; i < dim; ++i)
    coordinates.push_back(fields[3 + dim + i].substr(fields[3 + dim + i].find('.') + 1));
  detail::forget_places(coordinates);
  if (header.text() != impacts_header(dim, coordinates)) fail();
  return dim;
}

ImpactRow parse_impact(const detail::Lines& line, std::size_t dim, std::vector<std::string>& fields) {
  constexpr std::size_t contact = 2;
  if (!detail::split_csv(line.text(), fields) || fields.size() != plain_columns + 3 * dim)
    line.fail(fmt::format("has not {} columns", plain_columns + 3 * dim));
  std::vector<double> numbers;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (i == contact) continue;
    const auto value = detail::parse_number(fields[i]);
    if (!value) line.fail(fmt::format("has no number in column {}: '{:.40}'", i + 1, fields[i]));
    numbers.push_back(*value);
  }
  if (!detail::is_step(numbers[1]))
    line.fail(fmt::format("has no number of a step in column 2: '{:.40}'", fields[1]));
  return impact_of(numbers, fields[contact]);
}

}  // namespace

void export_impacts(const fs::path& live, const fs::path& csv, const std::vector<std::string>& coordinates) {
  LiveImpacts impacts(live);
  AtomicFile file(csv);
  std::string text = impacts_header(impacts.dim(), coordinates) + '\n';
  impacts.for_each(impacts.total(), [&](std::span<const double> numbers, const std::string& contact) {
    constexpr std::size_t piece = std::size_t{1} << 16;
    detail::append_number(text, numbers[0]);
    text += fmt::format(",{},{}", static_cast<std::int64_t>(numbers[1]), detail::csv_field(contact));
    for (const double value : numbers.subspan(2)) {
      text += ',';
      detail::append_number(text, value);
    }
    text += '\n';
    if (text.size() < piece) return;
    file.write(text);
    text.clear();
  });
  file.write(text);
  file.commit();
}

ImpactRows read_live_impacts(const fs::path& live, std::size_t limit) {
  LiveImpacts impacts(live);
  ImpactRows result{.rows = {}, .total = impacts.total()};
  impacts.for_each(limit, [&](std::span<const double> numbers, const std::string& contact) {
    result.rows.push_back(impact_of(numbers, contact));
  });
  return result;
}

ImpactRows read_impacts(const fs::path& csv, std::size_t limit) {
  const detail::InputFile file(csv);
  detail::Lines lines(file);
  if (!lines.next()) throw RecordError(csv, "is empty");
  std::vector<std::string> fields;
  const std::size_t dim = dim_of(lines, fields);
  ImpactRows result;
  for (; lines.next(); ++result.total)
    if (result.rows.size() < limit) result.rows.push_back(parse_impact(lines, dim, fields));
  return result;
}

}  // namespace carom
