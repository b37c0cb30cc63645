#include "carom/contact/touching.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "carom/system/gap_scales.hpp"

namespace carom {

Touching::Touching(const System& m, double step, double shortest)
    : forces(m),
      rates(m),
      system(m),
      reflections(m),
      tangent(m),
      h(step),
      followed(shortest * step),
      elastic(static_cast<std::size_t>(m.contact_count()), 0),
      v(m.size()) {
  reflections.patience = 20;  // light bodies between heavy ones are hit often
}

void Touching::set_restitutions(const Values& e) {
  for (int i = 0; i < e.size(); ++i) elastic[static_cast<std::size_t>(i)] = e[i] == 1;
}

bool Touching::prepare(double t, const Values& q, const Values& p, const std::vector<int>& k) {
  which = k;
  gradients.clear();
  system.gap_slopes(t, q, which, gradients);
  if (!system.velocity(t, q, p, v) || !forces.look(t, q, v)) return false;
  kick = h * forces.accelerations();
  return rates.prepare(t, q, p, gradients, kick) && prepare_forces(t, q);
}

Reflections::Result Touching::reflect(const Values& q, Values& p, const ChangingValues& e) {
  rate_before = rates.rate;
  return reflections(q, p, rates, ReflectionOrder::generalized, {}, {&e, &spent, &pressing});
}

bool Touching::find_pressed(double t, const Values& q, const Values& p, const std::vector<int>& lasting,
                            const std::vector<int>& among) {
  candidates.clear();
  if (!lasting.empty()) {
    if (!prepare(t, q, p, lasting)) return false;
    chosen.resize(lasting.size());
    for (std::size_t i = 0; i < chosen.size(); ++i) chosen[i] = static_cast<int>(i);
    if (!forces.solve(rates, chosen)) return false;
    for (std::size_t i = 0; i < chosen.size(); ++i)
      if (forces.force[static_cast<int>(i)] > 0) candidates.push_back(lasting[i]);
  }
  pressing.clear();
  for (std::size_t i = 0; i < among.size(); ++i)
    if (std::binary_search(candidates.begin(), candidates.end(), among[i]))
      pressing.push_back(static_cast<int>(i));
  return true;
}

bool Touching::slow_down_less() {
  if (pressing.empty()) return true;
  if (!forces.solve(rates, pressing)) return false;
  for (int k = 0; k < rates.size(); ++k)
    if (!std::binary_search(pressing.begin(), pressing.end(), k))
      spent[k] = std::fmin(spent[k], 0.5 * followed * -std::fmin(forces.acceleration_of(rates, k), 0));
  return true;
}

bool Touching::choose_lasting(double t, const Values& q, const Values& p, std::vector<int>& lasting) {
  lasting.clear(), tangential.clear(), chosen.clear();
  push.setZero(static_cast<Eigen::Index>(which.size()));
  if (!forces.look(t, q, rates.v) || !prepare_forces(t, q)) return false;
  system.gaps(t, q, gaps);
  sizes.resize(rates.size());
  for (int k = 0; k < rates.size(); ++k)
    sizes[k] =
        size_of_gap(gradients[k], q, rates.v, forces.accelerations(), h) + system.gap_constant(which[k]);
  const auto closed = [&](int k) { return gaps[which[k]] <= 1e-12 * sizes[k]; };  // a step pulls it to zero
  for (int k = 0; k < rates.size(); ++k)
    if (closed(k) && (rates.is_tangent(k) || std::abs(rates.rate[k]) <= slow[k])) chosen.push_back(k);
  if (chosen.empty()) return true;
  if (!look_settled(t, q, p) || !forces.solve(rates, chosen)) return false;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const int k = chosen[i], place = static_cast<int>(i);
    const bool lasts = !forces.opens(chosen, place) && (rates.is_tangent(k) || forces.force[place] > 0);
    if (lasts || rates.is_tangent(k)) tangential.push_back(which[k]);
    if (!lasts) continue;
    lasting.push_back(which[k]);
    push[k] = rates.strength_of(k) * rates.strength_of(k) * forces.force[place];
  }
  return true;
}

bool Touching::pressed(double t, const Values& q, const Values& p, const std::vector<int>& lasting) {
  released.clear();
  if (lasting.empty()) return true;
  if (!prepare(t, q, p, lasting)) return false;
  chosen.resize(lasting.size());
  for (std::size_t i = 0; i < chosen.size(); ++i) chosen[i] = static_cast<int>(i);
  if (!forces.solve(rates, chosen)) return false;
  for (std::size_t i = 0; i < chosen.size(); ++i)
    if (forces.opens(chosen, static_cast<int>(i))) released.push_back(lasting[i]);
  return released.empty();
}

bool Touching::project(double t, const Values& q, Values& p, const std::vector<int>& contacts) {
  held.clear();
  system.joint_slopes(t, q, held);
  if (!contacts.empty()) system.gap_slopes(t, q, contacts, held);
  return held.size() == 0 || (tangent.prepare(t, q, p, held) && tangent.project(q, p));
}

double Touching::tail(std::size_t k, double e) const {
  const double speed = -rate_before[static_cast<int>(k)], a = push[static_cast<int>(k)];
  return e < 1 && speed > 0 && a > 0 ? 2 * e * speed / (a * (1 - e)) : 0;
}

// The forces at the velocity that all candidates settled would leave: where contacts depend on each other,
// their accelerations fit together at such a velocity alone.
bool Touching::look_settled(double t, const Values& q, const Values& p) {
  candidates.clear();
  for (const int k : chosen) candidates.push_back(which[k]);
  settled = p;
  if (!project(t, q, settled, candidates) || !system.velocity(t, q, settled, v) || !forces.look(t, q, v))
    return false;
  std::swap(rates.v, v);
  const bool ok = prepare_forces(t, q);
  std::swap(rates.v, v);
  return ok;
}

bool Touching::prepare_forces(double t, const Values& q) {
  forces.prepare(t, q, rates, which);
  slow = (0.5 * followed) * forces.scale;
  for (int k = 0; k < slow.size(); ++k)
    if (elastic[static_cast<std::size_t>(which[static_cast<std::size_t>(k)])])
      slow[k] = std::fmin(slow[k], slowest_elastic * rates.scale(k));
  spent = slow;
  return slow.allFinite();
}

}  // namespace carom
