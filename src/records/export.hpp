// From one table to the file that a run leaves behind, in constant memory: all or nothing, and equal tables
// make equal files. Tested in tests/unit/records_export_test.cpp and records_numpy_test.py.
#pragma once

#include <filesystem>

#include "records/table.hpp"

namespace carom {

// All throw std::invalid_argument for a table with texts, which these formats do not take (impacts have
// records/impacts.hpp), FileError when the file cannot be written, and what the source's read() throws.

// An array of numpy for each column: "t" (rows), "q" (rows x 2), ...; and "q.names" where they have names.
void export_npz(TableSource& source, const std::filesystem::path& path);

// A line of names (names.hpp), t,x,y,v.x,v.y,H,..., then a line for each row. Numbers read back exactly; of a
// nan only that it is one. A column of no width leaves no trace.
void export_csv(TableSource& source, const std::filesystem::path& path);

// A dataset for each column, as in the .npz file, with the checksums of HDF5; its attribute "names" where
// there are some.
void export_hdf5(TableSource& source, const std::filesystem::path& path);

}  // namespace carom
