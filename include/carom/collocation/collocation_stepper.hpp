// The fast stepper for Gauss collocation, with impacts that keep H: what EventDrivenStepper does with the
// flow gauss and the law continuous-energy, in steps of its own inside of a grid step.
//
//   from impact to impact, and to the next grid point, steps are equal: h = rest / ceil(rest / longest)
//   before a step:  does the last polynomial, carried on, reach a wall? Then solve for the step up to it.
//   after a step:   did a gap close inside? Then solve again, up to the first wall.
//   whatever is less clear (grazes, several contacts at once, accumulating impacts) is left to the careful
//   search of EventDrivenStepper; what does not converge is taken in halves, and counted
//
// Tested against it, the reference files and closed forms in tests/laws/collocation_test.cpp.
#pragma once

#include "carom/collocation/gap_watch.hpp"
#include "carom/collocation/step_choice.hpp"
#include "carom/event_driven.hpp"
#include "carom/flows.hpp"

namespace carom {

struct CollocationOptions {
  int stages = 6;
  double longest_step = HUGE_VAL;  // inside of a grid step
  double tolerance = 0;            // above 0: chooses both of the above
  double restitution = 1;
  double accuracy_of_slopes = 4e-16;  // relative: where the iteration may stop
  bool stops_at_contacts = false;     // no impact law: the first contact ends the run
  bool measures = true;               // action and discrete energy of each step
  int lanes = widest_lanes();         // 2 or 4
};

// Whether it knows the system: no joints, and impacts only where H is quadratic in p.
template <System Sys>
bool collocation_fits(const Sys& system) {
  if constexpr (Sys::dim == Eigen::Dynamic) return false;
  return joint_count(system) == 0 && (is_quadratic(system) || gap_count(system) == 0);
}

template <System Sys>
class CollocationStepper {
  static constexpr int N = Sys::dim;
  static constexpr int most_halvings = 12, room_for_impacts = 100;

 public:
  CollocationStepper(const Sys& sys, double grid_step, const CollocationOptions& o)
      : system(sys),
        H(grid_step),
        options(o),
        longest(std::fmin(grid_step, o.longest_step)),
        stages(sys, o.tolerance > 0 ? stages_for(o.tolerance) : o.stages, o.lanes),
        choice(o.tolerance, longest) {
    impacts.reserve(room_for_impacts);
  }

  SteppedState<Sys> step(double t, const State<double, N>& start) {
    impacts.clear();
    total = {.z = start};
    choice.begin(stages, t, start, tolerance());
    double rest = H;
    while (rest > 0) {
      const double h = rest / std::ceil(rest / choice.step() * (1 - 1e-12));
      const Part part = advance(t + (H - rest), h, total.z, 0);
      if (part.failure) return {total, part.failure, impacts};
      if (options.stops_at_contacts && !impacts.empty()) return {total, first_contact()};
      total.z = part.z;
      rest = part.length >= rest ? 0 : rest - part.length;
    }
    if (!impacts.empty()) total.action = std::nan("");
    return {total, std::nullopt, impacts};
  }

  // Calls f with each number that a run must keep to go on later as if it had never stopped.
  void numbers(auto&& f) {
    f(solves), f(contact_solves), f(fallbacks), f(searches);
    choice.numbers(f), stages.numbers(f), watch.numbers(f);
  }

  int stage_count() const { return stages.stages(); }
  double longest_step() const { return choice.step(); }

  std::int64_t solves = 0;          // steps that were solved for, those thrown away included
  std::int64_t contact_solves = 0;  // those up to a wall
  std::int64_t fallbacks = 0;       // steps taken in smaller ones, because the iteration did not converge
  std::int64_t searches = 0;        // steps left to the careful search

 private:
  // A step, or the part of it up to an impact.
  struct Part {
    State<double, N> z;
    double length = 0;
    std::optional<Failure> failure = {};
  };

  // Of the slopes: with a tolerance, a tenth of what a step may err by.
  double tolerance() const { return std::fmax(options.accuracy_of_slopes, 0.1 * options.tolerance); }

  Failure first_contact() const {
    return {"a contact closes, and the method has no impact law", 0,
            gap_name(system, impacts.front().contacts[0])};
  }

  Part advance(double t, double h, const State<double, N>& z, int depth) {
    const bool carries_on = stages.prepare(t, h, z);
    watch.begin(system, z, carries_on);
    if (carries_on)
      if (const Seen seen = watch.expected(system, stages, h, z); seen.what == Sight::contact) {
        stages.prepare(t, h * seen.fraction, z);
        if (const auto part = up_to(seen.contact, t, h * seen.fraction, h, z)) return *part;
        stages.prepare(t, h, z);
      }
    const Outcome solved = count(stages.solve(t, h, z, tolerance()));
    if (!solved.ok()) return halve(t, h, z, depth, solved);
    if (choice.active() && !choice.accepts(stages, z) && depth < most_halvings)
      return advance(t, std::fmin(choice.step(), 0.8 * h), z, depth + 1);
    const State<double, N> end = stages.reached(h, z);
    if (const Seen seen = watch.along(system, stages, h, end); seen.what != Sight::clear) {
      stages.shorten(seen.fraction);
      if (seen.what == Sight::contact)
        if (const auto part = up_to(seen.contact, t, h * seen.fraction, h, z)) return *part;
      return search(t, h, z);
    }
    take_stock(t);
    stages.accept(end);
    watch.leave(-1);
    return {end, h};
  }

  Outcome count(const Outcome& outcome) {
    ++solves;
    total.outcome.iterations += outcome.iterations;
    return outcome;
  }

  Part halve(double t, double h, const State<double, N>& z, int depth, const Outcome& outcome) {
    stages.forget();
    if (depth >= most_halvings) return {z, 0, Failure{describe(outcome.status), outcome.residual, ""}};
    ++fallbacks;
    return advance(t, 0.5 * h, z, depth + 1);
  }

  // The part of a step that ends at a contact, and the impact there; none where that turns out otherwise.
  std::optional<Part> up_to(int contact, double t, double length, double h, const State<double, N>& z) {
    if constexpr (HasGaps<Sys>) {
      ++contact_solves;
      if (!count(stages.solve_to_contact(contact, t, length, z, tolerance())).ok()) return {};
      length = stages.length();
      const State<double, N> arrived = stages.reached(length, z);
      if (length > h || !watch.alone(system, stages, contact, arrived)) return {};
      take_stock(t);
      const State<double, N> left = reflect(t + length, contact, arrived);
      stages.forget();
      choice.begin_flight(stages.stages(), longest);
      return Part{left, length};
    }
    return {};
  }

  // A single contact turns its gap rate around: p+ = p- - (1 + e) (∇g·v) / (∇g·M^-1∇g) ∇g.
  State<double, N> reflect(double t, int contact, const State<double, N>& z) {
    const auto G = jacobian([this](const auto& x) { return system.gaps(x); }, z.q);
    const Vector<double, N> g = G.row(contact), v = velocity(system, z.q, z.p).x;
    const Vector<double, N> w = solve_positive(detail::fibre(system, z.q, v).Lvv, g).x;
    const double rate = g.dot(v), e = options.restitution;
    Impact<N> impact{t, {}, z.q, z.p, z.p - ((1 + e) * rate / g.dot(w)) * g, 0, rate, -e * rate};
    impact.contacts.push_back(contact);
    impact.impulse = (impact.p_after - impact.p_before).norm();
    impacts.push_back(impact);
    watch.leave(contact);
    return {z.q, impact.p_after};
  }

  // Hard cases: the same method by the stepper that searches the motion itself.
  Part search(double t, double h, const State<double, N>& z) {
    if constexpr (HasGaps<Sys>) {
      ++searches;
      const SteadyFlow flow(gauss(stages.stages()), h);
      EventDrivenStepper<Sys> careful(system, flow, continuous_energy(system, flow),
                                      {.restitution = options.restitution});
      const auto r = careful.step(t, z);
      impacts.insert(impacts.end(), r.impacts.begin(), r.impacts.end());
      total.outcome.iterations += r.step.outcome.iterations;
      total.work += r.step.work, total.energy = r.step.energy, total.action = std::nan("");
      stages.forget();
      watch.leave(-1);
      return {r.step.z, h, r.failure};
    }
    return {z, h};
  }

  // Action, discrete energy and work of the solved part of a step.
  void take_stock(double t) {
    const bool forced = is_forced(system);
    if (!options.measures && !forced) return;
    const double h = stages.length();
    total.energy = 0;
    for (int i = 0; i < stages.stages(); ++i) {
      const Vector<double, N> Q = stages.stage_q(i), V = stages.stage_v(i);
      const double b = stages.weights().b[i];
      const auto L = LagrangianAt<Sys, double, Need::slopes>(system, Q).jet(V);
      total.action += h * b * L.L, total.energy += b * L.energy(V);
      if constexpr (HasForce<Sys>)
        if (forced) total.work += h * b * system.force(t + h * stages.node(i), Q, V).dot(V);
    }
  }

  Sys system;
  double H;
  CollocationOptions options;
  double longest;
  Collocation<Sys> stages;
  StepChoice<Sys> choice;
  GapWatch<Sys> watch;
  StepResult<double, N> total;
  std::vector<Impact<N>> impacts;
};

}  // namespace carom
