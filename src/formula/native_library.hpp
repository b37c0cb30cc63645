// Generated C as a library that the process has opened: compiled once, kept in the user's cache folder.
//
// A file of the cache ends with a checksum of what stands before, which is looked at before the file is
// opened: one that is broken or foreign is made again. Files are written beside and renamed, so that
// processes at once do not meet. Tested in tests/cli/native_test.py.
#pragma once

#include <string>

#include "formula/program.hpp"

namespace carom {

struct NativeLibrary {
  const formula::MachineCode* functions = nullptr;  // until the process ends; null where there is trouble
  std::string trouble = {};
};

// `source` is of formula::to_c(). By the compiler $CC or cc, or $CXX or c++ where that is missing, unless the
// cache has it. Throws nothing: whatever is wrong with folder, disk or compiler is said as trouble.
NativeLibrary open_native(const std::string& source, bool may_compile);

}  // namespace carom
