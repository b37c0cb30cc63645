// Live tables from the final files of a run that is to go on: what it recorded once need not be kept twice.
// Tested in tests/cli/resume_test.py.
#pragma once

#include <filesystem>
#include <functional>

#include "records/table.hpp"

namespace carom {

using AppendRow = std::function<void(std::span<const double> numbers, std::string_view text)>;

// Every row of a run's final file, or of a live one, as this layout has it. Throw FileError, and RecordError
// for a file that does not fit the layout.
void for_each_row(TableSource& rows, const Layout& layout, const AppendRow& append);
// From impacts.csv or contacts.csv: columns in the order of the live table, and the text third.
void for_each_event(const std::filesystem::path& csv, const Layout& layout, const AppendRow& append);

// Nothing where `live` is there already. All or nothing, as the final files are written. Throw as those
// above.
void restore_rows(TableSource& rows, const std::filesystem::path& live, const Layout& layout);
void restore_events(const std::filesystem::path& csv, const std::filesystem::path& live,
                    const Layout& layout);

}  // namespace carom
