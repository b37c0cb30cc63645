// What direct substitution does to a ball on a floor (003, 1.3.1 and Theorem B.1), by the phase of the step.
#pragma once

#include "lab.hpp"

namespace carom::papers::p003 {

// What the first impact leaves of the speed, by the energy once the ball is clear of the floor. `phase` in
// [0, 1) shifts the start by that part of what the ball falls in the step that hits.
double kept_speed(const Lab& lab, std::string_view scenario, const std::vector<std::string>& method, double h,
                  double phase);
std::vector<double> kept_speeds(const Lab& lab, std::string_view scenario,
                                const std::vector<std::string>& method, double h, int phases);

}  // namespace carom::papers::p003
