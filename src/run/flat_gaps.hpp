// Gaps without a slope where they are zero, such as y^3, y^2, abs(y) or max(0, y): nothing says which way
// such a contact pushes. Where a gap comes down towards zero, it is looked at straight ahead, whatever the
// stepper: one that has no slope there, in any coordinate, against what it has here, is named. Tested in
// tests/truth/truth_test.py.
#pragma once

#include "run/watched.hpp"

namespace carom {

// As steppers say it that find one (contact_stepper.cpp).
inline constexpr const char* no_slope =
    "the gap has no slope where it is zero, so that nothing says which way the contact pushes: state it as a "
    "function that passes through zero, such as y instead of y^3 or abs(y)";

class FlatGaps {
 public:
  explicit FlatGaps(WatchedSystem& s) : system(s) {}

  // The contact that has none, before a step of h from a point that was looked at; -1 where there is nothing
  // to tell.
  int find(double t, double h, const RunState& z, const Look& look);

 private:
  static constexpr int most_contacts = 64, most_looks = 20;

  bool comes_down(int i, const Look& look) const;
  bool is_flat_ahead(int i, double t, const RunVector& q, const RunVector& way);
  double gap_at(int i, double t, const RunVector& q, const RunVector& way, double s);
  bool turns_at_once(int i, double t, const RunVector& q, const RunVector& way, double s);
  double lowest_ahead(int i, double t, const RunVector& q, const RunVector& way, double low, double high);
  bool loses_its_slopes(int i, double t, const RunVector& q, const RunVector& way, double s);
  double slope(int i, int k, double t, double step);

  WatchedSystem& system;
  RunVector gaps, at, largest, before, forward;
  std::vector<int> looks;  // at each contact so far
};

}  // namespace carom
