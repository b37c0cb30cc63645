// The subcommands, each in a file of its own. They take plain options, so that CLI11 stays in main.cpp, and
// return the exit code.
#pragma once

#include <string>
#include <vector>

namespace carom::cli {

// What an exit code means; 5 is the launcher's (packages missing).
enum ExitCode { done = 0, bad_scenario = 2, numerics_failed = 3, file_trouble = 4, interrupted = 130 };

struct RunOptions {
  std::string scenario;
  std::vector<std::string> set;  // "a.b=c"
  std::string out;               // empty: runs/NAME
  bool force = false, quiet = false, json = false;
};

int run(const RunOptions& options);
int demo(bool quiet);

int list(const std::string& what, bool json);
int check(const std::string& scenario, const std::vector<std::string>& set);

}  // namespace carom::cli
