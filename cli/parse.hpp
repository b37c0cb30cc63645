// The command line as CLI11 knows it.
#pragma once

#include <string>
#include <vector>

#include "commands.hpp"

namespace CLI {
class App;
}

namespace carom::cli {

// Registers every command; the one that is parsed runs and leaves its exit code in `code`.
void add_commands(CLI::App& app, int& code);

// The same as a plain table.
std::vector<Command> describe(const CLI::App& app);

// The words as CLI11 wants them: "--checkpoint" gets its default where no number follows, and "help X" is
// "X --help".
std::vector<std::string> normalized(std::vector<std::string> words);

}  // namespace carom::cli
