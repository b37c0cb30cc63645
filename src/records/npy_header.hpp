// Reading the headers of .npy files: numpy.lib.format version 1.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "records/input_file.hpp"

namespace carom::detail {

// One field of a structured array, or the only and nameless one of a plain array.
struct NpyField {
  std::string name;
  std::string type;  // numpy's name, such as "<f8"
  std::vector<std::uint64_t> shape;
};

struct NpyHeader {
  std::vector<NpyField> fields;
  bool structured = false;
  bool fortran_order = false;
  std::vector<std::uint64_t> shape;
  std::uint64_t bytes = 0;  // before the data
};

// The header of the .npy file that fills [begin, end) of `file`. Throws RecordError.
[[nodiscard]] NpyHeader read_npy_header(const InputFile& file, std::uint64_t begin, std::uint64_t end);

}  // namespace carom::detail
