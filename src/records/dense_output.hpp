// A recorded run at any time: between two records, or a record and an impact, Hermite's cubic of q through
// both places and velocities, and v its derivative. Where p jumps, the curve ends: an impact has a left and a
// right value.
//
//   q(a + s w) = h00 q_a + h10 w v_a + h01 q_b + h11 w v_b,  0 <= s <= 1, w = b - a
//
// The error between records is w^4/384 |q''''|, beside that of the method. Tested from Python in
// tests/python/run_test.py and analysis_test.py.
#pragma once

#include "carom/system/system.hpp"
#include "records/run_tables.hpp"

namespace carom {

enum class Side { left, right };

class DenseOutput {
 public:
  // The system is that of the run; the tables stay as they are. Throws std::invalid_argument for a run
  // without rows.
  DenseOutput(std::shared_ptr<const System> system, const RunTables& records);

  double begin() const { return knots.front().t; }
  double end() const { return knots.back().t; }
  // Throws std::out_of_range for a time before the start or after the end.
  void at(double t, Side side, Values& q, Values& v, Values& p) const;

  // Where f changes sign or is zero, in order: each stretch between records is sampled, a change refined in
  // its bracket, and where |f| dips between samples its lowest point is looked for, so that two roots in one
  // stretch are found. A jump of f through zero at an impact counts.
  using Watch = std::function<double(double t, const Values& q, const Values& v)>;
  std::vector<double> roots(const Watch& f, int samples) const;

 private:
  struct Knot {
    double t;
    Values q, v, p;         // right of it
    Values v_left, p_left;  // the same, unless p jumps
  };

  // q and v between two knots that follow each other, also at their own times.
  static void between(const Knot& a, const Knot& b, double t, Values& q, Values& v);

  std::shared_ptr<const System> system;
  std::vector<Knot> knots;
};

}  // namespace carom
