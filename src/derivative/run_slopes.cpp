#include "carom/derivative/run_slopes.hpp"

#include <algorithm>

#include "carom/contact/impact_energy.hpp"
#include "carom/system/part_of_system.hpp"

namespace carom {
namespace {

DerivativeColumns columns_of(const RunMethod& method) {
  const int own = method.system.parameter_count();
  return {method.system.size(), own + method.by_restitution, method.by_restitution ? own : -1};
}

}  // namespace

void RunTape::operator()(const GridPoint& point) {
  nodes.insert(nodes.end(), point.z.q.begin(), point.z.q.end());
  nodes.insert(nodes.end(), point.z.p.begin(), point.z.p.end());
  for (const Impact& impact : point.impacts) impacts.push_back(impact), step_of.push_back(point.n - 1);
  if (!point.changes.empty()) note(point);
}

// Those that last from the start on are held in the first step already.
void RunTape::note(const GridPoint& point) {
  auto now = held.back().contacts;
  const std::int64_t step = point.n - 1;
  for (const ContactChange& change : point.changes) {
    const bool at_first = step == 0 && change.begins && change.t == grid.time(0) &&
                          (impacts.empty() || impacts.front().t > change.t);
    const auto place = std::lower_bound(now.begin(), now.end(), change.contact);
    const bool is_held = place != now.end() && *place == change.contact;
    if (change.begins && !is_held) now.insert(place, change.contact);
    if (!change.begins && is_held) now.erase(place);
    if (at_first)
      held.front().contacts = now;
    else
      changes.push_back(change), change_of.push_back(step);
  }
  held.push_back({step + 1, now});
}

StepEvents RunTape::events_of(std::int64_t step) const {
  const auto [first, last] = std::equal_range(change_of.begin(), change_of.end(), step);
  const auto here = std::upper_bound(held.begin(), held.end(), step,
                                     [](std::int64_t k, const Held& from) { return k < from.from; });
  return {impacts_of(step),
          {changes.data() + (first - change_of.begin()), static_cast<std::size_t>(last - first)},
          std::prev(here)->contacts};
}

Phase RunTape::node(std::int64_t k) const {
  const double* from = nodes.data() + 2 * n * k;
  return {Eigen::Map<const Values>(from, n), Eigen::Map<const Values>(from + n, n)};
}

std::span<const Impact> RunTape::impacts_of(std::int64_t step) const {
  const auto [first, last] = std::equal_range(step_of.begin(), step_of.end(), step);
  return {impacts.data() + (first - step_of.begin()), static_cast<std::size_t>(last - first)};
}

RunSlopes::RunSlopes(const RunMethod& m)
    : step(m.system, columns_of(m), m.flow, m.law, m.restitution), columns(columns_of(m)), method(m) {}

std::string RunSlopes::unsupported(const RunMethod& m) {
  const System& system = m.system;
  if (has_rough_contacts(system)) return "runs with friction have no derivatives yet";
  if (system.size() > 16) return "derivatives are for systems of up to 16 coordinates";
  if (!m.system.knows_parameter_slopes())
    return "a struct in C++ with forces, or that depends on time, has no derivatives; the same in formulas "
           "has";
  if (system.contact_count() == 0) return "";
  const bool own_energy = !m.law.keeps_H();
  if (m.law.name != "shadow" && m.law.name != "discrete-energy" && m.law.name != "continuous-energy")
    return "impacts by the law \"" + m.law.name +
           "\" have no derivatives; those by continuous-energy, discrete-energy and shadow have";
  if (m.law.part != ImpactLaw::Part::flow && m.law.part != ImpactLaw::Part::composition)
    return "impacts with parts of steps by a polynomial have no derivatives; those by a composition have";
  if (m.law.by_shadow() && system.forced() && !system.timed())
    return "impacts that keep a shadow energy beside forces have no derivatives yet; take continuous-energy";
  if (own_energy && units_of(system).size() > 1 && !system.timed())
    return "systems of several units, whose impacts keep an energy of their own each, have no derivatives "
           "yet; take continuous-energy";
  if (!system.quadratic() && (least_restitution(system, m.restitution) < 1 || system.timed()))
    return "impacts of a Lagrangian that is not quadratic in the velocities have derivatives at walls at "
           "rest without losses only";
  return "";
}

std::optional<Failure> RunSlopes::take(const RunTape& tape, std::int64_t k) {
  if (stop && stop()) return Failure{"stopped on request", 0, ""};
  return step.take(tape.grid.time(k), tape.node(k), tape.events_of(k), tape.node(k + 1));
}

RunSlopes::Tangent RunSlopes::tangent(const RunTape& tape) {
  const int z = columns.z(), count = columns.count();
  Tangent r{Slopes::Zero(z, count), Slopes::Zero(static_cast<Eigen::Index>(tape.impacts.size()), count)};
  r.state.leftCols(z).setIdentity();
  SlopeRow anchor = SlopeRow::Zero(count), time = SlopeRow::Unit(count, columns.time());
  const auto failed = [&](const Failure& why, std::int64_t k) -> Tangent& {
    return r.failure = why, r.failed_step = k, r;
  };
  if (step.has_anchor() && method.law.by_shadow() && !tape.impacts.empty()) {
    if (auto why = step.find_anchor(tape.grid.time(0), tape.node(0), tape.held_at_start(), anchor))
      return failed(*why, 0);
  }
  const auto through = [&](const auto& S) {
    Slopes next = S.leftCols(z) * r.state;
    next.noalias() += S.col(columns.time()) * time;
    next.noalias() += S.col(columns.anchor()) * anchor;
    next.col(columns.length()) += S.col(columns.length());
    next.rightCols(columns.parameters) += S.rightCols(columns.parameters);
    return next;
  };
  Eigen::Index row = 0;
  for (std::int64_t k = 0; k < tape.steps(); ++k) {
    if (auto why = take(tape, k)) return failed(*why, k);
    if (!tape.impacts_of(k).empty())
      r.times.middleRows(row, step.times.rows()) = through(step.times), row += step.times.rows();
    r.state = through(step.S);
    time[columns.length()] = static_cast<double>(k + 1);
  }
  r.slowest = step.slowest;
  return r;
}

RunSlopes::Gradient RunSlopes::adjoint(const RunTape& tape, const SlopeRow& at_end) {
  const int z = columns.z();
  Gradient r{SlopeRow::Zero(columns.count())};
  SlopeRow lambda = at_end, all;
  double of_anchor = 0;
  const auto failed = [&](const Failure& why, std::int64_t k) -> Gradient& {
    return r.failure = why, r.failed_step = k, r;
  };
  for (std::int64_t k = tape.steps() - 1; k >= 0; --k) {
    if (auto why = take(tape, k)) return failed(*why, k);
    all.noalias() = lambda * step.S;
    lambda = all.head(z);
    r.slopes[columns.time()] += all[columns.time()];
    r.slopes[columns.length()] += all[columns.length()] + static_cast<double>(k) * all[columns.time()];
    of_anchor += all[columns.anchor()];
    r.slopes.tail(columns.parameters) += all.tail(columns.parameters);
  }
  r.slopes.head(z) = lambda, r.slowest = step.slowest;
  if (of_anchor == 0) return r;
  SlopeRow anchor;
  if (auto why = step.find_anchor(tape.grid.time(0), tape.node(0), tape.held_at_start(), anchor))
    return failed(*why, 0);
  r.slopes += of_anchor * anchor;
  return r;
}

}  // namespace carom
