// Another program, run to its end. Tested in tests/cli/native_test.py.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace carom {

enum class ChildEnd { good, bad, missing, late };

// Without input, its output in a file. One that takes more than `seconds` is ended, with all that it started.
ChildEnd run_child(const std::vector<std::string>& command, const std::filesystem::path& log, double seconds);

}  // namespace carom
