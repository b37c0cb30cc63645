// Any system of the core as a mechanism: derivatives by dual numbers or the system's own, all coordinates
// coupled with each other.
#pragma once

#include "carom/contact/mechanism.hpp"
#include "carom/mechanics.hpp"
#include "carom/open_gaps.hpp"

namespace carom {

// A step of the core, as long as no gap may close in it.
template <System Sys>
class DenseFreeStep : public FreeStep {
  static constexpr int N = Sys::dim;

 public:
  DenseFreeStep(const Sys& sys, const SteadyFlow& f) : system(sys), flow(f), n(coordinate_count(system)) {
    start.q.setZero(dimension(system)), start.p.setZero(dimension(system));
  }
  bool operator()(double t, const State<double, Eigen::Dynamic>& z,
                  StepResult<double, Eigen::Dynamic>& end) override {
    copy(z, start);
    const auto full = flow_step(system, flow.forward, t, flow.h, start);
    if (!full.outcome.ok()) return false;
    if (!open.stay(system, start, full.z, flow.h)) return false;
    end.z.q.resize(n), end.z.p.resize(n);
    copy(full.z, end.z);
    end.action = full.action, end.energy = full.energy, end.work = full.work, end.outcome = full.outcome;
    return true;
  }

 private:
  void copy(const auto& from, auto& to) const {
    std::copy_n(from.q.data(), n, to.q.data());
    std::copy_n(from.p.data(), n, to.p.data());
  }

  Sys system;
  SteadyFlow flow;
  int n;
  State<double, N> start;
  OpenGaps<Sys> open;
};

template <System Sys>
class DenseMechanism : public Mechanism {
  static constexpr int N = Sys::dim;
  using Local = Vector<double, N>;

 public:
  explicit DenseMechanism(Sys sys) : system(std::move(sys)), n(coordinate_count(system)) {}

  int size() const override { return n; }
  int contact_count() const override { return gap_count(system); }
  std::string coordinate_name(int i) const override { return carom::coordinate_name(system, i); }
  std::string contact_name(int i) const override { return gap_name(system, i); }
  bool constant_mass() const override { return has_constant_mass(system); }
  bool quadratic() const override { return is_quadratic(system); }

  double slopes(const Values& q, const Values& v, Values& Lq, Values& Lv) const override {
    const auto jet = LagrangianAt<Sys, double, Need::slopes>(system, local(q)).jet(local(v));
    Lq = jet.Lq.head(n), Lv = jet.Lv.head(n);
    return jet.L;
  }

  void curvature(const Values& q, const Values& v, const Weights& w, KktMatrix& into) const override {
    if (w.qq != 0)
      add(LagrangianAt<Sys, double, Need::all>(system, local(q)).jet(local(v)), w, into);
    else
      add(LagrangianAt<Sys, double, Need::mixed>(system, local(q)).jet(local(v)), w, into);
  }

  void stiffness(const Values& q, const Values& u, Values& Vqq_u) const override {
    const Local rest = Local::Zero(dimension(system));
    const auto jet = LagrangianAt<Sys, double, Need::all>(system, local(q)).jet(rest);
    Vqq_u = -(jet.Lqq * local(u)).head(n);
  }

  void couplings(Pairs& pairs) const override {
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < i; ++k) pairs.push_back({i, k});
  }

  void mass_couplings(Pairs& pairs) const override { couplings(pairs); }

  bool velocity(const Values& q, const Values& p, Values& v) const override {
    const auto solved = carom::velocity(system, local(q), local(p));
    v = solved.x.head(n);
    return solved.ok;
  }

  void gaps(const Values& q, Values& g) const override {
    if constexpr (HasGaps<Sys>)
      g = system.gaps(local(q));
    else
      g.resize(0);
  }
  void gap_slopes(const Values& q, std::span<const int> which, SparseRows& rows) const override {
    if constexpr (HasGaps<Sys>) {
      const auto G = jacobian([this](const auto& x) { return system.gaps(x); }, local(q));
      for (const int i : which) append(rows, G, i);
    }
  }

  int joint_count() const override { return carom::joint_count(system); }
  std::string joint_name(int i) const override { return carom::joint_name(system, i); }
  void joints(const Values& q, Values& f) const override {
    f.resize(joint_count());
    if constexpr (HasJoints<Sys>)
      if (f.size() > 0) f = system.joints(local(q));
  }
  void joint_slopes(const Values& q, SparseRows& rows) const override {
    if constexpr (HasJoints<Sys>)
      if (const int count = joint_count(); count > 0) {
        const auto F = jacobian([this](const auto& x) { return system.joints(x); }, local(q));
        for (int i = 0; i < count; ++i) append(rows, F, i);
      }
  }

  void gap_bends(const Values& q, const Values& u, std::span<const int> which,
                 Eigen::Ref<Values> bend) const override {
    if constexpr (HasGaps<Sys>) {
      const auto g = system.gaps(along(local(q), local(u)));
      for (std::size_t k = 0; k < which.size(); ++k) bend[k] = g[which[k]].h[0];
    }
  }
  void joint_bends(const Values& q, const Values& u, Values& bend) const override {
    bend.resize(joint_count());
    if constexpr (HasJoints<Sys>)
      if (bend.size() > 0) {
        const auto f = system.joints(along(local(q), local(u)));
        for (int k = 0; k < bend.size(); ++k) bend[k] = f[k].h[0];
      }
  }
  void momentum_bend(const Values& q, const Values& u, Values& change) const override {
    change.setZero();
    if (constant_mass()) return;
    const auto jet = LagrangianAt<Sys, double, Need::mixed>(system, local(q)).jet(local(u));
    change = (jet.Lqv.transpose() * local(u)).head(n);
  }

  std::unique_ptr<FreeStep> free_step(const SteadyFlow& flow) const override {
    if constexpr (HasGaps<Sys>) return std::make_unique<DenseFreeStep<Sys>>(system, flow);
    return nullptr;
  }

  bool forced() const override { return is_forced(system); }
  void force(double t, const Values& q, const Values& v, Values& f) const override {
    f.setZero();
    if constexpr (HasForce<Sys>)
      if (is_forced(system)) f = system.force(t, local(q), local(v)).head(n);
  }
  void momenta(const Values& q, const Values& p, const Tell& tell) const override {
    if constexpr (HasMomenta<Sys>) system.momenta(local(q), local(p), tell);
  }

 private:
  // A system made at run time may be smaller than its type; the rest stays at zero.
  Local local(const Values& x) const {
    Local r = Local::Zero(dimension(system));
    r.head(n) = x;
    return r;
  }
  void append(SparseRows& rows, const auto& slopes, int row) const {
    for (int i = 0; i < n; ++i) rows.push(i, slopes(row, i));
    rows.end_row();
  }
  void add(const LagrangianJet<double, N>& jet, const Weights& w, KktMatrix& into) const {
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < n; ++k) {
        double x = w.qv * jet.Lqv(i, k) + w.vq * jet.Lqv(k, i) + w.vv * jet.Lvv(i, k);
        if (w.qq != 0) x += w.qq * jet.Lqq(i, k);
        into.add(i, k, x);
      }
  }

  Sys system;
  int n;
};

}  // namespace carom
