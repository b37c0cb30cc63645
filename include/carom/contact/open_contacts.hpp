// Contacts that do not last: whether they stay open over a part of a step, by gaps and rates at its ends. The
// end of a step is the start of the next, so that each is looked at once.
#pragma once

#include "carom/contact/mechanism.hpp"
#include "carom/cubic.hpp"

namespace carom {

class OpenContacts {
 public:
  using Z = State<double, Eigen::Dynamic>;

  explicit OpenContacts(const Mechanism& m) : mechanism(m), v(m.size()) {
    for (int i = 0; i < m.contact_count(); ++i) all.push_back(i);
  }

  // Whether none but those of `lasting` closes on the way from z to end, which takes h.
  bool stay(const Z& z, const Z& end, const std::vector<int>& lasting, double h) {
    measure(z, before), measure(end, after);
    return each_open(lasting, [&](int i) { return stays_open_between(i, h); });
  }

  // Those that may close; all of them where the end is not known.
  void choose(const Z& z, const Z* end, const std::vector<int>& lasting, double h, std::vector<int>& chosen) {
    measure(z, before);
    if (end) measure(*end, after);
    chosen.clear();
    each_open(lasting, [&](int i) {
      if (!end || !stays_open_between(i, h)) chosen.push_back(i);
      return true;
    });
  }

 private:
  struct Gaps {
    Z z;
    Values gap, rate;
  };

  void measure(const Z& z, Gaps& r) {
    if (&r == &before && after.z.q.size() > 0 && after.z.q == z.q && after.z.p == z.p)
      return std::swap(before, after);
    r.z = z;
    mechanism.gaps(z.q, r.gap);
    mechanism.velocity(z.q, z.p, v);
    slopes.clear();
    mechanism.gap_slopes(z.q, all, slopes);
    r.rate.resize(r.gap.size());
    for (int i = 0; i < slopes.size(); ++i) r.rate[i] = slopes[i].dot(v);
  }

  bool stays_open_between(int i, double h) const {
    if (before.gap[i] == HUGE_VAL && after.gap[i] == HUGE_VAL) return true;  // too far away to matter
    return stays_open(before.gap[i], before.rate[i] * h, after.gap[i], after.rate[i] * h);
  }

  bool each_open(const std::vector<int>& lasting, const auto& test) const {
    std::size_t next = 0;
    for (const int i : all) {
      if (next < lasting.size() && lasting[next] == i)
        ++next;
      else if (!test(i))
        return false;
    }
    return true;
  }

  const Mechanism& mechanism;
  std::vector<int> all;
  Gaps before, after;
  SparseRows slopes;
  Values v;
};

}  // namespace carom
