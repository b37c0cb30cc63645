// When contacts begin to last and when they are released: a live table while a run goes on, contacts.csv when
// it is over. Tested in tests/unit/records_contact_changes_test.cpp.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "records/table.hpp"

namespace carom {

struct ChangeRow {
  double t = 0;
  std::int64_t step = 0;  // the step in which it happened, counted from 1
  std::string contact;
  bool begins = false;  // or is released
  double settled = 0;   // where it begins: when its last bounces have died out; else t
  int mode = 0;  // while it lasts, from now on: 1 sticks, 2 slides forward, 3 backward, 4 slides in space
  bool operator==(const ChangeRow&) const = default;
};

struct ChangeRows {
  std::vector<ChangeRow> rows;  // the first ones
  std::uint64_t total = 0;
};

// t, step, begins (0 released, 1 begins, 2 sticks, 3 and 4 slides forward and backward, 5 in space), settled,
// and the text `contact`.
std::optional<double> change_event(const std::string& word);  // the number of one of these words
[[nodiscard]] Layout change_layout(std::size_t contact_width);

// Streams the live table `live` into the file `csv`, all or nothing: time,step,contact,event,settled, where
// event is `begins` or `released`, or of a contact with friction that lasts `sticks`, `slides forward`,
// `slides backward` or, in space, `slides`. Throws FileError and RecordError, as all of these.
void export_changes(const std::filesystem::path& live, const std::filesystem::path& csv);

// The first `limit` changes and how many there are, from the file or from the live table.
[[nodiscard]] ChangeRows read_changes(const std::filesystem::path& csv, std::size_t limit);
[[nodiscard]] ChangeRows read_live_changes(const std::filesystem::path& live, std::size_t limit);

}  // namespace carom
