// The event-driven stepper (000, Algorithm 1) with any impact law and any flow:
//
//   z1 = Φ_h(z); if every gap stays clearly open, that is the step. Otherwise, with rest = h:
//     first contact at tau <= rest on the law's partial motion; none: advance by rest, done
//     (q_i, p-) there; J = reflection of p- by all contacts that close here; p+ = p- + s J, s from the law's
//     energy rest -= tau; again from (q_i, p+)
//
// Semantics: at an impact q- = q+ and only p jumps; contacts within 1e-9 of the system's size close together.
// Joints take part in an impact: contact gradients are projected onto their tangents (joints.hpp), and so is
// p+.
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "carom/open_gaps.hpp"
#include "carom/reflection.hpp"
#include "carom/stepper.hpp"

namespace carom {

struct EventOptions {
  double restitution = 1;           // e in [0, 1]
  int most_impacts = 100;           // in one step; more means that they accumulate
  double accuracy_of_time = 1e-16;  // of impacts, in steps
};

template <System Sys>
class EventDrivenStepper {
  static_assert(HasGaps<Sys>, "without gaps(q) nothing can be hit: use SmoothStepper");
  static constexpr int N = Sys::dim;

 public:
  EventDrivenStepper(const Sys& sys, const SteadyFlow& f, ImpactLaw<Sys> l, EventOptions o = {})
      : system(sys), flow(f), law(std::move(l)), options(o) {
    impacts.reserve(options.most_impacts);
  }

  SteppedState<Sys> step(double t, const State<double, N>& z) {
    impacts.clear();
    if (keeps_anchor() && !anchor) anchor = law.before(t, z);
    auto full = flow_step(system, flow.forward, t, flow.h, z);
    if (full.outcome.ok() && open.stay(system, z, full.z, flow.h)) return {full, std::nullopt, {}};
    const std::int64_t before = fallbacks;
    const auto stepped = walk(t, z, full);
    if (stepped.failure) fallbacks = before;  // its impacts are not counted either
    return stepped;
  }

  // Calls f with each number that a run must keep to go on later as if it had never stopped.
  void numbers(auto&& f) {
    double held = anchor.value_or(std::nan(""));
    std::int64_t holds = anchor.has_value();
    f(held), f(holds), f(solves), f(fallbacks);
    anchor = holds ? std::optional(held) : std::nullopt;
  }

  std::int64_t solves = 0;     // evaluations of the law's energy
  std::int64_t fallbacks = 0;  // impacts by the mirror law, because that energy had no root near it

 private:
  using Step = StepResult<double, N>;

  // Forces change the energy from step to step, so that there is nothing to hold on to.
  bool keeps_anchor() const { return law.anchored && !is_forced(system); }

  GapRates<Sys> moving_gaps(const State<double, N>& z) const { return OpenGaps<Sys>::rates_at(system, z); }

  SteppedState<Sys> walk(double t, const State<double, N>& z, const Step& full) {
    Leg<N> leg{t, z};
    double rest = flow.h, work = 0;
    reached.reset();
    while (true) {
      law.prepare(leg);
      const auto found = GapSearch<Sys>(system, law, leg, rest, options.accuracy_of_time).first();
      if (found.end == SearchEnd::failed)
        return {full, Failure{describe(found.at.outcome.status), found.at.outcome.residual, ""}, impacts};
      if (found.end == SearchEnd::lasting) return {full, lasting_contact(leg, found.contact), impacts};
      if (found.end == SearchEnd::clear) return {finished(found, full, work), std::nullopt, impacts};
      if (static_cast<int>(impacts.size()) >= options.most_impacts)
        return {full, too_many(found.contact), impacts};
      work += found.at.work;
      const auto after = resolve(t, z, leg, found, rest - found.tau, work);
      if (after.failure) return {full, after.failure, impacts};
      rest -= found.tau;
      leg = {leg.t + found.tau, after.z};
    }
  }

  // Without an impact a step is the flow's own, whatever the law's partial steps are; unless that one fails,
  // or ends a hair behind the wall where those do not.
  Step finished(const Found<Sys>& found, const Step& full, double work) const {
    if (impacts.empty() && full.outcome.ok() && smallest_gap(system, full.z.q) >= 0) return full;
    Step r = full;
    r.outcome = found.at.outcome;
    r.z = found.at.z, r.energy = found.at.energy, r.work = work + found.at.work, r.action = std::nan("");
    return r;
  }

  Failure lasting_contact(const Leg<N>& leg, int contact) const {
    const auto gaps = moving_gaps(leg.z);
    return {
        "a contact stays closed, or impacts accumulate on it; the event-driven stepper has no lasting "
        "contact",
        gaps.gap[contact], gap_name(system, contact)};
  }
  Failure too_many(int contact) const {
    std::string names = gap_name(system, contact);
    for (const auto& impact : impacts)
      for (const int i : impact.contacts)
        if (names.find(gap_name(system, i)) == std::string::npos) names += ", " + gap_name(system, i);
    return {"more than " + std::to_string(options.most_impacts) + " impacts in one step", 0, names};
  }

  struct Resolved {
    State<double, N> z;
    std::optional<Failure> failure;
  };

  Resolved resolve(double t, const State<double, N>& node, const Leg<N>& leg, const Found<Sys>& found,
                   double rest, double work) {
    const State<double, N>& arrived = found.at.z;
    const double now = leg.t + found.tau;
    Impact<N> impact{now, {}, arrived.q, arrived.p, arrived.p, 0, 0, 0};
    const auto gaps = gap_rates(system, arrived.q, found.at.rate.q);
    const auto size = gap_sizes(system, arrived.q);
    for (int i = 0; i < gaps.gap.size(); ++i)
      if (i == found.contact || (gaps.gap[i] <= 1e-9 * size[i] && gaps.rate[i] < 0))
        impact.contacts.push_back(i);

    auto J = mirror_impulse(arrived.q, found.at.rate.q, impact.contacts);
    if (J.ok && !is_quadratic(system)) J.p *= mirror_scale(arrived, J.p);
    if (!J.ok)
      return {arrived,
              Failure{"the contacts that close here squeeze the system: no impulse opens all of them", 0,
                      gap_name(system, found.contact)}};
    const auto energy_of = [&](double s) {
      ++solves;
      return energy_after(now, {arrived.q, departing(arrived, s * J.p)}, rest, work);
    };
    const double target = reached ? *reached : energy_before(t, node, found, now);
    const double slope = J.p.dot(velocity(system, arrived.q, departing(arrived, J.p)).x);
    const double s = scale_of_impulse(energy_of, target, slope, opening_scale(arrived, J.p, impact.contacts));
    impact.p_after = departing(arrived, s * J.p);
    impact.impulse = s * J.p.norm();
    impact.rate_before = moving_gaps(arrived).rate[found.contact];
    impact.rate_after = moving_gaps({arrived.q, impact.p_after}).rate[found.contact];
    impacts.push_back(impact);
    if (options.restitution < 1 && law.where == MeasuredAt::node) reached = energy_of(s);
    if (options.restitution < 1) anchor.reset();
    return {{arrived.q, impact.p_after}, std::nullopt};
  }

  struct Impulse {
    Vector<double, N> p;
    bool ok = true;
  };

  // The impulse of the mirror law: momentum that turns the gap rates of the searched curve around.
  Impulse mirror_impulse(const Vector<double, N>& q, const Vector<double, N>& v,
                         const ContactList& contacts) const {
    const auto all = contact_gradients(q, v);
    const Vector<double, N> zero = Vector<double, N>::Zero(q.size());
    const Matrix<double, N> M = detail::fibre(system, q, v).Lvv;
    if (contacts.size() == 1) {
      const Vector<double, N> g = all.row(contacts[0]);
      const Vector<double, N> Mg = solve_positive(M, g).x;
      return {g * (-2 * g.dot(v) / g.dot(Mg))};
    }
    const int n = static_cast<int>(q.size()), k = static_cast<int>(contacts.size());
    Eigen::MatrixXd G(n, k), MinvG(n, k);
    for (int j = 0; j < k; ++j) {
      const Vector<double, N> g = all.row(contacts[j]);
      G.col(j) = g, MinvG.col(j) = solve_positive(M, g).x;
    }
    const auto reflected = reflect(G, MinvG, v);
    return {zero + G * reflected.impulse, reflected.ok};
  }

  // Of all gaps, as rows; those of a system with joints along the joints' tangents.
  auto contact_gradients(const Vector<double, N>& q, const Vector<double, N>& v) const {
    auto all = jacobian([this](const auto& x) { return system.gaps(x); }, q);
    if constexpr (HasJoints<Sys>)
      if (joint_count(system) > 0) {
        const JointMetric<Sys> metric(system, q, v, JointsAt<Sys, double>(system, q).F);
        for (int i = 0; i < all.rows(); ++i) all.row(i) = metric.projected(Vector<double, N>(all.row(i)));
      }
    return all;
  }

  // The momentum after an impulse, along the joints.
  Vector<double, N> departing(const State<double, N>& arrived, const Vector<double, N>& impulse) const {
    const Vector<double, N> p = arrived.p + impulse;
    if constexpr (HasJoints<Sys>)
      if (joint_count(system) > 0) {
        const JointsAt<Sys, double> at(system, arrived.q);
        const JointMetric<Sys> metric(system, arrived.q, velocity(system, arrived.q, p).x, at.F);
        return tangent_momentum(system, arrived.q, at, metric, p).x;
      }
    return p;
  }

  // Where H is not quadratic in p, turning the gap rates around is no mirror: s > 0 with H(p + s J) = H(p). H
  // is convex in p and falls at first, so there is one.
  double mirror_scale(const State<double, N>& arrived, const Vector<double, N>& J) const {
    const double H = hamiltonian(system, arrived);
    const auto gain = [&](double s) {
      const double energy = hamiltonian(system, State<double, N>{arrived.q, departing(arrived, s * J)});
      return std::isnan(energy) ? HUGE_VAL : energy - H;  // beyond what exists
    };
    double low = 0, high = 1;
    for (int k = 0; k < 60 && gain(high) < 0; ++k) low = high, high *= 2;
    for (int k = 0; k < 60 && low == 0; ++k) (gain(0.5 * high) < 0 ? low : high) = 0.5 * high;
    for (int k = 0; k < 200 && high - low > 4e-16 * high; ++k) {
      const double middle = 0.5 * (low + high);
      (gain(middle) < 0 ? low : high) = middle;
    }
    return high;
  }

  double energy_before(double t, const State<double, N>& node, const Found<Sys>& found, double now) {
    switch (law.where) {
      case MeasuredAt::impact:
        return law.before(now, found.at.z);
      case MeasuredAt::leg:
        return found.at.energy + 0.5 * found.at.work;
      case MeasuredAt::node:
        break;
    }
    return keeps_anchor() && anchor ? *anchor : law.before(t, node);
  }

  // Of a trial departure; for nodes less the work that the forces did since the last node.
  double energy_after(double now, const State<double, N>& z, double rest, double work) const {
    if (law.where == MeasuredAt::impact) return law.after(now, z);
    Leg<N> leg{now, z};
    law.prepare(leg);
    if (law.where == MeasuredAt::node) {
      const auto end = law.advance(leg, rest);
      return law.after(now + rest, end.z) - work - end.work;
    }
    auto part = law.advance(leg, rest);
    if (!part.outcome.ok() || smallest_gap(system, part.z.q) < 0) {  // another impact comes first: 002, (78)
      const auto next = GapSearch<Sys>(system, law, leg, rest, options.accuracy_of_time).first();
      if (next.end == SearchEnd::contact && next.tau > 0)
        part = next.at;  // at 0: a trial that does not leave
    }
    return part.energy - 0.5 * part.work;
  }

  // s with E(s) - E(s*) = e² (E- - E(s*)), s > s*, where s* minimises E: for e = 1 simply E(s) = E-. A lossy
  // impact never leaves a contact closing, although s* differs by O(h²) from where the gap rates vanish.
  template <class Energy>
  double scale_of_impulse(const Energy& E, double target, double slope, double opening) {
    const double e = options.restitution;
    if (e == 1) return root_near(E, target, slope, 1);
    if (e == 0) return opening;
    const double lowest = lowest_scale(E), least = E(lowest);
    const double s = root_near(E, least + e * e * (target - least), slope * e, lowest + e * (1 - lowest));
    return std::fmax(s, opening);
  }

  // The smallest scale at which no contact of the impact closes any more.
  double opening_scale(const State<double, N>& arrived, const Vector<double, N>& J,
                       const ContactList& contacts) const {
    const auto none = moving_gaps(arrived), all = moving_gaps({arrived.q, departing(arrived, J)});
    double scale = 0;
    for (const int i : contacts)
      if (all.rate[i] > none.rate[i]) scale = std::fmax(scale, -none.rate[i] / (all.rate[i] - none.rate[i]));
    return scale;
  }

  // The minimiser of a nearly quadratic energy, by two parabolas.
  template <class Energy>
  static double lowest_scale(const Energy& E) {
    double centre = 0.5, width = 0.5;
    for (int i = 0; i < 3; ++i, width *= 0.2) {
      const double low = E(centre - width), mid = E(centre), high = E(centre + width);
      const double curvature = low - 2 * mid + high;
      if (!(curvature > 0)) break;
      centre -= 0.5 * width * (high - low) / curvature;
    }
    return centre;
  }

  // The secant method from a guess whose slope is known; without a root near it, the guess is kept and
  // counted.
  template <class Energy>
  double root_near(const Energy& E, double target, double slope, double guess) {
    const double tolerance = law.noise * (std::abs(target) + std::abs(slope));
    double s = guess, f = E(s) - target;
    for (int i = 0; i < 30; ++i) {
      if (std::abs(f) <= tolerance) return s;
      const double change = -f / slope;
      if (!std::isfinite(change) || std::abs(s + change - guess) > 0.5 * std::fmax(guess, 0.1)) break;
      if (std::abs(change) <= 1e-16) return s;
      const double f_before = f;
      s += change, f = E(s) - target;
      if (std::abs(f) >= std::abs(f_before) && std::abs(f) <= 1e-12 * (std::abs(target) + std::abs(slope)))
        return s;
      slope = (f - f_before) / change;
    }
    ++fallbacks;
    return guess;
  }

  Sys system;
  SteadyFlow flow;
  ImpactLaw<Sys> law;
  EventOptions options;
  std::optional<double> anchor;
  std::optional<double> reached;  // the energy that the impacts of this step have left
  std::vector<Impact<N>> impacts;
  OpenGaps<Sys> open;
};

}  // namespace carom
