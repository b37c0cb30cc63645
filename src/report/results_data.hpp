// What a folder of carom sensitivity, orbit or lyapunov has to show: a sentence, tables and a picture.
// Tested in tests/cli/sensitivity_test.py and tests/cli/orbit_test.py.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

namespace carom::detail {

// "sensitivity", "orbit" or "lyapunov"; empty for other folders.
std::string kind_of_results(const std::filesystem::path& folder);

// With `sentence`, `tables` (each with `caption`, `columns` and `rows` of text) and `picture` (SVG in base64,
// or null).
nlohmann::ordered_json results_json(const std::filesystem::path& folder,
                                    const nlohmann::ordered_json& results);

}  // namespace carom::detail
