#include "carom/contact/open_contacts.hpp"

#include <algorithm>

#include "carom/numerics/cubic.hpp"

namespace carom {

bool OpenContacts::stay(double t, const Z& z, const Z& end, const std::vector<int>& lasting, double h) {
  measure(t, z, before), measure(t + h, end, after);
  unclear.clear();
  for (int i = 0; i < before.gap.size(); ++i)
    if (!stays_open_between(i, h) && !std::binary_search(lasting.begin(), lasting.end(), i))
      unclear.push_back(i);
  return unclear.empty();
}

void OpenContacts::choose(double t, const Z& z, const Z* end, const std::vector<int>& lasting, double h,
                          std::vector<int>& chosen) {
  measure(t, z, before);
  if (end) measure(t + h, *end, after);
  chosen.clear();
  for (int i = 0; i < before.gap.size(); ++i)
    if (!(end && stays_open_between(i, h)) && !std::binary_search(lasting.begin(), lasting.end(), i))
      chosen.push_back(i);
}

void OpenContacts::measure(double t, const Z& z, Gaps& r) {
  if (&r == &before && after.z.q.size() > 0 && (after.t == t || !system.timed()) && after.z.q == z.q &&
      after.z.p == z.p)
    return std::swap(before, after);
  r.t = t, r.z = z;
  if (kernel) return kernel->moving_gaps(t, z, r.gap, r.rate);
  system.velocity(t, z.q, z.p, v);
  system.moving_gaps(t, z.q, v, r.gap, r.rate);
}

bool OpenContacts::stays_open_between(int i, double h) const {
  if (before.gap[i] == HUGE_VAL && after.gap[i] == HUGE_VAL) return true;  // too far away to matter
  return stays_open(before.gap[i], before.rate[i] * h, after.gap[i], after.rate[i] * h);
}

}  // namespace carom
