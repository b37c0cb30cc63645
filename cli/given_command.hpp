// The command line as it was given, for files and pages that say how they were made.
#pragma once

#include <string>
#include <vector>

namespace carom::cli {

// "carom run my.toml --set 'time.end=2'": quoted for a shell where that is needed. An absolute path is shown
// from the working folder, or by its last name where it lies elsewhere, so that it says nothing of the
// machine.
std::string shown_command(const std::vector<std::string>& words);

// Kept by main() for whoever writes a file.
void keep_command(const std::vector<std::string>& words);
const std::string& given_command();

}  // namespace carom::cli
