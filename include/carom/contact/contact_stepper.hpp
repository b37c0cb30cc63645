// The one event loop: smooth motion, impacts located inside of the step by any law, and contacts that last
// carried along as constraints. No contact is passed, and with the law `shadow` the energy has no trend.
//
//   state: z, the lasting contacts C, and E, the energy of the run where the law keeps one
//   z1 = Φ^C_h(z); if every other gap stays clearly open and C stays pressed, that is the step. Otherwise
//     the first event on the law's partial motion with C held:                     event_search.hpp
//       release: C loses what is no longer pressed                                 contact_forces.hpp
//       impact:  J = reflection of p- by all that touch; C' = what lasts then      touching.hpp
//                p+ = P_C'(p- + s J), s from the energy of the law                 impact_energy.hpp
//     again from there
//
// At an impact q- = q+ and only p jumps. 000, Algorithm 1, is the case without lasting contacts; without them
// (`lasting` false, "event-driven" in scenarios) a contact that begins to last ends the run by name.
// Tested in tests/laws/contact_laws_test.cpp and impact_laws_test.cpp.
#pragma once

#include <algorithm>

#include "carom/contact/event_search.hpp"
#include "carom/contact/friction/friction.hpp"
#include "carom/contact/open_contacts.hpp"
#include "carom/contact/touching.hpp"
#include "carom/contact/unit_energies.hpp"
#include "carom/flow/shadow_window.hpp"
#include "carom/run/stepper.hpp"
#include "carom/run/unfollowed.hpp"
#include "carom/system/system_ref.hpp"

namespace carom {

struct ContactOptions {
  ImpactLaw law = shadow_law();
  double restitution = 1;
  bool lasting = true;     // false: contacts that last are refused
  int most_events = 1000;  // in one step; more means that they accumulate
};

class ContactStepper final : public Stepper {
 public:
  using Z = Phase;

  ContactStepper(SystemRef sys, const SteadyFlow& f, const ContactOptions& o = {});
  ContactStepper(const ContactStepper&) = delete;  // its parts refer to each other
  ContactStepper& operator=(const ContactStepper&) = delete;

  // The result is good until the next step.
  const Stepped& step(double t, const Z& start) override;

  // What a resumed run needs.
  void numbers(KeptNumbers& f) override {
    energy.numbers(f);
    std::int64_t count = static_cast<std::int64_t>(lasting.size()), started = begun;
    f(started), f(count);
    lasting.resize(static_cast<std::size_t>(count));
    for (int& contact : lasting) {
      std::int64_t i = contact;
      f(i);
      contact = static_cast<int>(i);
    }
    begun = started != 0;
    if (friction) friction->numbers(f, lasting);
    short_bounces.numbers(f);
  }

  void forget_energy() override { energy.forget(); }

  std::int64_t solves() const override { return energy.solves(); }
  double unfollowed() const override { return short_bounces.share(); }
  std::int64_t fallbacks() const override {
    return energy.fallbacks();
  }                                                            // impacts whose energy had no root near H's
  double uncertainty() const { return energy.uncertainty(); }  // of the shadow energy: between two orders
  std::int64_t drowned() const { return energy.drowned(); }    // those too small against all that moves
  const std::vector<int>& lasting_contacts() const { return lasting; }

  const ShadowWindow* ahead = nullptr;  // of the same flow, where somebody has one

 private:
  using Kind = PartialMotion::Kind;
  using Found = EventSearch::Kind;
  struct Hit {
    int contact;
    double rate, slow, t;
  };
  using Tail = std::function<double(int contact)>;  // how long its bounces go on unseen

  static double no_tail(int) { return 0; }
  static bool contains(const std::vector<int>& list, int i) {
    return std::find(list.begin(), list.end(), i) != list.end();
  }

  void validate() const;
  Spent full_step(double t, const Z& start);
  bool none_closes(double t, const Z& start);
  std::optional<Failure> begin(double t, const Z& start);
  void find_touching(double t, const Z& at, int hit);
  const Stepped& walk(double t, const Z& start, const Spent& full);
  const EventSearch::Event& next_event(double now, double rest, Kind kind);
  bool is_passed(double now, const EventSearch::Event& event);
  bool is_spent(const EventSearch::Event& event);
  bool comes_along(double now, const EventSearch::Event& event);
  bool stays(double t, const Z& at);
  void release(double t);
  void stop_quick_bounces(double t, double rest);
  bool accumulates(int contact, double t, double rest) const;
  void count_short_bounces();
  void drop_absent(std::vector<int>& contacts) const;
  bool crosses_kink(double t, const Z& end);
  void hold_branches(double t, const Values& q);
  bool exists(int contact) const { return absent.empty() || !absent[static_cast<std::size_t>(contact)]; }
  void find_absent(double t, const Z& at, const Z* end);
  bool is_met_in_vain(double now, double rest, const EventSearch::Event& event);
  void drop_ended(double t);
  bool holds(double t, const Z& at, std::span<const int> contacts);
  std::optional<Failure> stick(double t, int contact);
  std::optional<Failure> resolve(double t, double rest, int hit, const Spent& leg);
  std::optional<Failure> reflect(double t, double rest, const Spent& leg);
  std::optional<Failure> refuse_lasting(const std::vector<int>& pressed) const;
  bool choose_lasting(double t);
  Failure stays_closed(int contact) const;
  double kinetic_loss(double t);
  double hamiltonian(double t) { return system.hamiltonian(t, z.q, z.p, v, Lq, Lv); }
  std::size_t place_of(int contact) const;
  void change_lasting(double t, const Tail& tail);
  void record(double t, int hit);

  // Where contacts have friction (src/contact/friction/rough_events.cpp).
  void validate_friction() const;
  void change_rough(double t, const Hit* hit = nullptr);
  void begin_rough(double t);
  std::optional<Failure> choose_modes(double t, const Z* further, double t_further);
  std::optional<Failure> jolted(double t, const Failure& why);
  std::optional<Failure> change_modes(double t);
  std::optional<Failure> hold_stuck(double t, int contact);
  void hold_late(double t, int contact);
  double friction_of(const CurvePoint& end) const;
  std::optional<Failure> resolve_rough(double t, double rest, int hit);
  Impact* record_rough(double t, int hit, double rate_before);
  bool stays_rough(double t, const Z& at);
  const Stepped& walk_in_parts(double t, const Z& start);
  void follow_part(double& now, Kind kind, const CurvePoint& end);
  bool follow_end(double now, double rest, double& tau);
  std::optional<Failure> follow_ends(double& now, double& rest, double& part, bool& in_parts);

  const Stepped& finish_walk(double t, const CurvePoint& last, const Spent& full, bool no_events);
  const Stepped& finished(const Spent& spent);
  const Stepped& failed(const Z& at, Failure why);
  Failure no_slope(int contact) const;
  const Stepped& interrupted(const Z& at);
  Failure no_motion(const Outcome& outcome) const;
  Failure about_touched(const char* reason, double rate = 0) const;
  Failure squeezed() const;
  Failure too_many() const;

  SystemRef shared;
  std::shared_ptr<System> branched;  // one whose branches this stepper chooses, where gaps have kinks
  const System& system;
  SteadyFlow flow;
  bool holds_contacts;  // the flow has steps along them
  ContactOptions options;
  HeldFlow held;
  PartialMotion motion;
  EventSearch search;
  GapScales scales;
  OpenContacts open;
  Touching touching;
  UnitEnergies energy;
  std::unique_ptr<Friction> friction;  // where a contact has mu > 0

  bool begun = false;
  std::vector<int> lasting;  // C, ascending
  // Before the step, to stand there again if somebody asks to stop within it.
  struct {
    bool begun;
    std::vector<int> lasting;
    FrictionModes modes;
  } before;
  Z z, full_end, part_end;
  std::vector<int> next_lasting, touched, watched, late, alone;
  std::vector<Hit> hits;     // at this instant
  std::vector<Hit> earlier;  // and in this step
  std::vector<int> struck;   // those of them that go by the reflection no more
  Values gaps, v, Lq, Lv, p_before, J;
  Values restitution;  // per contact
  ChangingValues e;    // of those that touch
  Unfollowed short_bounces;
  Z jolted_from;  // where the first step begins after an impact without collision
  bool jolted_at_start = false;
  bool met_kink = false;             // in this step
  double changed_at = std::nan("");  // where modes were chosen anew, and what they were then
  std::vector<Mode> changed_from;
  int unchanged = 0;
  std::vector<Mode> told_modes;  // as the changes of this run tell them
  double rubbed = 0;             // work of friction until the event seen last
  double lost = 0;               // at the impact seen last
  bool by_law_energy = false;    // and whether it met the law's energy
  Values sides, sides_after;     // see System::branches
  std::vector<char> absent;      // contacts that do not exist now; empty where all always do
  Values condition, condition_after;
  ImpactList impacts;
  std::vector<ContactChange> changes;
  Stepped result;
};

}  // namespace carom
