// Periodic orbits of a scenario whose run is one period, as fixed points of the map from its start to its
// end, by Newton's method with the map's derivative; their multipliers; and the branch of such orbits along a
// parameter, through its folds:
//
//   F(z, θ) = P(z, θ) - z = 0          x = (z, θ) along the branch: predicted by the tangent of F = 0,
//   corrected across it fold              the tangent has no part along θ period doubling   det(∂P/∂z + 1) =
//   0, a multiplier -1 graze             an impact approaches no more, or a contact that turned around before
//   it closed comes to touch
//
// The first two are located by the secant of their sign along the branch. At a graze the branch ends: it is
// followed up to it, and the rest is a parabola's, since approach and gap are smooth along the branch. Tested
// in tests/cli/orbit_test.py.
#pragma once

#include <complex>
#include <functional>

#include "run/sensitivity.hpp"

namespace carom {

struct Orbit {
  Phase z;
  double parameter = 0, period = 0;
  double residual = HUGE_VAL;  // largest of P(z) - z, relative
  int iterations = 0;
  std::vector<std::complex<double>> multipliers;  // the largest first
  std::vector<std::string> impacts;               // which contacts close in a period, in their order
  double slowest = HUGE_VAL;                      // approach of an impact
  double closest = HUGE_VAL;                      // gap of a contact that turns around before it closes
  double determinant = 0;                         // of ∂P/∂z
  Values direction;                               // tangent of the branch, (z, θ)
  double doubling = 0;                            // det(∂P/∂z + 1)
  bool stable() const;
};

struct BranchOptions {
  std::string parameter;  // empty: one orbit
  double to = 0;          // where it ends
  double step = 0.01;     // first, of the parameter
  int most_points = 500;
};

struct BranchEvent {
  std::string kind;  // "fold", "period doubling", "graze"
  Orbit at;
};

struct Branch {
  std::vector<Orbit> orbits;
  std::vector<BranchEvent> events;
  std::string ended;  // why
  bool failed = false;
};

// Where runs settle: the starts of their last periods, at one value of the parameter.
struct Settled {
  double parameter = 0;
  std::vector<Phase> points;
  std::string failed;  // why there are none
};

struct SettlingOptions {
  double to = 0;
  int values = 0;    // of the parameter, its first and `to` among them
  int settle = 300;  // periods that are not shown
  int shown = 40;    // and those that are
};

class OrbitSearch {
 public:
  // `period` is a formula of the parameters, for periods that change with one; empty: that of the scenario.
  OrbitSearch(const Scenario& scenario, const std::string& parameter, const std::string& period);

  // Throws std::runtime_error where Newton's method finds none.
  Orbit find();
  Branch follow(const BranchOptions& options);
  // By brute force, beside the branch: each value begins where the one before ended.
  std::vector<Settled> settle(const SettlingOptions& options) const;

  std::function<bool()> stop;  // asked at every orbit that is tried, if there is one; the branch ends there

 private:
  struct Seen {
    Values F;            // P(z) - z
    Eigen::MatrixXd by;  // ∂F/∂(z, θ)
    Eigen::MatrixXd M;   // ∂P/∂z
    Orbit orbit;
  };
  Scenario at(const Phase& z, double parameter) const;
  Seen look(const Values& x) const;
  Values period_of(double parameter) const;  // and its slope
  std::optional<Orbit> corrected(Values x, const Values& direction, bool fixed) const;
  bool stopped() const { return stop && stop(); }
  Orbit finished(const Seen& seen, const Values& before, int iterations, double residual) const;
  std::optional<Orbit> locate(const Orbit& from, const Orbit& to,
                              const std::function<double(const Orbit&)>& sign) const;
  std::optional<Orbit> graze_behind(const std::vector<Orbit>& orbits) const;
  Values point(const Orbit& orbit) const;

  Scenario base;
  std::string parameter, period;
  std::int64_t steps;
  Phase start;
  double value = 0;  // of the parameter
};

}  // namespace carom
