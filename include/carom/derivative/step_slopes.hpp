// The derivative of a whole step of the event loop (contact/contact_stepper.hpp), z_n -> z_(n+1), through its
// impacts: the parts between them and the resets at them one after the other, as they were recorded. A part
// that ends at an impact has the length that contact_slopes.hpp gives, and the last one what is left: d(rest)
// = -Σ dτ.
//
// What an impact leaves is p+ = p- + λ n. Where the law keeps an energy of its own, E+ = E, the equation
// differentiated gives dλ:
//
//   leg     -D3 L_d of the part after = -D3 L_d of the part before - loss; both lengths depend on everything
//   node    H̃ at the end of the step = E0, taken at the start of the run; with restitution H̃ at the step's
//   start - losses
//
// Contacts that last are held like joints. One begins to by an impact that gives nothing back; it ends where
// nothing presses it, at a time that release_slopes.hpp gives.
//
// Tested in tests/laws/derivative_laws_test.cpp.
#pragma once

#include <optional>

#include "carom/derivative/contact_slopes.hpp"
#include "carom/derivative/release_slopes.hpp"
#include "carom/derivative/shadow_slopes.hpp"

namespace carom {

// What happened in a step: impacts, contacts that began or ceased to last, and those that lasted before it.
struct StepEvents {
  std::span<const Impact> impacts = {};
  std::span<const ContactChange> changes = {};
  std::span<const int> held = {};
};

class StepSlopes {
 public:
  StepSlopes(const DenseSystem& m, const DerivativeColumns& c, const SteadyFlow& f, const ImpactLaw& l,
             double restitution);

  // The step from (t, z) with these events to `end`: what is not so is told by the reason that is returned.
  std::optional<Failure> take(double t, const Phase& z, const StepEvents& events, const Phase& end);

  Slopes S;                   // z_(n+1), by z_n, t, h, the anchor and the parameters
  Slopes times;               // of the impacts, a row each
  double slowest = HUGE_VAL;  // smallest |rate| of an impact

  // The anchor of the law, where it has one, at the start of a run: its slope there.
  bool has_anchor() const { return anchored; }
  std::optional<Failure> find_anchor(double t, const Phase& z, std::span<const int> held_there,
                                     SlopeRow& slope);

 private:
  using Kind = ImpactLaw::Part;

  struct Meeting {
    int contact = -1;     // that closes
    bool begins = false;  // to last
  };
  void begin(double t, const Phase& z, const Phase& end);
  void hold(std::vector<int> contacts);
  void add_length(const SlopeRow& length);
  std::optional<Failure> meet(const Impact& impact, const Meeting& hit, std::span<const Impact> later,
                              double t_end, SlopeRow& time_of_it);
  std::optional<Failure> let_go(const ContactChange& change);
  std::optional<Failure> read(const Impact& impact, std::span<const ContactChange> changes,
                              Meeting& hit) const;
  std::optional<Failure> reach(double t, double tau, const Phase& goal);
  void compose(const Slopes& B, const SlopeRow& length, Slopes& of) const;
  SlopeRow composed(const SlopeRow& row, const SlopeRow& length, const Slopes& of) const;
  std::optional<Failure> pass(const Impact& impact, bool begins, std::span<const Impact> later, double t_end);
  std::optional<Failure> by_leg(std::span<const Impact> later, double t_end);
  std::optional<Failure> by_node(double t_end);
  void turn_by(const SlopeRow& of_lambda, double by_lambda);
  std::optional<Failure> differs(const Impact& impact) const;
  std::optional<Failure> pushes_aside(const Impact& impact) const;
  int hit_of(const Impact& impact) const;
  double restitution_of(int contact) const;

  const DenseSystem& system;
  DerivativeColumns columns;
  const SteadyFlow& flow;
  ImpactLaw law;
  double usual;
  bool anchored, lossy;
  PartSlopes part;
  ShadowSlopes shadow;
  ContactSlopes contact;
  ReleaseSlopes release;
  std::vector<int> held;
  bool holds_joints = false;
  bool released = false;  // in this step, since its last impact
  Phase now_z;
  double now = 0, scale = 1;  // of the step's ends, where an impact near a graze may be almost at rest
  SlopeRow now_slope, rest_slope, leg_energy, losses, at_start;
};

}  // namespace carom
