// Systems of the core, their steppers and their shadow energies as a run takes them: states of run-time size
// go in and out, and no step allocates. A system in formulas may be smaller than its type; what is beyond
// stays at zero.
#pragma once

#include "carom/carom.hpp"
#include "run/watched.hpp"

namespace carom {

template <int N>
State<double, N> sized(const RunState& z) {
  if constexpr (N == Eigen::Dynamic) {
    return z;
  } else {
    State<double, N> r{Vector<double, N>::Zero(), Vector<double, N>::Zero()};
    for (int i = 0; i < z.q.size(); ++i) r.q[i] = z.q[i], r.p[i] = z.p[i];
    return r;
  }
}
template <int N>
Vector<double, N> sized(const RunVector& x) {
  Vector<double, N> r = Vector<double, N>::Zero();
  for (int i = 0; i < x.size(); ++i) r[i] = x[i];
  return r;
}

template <System Sys>
class Watched final : public WatchedSystem {
  static constexpr int N = Sys::dim;

 public:
  explicit Watched(const Sys& sys) : system(sys) {}

  int size() const override { return coordinate_count(system); }
  int contact_count() const override { return gap_count(system); }
  int joint_count() const override { return carom::joint_count(system); }
  std::string coordinate_name(int i) const override { return carom::coordinate_name(system, i); }
  std::string contact_name(int i) const override { return gap_name(system, i); }
  bool forced() const override { return is_forced(system); }
  bool has_friction() const override { return carom::has_friction(system); }
  bool may_lack_values() const override { return OwnDerivatives<Sys>; }

  void look(const RunState& z, Look& look) override { look_at(system, sized<N>(z), look); }
  double hamiltonian(const RunVector& q, const RunVector& p) override {
    return carom::hamiltonian(system, State<double, N>{sized<N>(q), sized<N>(p)});
  }
  double smallest_gap(const RunVector& q) override { return carom::smallest_gap(system, sized<N>(q)); }

 private:
  const Sys& system;
};

// S is a stepper over states of N coordinates, of which the first n count.
template <class S, int N>
class ErasedStepper final : public Stepper {
 public:
  ErasedStepper(S& own, int n) : stepper(own) { result.step.z = {RunVector::Zero(n), RunVector::Zero(n)}; }

  const Stepped<Eigen::Dynamic>& step(double t, const RunState& z) override {
    if constexpr (N != Eigen::Dynamic)
      return take(stepper.step(t, sized<N>(z)));
    else if constexpr (std::is_reference_v<decltype(stepper.step(t, z))>)
      return stepper.step(t, z);
    else
      return result = stepper.step(t, z);
  }
  void numbers(KeptNumbers& f) override { stepper.numbers(f); }
  std::int64_t solves() const override {
    if constexpr (requires { stepper.solves(); })
      return stepper.solves();
    else if constexpr (requires { stepper.solves; })
      return stepper.solves;
    else
      return 0;
  }
  std::int64_t fallbacks() const override {
    if constexpr (requires { stepper.fallbacks(); })
      return stepper.fallbacks();
    else if constexpr (requires { stepper.fallbacks; })
      return stepper.fallbacks;
    else
      return 0;
  }

 private:
  const Stepped<Eigen::Dynamic>& take(const Stepped<N>& r) {
    StepResult<double, Eigen::Dynamic>& step = result.step;
    put(r.step.z.q, step.z.q), put(r.step.z.p, step.z.p);
    step.action = r.step.action, step.energy = r.step.energy, step.work = r.step.work;
    step.outcome = r.step.outcome, step.friction = r.step.friction;
    result.failure = r.failure;
    impacts.clear();
    for (const Impact<N>& from : r.impacts) {
      Impact<Eigen::Dynamic>& to = impacts.add();
      for (auto* x : {&to.q, &to.p_before, &to.p_after}) x->resize(step.z.q.size());
      put(from.q, to.q), put(from.p_before, to.p_before), put(from.p_after, to.p_after);
      to.t = from.t, to.contacts = from.contacts, to.impulse = from.impulse;
      to.rate_before = from.rate_before, to.rate_after = from.rate_after;
    }
    result.impacts = impacts.all(), result.changes = r.changes;
    return result;
  }
  static void put(const Vector<double, N>& from, RunVector& to) {
    for (int i = 0; i < to.size(); ++i) to[i] = from[i];
  }

  S& stepper;
  Stepped<Eigen::Dynamic> result;
  ImpactList<Eigen::Dynamic> impacts;
};

template <System Sys>
class ErasedShadow final : public WatchedShadow {
  static constexpr int N = Sys::dim;

 public:
  ErasedShadow(const Sys& system, const SteadyFlow& flow, int half) : window(system, flow, half) {}
  void follow(std::int64_t n, double t, const RunState& z) override { window.follow(n, t, sized<N>(z)); }
  ShadowValue at(std::int64_t n, double t, const RunState& z) override {
    return window.at(n, t, sized<N>(z));
  }
  void numbers(KeptNumbers& f) override { window.numbers(f); }

  ShadowWindow<Sys> window;
};

}  // namespace carom
