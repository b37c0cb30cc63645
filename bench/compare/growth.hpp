// How cost grows: times over sizes, and the exponent of the power law that fits them best.
#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace carom::bench {

struct Sized {
  double size, seconds;
};

struct Growth {
  std::string problem, size, per;  // what is timed, over what, and what a time is the time of
  std::vector<Sized> measured;

  double exponent() const;  // least squares through the logarithms
};

// All of them, with the sweeps of `program` if it has any.
std::vector<Growth> measure_growth(const std::string& program);

void write_growth(std::ostream& out, const std::vector<Growth>& all, bool json);

}  // namespace carom::bench
