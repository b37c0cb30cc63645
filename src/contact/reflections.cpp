#include "carom/contact/reflections.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace carom {
namespace {

// H is convex in p: the excess over s rises from below zero, and has one root, however far from 1.
double stretch_convex(auto&& excess, Reflections::Result& r) {
  double low = 0, high = 1, above = excess(1);
  for (int i = 0; i < 60 && above < 0; ++i) low = std::exchange(high, 2 * high), above = excess(high);
  if (!(above >= 0)) return ++r.fallbacks, 1;
  double below = low > 0 ? excess(low) : excess(1e-3 * high);
  while (low == 0 && below > 0) high *= 1e-3, above = below, below = excess(1e-3 * high);
  if (low == 0) low = 1e-3 * high;
  for (int i = 0; i < 200 && high - low > 4e-16 * high;
       ++i) {  // the secant on odd turns, halves on even ones
    double s = i % 2 ? 0.5 * (low + high) : low - below * (high - low) / (above - below);
    if (!(s > low && s < high)) s = 0.5 * (low + high);
    const double value = excess(s);
    if (value == 0 || s == low || s == high) return s;
    (value < 0 ? low : high) = s, (value < 0 ? below : above) = value;
  }
  return 0.5 * (low + high);
}

}  // namespace

Reflections::Reflections(const System& m) : system(m), along(m.size()), trial(m.size()) {}

Reflections::Result Reflections::operator()(const Values& q, Values& p, ContactRates& contacts,
                                            ReflectionOrder order, const ReflectionEnergy& energy,
                                            const Restitution& restitution) {
  loss = restitution, lossy = loss.lossy(), at_rest = false;
  const int n = contacts.size();
  // One at a time, half of a row of balls against the other half takes n²/4 rounds.
  const std::int64_t most =
      patience * (200 + (order == ReflectionOrder::sequential ? std::int64_t{4} * n * n : 4 * n));
  const std::int64_t ends = lossy ? 10 * most : most;
  Result r;
  impulse.setZero(n), waiting.clear();
  start_with_approaching(contacts);
  while (!chosen.empty()) {
    if (r.rounds == ends) return r.ok = false, r;
    if (lossy) choose_slow(contacts, r.rounds >= most), choose_pressed();
    if (order == ReflectionOrder::moreau && r.rounds == 0) choose_all(contacts);
    if (order == ReflectionOrder::sequential) choose_fastest(contacts);
    ++r.rounds;
    if (!solve(q, contacts, energy.kappa, r)) {
      finish(q, p, contacts);  // many rounds may have moved the velocities off the joints by rounding
      if (!solve(q, contacts, energy.kappa, r)) return r.ok = false, r;
    }
    const bool exact = energy.other || !system.quadratic();
    apply(q, p, contacts, exact ? stretch(q, p, contacts, energy, r) : 1, exact);
    choose_next(contacts);
  }
  if (r.rounds > 0) finish(q, p, contacts);
  return r;
}

void Reflections::start_with_approaching(const ContactRates& contacts) {
  chosen.clear();
  for (int k = 0; k < contacts.size(); ++k)
    if (contacts.approaches(k)) chosen.push_back(k);
}

void Reflections::choose_all(const ContactRates& contacts) {
  chosen.clear();
  for (int k = 0; k < contacts.size(); ++k)
    if (contacts.can_push(k)) chosen.push_back(k);
}

void Reflections::choose_fastest(const ContactRates& contacts) {
  int fastest = chosen.front();
  for (const int k : chosen)
    if (contacts.speed(k) < contacts.speed(fastest)) fastest = k;
  waiting = chosen;
  chosen.assign(1, fastest);
}

// Where all that approach are slow (or it takes too long), they and those that touch them come to rest
// together.
void Reflections::choose_slow(const ContactRates& contacts, bool all) {
  at_rest = false;
  for (const int k : chosen)
    if (!all && !(loss.slow && contacts.rate[k] >= -(*loss.slow)[k])) return;
  at_rest = true, chosen.clear();
  for (int k = 0; k < contacts.size(); ++k)
    if (contacts.approaches(k) || (contacts.is_tangent(k) && contacts.can_push(k))) chosen.push_back(k);
}

void Reflections::choose_pressed() {
  if (!loss.pressed) return;
  chosen.insert(chosen.end(), loss.pressed->begin(), loss.pressed->end());
  std::sort(chosen.begin(), chosen.end());
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
}

// e of contact k.
double Reflections::given_back(const ContactRates& contacts, int k) const {
  if (!lossy) return 1;
  const bool slow = loss.slow && contacts.rate[k] >= -(*loss.slow)[k];
  return at_rest || slow ? 0 : (*loss.e)[k];
}

double Reflections::turned(const ContactRates& contacts, int k) const {
  if (!system.quadratic()) return 2 * contacts.rate[k];  // stretch_lossy() does the rest
  return (1 + given_back(contacts, k)) * contacts.rate[k];
}

// y for the chosen contacts: 0 <= y ⟂ W y + (1 + e) rate >= 0 with W = N' B N.
bool Reflections::solve(const Values& q, ContactRates& contacts, double kappa, Result& r) {
  y.resize(static_cast<Eigen::Index>(chosen.size()));
  if (kappa != 0) {
    if (solve_in_norm(q, contacts, kappa)) return true;
    ++r.fallbacks;
  }
  b.resize(y.size());
  for (std::size_t i = 0; i < chosen.size(); ++i) b[i] = turned(contacts, chosen[i]);
  return problem.solve(contacts, chosen, b, y, noise(contacts));
}

// What rounding makes of rates: far below what counts as an approach.
double Reflections::noise(const ContactRates& contacts) const {
  double scale = 0;
  for (const int k : chosen) scale = std::fmax(scale, contacts.scale(k));
  return 1e-3 * ContactRates::tolerance * scale;
}

// The same in the norm of B = M^-1 + κ M^-1 V'' M^-1; false where it turns nothing around.
bool Reflections::solve_in_norm(const Values& q, ContactRates& contacts, double kappa) {
  const int n = static_cast<int>(chosen.size());
  U.resize(along.size(), n), VU.resize(along.size(), n), W.resize(n, n), b.resize(n);
  for (int i = 0; i < n; ++i) {
    contacts.scatter(chosen[i]);
    U.col(i) = contacts.scattered();
    for (int k = 0; k < n; ++k) W(k, i) = contacts.coupling(chosen[k]);
    contacts.wipe(chosen[i]);
    system.stiffness(contacts.t, q, U.col(i), along);
    VU.col(i) = along;
  }
  W.noalias() += kappa * U.transpose() * VU;
  first.assign(n, 0);
  in_norm.shape(first);
  for (int i = 0; i < n; ++i) {
    b[i] = 2 * (contacts.rate[chosen[i]] + kappa * VU.col(i).dot(contacts.v));
    for (int k = 0; k <= i; ++k) in_norm.add(i, k, W(i, k));
  }
  if (!in_norm.solve(b, y, noise(contacts))) return false;
  bool gains = false;
  for (int i = 0; i < n; ++i) gains = gains || y[i] > 0;
  return gains;
}

// s with E(q, p + s N y) = E(q, p): Newton with the slope that H would have, then the secant; s = 1 where
// there is no such root near it.
double Reflections::stretch(const Values& q, const Values& p, ContactRates& contacts,
                            const ReflectionEnergy& energy, Result& r) {
  along = p;
  for (std::size_t i = 0; i < chosen.size(); ++i) contacts.gradients()[chosen[i]].add_to(along, y[i]);
  if (!contacts.project(q, along)) return ++r.fallbacks, 1;
  along -= p;
  double moved = 0;  // along·M^-1 along
  for (std::size_t i = 0; i < chosen.size(); ++i) moved += y[i] * contacts.answer(chosen[i]).dot(along);
  double driven = 0;  // a wall that moves takes -y ∂g/∂t
  for (std::size_t i = 0; i < chosen.size(); ++i) driven += y[i] * contacts.gradients()[chosen[i]].drift;
  const auto E = [&](const Values& momentum) {
    return energy.other ? energy.other(q, momentum) : system.hamiltonian(contacts.t, q, momentum);
  };
  const double E0 = energy.anchor ? *energy.anchor : E(p);
  const auto excess = [&](double s) {  // without an anchor s = 0 is a root, and is divided out
    trial = p + s * along;
    return (E(trial) - E0 + s * driven) / (energy.anchor ? 1 : s);
  };
  if (!energy.other && lossy) return stretch_lossy(contacts, q, p, driven, stretch_convex(excess, r));
  if (!energy.other) return stretch_convex(excess, r);
  double s = 1, slope = 0.5 * moved, before_s = 1, value = excess(1);
  for (int i = 0; i < 12; ++i) {
    const double next = s - value / slope;
    if (!(std::abs(next - 1) < 0.5)) return ++r.fallbacks, 1;
    before_s = std::exchange(s, next);
    if (std::abs(s - before_s) <= 1e-15) return s;
    const double old = std::exchange(value, excess(s));
    if (std::abs(value) <= 1e-15 * std::abs(E0)) return s;
    if (value != old) slope = (value - old) / (s - before_s);
  }
  return std::isfinite(value) ? s : (++r.fallbacks, 1);
}

// The same with a loss: where the energy along the impulse is lowest, nothing approaches any more; from
// there on e² of what was lost until then is given back, its mean over the contacts by what each has taken.
double Reflections::stretch_lossy(const ContactRates& contacts, const Values& q, const Values& p,
                                  double driven, double elastic) {
  const double t = contacts.t;
  double taken = 0, back = 0;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const double work = std::abs(y[i] * contacts.rate[chosen[i]]), e = given_back(contacts, chosen[i]);
    taken += work, back += e * e * work;
  }
  const auto bisect = [](double low, double high, auto&& is_low) {
    for (int i = 0; i < 100 && high - low > 1e-15 * high; ++i) {
      const double middle = 0.5 * (low + high);
      (is_low(middle) ? low : high) = middle;
    }
    return high;
  };
  const auto at = [&](double s) {
    return trial = p + s * along, system.hamiltonian(t, q, trial) + s * driven;
  };
  const double lowest = bisect(0, elastic, [&](double s) {
    trial = p + s * along;
    return system.velocity(t, q, trial, speeds) && along.dot(speeds) + driven < 0;
  });
  const double least = at(lowest), target = least + (taken > 0 ? back / taken : 0) * (at(0) - least);
  return bisect(lowest, elastic, [&](double s) { return at(s) < target; });
}

// p and the velocities after the round; `exact` takes them through the joints and the Legendre transform.
void Reflections::apply(const Values& q, Values& p, ContactRates& contacts, double s, bool exact) {
  changed.clear();
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    if (y[i] == 0) continue;
    impulse[chosen[i]] += s * y[i];
    contacts.gradients()[chosen[i]].add_to(p, s * y[i]);
    contacts.push(chosen[i], s * y[i], [&](int k) { changed.push_back(k); });
  }
  if (!exact) return;
  contacts.project(q, p);
  system.velocity(contacts.t, q, p, contacts.v);
}

// Only contacts near those that were pushed can have begun to approach.
void Reflections::choose_next(ContactRates& contacts) {
  changed.insert(changed.end(), waiting.begin(), waiting.end());
  changed.insert(changed.end(), chosen.begin(), chosen.end());
  waiting.clear(), chosen.clear();
  std::sort(changed.begin(), changed.end());
  changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
  for (const int k : changed) {
    contacts.refresh(k);
    if (contacts.approaches(k)) chosen.push_back(k);
  }
}

void Reflections::finish(const Values& q, Values& p, ContactRates& contacts) {
  contacts.project(q, p);
  system.velocity(contacts.t, q, p, contacts.v);
  for (int k = 0; k < contacts.size(); ++k) contacts.refresh(k);
}

}  // namespace carom
