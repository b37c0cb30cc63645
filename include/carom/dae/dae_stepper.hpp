// One full step of a DAE through whatever happens in it: sliding along its constraints, take-off where a
// multiplier of an inequality would pull, flight, landing with restitution and friction, and rest.
//
//   (y, z) -> the flow with what is held                                         dae_flow.hpp
//     first of   take-off:  psi_i = 0, psi_i < 0 after it                        dae_events.hpp
//                landing:   g_i = 0
//                a stop:    friction has used up the motion
//   there: release; impact; rest, or sliding the other way                       dae_touching.hpp
//   again from there, until the step is over
//
// Friction opposes the motion as a whole, and rest is that of the whole system: 004's law, not one law per
// contact of many bodies. Where that decides nothing, because something moves that friction does not act on,
// the step fails by name (friction_reach.hpp). Tested in tests/laws/dae_contact_test.cpp.
#pragma once

#include "carom/dae/dae_events.hpp"
#include "carom/dae/friction_reach.hpp"
#include "carom/run/stepper.hpp"
#include "carom/run/unfollowed.hpp"

namespace carom {

struct DaeOptions {
  DaeScheme scheme;
  double restitution = 1;
  int most_events = 1000;          // in one step; more means that they accumulate
  double shortest_bounce = 1e-3;   // in steps: shorter ones, for e < 1, are not followed
  std::optional<Values> psi = {};  // where the first multipliers are looked for
};

class DaeStepper final : public Stepper {
 public:
  using Z = Phase;

  DaeStepper(DaeSystem sys, const Flow& f, double step, const DaeOptions& o);
  DaeStepper(const DaeStepper&) = delete;  // its parts refer to each other
  DaeStepper& operator=(const DaeStepper&) = delete;

  // The result is good until the next step.
  const Stepped& step(double t, const Z& start) override;

  // What a resumed run needs.
  void numbers(KeptNumbers& f) override {
    std::int64_t count = static_cast<std::int64_t>(now.lasting.size()), started = begun, rests = at_rest;
    f(started), f(rests), f(count), f(halved), f(events.landings);
    begun = started != 0, at_rest = rests != 0;
    now.lasting.resize(static_cast<std::size_t>(count));
    for (int& contact : now.lasting) {
      std::int64_t i = contact;
      f(i);
      contact = static_cast<int>(i);
    }
    flow.euler.numbers(f);
    for (double& psi : touching.consistent.psi) f(psi);
    short_bounces.numbers(f);
  }

  const std::vector<int>& lasting_contacts() const { return now.lasting; }  // as constraints of the DAE
  bool rests() const { return at_rest; }
  std::int64_t solves() const override { return events.landings; }
  double unfollowed() const override { return short_bounces.share(); }
  std::int64_t fallbacks() const override { return halved; }  // steps that did not converge and were halved

 private:
  static constexpr int most_halvings = 6;

  void keep_before();
  const Stepped& interrupted();
  std::optional<Failure> advance();
  std::optional<Failure> arrive(const DaeEvent& event);
  Outcome go(double tau);
  // Without inequalities and friction nothing happens.
  bool touched() const { return !system.one_sided.empty() || dae.has_friction(); }
  void face_forward();
  std::optional<Failure> begin();
  std::optional<Failure> choose_lasting(double tail);
  double friction();
  void guess();
  void release(int i);
  int ordinal(int i) const;
  std::optional<Failure> land(int contact);
  bool strike(double restitution);
  bool settles(int contact, double& tail);
  bool settle_lifted();
  double size_of(const Values& z);
  bool is_lifted(int i) const;
  void record(int contact);
  std::optional<Failure> come_to_rest();
  std::optional<Failure> judge_friction();
  std::optional<Failure> stay();

  const std::vector<int>& held() { return touching.with_joints(now.lasting); }

  Failure no_multipliers() const;
  Failure no_impact(int contact) const;
  std::string held_names() const;
  Failure not_as_a_whole() const;
  Failure driving(double power) const;
  const Stepped& failed(const Failure& why);

  DaeSystem system;
  const Dae& dae;
  DaeOptions options;
  double h;
  DaeFlow flow;
  DaeTouching touching;
  DaeEvents events;
  FrictionReach acting;
  bool begun = false, at_rest = false;
  DaePoint now;
  double left = 0;  // of the step
  Unfollowed short_bounces;
  std::int64_t halved = 0;
  std::vector<int> candidates, closing, on, lifted;
  struct Before {  // a step, of what it changes
    bool begun, at_rest;
    std::vector<int> lasting;
    Values Psi0, Psi1, psi;
    std::int64_t halved, landings;
  } before = {};
  Values y1, z1, y_start, z_start, z_before, p_before;
  DaeMotion motion;
  DaeConstraint constraint;
  std::vector<Impact> impacts;
  std::vector<ContactChange> changes;
  Stepped result;
};

}  // namespace carom
