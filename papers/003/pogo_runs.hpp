// The pogo stick of 003, Figs. 1.4 and 6.1: its starts, and a collision integrator that is not careful.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "item.hpp"

namespace carom::papers::p003 {

// Heights from which it is dropped with its spring at rest length: the paper states none.
std::vector<double> pogo_heights();
std::string dropped_from(double height);  // "initial.q=[...]"

// Verlet until the floor is passed, then again over the fraction of the step that lands on it, a reflection,
// and the rest of the step: one event a step. A second one in the same step is missed, the next step starts
// behind the floor, and its event time is taken as it comes, inside the step or not. The reflection keeps H,
// or Verlet's numerical Hamiltonian.
struct CarelessRun {
  std::vector<double> t, H;
  double doubled;        // when H was twice that of the start, where the run ends; or not a number
  bool outside = false;  // an event time was negative or longer than the step
};
CarelessRun collide_carelessly(double height, bool numerical, double h, double T);

// Of all heights with h = 0.1: how many double H until T, the first of them when, and in how many an event
// was outside.
struct Careless {
  int doubled = 0, outside = 0;
  double first = HUGE_VAL;
};
Careless careless_starts(bool numerical, double T);

Series energy_of(const Recorded& r, const std::string& label, int colour);

}  // namespace carom::papers::p003
