// A Poincaré section: where a formula of a run's state passes zero, each point on the curve that the run
// itself takes between its nodes and events, so that it is located to rounding and no interpolation.
// Tested in tests/cli/orbit_test.py.
#pragma once

#include "run/start.hpp"
#include "scenario/prepare.hpp"

namespace carom {

struct SectionPoint {
  double t;
  Phase z;
  Values v;
  bool rising;
};

struct Section {
  std::vector<std::string> coordinates;
  std::vector<SectionPoint> points;
  std::optional<std::string> failure;  // of the run, which ends the section
};

enum class Passing { rising, falling, both };

// Throws ScenarioError where the run has no such section.
Section section_of(const Prepared& prepared, const std::string& formula, Passing passing);

}  // namespace carom
