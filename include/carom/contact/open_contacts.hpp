// Contacts that do not last: whether they stay open over a part of a step, by gaps and rates at its ends. The
// end of a step is the start of the next, so that each is looked at once.
#pragma once

#include <cmath>

#include "carom/flow/free_flow.hpp"

namespace carom {

class OpenContacts {
 public:
  using Z = Phase;

  OpenContacts(const System& m, FreeFlow* sized) : system(m), kernel(sized), v(m.size()) {
    unclear.reserve(static_cast<std::size_t>(m.contact_count()));
  }

  // Whether none but those of `lasting` closes on the way from z to end, which takes h; otherwise doubtful()
  // are those that may, as far as the ends tell.
  bool stay(double t, const Z& z, const Z& end, const std::vector<int>& lasting, double h);
  const std::vector<int>& doubtful() const { return unclear; }

  // Whether contact i is not behind its wall at these ends, and moves by less than `little` in between:
  // bodies that hang side by side.
  bool hangs(int i, double h, double little) const {
    return before.gap[i] >= 0 && after.gap[i] >= 0 && std::abs(before.rate[i]) * h <= little &&
           std::abs(after.rate[i]) * h <= little;
  }

  // Those that may close; all of them where the end is not known.
  void choose(double t, const Z& z, const Z* end, const std::vector<int>& lasting, double h,
              std::vector<int>& chosen);

 private:
  struct Gaps {
    double t = 0;
    Z z;
    Values gap, rate;
  };

  void measure(double t, const Z& z, Gaps& r);
  bool stays_open_between(int i, double h) const;

  const System& system;
  FreeFlow* kernel;  // for its size, or null
  Gaps before, after;
  std::vector<int> unclear;
  Values v;
};

}  // namespace carom
