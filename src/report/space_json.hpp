// A scene in space as the page has it (report/README.md, `space`). Tested in tests/unit/space_json_test.cpp.
#pragma once

#include "report/space_view.hpp"
#include "report/reduce.hpp"

namespace carom {

// Which times the animations of a page show.
struct Shown {
  double start = HUGE_VAL, end = -HUGE_VAL, step = HUGE_VAL;
  std::vector<double> states;  // of all of them, one after the other
  void add(const Motion& motion, std::size_t dim);
};

// Moved bodies are given at the times shown, as coordinates are.
std::string space_json(const SpaceView& drawing, const Shown& shown);

// Coordinates as 16-bit fractions of their range.
std::string motion_json(const Motion& motion, std::size_t dim);

}  // namespace carom
