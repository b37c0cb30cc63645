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
#include "carom/flow/smooth_step.hpp"

namespace carom {

class Touching {
 public:
  static constexpr double shortest_bounce = 1e-3;  // η, in steps
  // Of what a rate is compared with: elastic contacts that are faster bounce, however shortly.
  static constexpr double slowest_elastic = 1e-7;

  // Bounces shorter than `shortest` of a step count as none.
  Touching(const System& m, double step, double shortest = shortest_bounce);

  // Of all contacts of the system.
  void set_restitutions(const Values& e);

  // Contacts `k` (ascending) at (t, q, p).
  bool prepare(double t, const Values& q, const Values& p, const std::vector<int>& k);

  // Which of them, by their places, press: of `lasting` those that a force holds closed.
  bool find_pressed(double t, const Values& q, const Values& p, const std::vector<int>& lasting,
                    const std::vector<int>& among);

  // Reflects p by all of them at once, `e` for each; `rate_before` and `impulse()` tell what happened.
  Reflections::Result reflect(const Values& q, Values& p, const ChangingValues& e);
  double shortest() const { return followed; }  // bounce that is
  // After find_pressed() and prepare(): what presses holds others back, too, so that bounces may last longer.
  bool slow_down_less();
  double slowest_followed(int place) const { return spent[place]; }
  void stop(int place) { spent[place] = HUGE_VAL; }  // gives back nothing, however fast
  double impulse(std::size_t k) const { return reflections.impulse[static_cast<int>(k)]; }
  bool approached(int k) const { return rate_before[k] < -ContactRates::tolerance * rates.scale(k); }

  // REST, after prepare() or reflect(): false where no forces keep the contacts from closing.
  bool choose_lasting(double t, const Values& q, const Values& p, std::vector<int>& lasting);

  // Whether every one of `lasting` is still pressed at (t, z); otherwise opening() lists those that open.
  bool pressed(double t, const Values& q, const Values& p, const std::vector<int>& lasting);
  const std::vector<int>& opening() const { return released; }

  // p along the joints and along contacts.
  bool project(double t, const Values& q, Values& p, const std::vector<int>& contacts);

  // By how much the contact, which was chosen as lasting, is pressed: the acceleration that it takes up.
  double push_of(int contact) const {
    const auto place = std::lower_bound(which.begin(), which.end(), contact);
    return place != which.end() && *place == contact && place - which.begin() < push.size()
               ? push[static_cast<int>(place - which.begin())]
               : 0;
  }

  // How long the bounces would have gone on that a contact of approach v was not allowed (0 < e < 1): their
  // geometric series, with the acceleration that presses it.
  double tail(std::size_t k, double e) const;

  std::vector<int> which;
  std::vector<int>
      tangential;  // by choose_lasting(): contacts that last, or open without a rate of their own
  ContactForces forces;
  ContactRates rates;
  ChangingValues slow, rate_before;

 private:
  bool look_settled(double t, const Values& q, const Values& p);
  bool prepare_forces(double t, const Values& q);

  const System& system;
  Reflections reflections;
  Tangent tangent;
  double h, followed;         // step, and how long a bounce is that is followed
  std::vector<char> elastic;  // of all contacts
  SparseRows gradients, held;
  std::vector<int> chosen, candidates, released, pressing;
  ChangingValues push, spent, sizes;
  Values v, kick, gaps, settled;
};

}  // namespace carom
