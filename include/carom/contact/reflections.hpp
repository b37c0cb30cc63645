// Reflections of several contacts at once (003, Appendix A): impulses >= 0 along the gradients that leave no
// contact approaching and keep an energy E(q, p).
//
//   generalized   Algorithm 2: the contacts that approach are reflected together, again and again until none
//   does moreau        Algorithm 3: all contacts at once, repeated on what still approaches sequential    one
//   at a time, the fastest first
//
//   hamiltonian   E = H: y >= 0 minimises |N y + 2 p| in the norm of M^-1
//   numerical     E = H + κ/2 u'V''u + ..., u = M^-1 p: the h² terms of the flow's own energy; the same in
//   its norm other         y as for H, and p + s N y with s near 1 from that energy
//
// One contact at a time, a wedge of angle a takes about π/a rounds; reflected together, one round where both
// walls are approached and about π/a where one is. A chain of n balls takes n - 1. Contacts that squeeze the
// system never end and run into the cap. Tested in tests/laws/reflections_test.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "carom/contact/contact_problem.hpp"

namespace carom {

enum class ReflectionOrder { generalized, moreau, sequential };

// The energy that a reflection keeps.
struct ReflectionEnergy {
  double kappa = 0;                                                    // numerical: of u'V''u / 2
  std::function<double(const Values& q, const Values& p)> other = {};  // evaluated as it is
  std::optional<double> anchor = {};  // what `other` shall be after the reflection; none: what it was before
};

// Which part of its approach each contact gives back. A round loses ½ Σ (1 - e_k) y_k |rate_k|: never a gain,
// whatever the e_k, since impulses are of contacts that approach, or that do not move. Those slower than
// `slow` give back nothing: a reflection that never ended, of ever smaller bounces between bodies, ends in
// them. Those of `pressed` take part in every round: they carry a force already, and pass an impulse on at
// once.
struct Restitution {
  const ChangingValues* e = nullptr;          // per contact; none: 1
  const ChangingValues* slow = nullptr;       // likewise; none: 0
  const std::vector<int>* pressed = nullptr;  // ascending
  bool lossy() const { return e && (e->array() < 1).any(); }
};

class Reflections {
 public:
  struct Result {
    bool ok = true;
    int rounds = 0;
    int fallbacks = 0;  // rounds whose energy had no solution near the mirror's
  };

  explicit Reflections(const System& m);

  // Changes p; `contacts` are prepared at (q, p) and have the rates after it when it ends.
  Result operator()(const Values& q, Values& p, ContactRates& contacts, ReflectionOrder order,
                    const ReflectionEnergy& energy, const Restitution& restitution = {});

  ChangingValues impulse;  // per contact
  int patience = 1;        // how often the usual number of rounds is taken before contacts count as squeezed

 private:
  void start_with_approaching(const ContactRates& contacts);
  void choose_all(const ContactRates& contacts);
  void choose_fastest(const ContactRates& contacts);
  void choose_slow(const ContactRates& contacts, bool all);
  void choose_pressed();
  double given_back(const ContactRates& contacts, int k) const;
  double turned(const ContactRates& contacts, int k) const;
  bool solve(const Values& q, ContactRates& contacts, double kappa, Result& r);
  double noise(const ContactRates& contacts) const;
  bool solve_in_norm(const Values& q, ContactRates& contacts, double kappa);
  double stretch(const Values& q, const Values& p, ContactRates& contacts, const ReflectionEnergy& energy,
                 Result& r);
  double stretch_lossy(const ContactRates& contacts, const Values& q, const Values& p, double driven,
                       double elastic);
  void apply(const Values& q, Values& p, ContactRates& contacts, double s, bool exact);
  void choose_next(ContactRates& contacts);
  void finish(const Values& q, Values& p, ContactRates& contacts);

  const System& system;
  Restitution loss;
  bool lossy = false,
       at_rest = false;  // whether some contact takes energy; whether all that approach come to rest
  ContactProblem problem;
  NonnegativeSolver in_norm;
  std::vector<int> chosen, waiting, changed, first;
  ChangingValues y, b;
  Values along, trial, speeds = Values(system.size());
  Eigen::MatrixXd U, VU, W;
};

}  // namespace carom
