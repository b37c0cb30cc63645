// A sweep: one scenario, run for every value of some of its keys. This struct is the sweep file.
//
//   sweep.toml -> read_sweep() -> Sweep -> Members, one run each -> SweepFolder: sweep.npz, report.html
//
// Tested in tests/unit/sweep_file_test.cpp and, as a user meets it, in tests/cli/sweep_test.py.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scenario/scenario_document.hpp"

namespace carom {

// One key along an axis of the grid: its values, and the line of the file that says so.
struct Varied {
  std::string key;                    // as --set knows it
  std::vector<detail::Value> values;  // numbers, words, true or false
  std::string written;                // "{ from = 3.2, to = 5.2, count = 400 }" or "[...]"
};

// Keys that move together; the first one is the axis of plots and arrays.
struct GridAxis {
  std::vector<Varied> keys;
  std::size_t size() const { return keys.front().values.size(); }
};

// One key that is drawn: uniformly from `a` to `b`, or normally with mean `a` and deviation `b`; or within
// the share `b` of what the scenario has for it.
struct Drawn {
  std::string key;
  bool normal = false, around = false;
  double a = 0, b = 1;
};

struct Sampling {
  std::size_t count = 0;  // 0: nothing is drawn
  std::string kind = "halton";
  std::int64_t seed = 0;
  std::vector<Drawn> keys;
};

struct Sweep {
  std::string title;
  std::string scenario;          // a path, or a shipped name
  std::vector<std::string> set;  // "key=value" for all members, as --set takes them
  std::vector<GridAxis> grid;    // their product, the last one fastest
  Sampling sample;               // the same draws at every point of the grid
  std::vector<std::string> fields, series;
  SourceMap source;

  // As Scenario::reject.
  [[noreturn]] void reject(const std::string& key, const std::string& value, const std::string& why) const;
};

// Both throw ScenarioError "file:line:column: key = value: what would be right". Keys and values that belong
// to the scenario are checked by Members.
Sweep parse_sweep(const std::string& text, const std::string& name);
Sweep read_sweep(const std::string& path);

// The sweep as a file that reads back to the same.
std::string to_toml(const Sweep& sweep);

}  // namespace carom
