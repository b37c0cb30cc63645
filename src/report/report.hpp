// report.html: one file with everything in it, made from what a folder holds. It can be made again at any
// time (carom report FOLDER), also from what a killed run has left.
//
//   records, impacts.csv, summary.json, scenario.toml -> report_data.cpp (JSON) -> report/*.js in the browser
//
// Tested in a real browser by tests/report/browser_test.py.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace carom {

// Of a run, a comparison (comparison.json), a study of convergence (convergence.json), or what
// results_data.hpp reads. Throws FileError, RecordError, and ScenarioError where scenario.toml was changed to
// something else.
void write_report(const std::filesystem::path& folder);

namespace detail {

// The JSON that the page shows; its fields are documented in report/README.md.
struct PageData {
  std::string json;
  bool in_space = false;  // has bodies in space, which have scripts of their own
};
PageData report_data(const std::filesystem::path& folder);

std::string machine_description();  // processor, system, compiler

}  // namespace detail
}  // namespace carom
