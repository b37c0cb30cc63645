// The contacts that touch at one instant: what an impact makes of them, and which of them last from there on.
//
//   slow(k) = η h scale(k) / 2      a bounce of this speed is over after η of a step: it is not followed
//   REST: candidates are contacts whose gap does not change, or changes slowly and is pressed;
//         those last whose acceleration vanishes (contact_forces.hpp); neutral ones count as lasting
//
// Tested in tests/laws/contact_edge_cases_test.cpp.
#pragma once

#include "carom/contact/contact_forces.hpp"
#include "carom/contact/reflections.hpp"
#include "carom/contact/smooth_step.hpp"

namespace carom {

class Touching {
 public:
  static constexpr double shortest_bounce = 1e-3;  // η, in steps

  Touching(const Mechanism& m, double step)
      : forces(m), rates(m), mechanism(m), reflections(m), tangent(m), h(step), v(m.size()) {
    reflections.patience = 20;  // light bodies between heavy ones are hit often
  }

  // Contacts `k` (ascending) at (t, q, p).
  bool prepare(double t, const Values& q, const Values& p, const std::vector<int>& k) {
    which = k;
    gradients.clear();
    mechanism.gap_slopes(q, which, gradients);
    if (!mechanism.velocity(q, p, v) || !forces.look(t, q, v)) return false;
    return rates.prepare(q, p, gradients, h * forces.size) && prepare_forces(q);
  }

  // Reflects p by all of them at once; `rate_before` and `impulse()` tell what happened.
  Reflections::Result reflect(const Values& q, Values& p, double restitution) {
    rate_before = rates.rate;
    return reflections(q, p, rates, ReflectionOrder::generalized, {},
                       restitution < 1 ? Restitution{restitution, &slow} : Restitution{});
  }
  double impulse(std::size_t k) const { return reflections.impulse[static_cast<int>(k)]; }

  // REST, after prepare() or reflect(): false where no forces keep the contacts from closing.
  bool choose_lasting(double t, const Values& q, const Values& p, std::vector<int>& lasting) {
    lasting.clear(), tangential.clear(), chosen.clear();
    push.setZero(static_cast<Eigen::Index>(which.size()));
    if (!forces.look(t, q, rates.v) || !prepare_forces(q)) return false;
    mechanism.gaps(q, gaps);
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

  // Whether every one of `lasting` is still pressed at (t, z); otherwise opening() lists those that open.
  bool pressed(double t, const Values& q, const Values& p, const std::vector<int>& lasting) {
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
  const std::vector<int>& opening() const { return released; }

  // p along the joints and along contacts.
  bool project(const Values& q, Values& p, const std::vector<int>& contacts) {
    held.clear();
    mechanism.joint_slopes(q, held);
    if (!contacts.empty()) mechanism.gap_slopes(q, contacts, held);
    return held.size() == 0 || (tangent.prepare(q, p, held) && tangent.project(q, p));
  }

  // By how much the contact, which was chosen as lasting, is pressed: the acceleration that it takes up.
  double push_of(int contact) const {
    const auto place = std::lower_bound(which.begin(), which.end(), contact);
    return place != which.end() && *place == contact && place - which.begin() < push.size()
               ? push[static_cast<int>(place - which.begin())]
               : 0;
  }

  // How long the bounces would have gone on that a contact of approach v was not allowed (0 < e < 1): their
  // geometric series, with the acceleration that presses it.
  double tail(std::size_t k, double e) const {
    const double speed = -rate_before[static_cast<int>(k)], a = push[static_cast<int>(k)];
    return e < 1 && speed > 0 && a > 0 ? 2 * e * speed / (a * (1 - e)) : 0;
  }

  std::vector<int> which;
  std::vector<int>
      tangential;  // by choose_lasting(): contacts that last, or open without a rate of their own
  ContactForces forces;
  ContactRates rates;
  ChangingValues slow, rate_before;

 private:
  // The forces at the velocity that all candidates settled would leave: where contacts depend on each other,
  // their accelerations fit together at such a velocity alone.
  bool look_settled(double t, const Values& q, const Values& p) {
    candidates.clear();
    for (const int k : chosen) candidates.push_back(which[k]);
    settled = p;
    if (!project(q, settled, candidates) || !mechanism.velocity(q, settled, v) || !forces.look(t, q, v))
      return false;
    std::swap(rates.v, v);
    const bool ok = prepare_forces(q);
    std::swap(rates.v, v);
    return ok;
  }
  bool prepare_forces(const Values& q) {
    forces.prepare(q, rates, which);
    slow = (0.5 * shortest_bounce * h) * forces.scale;
    return slow.allFinite();
  }

  const Mechanism& mechanism;
  Reflections reflections;
  Tangent tangent;
  double h;
  SparseRows gradients, held;
  std::vector<int> chosen, candidates, released;
  ChangingValues push;
  Values v, gaps, settled;
};

}  // namespace carom
