// What the items of 004 share: its two test problems, what its methods should converge to, and runs to t = 1.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "item.hpp"

namespace carom::papers::p004 {

using State = std::array<double, 4>;  // y1, y2, z1, z2
double y_distance(const State& a, const State& b);
double z_distance(const State& a, const State& b);

struct Friction {  // of (4.2)
  double c_f = 0.1, r_f = 0.85;
};

struct Problem {
  std::string_view number, scenario;
  State start;
  // With the consistent multiplier; and with the forces of section 3.4, alpha = 1/2.
  State (*rates)(const State& at, const Friction& friction);
  State (*inconsistent_rates)(const State& at, const Friction& friction);
  double (*multiplier)(const State& at);  // the consistent one, with friction or without
};
extern const Problem exponential;    // (4.1)
extern const Problem mass_on_cubic;  // (4.2)

// At t, by the classical Runge-Kutta method from the right sides above, which share no code with the DAEs.
State solution(const Problem& problem, double t, const Friction& friction = {});
State inconsistent_solution(const Problem& problem, double t);

// The end of `steps` steps of h = end / steps.
State run(const Lab& lab, const Problem& problem, int steps, std::vector<std::string> set, double end = 1);

// Errors at t = 1 for 10, 20, 40, ... steps.
struct Errors {
  std::vector<double> h, y, z;
  // Of log error over log h where h is in [low, high].
  double y_slope(double low, double high) const;
  double z_slope(double low, double high) const;
};
std::vector<int> step_counts(int last);  // 10, 20, 40, ..., up to last
Errors errors(const Lab& lab, const Problem& problem, const std::vector<std::string>& set, const State& exact,
              const std::vector<int>& steps);

// A line of this slope through the last point of a curve, for the eye.
Series guide(const Series& curve, double slope, const std::string& label);

// Figs. 4.1 to 4.4: the natural and the true method at t = 1, in y or in z.
enum class Part { y, z };
Finding global_error(const Lab& lab, const Problem& problem, Part part);

}  // namespace carom::papers::p004
