// Everything a stopped run needs to go on, bit for bit, in one text file that a person can read:
//
//     carom checkpoint 1
//     count step 120000
//     numbers q 3.25 -0
//     scenario 812 bytes
//     ...
//     crc32 1c291ca3
//
// Tested in tests/unit/records_checkpoint_test.cpp.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "records/table.hpp"

namespace carom {

struct Checkpoint {
  std::string scenario;  // the effective one, as TOML
  std::map<std::string, std::vector<double>> numbers;
  std::map<std::string, std::int64_t> counts;
};

// Replaces the file at once: whenever the process dies, there is the old checkpoint or the new one. Doubles
// are kept exactly, nan with its bits. Throws std::invalid_argument for a name that is empty or has spaces or
// control characters, and FileError.
void save_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint);

// The same as a text, and back; complaints of the text begin with `name`.
[[nodiscard]] std::string checkpoint_text(const Checkpoint& checkpoint);
[[nodiscard]] Checkpoint parse_checkpoint(const std::string& text, const std::filesystem::path& name);

// Throws FileError when there is none, and RecordError for one that was changed or cut.
[[nodiscard]] Checkpoint load_checkpoint(const std::filesystem::path& path);

}  // namespace carom
