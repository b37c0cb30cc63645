// Where items are measured: runs of scenarios, kept in memory.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "model/model.hpp"

namespace carom::papers {

// What a run recorded, column by column, the parts of a column counted from 1: t, q1, q2, v1, ..., H.
struct Columns {
  std::vector<std::string> names;
  std::vector<std::vector<double>> values;
  const std::vector<double>& operator[](std::string_view name) const;  // throws std::out_of_range
  std::size_t rows() const { return values.empty() ? 0 : values.front().size(); }
};

struct Recorded {
  RunResult result;  // a run that failed has a reason and what it recorded until then
  Columns trajectory, impacts;
  std::vector<std::string> contacts;  // of each impact
};

// Somebody pressed Ctrl-C.
struct Stopped : std::runtime_error {
  Stopped() : std::runtime_error("stopped") {}
};

struct Lab {
  bool quick = false;  // shortened horizons and fewer values
  std::function<bool()> stop = {};

  template <class T>
  T pick(T full, T shortened) const {
    return quick ? shortened : full;
  }

  // A scenario as TOML, changed as by --set. Throws ScenarioError, and Stopped.
  RunResult run(std::string_view toml, const std::vector<std::string>& set = {}) const;
  Recorded record(std::string_view toml, const std::vector<std::string>& set = {}) const;
  // Throws where the run does not complete.
  RunResult complete(std::string_view toml, const std::vector<std::string>& set = {}) const;
  void check_stop() const;  // for loops that do not run scenarios; throws Stopped
};

}  // namespace carom::papers
