// What a report shows of a sweep, out of its folder; report/README.md has the fields.
#pragma once

#include <filesystem>
#include <string>

namespace carom::detail {

// JSON. Throws FileError, and RecordError where sweep.npz and summary.json do not fit together.
std::string sweep_json(const std::filesystem::path& folder);

}  // namespace carom::detail
