// What the items of section 8 share: does an energy drift, and pictures of energy above angular momentum.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "item.hpp"

namespace carom::papers::p003 {

// Means over the second and the last sixth of a run, and the band that the values have within one of them.
struct Sixths {
  double second = 0, last = 0, band = 0;
  double trend() const { return last - second; }
  bool steady() const;  // the means differ by less than a tenth of the band
};

Sixths sixths(const std::vector<double>& values);

// Largest distance from the first value.
double departure(const std::vector<double>& values);

// For drawing: the curve until `end`, or its lower and upper edge where it has very many points. Every k-th
// point instead would be a stroboscope: some of these motions repeat after six steps.
Series outline(std::string label, const std::vector<double>& t, const std::vector<double>& y,
               double end = HUGE_VAL, std::size_t blocks = 200);
inline constexpr std::size_t drawn_whole = 1500;  // points, and no more

struct Labelled {
  std::string label;
  const Recorded* run;
};

// The paper's Fig. 8.2: energy on top, angular momentum below.
Figure energy_above_momentum(const std::vector<Labelled>& runs, double end = HUGE_VAL);

std::string shortened(const Lab& lab, double full, double quick);  // "T = 100 (shortened from 1000)"

}  // namespace carom::papers::p003
