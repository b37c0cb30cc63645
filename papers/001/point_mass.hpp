// The point mass of 001, III-C to III-E: L = ½ v² - q over the floor q >= 0, and what its one step through an
// impact is in closed form.
#pragma once

#include "common.hpp"

namespace carom::papers::p001 {

// A long run with steps short against a flight.
inline constexpr std::string_view point_mass = R"([system]
name = "point-mass"
parameters = {m = 1.0, g = 1.0}

[initial]
q = [1.0]                               # our choice
p = [0.0]                               # our choice

[method]
name = "ctec"                           # and "dtec", "mhc" with a window of 8 steps (our choice), "shadow"

[time]
step = 0.1                              # our choice
impacts = 200                           # our choice
)";

// A step with one impact in it, after alpha h.
struct StepWithImpact {
  double h, alpha;
  double q_before;  // q_j
  double p_impact;  // p_i^-
  double q_after;   // q_{j+1}
};
std::vector<StepWithImpact> steps_with_one_impact(const Recorded& run, double h);

double dtec_formula(const StepWithImpact& s);  // III-C, with -D3 L_d of the part before
double ctec_formula(const StepWithImpact& s);  // (27)
double farthest_from(double (*formula)(const StepWithImpact&), const std::vector<StepWithImpact>& steps);

// One step of length h that hits the floor after alpha h with energy H, by a method.
struct OneStep {
  double q;  // at its end
  std::size_t impacts;
};
OneStep one_step(const Lab& lab, std::string_view method, double h, double alpha, double H);
// Where the exact motion is, with all its impacts.
double exact_end(double h, double alpha, double H);
// Before the step, for the formulas.
StepWithImpact before_impact(double h, double alpha, double H);

}  // namespace carom::papers::p001
