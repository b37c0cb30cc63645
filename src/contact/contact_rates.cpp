#include "carom/contact/contact_rates.hpp"

#include <algorithm>
#include <cmath>

#include "carom/system/gap_scales.hpp"

namespace carom {

ContactRates::ContactRates(const System& m)
    : v(m.size()),
      system(m),
      tangent(m),
      unjoined(m),
      units(m.units()),
      unit_sums(m.size()),
      dense(Values::Zero(m.size())),
      head(m.size(), -1) {}

bool ContactRates::prepare(double at, const Values& q, const Values& p, const SparseRows& gradients,
                           const Values& kick) {
  G = &gradients, t = at;
  joint_gradients.clear();
  system.joint_slopes(t, q, joint_gradients);
  if (!tangent.prepare(t, q, p, joint_gradients) || !system.velocity(t, q, p, v)) return false;
  tangent.respond(gradients, answers);
  const int n = gradients.size();
  rate.resize(n), strength.resize(n);
  for (int k = 0; k < n; ++k) {
    rate[k] = gradients[k].rate(v);
    scatter(k);
    strength[k] = std::sqrt(std::fmax(gradients[k].dot(dense), 0.0));
    wipe(k);
  }
  if (joint_gradients.size() > 0 && !skip_what_joints_take_up(q, p)) return false;
  link();
  find_groups();
  measure(p, kick);
  return true;
}

// Each group is named by its first contact.
void ContactRates::find_groups() {
  const int n = size();
  group.resize(static_cast<std::size_t>(n));
  for (int k = 0; k < n; ++k) group[k] = k;
  const auto root = [this](int k) {
    while (group[k] != k) k = group[k] = group[group[k]];
    return k;
  };
  for (int k = 0; k < n; ++k)
    for (std::size_t e = 0; e < answers[k].at.size(); ++e) {
      if (answers[k].slopes[e] == 0) continue;
      for (int l = head[answers[k].at[e]]; l >= 0; l = links[l].next) {
        const int a = root(k), b = root(links[l].contact);
        group[std::max(a, b)] = std::min(a, b);
      }
    }
  for (int k = 0; k < n; ++k) group[k] = root(k);
}

// A coordinate that contact k pushes.
int ContactRates::pushed_by(int k) const {
  std::size_t e = 0;
  while (e + 1 < answers[k].at.size() && answers[k].slopes[e] == 0) ++e;
  return answers[k].at[e];
}

void ContactRates::measure_units(const Values& impulse, const Values& velocity) {
  std::fill(unit_sums.begin(), unit_sums.end(), 0.0);
  for (int i = 0; i < impulse.size(); ++i) unit_sums[units[i]] += std::abs(impulse[i] * velocity[i]);
}

void ContactRates::measure(const Values& p, const Values& kick) {
  const int n = size();
  shown.resize(n), momentum.setZero(n);
  measure_units(p, v);
  for (int k = 0; k < n; ++k) {
    const auto row = (*G)[k];
    shown[k] = row.size_along(v) + row.size_along(kick) + std::abs(row.drift);
    if (!(strength[k] > 0)) continue;
    const double own = row.size_along(kick) / strength[k];
    momentum[group[k]] = std::fmax(momentum[group[k]], own + unit_norm(k));
  }
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

// Which contacts touch each coordinate. Dense rows name all coordinates, also those that the contact does not
// see.
void ContactRates::link() {
  std::fill(head.begin(), head.end(), -1);
  links.clear();
  for (int k = size() - 1; k >= 0; --k) {
    const auto row = (*G)[k];
    for (std::size_t e = 0; e < row.at.size(); ++e) {
      if (row.slopes[e] == 0) continue;
      links.push_back({k, head[row.at[e]]});
      head[row.at[e]] = static_cast<int>(links.size()) - 1;
    }
  }
}

}  // namespace carom
