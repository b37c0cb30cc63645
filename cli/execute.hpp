// Running one scenario into its folder, as run, demo and compare do it: progress, Ctrl-C, full disks.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "formula/native.hpp"
#include "scenario/prepare.hpp"

namespace carom::cli {

struct ExecuteOptions {
  bool progress = false;
  std::optional<double> checkpoint = std::nullopt;  // seconds between checkpoints
  const Checkpoint* resumed = nullptr;
  NativeUse native = NativeUse::automatic;
};

struct Executed {
  RunResult result;
  std::string formulas;  // how they were run, "" where there are none
  std::string summary;   // the text of summary.json
  int code = 0;          // the exit code it stands for
};

// As carom::prepare(), with its drawing checked too.
Prepared prepare_with_drawing(Scenario scenario);

// The folder must have been claimed. Throws FileError where even the files of a broken run cannot be written.
Executed execute(const Prepared& run, const std::filesystem::path& folder, const ExecuteOptions& options);

// Nothing takes or brings energy; else its error is the remainder of the balance.
bool keeps_energy(const RunResult& result);

// Warnings and the reason of a failure, on standard error.
void print_trouble(const RunResult& result, const std::filesystem::path& folder);

}  // namespace carom::cli
