#include "carom/contact/gvi.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace carom {
namespace {

constexpr const char* not_ended =
    "the reflections of contacts that are reached together do not end: they squeeze the system "
    "(antiparallel "
    "contacts or a very thin wedge)";

constexpr const char* passed_without_slope =
    "the contact was passed where its gap has no slope: state it as a function that falls through zero";

const char* no_solution(Status status) {
  return status == Status::no_convergence
             ? "the step along its contacts and joints has no solution; reduce the step"
             : describe(status);
}

}  // namespace

double numerical_kappa(const Flow& flow, double h) {
  if (flow.name == "svc" || flow.name == "sva") return h * h / 6;
  if (flow.name == "svb" || flow.name == "midpoint") return -h * h / 12;
  return 0;
}

TouchedPart::TouchedPart(const System& m)
    : system(m), apart(m.dense() && m.size() <= 16 && !m.timed() && units_of(m).size() > 1) {
  if (apart) reference.assign(static_cast<std::size_t>(m.size()) + 1, std::nan(""));
}
void TouchedPart::make(double t, const Values& q) {
  if (!apart || part) return;
  const auto& dense = static_cast<const DenseSystem&>(system);
  std::vector<int> members;
  for (const auto& unit : units_of(system))
    if (PartOfSystem(dense, unit, q, t).contact_count() > 0)
      members.insert(members.end(), unit.begin(), unit.end());
  std::sort(members.begin(), members.end());
  if (members.empty() || static_cast<int>(members.size()) == system.size()) return void(apart = false);
  part = std::make_unique<PartOfSystem>(dense, std::move(members), q, t);
  held = std::make_unique<HeldFlow>(*part);
  std::copy(q.begin(), q.end(), reference.begin()), reference.back() = t;
}
double TouchedPart::shadow_energy(const SteadyFlow& flow, double t, const Phase& z, int m,
                                  const std::vector<int>& lasting) {
  part->pick(z.q, own.q), part->pick(z.p, own.p), part->pick_contacts(lasting, own_lasting);
  return held->shadow_energy(flow, t, own, m, own_lasting);
}
void TouchedPart::numbers(KeptNumbers& f) {
  for (double& x : reference) f(x);
  if (reference.empty() || part || std::isnan(reference.back())) return;
  const Values q = Eigen::Map<const Values>(reference.data(), system.size());
  make(reference.back(), q);
}

GviStepper::GviStepper(SystemRef sys, const SteadyFlow& f, const GviOptions& o)
    : shared(std::move(sys)),
      system(*shared),
      flow(f),
      options(o),
      held(system),
      touched(system),
      scales(system, flow.h),
      contacts(system),
      reflections(system),
      v(system.size()),
      Lq(system.size()),
      Lv(system.size()),
      answer(system.size()) {
  energy.kappa = options.energy == GviOptions::Energy::numerical ? numerical_kappa(flow.forward, flow.h) : 0;
  validate();
  if (options.energy != GviOptions::Energy::shadow) return;
  energy.other = [this](const Values& q, const Values& p) {
    asked.q = q, asked.p = p;
    const auto& along = kept_by(q, p);
    const int m = options.order / 2;
    return touched.made() ? touched.shadow_energy(flow, now, asked, m, along)
                          : held.shadow_energy(flow, now, asked, m, along);
  };
}

const Stepped& GviStepper::step(double t, const Z& start) {
  now = t, z = start, impacts.clear();
  if (options.energy == GviOptions::Energy::shadow) touched.make(t, start.q);
  scales.look(t, z);
  gaps = scales.gaps;
  predicted = z;
  const SmoothStep::Options free{.joints = options.predictor == GviOptions::Predictor::jointed};
  const Spent guess = held(flow.forward, t, flow.h, predicted, {}, HeldFlow::Hold::bilateral, free);
  if (!guess.outcome.ok()) return failure(describe(guess.outcome.status), guess.outcome.residual, {});
  find_reached();
  if (!undefined.empty()) return failure(describe(Status::not_finite), std::nan(""), undefined);
  if (!passed.empty()) return failure(passed_without_slope, 0, passed, "gap");
  if (!reached.empty() && !prepare()) return failure(describe(Status::singular), 0, reached);
  find_resting();
  if (energy.other && !energy.anchor && !system.forced()) set_anchor();
  if (!reflect()) return failure(not_ended, contacts.rate.minCoeff(), squeezed(), "residual gap rate");
  find_resting();
  const auto hold = HeldFlow::Hold::unilateral;
  const SmoothStep::Options smooth{.linearized = options.constraints == GviOptions::Constraints::linearized};
  const Spent spent = held(flow.forward, t, flow.h, z, resting, hold, smooth);
  if (!spent.outcome.ok()) return failure(no_solution(spent.outcome.status), spent.outcome.residual, resting);
  result.step.z = z, result.step.action = spent.action, result.step.energy = spent.energy;
  result.step.work = spent.work, result.step.outcome = spent.outcome;
  result.step.outcome.iterations += guess.outcome.iterations;
  tell_changes();
  result.failure.reset(), result.impacts = impacts.all(), result.changes = changes;
  return result;
}

void GviStepper::validate() const {
  if (!(flow.h > 0)) throw InvalidInput("step", detail::to_text(flow.h), "must be greater than 0");
  for (const Substep& substep : flow.forward.substeps)
    if (!std::holds_alternative<Rule>(substep.block))
      throw InvalidInput("flow", flow.forward.name, "has no steps along contacts; take a quadrature rule");
  if (options.energy == GviOptions::Energy::numerical && !(energy.kappa != 0 && system.constant_mass()))
    throw InvalidInput("energy", "numerical",
                       "is known for svc, sva, svb and midpoint where the mass is constant");
  if (options.order < 2 || options.order >= most_shadow_nodes || options.order % 2 != 0)
    throw InvalidInput("order", std::to_string(options.order), "must be even, from 2 to 16");
}

void GviStepper::find_reached() {
  system.gaps(now + flow.h, predicted.q, gaps_ahead);
  reached.clear(), undefined.clear(), passed.clear();
  for (int i = 0; i < gaps.size(); ++i) {
    if (std::isnan(gaps[i]) || std::isnan(gaps_ahead[i])) undefined.push_back(i);
    if (scales.is_passed(i)) passed.push_back(i);
    if (gaps_ahead[i] <= 0 || std::abs(gaps[i]) <= scales.touching(i)) reached.push_back(i);
  }
}

// Where the energy cannot be had yet, a later step tries again.
void GviStepper::set_anchor() {
  const double E = energy.other(z.q, z.p);
  if (std::isfinite(E)) energy.anchor = E;
}

// Gradients and rates of the contacts reached.
bool GviStepper::prepare() {
  gradients.clear();
  const bool ahead = options.constraints == GviOptions::Constraints::predicted;
  system.gap_slopes(now, ahead ? predicted.q : z.q, reached, gradients);
  if (!system.velocity(now, z.q, z.p, v)) return false;
  system.slopes(now, z.q, v, Lq, Lv);
  if (system.forced()) {
    system.force(now, z.q, v, Lv);
    Lq += Lv;
  }
  if (!system.velocity(now, z.q, Lq, answer)) return false;
  answer *= flow.h;
  return contacts.prepare(now, z.q, z.p, gradients, answer);
}

// S, from the rates of now.
void GviStepper::find_resting() {
  resting.clear();
  for (std::size_t k = 0; k < reached.size(); ++k)
    if (std::abs(gaps[reached[k]]) <= scales.touching(reached[k]) && contacts.is_tangent(static_cast<int>(k)))
      resting.push_back(reached[k]);
}

// Those of S that p does not open or close: holding the others would take away what a reflection gives.
const std::vector<int>& GviStepper::kept_by(const Values& q, const Values& p) {
  kept.clear();
  if (resting.empty() || !system.velocity(now, q, p, answer)) return kept;
  for (std::size_t k = 0, next = 0; k < reached.size() && next < resting.size(); ++k) {
    if (reached[k] != resting[next]) continue;
    const int i = static_cast<int>(k);
    const double rate = contacts.gradients()[i].rate(answer);
    if (std::abs(rate) <= ContactRates::tolerance * contacts.scale(i)) kept.push_back(resting[next]);
    ++next;
  }
  return kept;
}

bool GviStepper::reflect() {
  if (reached.empty()) return true;
  rates_before = contacts.rate, before = z.p;
  const auto r = reflections(z.q, z.p, contacts, options.reflection, energy);
  rounds += r.rounds, mirrored += r.fallbacks;
  if (r.ok && r.rounds > 0) record();
  return r.ok;
}

void GviStepper::record() {
  Impact& impact = impacts.add();
  impact.t = now, impact.q = z.q, impact.p_before = before, impact.p_after = z.p;
  impact.impulse = (z.p - before).norm();
  int first = -1;  // the contact that approached fastest
  for (std::size_t k = 0; k < reached.size(); ++k) {
    if (reflections.impulse[k] == 0) continue;
    impact.contacts.push_back(reached[k]);
    if (first < 0 || rates_before[static_cast<int>(k)] < rates_before[first]) first = static_cast<int>(k);
  }
  impact.rate_before = rates_before[first], impact.rate_after = contacts.rate[first];
}

// What was added to S since the last step, and what left it; both sets are in order.
void GviStepper::tell_changes() {
  changes.clear();
  if (std::equal(resting.begin(), resting.end(), told.begin(), told.end())) return;
  auto was = told.begin();
  for (const int contact : resting) {
    for (; was != told.end() && *was < contact; ++was) tell(static_cast<int>(*was), false);
    if (was != told.end() && *was == contact)
      ++was;
    else
      tell(contact, true);
  }
  for (; was != told.end(); ++was) tell(static_cast<int>(*was), false);
  told.assign(resting.begin(), resting.end());
}

std::vector<int> GviStepper::squeezed() const {
  std::vector<int> r;
  for (std::size_t k = 0; k < reached.size(); ++k)
    if (reflections.impulse[k] != 0) r.push_back(reached[k]);
  return r;
}

const Stepped& GviStepper::failure(const char* reason, double residual, const std::vector<int>& which,
                                   const char* measure) {
  result.step.z = z, result.impacts = {}, result.changes = {};
  result.failure = Failure{reason, residual, contact_names(system, which), measure};
  return result;
}

}  // namespace carom
