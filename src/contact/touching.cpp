#include "carom/contact/touching.hpp"

#include <cmath>
#include <utility>

namespace carom {

Touching::Touching(const System& m, double step, double shortest)
    : forces(m),
      rates(m),
      system(m),
      reflections(m),
      tangent(m),
      h(step),
      followed(shortest * step),
      v(m.size()) {
  reflections.patience = 20;  // light bodies between heavy ones are hit often
}

bool Touching::prepare(double t, const Values& q, const Values& p, const std::vector<int>& k) {
  which = k;
  gradients.clear();
  system.gap_slopes(t, q, which, gradients);
  if (!system.velocity(t, q, p, v) || !forces.look(t, q, v)) return false;
  return rates.prepare(t, q, p, gradients, h * forces.size) && prepare_forces(t, q);
}

Reflections::Result Touching::reflect(const Values& q, Values& p, double restitution) {
  rate_before = rates.rate;
  return reflections(q, p, rates, ReflectionOrder::generalized, {},
                     restitution < 1 ? Restitution{restitution, &slow} : Restitution{});
}

bool Touching::choose_lasting(double t, const Values& q, const Values& p, std::vector<int>& lasting) {
  lasting.clear(), tangential.clear(), chosen.clear();
  push.setZero(static_cast<Eigen::Index>(which.size()));
  if (!forces.look(t, q, rates.v) || !prepare_forces(t, q)) return false;
  system.gaps(t, q, gaps);
  const double closed = 1e-13 * gap_scale(q);  // what is not is pulled to zero by the step that holds it
  for (int k = 0; k < rates.size(); ++k)
    if (gaps[which[k]] <= closed && (rates.is_tangent(k) || std::abs(rates.rate[k]) <= slow[k]))
      chosen.push_back(k);
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
  return slow.allFinite();
}

}  // namespace carom
