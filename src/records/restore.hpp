// Live tables from the final files of a run that is to go on: what it recorded once need not be kept twice.
// Tested in tests/cli/resume_test.py.
#pragma once

#include <filesystem>

#include "records/table.hpp"

namespace carom {

// Nothing where `live` is there already. All or nothing, as the final files are written. Throw FileError, and
// RecordError for a file that does not fit the layout.
void restore_rows(TableSource& rows, const std::filesystem::path& live, const Layout& layout);
// From impacts.csv or contacts.csv: columns in the order of the live table, and the text third.
void restore_events(const std::filesystem::path& csv, const std::filesystem::path& live, const Layout& layout);

}  // namespace carom
