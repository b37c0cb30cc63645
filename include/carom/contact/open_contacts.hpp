// Contacts that do not last: whether they stay open over a part of a step, by gaps and rates at its ends. The
// end of a step is the start of the next, so that each is looked at once.
#pragma once

#include "carom/system/system.hpp"

namespace carom {

class OpenContacts {
 public:
  using Z = Phase;

  explicit OpenContacts(const System& m) : system(m), v(m.size()) {}

  // Whether none but those of `lasting` closes on the way from z to end, which takes h.
  bool stay(double t, const Z& z, const Z& end, const std::vector<int>& lasting, double h);

  // Those that may close; all of them where the end is not known.
  void choose(double t, const Z& z, const Z* end, const std::vector<int>& lasting, double h, std::vector<int>& chosen);

 private:
  struct Gaps {
    double t = 0;
    Z z;
    Values gap, rate;
  };

  void measure(double t, const Z& z, Gaps& r);
  bool stays_open_between(int i, double h) const;

  const System& system;
  Gaps before, after;
  Values v;
};

}  // namespace carom
