// What runs cost: processor time, and the counts that explain it.
#pragma once

#include "common.hpp"

namespace carom::papers::p000 {

struct Cost {
  double milliseconds = 0;         // of this thread, the least of several runs, without reading the scenario
  double iterations = 0;           // of Newton's method in full steps
  double impacts = 0, solves = 0;  // trials of the impact's energy equation
};
Cost cost(const Lab& lab, const Set& set, int repeats);
std::vector<Cost> costs(const Lab& lab, const std::vector<double>& betas, const Set& set, int repeats);

// One field over many costs.
std::vector<double> each(const std::vector<Cost>& costs, double Cost::*field);

// The steps alone, by the flow of a method: from so high that the floor is not reached.
Set smooth(const std::string& flow);

}  // namespace carom::papers::p000
