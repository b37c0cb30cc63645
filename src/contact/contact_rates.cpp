#include "carom/contact/contact_rates.hpp"

#include <algorithm>
#include <cmath>

namespace carom {

ContactRates::ContactRates(const System& m)
    : v(m.size()), system(m), tangent(m), unjoined(m), dense(Values::Zero(m.size())), head(m.size(), -1) {}

bool ContactRates::prepare(double at, const Values& q, const Values& p, const SparseRows& gradients, double floor) {
  G = &gradients, t = at;
  joint_gradients.clear();
  system.joint_slopes(t, q, joint_gradients);
  if (!tangent.prepare(t, q, p, joint_gradients) || !system.velocity(t, q, p, v)) return false;
  tangent.respond(gradients, answers);
  const int n = gradients.size();
  rate.resize(n), strength.resize(n);
  momentum = std::fmax(std::sqrt(std::fmax(p.dot(v), 0.0)), floor);
  for (int k = 0; k < n; ++k) {
    rate[k] = gradients[k].rate(v);
    scatter(k);
    strength[k] = std::sqrt(std::fmax(gradients[k].dot(dense), 0.0));
    wipe(k);
  }
  if (joint_gradients.size() > 0 && !skip_what_joints_take_up(q, p)) return false;
  link();
  return true;
}

// Where the joints leave nothing of a gradient but rounding errors, the contact cannot push.
bool ContactRates::skip_what_joints_take_up(const Values& q, const Values& p) {
  if (!unjoined.prepare(t, q, p, no_gradients)) return false;
  unjoined.respond(*G, free_answers);
  for (int k = 0; k < size(); ++k) {
    free_answers[k].add_to(dense, 1.0);
    const double free = (*G)[k].dot(dense);
    for (const int i : free_answers[k].at) dense[i] = 0;
    if (!(strength[k] * strength[k] > 1e-13 * free)) strength[k] = 0;
  }
  return true;
}

// Which contacts touch each coordinate.
void ContactRates::link() {
  std::fill(head.begin(), head.end(), -1);
  links.clear();
  for (int k = size() - 1; k >= 0; --k)
    for (const int i : (*G)[k].at) {
      links.push_back({k, head[i]});
      head[i] = static_cast<int>(links.size()) - 1;
    }
}

}  // namespace carom
