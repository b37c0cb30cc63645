// A set of contacts at one configuration, as reflections see them: gradients, the answer u_k of the
// velocities to a unit impulse at each (joints held), and the rates G_k·v + ∂g_k/∂t at which the gaps change.
#pragma once

#include "carom/flow/tangent.hpp"

namespace carom {

class ContactRates {
 public:
  static constexpr double tolerance = 1e-9;  // of a rate, relative to scale(k)

  explicit ContactRates(const System& m);

  // Contacts with their gradients (at q, or where a variant wants them); `kick` are the velocities that
  // forces give within a step: far below them nothing moves.
  bool prepare(double at, const Values& q, const Values& p, const SparseRows& gradients, const Values& kick);

  int size() const { return G->size(); }
  const SparseRows& gradients() const { return *G; }
  SparseRows::Row answer(int k) const { return answers[k]; }
  // What a rate is compared with: the terms that it is the sum of, what it was since, and what the
  // momenta of all that it is coupled to would make of it.
  double scale(int k) const { return shown[k] + strength[k] * momentum[group[k]]; }
  bool can_push(int k) const { return strength[k] > 0; }
  double strength_of(int k) const { return strength[k]; }  // |N_k| in the norm of M^-1
  int group_of(int k) const { return group[k]; }
  // Of an impulse and the velocity that it gives, the norm in M^-1 over all that contact k is coupled to; the
  // same for all contacts of a unit, asked for after measure_units().
  void measure_units(const Values& impulse, const Values& velocity);
  double unit_norm(int k) const { return std::sqrt(unit_sums[units[pushed_by(k)]]); }
  bool approaches(int k) const { return strength[k] > 0 && rate[k] < -tolerance * scale(k); }
  bool is_tangent(int k) const { return std::abs(rate[k]) <= tolerance * scale(k); }
  double speed(int k) const { return strength[k] > 0 ? rate[k] / strength[k] : 0; }

  // Velocity after an impulse y at contact k; tells each contact whose rate may have changed.
  void push(int k, double y, auto&& touched) {
    answers[k].add_to(v, y);
    neighbours(k, touched);
  }
  void refresh(int k) {
    rate[k] = (*G)[k].rate(v);
    shown[k] = std::fmax(shown[k], std::abs(rate[k]));
  }

  // Contacts that share a coordinate with what contact k moves; some more than once.
  void neighbours(int k, auto&& tell) const {
    for (const int i : answers[k].at)
      for (int e = head[i]; e >= 0; e = links[e].next) tell(links[e].contact);
  }
  // G_i·u_k for every i that `want` lists once, by a vector that is zero between calls.
  double coupling(int i) const { return (*G)[i].dot(dense); }
  void scatter(int k) { answers[k].add_to(dense, 1.0); }
  void wipe(int k) {
    for (const int i : answers[k].at) dense[i] = 0;
  }
  const Values& scattered() const { return dense; }

  // The acceleration by a force while the joints hold; `bend` is f''(v, v), per joint. In place.
  void accelerate(Values& force, Values& bend) { tangent.accelerate(force, bend); }

  // What the joints let through of p.
  bool project(const Values& q, Values& p) { return joint_gradients.size() == 0 || tangent.project(q, p); }

  double t = 0;
  Values v;
  ChangingValues rate;

 private:
  struct Link {
    int contact, next;
  };
  bool skip_what_joints_take_up(const Values& q, const Values& p);
  void link();
  void find_groups();
  int pushed_by(int k) const;
  void measure(const Values& p, const Values& kick);

  const System& system;
  Tangent tangent, unjoined;  // with the joints, and the mass alone
  const SparseRows* G = nullptr;
  SparseRows joint_gradients, answers, no_gradients, free_answers;
  ChangingValues strength, shown, momentum;  // momentum: per group, in the norm of M^-1
  std::vector<int> units;                    // of the coordinates
  std::vector<double> unit_sums;
  std::vector<int> group;  // contacts that push the same coordinates, one after the other
  Values dense;
  std::vector<int> head;
  std::vector<Link> links;
};

}  // namespace carom
