#include "records/run_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

#include "files/files.hpp"
#include "records/layouts.hpp"
#include "records/restore.hpp"
#include "records/run_folder.hpp"

namespace carom {
namespace fs = std::filesystem;

void MemoryTable::begin(const Layout& layout) {
  layout_ = layout, bytes_ = 0;
  constexpr std::size_t number = sizeof(double);  // rows begin at a multiple of it
  row_bytes_ = layout.row_width() * number + (layout.text_width + number - 1) / number * number;
}

void MemoryTable::grow(std::size_t needed) {
  constexpr std::size_t least = 4096;
  const std::size_t capacity = std::max({needed, 2 * capacity_, least});
  auto* grown = static_cast<std::byte*>(std::realloc(memory_.get(), capacity));
  if (grown == nullptr) throw std::bad_alloc();
  static_cast<void>(memory_.release());  // realloc has freed or moved it
  memory_.reset(grown), capacity_ = capacity;
}

void MemoryTable::append(std::span<const double> numbers, std::string_view text) {
  if (numbers.size() != layout_.row_width())
    throw std::invalid_argument(
        fmt::format("a row has {} numbers, not {}", layout_.row_width(), numbers.size()));
  if (bytes_ + row_bytes_ > capacity_) grow(bytes_ + row_bytes_);
  std::byte* row = memory_.get() + bytes_;
  std::memcpy(row, numbers.data(), numbers.size_bytes());
  std::memset(row + numbers.size_bytes(), 0, row_bytes_ - numbers.size_bytes());
  std::memcpy(row + numbers.size_bytes(), text.data(), std::min(text.size(), layout_.text_width));
  bytes_ += row_bytes_;
}

bool MemoryTable::assign(std::span<const std::byte> all) {
  if (row_bytes_ == 0 || all.size() % row_bytes_ != 0) return all.empty();
  if (all.size() > capacity_) grow(all.size());
  std::ranges::copy(all, memory_.get());
  bytes_ = all.size();
  return true;
}

std::span<const double> MemoryTable::numbers(std::size_t row) const {
  return {reinterpret_cast<const double*>(memory_.get() + row * row_bytes_), layout_.row_width()};
}

std::string_view MemoryTable::text(std::size_t row) const {
  const auto* begin =
      reinterpret_cast<const char*>(memory_.get() + row * row_bytes_) + layout_.row_width() * sizeof(double);
  return {begin, ::strnlen(begin, layout_.text_width)};
}

void RunTables::begin(const Layout& of_rows, const Layout& of_impacts, const Layout& of_changes) {
  rows.begin(of_rows), impacts.begin(of_impacts), changes.begin(of_changes);
}

void RunTables::keep(Checkpoint checkpoint) {
  const auto count = [](const MemoryTable& table) { return static_cast<std::int64_t>(table.rows()); };
  checkpoint.counts["rows"] = count(rows), checkpoint.counts["impacts"] = count(impacts);
  if (changes.rows() > 0) checkpoint.counts["contacts"] = count(changes);
  last = std::move(checkpoint);
}

namespace {

// Of a checkpoint: as many rows as there were then.
std::size_t rows_then(const Checkpoint* last, const char* name, const MemoryTable& table) {
  if (last == nullptr) return table.rows();
  const auto found = last->counts.find(name);
  return found == last->counts.end() ? 0 : std::min(table.rows(), static_cast<std::size_t>(found->second));
}

}  // namespace

void write_run(const fs::path& folder, const Scenario& scenario, const std::string& summary,
               const RunTables& records) {
  write_scenario(folder, scenario);
  FolderRecords files(folder, std::nullopt, nullptr);
  files.begin(records.rows.layout(), records.impacts.layout(), records.changes.layout());
  std::size_t row = 0, impact = 0, change = 0;
  const auto write_until = [&](std::size_t rows, std::size_t impacts, std::size_t changes) {
    for (; row < rows; ++row) files.row(records.rows.numbers(row));
    for (; impact < impacts; ++impact)
      files.impact(records.impacts.numbers(impact), records.impacts.text(impact));
    for (; change < changes; ++change)
      files.change(records.changes.numbers(change), records.changes.text(change));
  };
  const Checkpoint* last = records.last ? &*records.last : nullptr;
  write_until(rows_then(last, "rows", records.rows), rows_then(last, "impacts", records.impacts),
              rows_then(last, "contacts", records.changes));
  if (last != nullptr) files.keep(*last);
  write_until(records.rows.rows(), records.impacts.rows(), records.changes.rows());
  if (!files.trouble().empty()) throw RecordError(folder, files.trouble());
  files.finish(scenario.output.format);
  write_text(folder / "summary.json", summary);
  records.last ? remove_tables(folder) : remove_live(folder);
}

namespace {

void read_events(const fs::path& csv, const fs::path& live, MemoryTable& into) {
  const auto append = [&into](std::span<const double> numbers, std::string_view text) {
    into.append(numbers, text);
  };
  if (fs::exists(csv)) return for_each_event(csv, into.layout(), append);
  if (!fs::exists(live)) return;
  LiveSource source(live);
  std::vector<double> row(source.layout().row_width());
  if (row.size() != into.layout().row_width()) throw RecordError(live, "has other columns than this run");
  for (std::uint64_t i = 0; i < source.rows(); ++i) {
    std::string contact;
    source.read(i, 1, row), source.read_texts(i, {&contact, 1});
    append(row, contact);
  }
}

}  // namespace

RunTables read_run(const fs::path& folder, const Scenario& scenario) {
  RunTables r;
  const Layouts layouts = layouts_of(scenario);
  r.begin(layouts.rows, layouts.impacts, layouts.changes);
  const auto rows = open_trajectory(folder);
  if (rows->rows() > 0)
    for_each_row(*rows, layouts.rows,
                 [&r](std::span<const double> numbers, std::string_view) { r.rows.append(numbers); });
  read_events(folder / "impacts.csv", folder / "impacts.npy", r.impacts);
  read_events(folder / "contacts.csv", folder / "contacts.npy", r.changes);
  if (fs::exists(folder / "checkpoint")) r.last = load_checkpoint(folder / "checkpoint");
  return r;
}

}  // namespace carom
