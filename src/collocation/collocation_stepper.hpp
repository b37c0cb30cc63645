// The fast stepper for Gauss collocation (carom/flow/collocation.hpp), for one size:
//
//   from impact to impact, and to the next grid point, steps are equal: h = rest / ceil(rest / longest),
//   unless a tolerance asks for shorter ones, or can do with longer ones (step_choice.hpp) before a step:
//   does the last polynomial, carried on, reach a wall? Then solve for the step up to it. after a step:   did
//   a gap close inside? Then solve again, up to the first wall. whatever is less clear (grazes, several
//   contacts at once, accumulating impacts) is left to the careful search of ContactStepper; what does not
//   converge is taken in halves, and counted
//
// Tested against it, the reference files and closed forms in tests/laws/collocation_test.cpp.
#pragma once

#include "carom/contact/contact_stepper.hpp"
#include "carom/flow/collocation.hpp"
#include "carom/flow/flows.hpp"
#include "gap_watch.hpp"
#include "step_choice.hpp"

namespace carom {

template <int N>
class CollocationStepper final : public Stepper {
  static constexpr int most_halvings = 12, most_trials = 60, room_for_impacts = 2;
  static constexpr std::size_t most_impacts = 20000;  // in one step of the grid
  static constexpr double most_steps = 1e11;          // as well: a day of them
  static constexpr int pace = 4096;                   // steps after which that is looked at
  using DynamicState = Phase;

 public:
  CollocationStepper(const System& sys, double grid_step, const CollocationOptions& o)
      : system(sys),
        H(grid_step),
        options(o),
        longest(std::fmin(grid_step, o.longest_step)),
        stages(system, o.tolerance > 0 ? stages_for(o.tolerance) : o.stages, o.lanes),
        choice(o.tolerance, longest, o.accuracy_of_slopes) {
    result.step.z = {Values::Zero(system.size()), Values::Zero(system.size())};
    for (int i = 0; i < room_for_impacts; ++i)  // where a step has more, they ask for theirs once
      for (auto* x = &impacts.add(); auto* y : {&x->q, &x->p_before, &x->p_after}) y->resize(system.size());
  }

  const Stepped& step(double t, const DynamicState& start) override {
    impacts.clear();
    total = {.z = sized(start)};
    if (asks()) at_node.emplace(Kept{stages, choice, watch, contact_solves, halved});
    choice.begin(stages, t, total.z);
    double rest = H, left_before = H;
    std::size_t impacts_before = 0;
    for (std::int64_t taken = 0; rest > 0; ++taken) {
      if (asks() && options.stop()) return stopped_on_request(start);
      if (taken % pace == 0 && taken > 0) {
        const double gone = left_before - rest;
        if (choice.active() && gone < pace / most_steps * H && impacts.all().size() == impacts_before)
          return ended(endless(gone / pace));
        left_before = rest, impacts_before = impacts.all().size();
      }
      const double h = rest / std::ceil(rest / choice.step() * (1 - 1e-12));
      if (choice.active() && is_nothing_beside(t, choice.step())) return ended(too_short(choice.step()));
      const Part part = advance(t + (H - rest), h, total.z, 0);
      if (part.failure) return ended(part.failure);
      if (impacts.all().size() > most_impacts) return ended(too_many());
      if (options.stops_at_contacts && !impacts.all().empty()) return stopped_at_contact();
      total.z = part.z;
      rest = part.length >= rest ? 0 : rest - part.length;
    }
    if (!impacts.all().empty()) total.action = std::nan("");
    return ended(std::nullopt);
  }

  void numbers(KeptNumbers& f) override {
    f(contact_solves), f(halved);
    choice.numbers(f), stages.numbers(f), watch.numbers(f);
  }

  std::int64_t solves() const override { return contact_solves; }
  std::int64_t fallbacks() const override { return halved; }

 private:
  // A step, or the part of it up to an impact.
  struct Part {
    State<double, N> z;
    double length = 0;
    std::optional<Failure> failure = {};
  };

  // All that the next step depends on.
  struct Kept {
    Collocation<N> stages;
    StepChoice<N> choice;
    GapWatch<N> watch;
    std::int64_t contact_solves, halved;
  };

  // Steps that are chosen may be any number within one of the grid.
  bool asks() const { return choice.active() && options.stop; }
  double tolerance() const { return choice.accuracy_of_slopes(); }

  State<double, N> sized(const DynamicState& z) const {
    State<double, N> r{Vector<double, N>::Zero(), Vector<double, N>::Zero()};
    for (int i = 0; i < system.size(); ++i) r.q[i] = z.q[i], r.p[i] = z.p[i];
    return r;
  }
  void put(const Vector<double, N>& from, Vector<double, Eigen::Dynamic>& to) const {
    for (int i = 0; i < system.size(); ++i) to[i] = from[i];
  }

  const Stepped& ended(const std::optional<Failure>& failure) {
    put(total.z.q, result.step.z.q), put(total.z.p, result.step.z.p);
    result.step.action = total.action, result.step.energy = total.energy, result.step.work = total.work;
    result.step.outcome = total.outcome;
    result.failure = failure, result.impacts = impacts.all(), result.stopped = false;
    return result;
  }
  // As if the step had not been begun, so that the run can go on from its node.
  const Stepped& stopped_on_request(const DynamicState& start) {
    stages = at_node->stages, choice = at_node->choice, watch = at_node->watch;
    contact_solves = at_node->contact_solves, halved = at_node->halved;
    impacts.clear();
    total = {.z = sized(start)};
    ended(std::nullopt);
    result.stopped = true;
    return result;
  }
  const Stepped& stopped_at_contact() {
    const std::string name = system.any->contact_name(impacts.all().front().contacts[0]);
    impacts.clear();
    return ended(Failure{"a contact closes, and the method has no impact law", 0, name});
  }

  Part advance(double t, double h, const State<double, N>& z, int depth) {
    const bool carries_on = stages.prepare(t, h, z);
    watch.begin(system, t, z, carries_on);
    if (carries_on)
      if (const Seen seen = watch.expected(system, stages, t, h, z); seen.what == Sight::contact) {
        stages.prepare(t, h * seen.fraction, z);
        if (const auto part = up_to(seen.contact, t, h * seen.fraction, h, z, depth)) return *part;
        stages.prepare(t, h, z);
      }
    const Outcome solved = count(stages.solve(t, h, z, tolerance()));
    if (!solved.ok()) return halve(t, h, z, depth, solved);
    if (choice.active() && !choice.accepts(stages, t, z)) return shorten(t, h, z, depth);
    const State<double, N> end = stages.reached(h, z);
    if (const Seen seen = watch.along(system, stages, t, h, end); seen.what != Sight::clear) {
      stages.shorten(seen.fraction);
      if (seen.what == Sight::contact)
        if (const auto part = up_to(seen.contact, t, h * seen.fraction, h, z, depth)) return *part;
      return search(t, h, z);
    }
    take_stock(t);
    stages.accept(end);
    watch.leave(-1);
    return {end, h};
  }

  // Steps that cannot be told apart beside the time and the step of the grid.
  bool is_nothing_beside(double t, double h) const { return t + h == t || H + h == H; }
  static Failure too_short(double h) {
    return {"no step is short enough for method.tolerance; the last one tried", h, ""};
  }

  // A motion so fast that a step of the grid has no end that anyone would wait for. Impacts that accumulate
  // end by their own number.
  static Failure endless(double h) {
    return {"a time.step of this motion takes more than 1e11 steps of method.tolerance; the last ones", h,
            ""};
  }

  // Between walls that close on each other there is no end of them.
  Failure too_many() const {
    const auto& all = impacts.all();
    return {"more than " + std::to_string(most_impacts) +
                " impacts in one step: they accumulate, or the step is far too large",
            static_cast<double>(all.size()), system.any->contact_name(all.back().contacts[0]), "impacts"};
  }

  Outcome count(const Outcome& outcome) {
    total.outcome.iterations += outcome.iterations;
    return outcome;
  }

  // A step that erred by too much, again.
  Part shorten(double t, double h, const State<double, N>& z, int depth) {
    const double shorter = std::fmin(choice.step(), 0.8 * h);
    if (depth >= most_trials || is_nothing_beside(t, shorter)) return {z, 0, too_short(shorter)};
    return advance(t, shorter, z, depth + 1);
  }

  Part halve(double t, double h, const State<double, N>& z, int depth, const Outcome& outcome) {
    stages.forget();
    if (depth >= (choice.active() ? most_trials : most_halvings))
      return {z, 0, Failure{describe(outcome.status), outcome.residual, ""}};
    ++halved;
    return advance(t, 0.5 * h, z, depth + 1);
  }

  // The part of a step that ends at a contact, and the impact there; none where that turns out otherwise.
  std::optional<Part> up_to(int contact, double t, double length, double h, const State<double, N>& z,
                            int depth) {
    ++contact_solves;
    if (!count(stages.solve_to_contact(contact, t, length, z, tolerance())).ok()) return {};
    length = stages.length();
    const State<double, N> arrived = stages.reached(length, z);
    if (length > h || !watch.alone(system, stages, t, contact, arrived)) return {};
    if (choice.active() && !choice.accepts(stages, t, z)) return shorten(t, length, z, depth);
    take_stock(t);
    const State<double, N> left = reflect(t + length, contact, arrived);
    stages.forget();
    choice.begin_flight(stages.stages());
    return Part{left, length};
  }

  // A single contact turns its gap rate around: p+ = p- - (1 + e) (∇g·v) / (∇g·M^-1∇g) ∇g.
  State<double, N> reflect(double t, int contact, const State<double, N>& z) {
    const auto [g, drift] = system.gap_slope(t, z.q, contact);
    const Vector<double, N> v = velocity(system, t, z.q, z.p).x;
    const Vector<double, N> w = solve_positive(detail::fibre(system, t, z.q, v).Lvv, g).x;
    const double rate = g.dot(v) + drift, e = options.restitution, y = -(1 + e) * rate / g.dot(w);
    const Vector<double, N> p = z.p + y * g;
    Impact& impact = impacts.add();
    for (auto* x : {&impact.q, &impact.p_before, &impact.p_after}) x->resize(system.size());
    put(z.q, impact.q), put(z.p, impact.p_before), put(p, impact.p_after);
    impact.t = t, impact.work = -y * drift, impact.rate_before = rate, impact.rate_after = -e * rate;
    impact.contacts.push_back(contact);
    impact.impulse = (p - z.p).norm();
    watch.leave(contact);
    return {z.q, p};
  }

  // Hard cases: the same method by the stepper that searches the motion itself.
  Part search(double t, double h, const State<double, N>& z) {
    ContactStepper careful(
        *system.any, SteadyFlow(gauss(stages.stages()), h),
        {.law = continuous_energy(), .restitution = options.restitution, .lasting = false});
    put(z.q, result.step.z.q), put(z.p, result.step.z.p);
    const auto& r = careful.step(t, result.step.z);
    for (const auto& impact : r.impacts) impacts.add() = impact;
    total.outcome.iterations += r.step.outcome.iterations;
    total.work += r.step.work, total.energy = r.step.energy, total.action = std::nan("");
    stages.forget();
    watch.leave(-1);
    return {sized(r.step.z), h, r.failure};
  }

  // Action, discrete energy and work of the solved part of a step.
  void take_stock(double t) {
    const bool forced = system.is_forced(), timed = system.is_timed();
    if (!options.measures && !forced && !timed) return;
    const double h = stages.length();
    total.energy = 0;
    for (int i = 0; i < stages.stages(); ++i) {
      const Vector<double, N> Q = stages.stage_q(i), V = stages.stage_v(i);
      const double b = stages.weights().b[i];
      const double at = t + h * stages.node(i);
      const auto L = LagrangianAt<SizedSystem<N>, double, Need::slopes>(system, at, Q).jet(V);
      total.action += h * b * L.L, total.energy += b * L.energy(V);
      if (forced) total.work += h * b * system.force(at, Q, V).dot(V);
      if (timed) total.work -= h * b * system.drift(at, Q, V);
    }
  }

  SizedSystem<N> system;
  double H;
  CollocationOptions options;
  double longest;
  Collocation<N> stages;
  StepChoice<N> choice;
  GapWatch<N> watch;
  std::int64_t contact_solves = 0, halved = 0;
  std::optional<Kept> at_node;  // of the grid, where this step begins
  StepResult<double, N> total;
  ImpactList impacts;
  Stepped result;
};

}  // namespace carom
