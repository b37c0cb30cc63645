#include "carom/derivative/step_slopes.hpp"

#include "carom/contact/impact_energy.hpp"

namespace carom {
namespace {

double size_of(const Phase& z) { return z.q.lpNorm<Eigen::Infinity>() + z.p.lpNorm<Eigen::Infinity>(); }

double distance_between(const Phase& a, const Phase& b) {
  return std::fmax((a.q - b.q).lpNorm<Eigen::Infinity>(), (a.p - b.p).lpNorm<Eigen::Infinity>());
}

}  // namespace

StepSlopes::StepSlopes(const DenseSystem& m, const DerivativeColumns& c, const SteadyFlow& f,
                       const ImpactLaw& l, double e)
    : S(2 * c.n, c.count()),
      system(m),
      columns(c),
      flow(f),
      law(l),
      usual(e),
      anchored(l.anchored && least_restitution(m, e) == 1 && !m.forced() && !m.timed()),
      lossy(least_restitution(m, e) < 1),
      part(m, c, f),
      shadow(m, c, f, l.order),
      contact(m, c),
      release(m, c) {}

double StepSlopes::restitution_of(int i) const {
  const double own = system.restitution(i);
  return std::isnan(own) ? usual : own;
}

std::optional<Failure> StepSlopes::find_anchor(double t, const Phase& z, std::span<const int> held_there,
                                               SlopeRow& slope) {
  shadow.hold(held_there);
  if (const Outcome seen = shadow.look(t, z); !seen.ok())
    return Failure{describe(seen.status), seen.residual, ""};
  slope = shadow.slope;
  return std::nullopt;
}

void StepSlopes::hold(std::vector<int> contacts) {
  held = std::move(contacts);
  part.hold(held), contact.hold(held);
}

void StepSlopes::begin(double t, const Phase& z, const Phase& end) {
  now = t, now_z = z, scale = 1e-300 + std::fmax(size_of(z), size_of(end)), released = false;
  S.setZero();
  S.leftCols(2 * columns.n).setIdentity();
  now_slope = SlopeRow::Unit(columns.count(), columns.time());
  rest_slope = SlopeRow::Unit(columns.count(), columns.length());
  losses = SlopeRow::Zero(columns.count());
}

std::optional<Failure> StepSlopes::take(double t, const Phase& z, const StepEvents& events,
                                        const Phase& end) {
  const double t_end = t + flow.h;
  const auto& [impacts, changes, at_first] = events;
  if (!std::equal(held.begin(), held.end(), at_first.begin(), at_first.end()) || !holds_joints)
    hold({at_first.begin(), at_first.end()}), holds_joints = true;
  begin(t, z, end);
  times.resize(static_cast<Eigen::Index>(impacts.size()), columns.count());
  if (impacts.empty() && changes.empty()) {
    if (auto why = reach(now, flow.h, end)) return why;
    return S = part.B, std::nullopt;
  }
  if (lossy && law.by_shadow() && !impacts.empty()) {
    if (auto why = find_anchor(t, z, held, at_start)) return why;
  }
  std::size_t k = 0, c = 0;
  while (k < impacts.size() || c < changes.size()) {
    if (k == impacts.size() || (c < changes.size() && changes[c].t < impacts[k].t)) {
      if (c + 1 < changes.size() && changes[c + 1].t == changes[c].t)
        return Failure{"several contacts begin or cease to last at one instant", 0,
                       system.contact_name(changes[c].contact)};
      if (auto why = let_go(changes[c++])) return why;
      continue;
    }
    const std::size_t first = c;
    while (c < changes.size() && changes[c].t == impacts[k].t) ++c;
    Meeting hit;
    if (auto why = read(impacts[k], changes.subspan(first, c - first), hit)) return why;
    SlopeRow time;
    if (auto why = meet(impacts[k], hit, impacts.subspan(k + 1), t_end, time)) return why;
    times.row(static_cast<Eigen::Index>(k++)) = time;
  }
  if (auto why = reach(now, t_end - now, end)) return why;
  compose(part.B, rest_slope, S);
  return std::nullopt;
}

// The one contact that pushes and does not last yet; -1 where there are several.
int StepSlopes::hit_of(const Impact& impact) const {
  int hit = -1;
  for (const int i : impact.contacts) {
    if (std::find(held.begin(), held.end(), i) != held.end()) continue;
    if (hit >= 0) return -1;
    hit = i;
  }
  return hit;
}

std::optional<Failure> StepSlopes::read(const Impact& impact, std::span<const ContactChange> changes,
                                        Meeting& hit) const {
  hit.contact = hit_of(impact);
  if (hit.contact < 0)
    return Failure{"several contacts close at one instant, where a derivative need not exist", 0,
                   system.contact_name(impact.contacts[0])};
  for (const ContactChange& change : changes) {
    if (change.begins && change.contact == hit.contact)
      hit.begins = true;
    else
      return Failure{change.begins ? "a contact begins to last where another one closes"
                                   : "an impact opens a contact that lasted, which has no derivative here",
                     0, system.contact_name(change.contact)};
  }
  return std::nullopt;
}

void StepSlopes::add_length(const SlopeRow& own) {
  const SlopeRow length = composed(own, own, S);
  leg_energy = composed(part.energy, length, S);
  compose(part.B, length, S);
  now_slope += length, rest_slope -= length;
}

std::optional<Failure> StepSlopes::meet(const Impact& impact, const Meeting& hit,
                                        std::span<const Impact> later, double t_end, SlopeRow& time) {
  if (auto why = reach(now, impact.t - now, {impact.q, impact.p_before})) return why;
  if (!contact.look(impact, hit.contact, hit.begins ? 0 : restitution_of(hit.contact)))
    return Failure{describe(Status::singular), 0, ""};
  slowest = std::fmin(slowest, std::abs(contact.rate));
  add_length(contact.length_of(part.B));
  time = now_slope, now = impact.t, released = false;
  if (auto why = pass(impact, hit.begins, later, t_end)) return why;
  if (!hit.begins) return std::nullopt;
  auto more = held;
  more.insert(std::upper_bound(more.begin(), more.end(), hit.contact), hit.contact);
  hold(more);
  return std::nullopt;
}

// A contact that nothing presses any more.
std::optional<Failure> StepSlopes::let_go(const ContactChange& change) {
  const auto place = std::find(held.begin(), held.end(), change.contact);
  if (change.begins || place == held.end())
    return Failure{"a contact begins to last without an impact, which has no derivative here", 0,
                   system.contact_name(change.contact)};
  const double tau = change.t - now;
  if (const Outcome taken = part.take(released ? Kind::flow : law.part, now, tau, now_z); !taken.ok())
    return Failure{describe(taken.status), taken.residual, ""};
  SlopeRow own;
  if (!release.length_of(change.t, now_z, held, change.contact, flow.h, part.B, own))
    return Failure{"a contact is released where what presses it has no slope", 0,
                   system.contact_name(change.contact)};
  add_length(own);
  now = change.t, released = true;
  auto less = held;
  less.erase(less.begin() + (place - held.begin()));
  hold(less);
  return std::nullopt;
}

// The part of the step from `now` on, by the substeps of the law, or by the flow's own where the event loop
// fell back on them: two curves that may lie near each other, so that the nearer one counts.
std::optional<Failure> StepSlopes::reach(double t, double tau, const Phase& goal) {
  constexpr double same = 1e-12, found = 1e-8;
  const bool either = tau != flow.h && law.part != Kind::flow;
  const auto distance_by = [&](Kind kind) {
    Phase z = now_z;
    return part.take(kind, t, tau, z).ok() ? distance_between(z, goal) / scale : HUGE_VAL;
  };
  double off = distance_by(either ? law.part : Kind::flow);
  if (either && off > same) {
    const double by_flow = distance_by(Kind::flow);
    if (by_flow > off)
      off = distance_by(law.part);  // which leaves its slopes in `part`
    else
      off = by_flow;
  }
  now_z = goal;
  if (off <= found) return std::nullopt;
  return Failure{"a part of it is not found again: what happens in it has no derivative here", off, ""};
}

// Rows by the columns of a part as rows by those of the step.
SlopeRow StepSlopes::composed(const SlopeRow& row, const SlopeRow& length, const Slopes& of) const {
  SlopeRow r = row.head(columns.z()) * of;
  r += row[columns.time()] * now_slope;
  if (row[columns.length()] != 0) r += row[columns.length()] * length;
  r.tail(columns.parameters) += row.tail(columns.parameters);
  return r;
}

void StepSlopes::compose(const Slopes& B, const SlopeRow& length, Slopes& of) const {
  Slopes r = B.leftCols(columns.z()) * of;
  r.noalias() += B.col(columns.time()) * now_slope;
  r.noalias() += B.col(columns.length()) * length;
  r.rightCols(columns.parameters) += B.rightCols(columns.parameters);
  of.swap(r);
}

std::optional<Failure> StepSlopes::pass(const Impact& impact, bool begins, std::span<const Impact> later,
                                        double t_end) {
  now_z.p = impact.p_after;
  const SlopeRow lost = composed(contact.loss, rest_slope, S);
  if (lossy) losses += lost, leg_energy -= lost;
  const bool by_energy = impact.by_law_energy && !begins;  // what begins to last keeps none
  if (by_energy)
    if (auto why = pushes_aside(impact)) return why;
  if (by_energy && law.at == ImpactLaw::At::leg) return by_leg(later, t_end);
  if (by_energy && law.by_shadow()) return by_node(t_end);
  if (auto why = differs(impact)) return why;
  Slopes p = contact.reset.leftCols(columns.z()) * S + contact.reset.col(columns.time()) * now_slope;
  p.rightCols(columns.parameters) += contact.reset.rightCols(columns.parameters);
  S.bottomRows(columns.n) = p;
  return std::nullopt;
}

// Whether an impact is not the plain bounce that it is taken for: one of those too slow to be followed, or of
// a law of one's own.
std::optional<Failure> StepSlopes::differs(const Impact& impact) const {
  const double off = (contact.bounced.p - impact.p_after).norm();
  if (off <= 1e-9 * (impact.p_after.norm() + impact.p_before.norm())) return std::nullopt;
  return Failure{"an impact is none of its law's own, or too slow to be followed", off,
                 system.contact_name(impact.contacts[0])};
}

// Whether something else than the gap that closes pushed, such as a contact that is touched beside it.
std::optional<Failure> StepSlopes::pushes_aside(const Impact& impact) const {
  const double off = contact.aside;
  if (off <= 1e-10 * (impact.p_after.norm() + impact.p_before.norm())) return std::nullopt;
  return Failure{"an impact pushes more than the contact that closes", off,
                 system.contact_name(impact.contacts[0])};
}

// dp+ at fixed λ, and ∂p+/∂λ dλ, where 0 = of_lambda + by_lambda dλ.
void StepSlopes::turn_by(const SlopeRow& of_lambda, double by_lambda) {
  S.bottomRows(columns.n).noalias() -= contact.push * (of_lambda / by_lambda);
}

std::optional<Failure> StepSlopes::by_leg(std::span<const Impact> later, double t_end) {
  const int n = columns.n;
  const double tau = (later.empty() ? t_end : later[0].t) - now;
  Phase z = now_z;
  if (const Outcome taken = part.take(law.part, now, tau, z); !taken.ok())
    return Failure{describe(taken.status), taken.residual, ""};
  S.bottomRows(n) += contact.turn.leftCols(columns.z()) * S + contact.turn.col(columns.time()) * now_slope;
  S.bottomRows(n).rightCols(columns.parameters) += contact.turn.rightCols(columns.parameters);
  SlopeRow energy = part.energy, length = rest_slope;
  if (!later.empty()) {  // the length of the part that the next impact ends, by the columns of the part
    ContactSlopes following(system, columns);
    following.hold(held);
    const int hit = hit_of(later[0]);
    if (hit < 0 || !following.look(later[0], hit, restitution_of(hit)))
      return Failure{describe(Status::singular), 0, ""};
    const SlopeRow own = following.length_of(part.B);
    const double by_length = std::exchange(energy[columns.length()], 0.0);
    energy += by_length * own;
  }
  turn_by(composed(energy, length, S) - leg_energy, energy.segment(n, n).dot(contact.push));
  return std::nullopt;
}

std::optional<Failure> StepSlopes::by_node(double t_end) {
  const int n = columns.n;
  Phase z = now_z;
  Outcome taken = part.take(law.part, now, t_end - now, z);
  if (!taken.ok()) z = now_z, taken = part.take(Kind::flow, now, t_end - now, z);
  if (!taken.ok()) return Failure{describe(taken.status), taken.residual, ""};
  shadow.hold(held);
  if (const Outcome seen = shadow.look(t_end, z); !seen.ok())
    return Failure{describe(seen.status), seen.residual, ""};
  S.bottomRows(n) += contact.turn.leftCols(columns.z()) * S + contact.turn.col(columns.time()) * now_slope;
  S.bottomRows(n).rightCols(columns.parameters) += contact.turn.rightCols(columns.parameters);
  SlopeRow energy = shadow.slope.head(columns.z()) * part.B;  // by the columns of the part
  energy.tail(columns.parameters) += shadow.slope.tail(columns.parameters);
  SlopeRow goal = SlopeRow::Unit(columns.count(), columns.anchor());
  if (!anchored) goal = at_start - losses;
  turn_by(composed(energy, rest_slope, S) - goal, energy.segment(n, n).dot(contact.push));
  return std::nullopt;
}

}  // namespace carom
