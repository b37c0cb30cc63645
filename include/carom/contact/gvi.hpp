// The generalized variational integrator (003, Algorithm 1, with joints as in 7.2 and the corrections that
// measurements asked for): full steps always, with what would be hit reflected at the start of the step.
//
//   predictor q_p:  one free step (or one along the joints)
//   A = {g(q_p) <= 0} u {|g(q)| <= tol}                reached contacts;   p = R(q, p, A)   reflections.hpp
//   S = {|g(q)| <= tol and G·v(q, p) = 0}              lasting contacts
//   (q, p) = discrete-smooth step with S               smooth_step.hpp
//
// Contacts may be passed by what a step moves (the order of h); joints and lasting contacts are kept to
// rounding. Tested in tests/laws/gvi_laws_test.cpp.
#pragma once

#include <cmath>

#include "carom/contact/reflections.hpp"
#include "carom/flow/held_flow.hpp"
#include "carom/run/stepper.hpp"
#include "carom/system/gap_scales.hpp"
#include "carom/system/part_of_system.hpp"
#include "carom/system/system_ref.hpp"

namespace carom {

struct GviOptions {
  enum class Predictor { free, jointed } predictor = Predictor::free;
  enum class Energy { hamiltonian, numerical, shadow } energy = Energy::hamiltonian;
  // exact: as they are; linearized: gaps by their linear part at q; predicted: reflected along gradients at
  // q_p, which breaks the momenta (003, Fig. 8.2 d).
  enum class Constraints { exact, linearized, predicted } constraints = Constraints::exact;
  ReflectionOrder reflection = ReflectionOrder::generalized;
  int order = 8;  // of the shadow energy
};

// κ of the energy H + κ/2 u'V''u + ... that the flow keeps to h², for a constant mass: see Bond & Leimkuhler
// (2007) for Verlet. Zero for flows that it is not known for.
double numerical_kappa(const Flow& flow, double h);

// The coordinates that contacts can reach, with an energy of their own: what stands beside has no say in it.
class TouchedPart {
 public:
  explicit TouchedPart(const System& m);

  // Made where the first step starts; nothing where all coordinates are reached, or their coupling is not
  // known.
  void make(double t, const Values& q);
  bool made() const { return part != nullptr; }
  double shadow_energy(const SteadyFlow& flow, double t, const Phase& z, int m,
                       const std::vector<int>& lasting);
  void numbers(KeptNumbers& f);

 private:
  const System& system;
  bool apart;
  std::vector<double> reference;  // q when it was made, and t
  std::unique_ptr<PartOfSystem> part;
  std::unique_ptr<HeldFlow> held;
  Phase own;
  std::vector<int> own_lasting;
};

class GviStepper final : public Stepper {
 public:
  using Z = Phase;

  GviStepper(SystemRef sys, const SteadyFlow& f, const GviOptions& o);
  GviStepper(const GviStepper&) = delete;  // its parts refer to each other
  GviStepper& operator=(const GviStepper&) = delete;

  // The result is good until the next step.
  const Stepped& step(double t, const Z& start) override;

  // What a resumed run needs; NaN stands for no anchor yet. The contacts of the last step come with their
  // number.
  void numbers(KeptNumbers& f) override {
    double anchor = energy.anchor.value_or(std::nan(""));
    auto count = static_cast<std::int64_t>(told.size());
    f(rounds), f(mirrored), f(anchor), f(count);
    energy.anchor = std::isnan(anchor) ? std::nullopt : std::optional(anchor);
    told.resize(static_cast<std::size_t>(count));
    for (std::int64_t& contact : told) f(contact);
    touched.numbers(f);
  }
  void forget_energy() override { energy.anchor.reset(); }
  std::int64_t solves() const override { return rounds; }       // rounds of reflections
  std::int64_t fallbacks() const override { return mirrored; }  // those that fell back to the mirror law
  const std::vector<int>& lasting() const { return resting; }

 private:
  void validate() const;
  void find_reached();
  void set_anchor();
  bool prepare();
  void find_resting();
  const std::vector<int>& kept_by(const Values& q, const Values& p);
  bool reflect();
  void record();
  void tell_changes();
  void tell(int contact, bool begins) { changes.push_back({now, contact, begins, now}); }

  std::vector<int> squeezed() const;
  const Stepped& failure(const char* reason, double residual, const std::vector<int>& which,
                         const char* measure = "residual");

  SystemRef shared;
  const System& system;
  SteadyFlow flow;
  GviOptions options;
  ReflectionEnergy energy;
  HeldFlow held;
  TouchedPart touched;
  GapScales scales;
  ContactRates contacts;
  Reflections reflections;
  std::int64_t rounds = 0, mirrored = 0;
  double now = 0;
  Z z, predicted, asked;
  std::vector<int> reached, resting, undefined, passed, kept;
  std::vector<std::int64_t> told;  // the lasting contacts that observers know of
  std::vector<ContactChange> changes;
  SparseRows gradients;
  Values gaps, gaps_ahead, v, Lq, Lv, answer, before;
  ChangingValues rates_before;
  ImpactList impacts;
  Stepped result;
};

}  // namespace carom
