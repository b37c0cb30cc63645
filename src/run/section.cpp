#include "run/section.hpp"

#include <fmt/format.h>

#include "carom/contact/partial_motion.hpp"
#include "carom/derivative/run_slopes.hpp"
#include "run/make_law.hpp"
#include "run/run_system.hpp"
#include "scenario/quantities.hpp"

namespace carom {
namespace {

constexpr const char* section_name = "section";

// The curve of a run from a node or an event on, and the formula along it.
class SectionSearch {
 public:
  SectionSearch(const System& m, const SteadyFlow& f, const ImpactLaw& l, StateFormulas s)
      : system(m), held(m), law(l), motion(m, held, f, law), value(std::move(s)), v(m.size()) {}

  // The leg of this length; its end becomes the start of the next one where `z` is not known otherwise.
  bool leg(double t, double length, Phase& z, std::span<const int> contacts, PartialMotion::Kind kind,
           Passing passing, std::vector<SectionPoint>& to) {
    constexpr int samples = 4;
    motion.begin(t, z, contacts, kind);
    double before_tau = 0, before = look(0);
    for (int k = 1; k <= samples && length > 0; ++k) {
      const double tau = length * k / samples, now = look(tau);
      if (!ok) return false;
      const bool rising = before < 0;
      const bool wanted = passing == Passing::both || (passing == Passing::rising) == rising;
      if (before != 0 && (now == 0 || (now < 0) != (before < 0)) && wanted) {
        locate(before_tau, before, tau, now);
        to.push_back({t + at, there, v, rising});
      }
      before_tau = tau, before = now;
    }
    look(length);
    z = there;
    return ok;
  }

 private:
  // The formula a time after the start of the leg.
  double look(double tau) {
    ok = motion(tau, there).outcome.ok() && system.velocity(motion.time() + tau, there.q, there.p, v);
    at = tau;
    return ok ? value({there.q.data(), static_cast<std::size_t>(there.q.size())},
                      {v.data(), static_cast<std::size_t>(v.size())}, motion.time() + tau)[index]
              : std::nan("");
  }

  void locate(double low, double below, double high, double above) {
    int side = 0;
    for (int i = 0; i < 80 && high - low > 4e-16 * (std::abs(motion.time()) + high); ++i) {
      double tau = low + (high - low) * below / (below - above);
      if (i % 4 == 3 || !(tau > low && tau < high)) tau = 0.5 * (low + high);
      const double now = look(tau);
      if (now == 0) return;
      if ((now < 0) == (below < 0))
        low = tau, below = now, above *= side == 1 ? 0.5 : 1, side = 1;
      else
        high = tau, above = now, below *= side == -1 ? 0.5 : 1, side = -1;
    }
  }

 public:
  std::size_t index = 0;  // of the section's formula among the quantities

 private:
  const System& system;
  HeldFlow held;
  ImpactLaw law;
  PartialMotion motion;
  StateFormulas value;
  Values v;
  Phase there;
  double at = 0;
  bool ok = true;
};

void refuse_section(const Prepared& p, const ReadySystem& ready) {
  if (p.method.tolerance > 0)
    p.scenario.reject("method.tolerance", "", "chooses steps; a section takes equal ones");
  if (has_rough_contacts(*ready.system))
    p.scenario.reject("system.contacts", "", "sections are of runs without friction");
}

// The legs of a step: between its node and its events, which impacts and changes are.
bool walk_step(SectionSearch& search, const RunTape& tape, std::int64_t k, const ImpactLaw& law,
               Passing passing, std::vector<SectionPoint>& to) {
  const StepEvents events = tape.events_of(k);
  const double end = tape.grid.time(k) + tape.grid.step;
  std::vector<int> held(events.held.begin(), events.held.end());
  double now = tape.grid.time(k);
  Phase z = tape.node(k);
  std::size_t i = 0, c = 0;
  auto kind = events.impacts.empty() && events.changes.empty() ? PartialMotion::Kind::flow : law.part;
  while (i < events.impacts.size() || c < events.changes.size()) {
    const double t_impact = i < events.impacts.size() ? events.impacts[i].t : HUGE_VAL,
                 t_change = c < events.changes.size() ? events.changes[c].t : HUGE_VAL,
                 t = std::fmin(t_impact, t_change);
    if (!search.leg(now, t - now, z, held, kind, passing, to)) return false;
    for (; i < events.impacts.size() && events.impacts[i].t == t; ++i)
      z = {events.impacts[i].q, events.impacts[i].p_after};
    for (; c < events.changes.size() && events.changes[c].t == t; ++c) {
      const int contact = events.changes[c].contact;
      std::erase(held, contact);
      if (events.changes[c].begins) held.insert(std::upper_bound(held.begin(), held.end(), contact), contact);
    }
    kind = t_impact <= t_change ? law.part : PartialMotion::Kind::flow;
    now = t;
  }
  return search.leg(now, end - now, z, held, kind, passing, to);
}

}  // namespace

Section section_of(const Prepared& prepared, const std::string& formula, Passing passing) {
  if (!prepared.model.ready)
    prepared.scenario.reject("system.name", '"' + prepared.scenario.system.name + '"',
                             "a DAE has no sections; mechanical systems have");
  const ReadySystem ready = prepared.model.ready(prepared.scenario, {});
  refuse_section(prepared, ready);
  Scenario asked = prepared.scenario;
  asked.output.quantities.emplace_back(section_name, formula);
  Section r;
  for (int i = 0; i < ready.system->size(); ++i) r.coordinates.push_back(ready.system->coordinate_name(i));
  const Quantities quantities = make_quantities(asked, r.coordinates, ready.parameters);
  const auto& time = prepared.scenario.time;
  if (!time.end) prepared.scenario.reject("time.end", "", "must be given: it ends the section");
  const SteadyFlow flow(prepared.method.flow, time.step);
  const auto stepper = make_plain_stepper(ready, prepared.method, time.step);
  if (!stepper)
    prepared.scenario.reject("method.stepper", '"' + prepared.method.stepper + '"',
                             "has no sections; \"event-driven\" and \"contact\" have");
  const bool flow_alone =
      is_smooth(*ready.system, prepared.method) || takes_collocation(*ready.system, prepared.method);
  const ImpactLaw law = flow_alone ? continuous_energy() : make_law(*ready.system, flow, prepared.method);
  RunTape tape({time.start, time.step, time.steps()}, ready.system->size());
  const Ended ended = simulate(*stepper, ready.start, tape.grid, tape);
  if (ended.failure)
    r.failure = fmt::format("step {} from t = {:.10g}: {}", ended.steps + 1, ended.t, ended.failure->reason);
  SectionSearch search(*ready.system, flow, law, quantities.formulas);
  search.index = quantities.names.size() - 1;
  for (std::int64_t k = 0; k < tape.steps(); ++k)
    if (!walk_step(search, tape, k, law, passing, r.points)) {
      r.failure = fmt::format("step {}: a part of it is not found again", k + 1);
      break;
    }
  return r;
}

}  // namespace carom
