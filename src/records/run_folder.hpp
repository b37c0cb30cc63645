// The folder of a run: claimed before the run starts, so that a refusal costs nothing, filled while it goes
// on (run_records.hpp) and finished after it.
#pragma once

#include <filesystem>
#include <string>

#include "records/run_records.hpp"

namespace carom {

// The folder exists and may not be used; exit code 4, as for FileError.
struct FolderError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Creates `folder`; where it exists already, it must be empty or `force` given, and the files of the run that
// it holds are removed. Throws FolderError.
void claim_folder(const std::filesystem::path& folder, bool force);

// runs/NAME, or the first free of runs/NAME-2, runs/NAME-3, ...
std::filesystem::path free_folder(const std::string& name);

// scenario.toml: the effective one, written before the run, so that even a killed run says what it was.
void write_scenario(const std::filesystem::path& folder, const Scenario& scenario);

// What stays for a run to go on later: with the last state its final files are enough.
enum class Kept { nothing, last_state, tables };

// What the folder holds after the run, summary.json last: it means that all else is there. Returns its text.
// `formulas` is as summary_json() wants it. Throws FileError.
std::string finish_folder(const std::filesystem::path& folder, const Scenario& scenario,
                          const RunResult& result, const std::string& formulas, FolderRecords& records,
                          Kept kept);

}  // namespace carom
