// Another program, run to its end. Tested in tests/cli/native_test.py.
#pragma once

#include <atomic>
#include <filesystem>
#include <string>
#include <vector>

namespace carom {

enum class ChildEnd { good, bad, missing, late };

// Without input, its output in a file. One that takes more than `seconds` is ended, with all that it started.
ChildEnd run_child(const std::vector<std::string>& command, const std::filesystem::path& log, double seconds);

// Ends whatever child there is as soon as *wish, which must outlive all of them; null: nobody wishes.
void end_children_on(const std::atomic<bool>* wish);

}  // namespace carom
