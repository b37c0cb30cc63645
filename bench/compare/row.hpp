// A row of the comparison: what was measured on both sides, and whether the target is met.
#pragma once

#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <vector>

namespace carom::bench {

// One side of a row. `error` is what the row's problem compares; nothing where it has none.
struct Side {
  std::string name, settings;
  double seconds = 0;
  std::optional<double> error;
  std::string remark = {};
};

// carom's time may be at most `ratio` times the peer's, its error at most `error`, and `holds` says whether
// all else that the row asks for is so.
struct Target {
  std::string text;
  std::optional<double> ratio, error;
  bool holds = true;
};

struct Row {
  std::string problem;
  std::string per;    // what a time is the time of: "run", "step"
  std::string error;  // what an error is the error of
  std::optional<Side> carom, peer;
  Target target;
  std::string skipped = {};  // why there was nothing to compare with

  std::optional<double> ratio() const;
  bool meets_target() const;  // false for what was skipped: it has shown nothing
};

void write_table(std::ostream& out, std::span<const Row> rows);
void write_json(std::ostream& out, std::span<const Row> rows);

}  // namespace carom::bench
