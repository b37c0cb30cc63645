// The folder of a run: created before the run starts, so that a refusal costs nothing, and filled after it.
#pragma once

#include <filesystem>
#include <string>

#include "model.hpp"

namespace carom {

// The folder exists and may not be used; exit code 4, as for FileError.
struct FolderError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Creates `folder`; where it exists already, it must be empty or `force` given. Throws FolderError.
void claim_folder(const std::filesystem::path& folder, bool force);

// runs/NAME, or the first free of runs/NAME-2, runs/NAME-3, ...
std::filesystem::path free_folder(const std::string& name);

// summary.json, trajectory.npz, impacts.csv, scenario.toml and run.svg. Throws FileError.
void write_run(const std::filesystem::path& folder, const Scenario& scenario, const RunResult& result);

}  // namespace carom
