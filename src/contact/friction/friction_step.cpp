#include "carom/contact/friction/friction_step.hpp"

#include <cmath>
#include <limits>

#include "mu_of_speed.hpp"

namespace carom {
namespace {

constexpr int most_iterations_of_friction = 60;
constexpr double rounding_of_friction = std::numeric_limits<double>::epsilon(), good_enough_friction = 1e-12;

}  // namespace

FrictionStep::FrictionStep(const System& m)
    : Ld(m),
      v(m.size()),
      system(m),
      units(m.units()),
      each(m.slips_each()),
      residual(m.size()),
      q1(m.size()),
      middle(m.size()),
      change(m.size()),
      kick(m.size()),
      terms(m.size()),
      of_unit(m.size()),
      v1(m.size()) {
  system.couplings(all_pairs), system.mass_couplings(mass_pairs);
}

Outcome FrictionStep::operator()(const Rule& rule, double t, double h, Values& q, Values& p,
                                 std::span<const int> contacts, const FrictionModes& of) {
  if (!system.velocity(t, q, p, v)) return {Status::singular};
  begin(rule, t, q, contacts, of);
  if (rests(rule, t, h, q, p)) return {Status::ok, 0, 1};
  double worst = HUGE_VAL;
  int i = 0;
  for (;; ++i) {
    if (i == most_iterations_of_friction) return {Status::no_convergence, worst, i};
    const double before = worst;
    worst = look(rule, t, h, q, p);
    if (std::isnan(worst)) return {Status::not_finite, worst, i};
    if (worst <= rounding_of_friction || (worst > 0.25 * before && worst <= good_enough_friction)) break;
    if (!newton(rule, t, h, q)) return {Status::singular, worst, i};
  }
  friction = friction_power(t, q, lambda, grips);
  for (int k = 0; k < all; ++k) {
    columns[k].add_to(p, lambda[k]);
    Ld.work -= lambda[k] * columns[k].drift;
  }
  p += Ld.minus + Ld.plus;
  q = q1;
  if (!make_tangent(t + h, q, p)) return {Status::singular, worst, i};
  friction += friction_power(t + h, q, mu, end_grips);
  Ld.work += work;
  return {Status::ok, worst, i};
}

// What stands still, sticks, and is where it is held but for rounding is left as it is, to the last bit.
// Rounding: of places, and of velocities beside those that the forces would make within h.
bool FrictionStep::rests(const Rule& rule, double t, double h, const Values& q, const Values& p) {
  constexpr double few = 8 * rounding_of_friction, none = 1e-26;
  for (const int i : held)
    if (slip_sign(modes->mode[i]) != 0 && system.mu(i) > 0) return false;
  if (system.timed()) return false;
  v1 = v, v.setZero();
  const double moves = v1.dot(p), L = system.slopes(t, q, v, change, terms);
  const bool slow =
      std::isfinite(L) && system.velocity(t, q, change, kick) && moves <= none * h * h * change.dot(kick);
  if (!slow) return v = v1, false;
  (void)look(rule, t, h, q, p);
  const double could = residual.dot(kick);
  bool so = true;
  for (int k = 0; k < all; ++k) so = so && std::abs(value[k]) <= few * sizes[k];
  value.setZero();
  so = so && newton(rule, t, h, q) && std::isfinite(system.slopes(t, q, v, terms, change)) &&
       v.dot(change) <= none * could;
  if (so) return friction = 0, Ld.work = 0, v.setZero(), true;
  v = v1, lambda.setZero(), sizes.resize(0), factored = false;
  freed.assign(static_cast<std::size_t>(all), 0);
  return false;
}

bool FrictionStep::project(double t, const Values& q, Values& p, std::span<const int> contacts,
                           const FrictionModes& of) {
  modes = &of, held.assign(contacts.begin(), contacts.end());
  return make_tangent(t, q, p);
}

// One step of Newton's method: gaps are zero to a few roundings already.
bool FrictionStep::close(double t, const Values& q, std::span<const int> contacts, const FrictionModes& of,
                         Values& to) {
  modes = &of, held.assign(contacts.begin(), contacts.end());
  v.setZero();
  add_columns(t, q, v, end_grips, end_columns);
  tangent.arrange(system.size(), mass_pairs, end_columns);
  constraints_at_end(t, 0, q);
  end_columns.clear();
  for (int k = 0; k < all; ++k) end_columns.append(rows[k]);  // without friction: a displacement is no force
  v1.setZero();
  if (!factor_tangent(t, q)) return false;
  change.setZero(), change_of_lambda.resize(all);
  for (int k = 0; k < all; ++k) change_of_lambda[k] = -value[k];
  tangent.solve(change, change_of_lambda);
  system.move(q, change, 1, to);
  return to.allFinite();
}

void FrictionStep::begin(const Rule& rule, double t, const Values& q, std::span<const int> contacts,
                         const FrictionModes& of) {
  modes = &of, held.assign(contacts.begin(), contacts.end());
  add_columns(t, q, v, grips, columns);
  const bool explicit_rule = rule.ends_only() && system.constant_mass();
  matrix.arrange(system.size(), explicit_rule ? mass_pairs : all_pairs, columns);
  lambda.setZero(all), sizes.resize(0), factored = false, freed.assign(static_cast<std::size_t>(all), 0);
}

// What slides in space, or with a mu that depends on the speed, has other friction at every velocity.
bool FrictionStep::turns() const {
  for (const int i : held) {
    if (slip_sign(modes->mode[i]) == 0 || system.mu(i) == 0) continue;
    if (each == 2 || system.mu_is_split(i)) return true;
  }
  return false;
}

// How fast held contact k slides, and along what. Behind the place where its slip is zero, where substeps
// that go back may come, the speed is negative, as it is in the plane: so all goes on smoothly.
FrictionStep::Slip FrictionStep::slip_of(int k, const Values& at) const {
  const int i = held[k], sign = slip_sign(modes->mode[i]);
  if (each == 1) return {sign * slips[k].rate(at), {static_cast<double>(sign), 0}};
  const double x = slips[2 * k].rate(at), y = slips[2 * k + 1].rate(at), length = std::hypot(x, y);
  const double* const known = &modes->direction[2 * i];
  if (length <= modes->standing[i]) return {0, {known[0], known[1]}};
  const double speed = x * known[0] + y * known[1] < 0 ? -length : length;
  return {speed, {x / speed, y / speed}};
}

// At velocity v, by the rows of slips there.
void FrictionStep::find_grips(const Values& at, std::vector<double>& to) {
  to.assign(static_cast<std::size_t>(each * count), 0.0);
  for (int k = 0; k < count; ++k) {
    const int i = held[k], sign = slip_sign(modes->mode[i]);
    if (sign == 0) continue;
    if (each == 1 && !system.mu_is_split(i)) {
      to[k] = sign * system.mu(i);
      continue;
    }
    const auto [speed, direction] = slip_of(k, at);
    for (int j = 0; j < each; ++j) to[each * k + j] = mu_of_speed(system, i, speed) * direction[j];
  }
}

void FrictionStep::add_columns(double t, const Values& q, const Values& at, std::vector<double>& by,
                               SparseRows& to) {
  to.clear(), rows.clear(), slips.clear(), sticking.clear();
  system.joint_slopes(t, q, to);
  joints = to.size(), count = static_cast<int>(held.size());
  system.gap_slopes(t, q, held, rows), system.slip_slopes(t, q, held, slips);
  find_grips(at, by);
  for (int k = 0; k < count; ++k) {
    const auto N = rows[k];
    double drift = N.drift;
    for (std::size_t e = 0; e < N.at.size(); ++e) to.push(N.at[e], N.slopes[e]);
    for (int row = each * k; row < each * (k + 1); ++row) {
      const auto T = slips[row];
      const double along = -by[row];
      for (std::size_t e = 0; along != 0 && e < T.at.size(); ++e) to.push(T.at[e], along * T.slopes[e]);
      drift += along * T.drift;
      if (modes->mode[held[k]] == Mode::stick && (each == 1 || T.size() > 0)) sticking.push_back({k, row});
    }
    to.end_row(drift);
  }
  for (const Stuck& stuck : sticking) to.append(slips[stuck.row]);
  all = to.size();
}

// C there, after add_columns().
void FrictionStep::add_rows(double t, const Values& q) {
  rows.clear(), slips.clear();
  system.joint_slopes(t, q, rows);
  system.gap_slopes(t, q, held, rows), system.slip_slopes(t, q, held, slips);
  for (const Stuck& stuck : sticking) rows.append(slips[stuck.row]);
}

void FrictionStep::constraints_at_end(double t, double h, const Values& q) {
  value.resize(all);
  system.move(q, v, h, q1);
  if (joints > 0) {
    system.joints(t + h, q1, joint_values);
    value.head(joints) = joint_values;
  }
  system.gaps(t + h, q1, gap_values);
  for (int k = 0; k < count; ++k) value[joints + k] = gap_values[held[k]];
  rows.clear(), slips.clear();
  system.joint_slopes(t + h, q1, rows), system.gap_slopes(t + h, q1, held, rows);
  if (sticking.empty()) return;
  system.slides(t + h, q1, slide_values), system.slip_slopes(t + h, q1, held, slips);
  system.move(q, v, 0.5 * h, middle), system.slip_slopes(t + 0.5 * h, middle, held, slips);
  for (std::size_t j = 0; j < sticking.size(); ++j) {
    const auto [k, row] = sticking[j];
    const int i = held[k], at = joints + count + static_cast<int>(j), place = each * i + row - each * k;
    const bool slides = system.has_slide(i);
    const auto T = slips[slides ? row : each * count + row];
    value[at] = slides ? slide_values[place] - modes->place[place] : h * T.rate(v);
    rows.append(T);
  }
}

double FrictionStep::look(const Rule& rule, double t, double h, const Values& q, const Values& p) {
  Ld.evaluate(rule, t, h, q, v);
  constraints_at_end(t, h, q);
  residual = p + Ld.minus;
  for (int k = 0; k < all; ++k) columns[k].add_to(residual, lambda[k]);
  double worst = off_balance(p);
  if (sizes.size() != all) measure(t, h, q);
  for (int k = 0; k < all; ++k)
    if (value[k] != 0 && !is_implied(k)) worst = std::fmax(worst, std::abs(value[k]) / sizes[k]);
  return residual.allFinite() ? worst : std::nan("");
}

// Whether what sticks follows from all else that is held: without a slide, to the order of the flow.
bool FrictionStep::is_implied(int k) const {
  return drifts(k) && (freed[static_cast<std::size_t>(k)] || (factored && matrix.dropped(k)));
}

bool FrictionStep::drifts(int k) const {
  const int stick = k - joints - count;
  return stick >= 0 && !system.has_slide(held[sticking[static_cast<std::size_t>(stick)].k]);
}

// Of constraints that depend on each other those are left out that hold to the order of the flow alone: next
// to them a gap that closes to rounding would be the one that is dropped.
bool FrictionStep::leave_out_what_drifts(const Rule& rule, double t, double h, const Values& q) {
  const auto dropped = [this] {
    int number = 0;
    for (int k = 0; k < all; ++k) number += matrix.dropped(k) && !drifts(k);
    return number;
  };
  int now = dropped();
  for (int k = all - 1; k >= joints + count && now > 0; --k) {
    if (!drifts(k)) continue;
    freed[static_cast<std::size_t>(k)] = 1;
    if (!fill(rule, t, h, q)) return false;
    const int then = dropped();
    if (then < now)
      now = then;
    else
      freed[static_cast<std::size_t>(k)] = 0;
  }
  return fill(rule, t, h, q);
}

bool FrictionStep::fill(const Rule& rule, double t, double h, const Values& q) {
  matrix.set_zero();
  Ld.add_matrix(rule, t, h, q, v, matrix);
  for (int k = 0; k < all; ++k) {
    if (freed[static_cast<std::size_t>(k)])
      matrix.release(k);
    else
      matrix.add_column(k, columns[k]), matrix.add_row(k, rows[k]);
  }
  return matrix.factor();
}

// As SmoothStep's: against the terms that each equation is the sum of, in each unit for itself.
double FrictionStep::off_balance(const Values& p) {
  terms = p.cwiseAbs().cwiseMax(Ld.terms);
  for (int k = 0; k < all; ++k) {
    const auto B = columns[k];
    for (std::size_t e = 0; e < B.at.size(); ++e)
      terms[B.at[e]] = std::fmax(terms[B.at[e]], std::abs(B.slopes[e] * lambda[k]));
  }
  of_unit.setZero();
  for (int i = 0; i < terms.size(); ++i) {
    double& most = of_unit[units[static_cast<std::size_t>(i)]];
    most = std::fmax(most, terms[i]);
  }
  double worst = 0;
  for (int i = 0; i < terms.size(); ++i)
    if (residual[i] != 0)
      worst = std::fmax(worst, std::abs(residual[i]) / of_unit[units[static_cast<std::size_t>(i)]]);
  return worst;
}

void FrictionStep::measure(double t, double h, const Values& q) {
  if (!system.quadratic() || !system.velocity(t, q, residual, kick)) kick.setZero();
  sizes.resize(all);
  const double largest = q.lpNorm<Eigen::Infinity>() +
                         std::abs(h) * (v.lpNorm<Eigen::Infinity>() + kick.lpNorm<Eigen::Infinity>());
  for (int k = 0; k < all; ++k) {
    const auto C = rows[k];
    sizes[k] = C.size_along(q) + std::abs(h) * (C.size_along(v) + C.size_along(kick) + std::abs(C.drift)) +
               1e-3 * C.size() * largest;
    const int stick = k - joints - count;
    if (stick < 0) continue;
    const auto [own, row] = sticking[static_cast<std::size_t>(stick)];
    sizes[k] += std::abs(modes->place[each * held[own] + row - each * own]);
  }
}

bool FrictionStep::newton(const Rule& rule, double t, double h, const Values& q) {
  if (!fill(rule, t, h, q) || (!factored && !leave_out_what_drifts(rule, t, h, q))) return false;
  change = residual, change_of_lambda.resize(all);
  for (int k = 0; k < all; ++k) change_of_lambda[k] = freed[static_cast<std::size_t>(k)] ? 0 : -value[k] / h;
  factored = true;
  matrix.solve(change, change_of_lambda);
  v += change, lambda += change_of_lambda;
  return true;
}

// p + B μ with C v + w = 0; twice, for rounding, or by Newton's method where the mass depends on v.
bool FrictionStep::make_tangent(double t, const Values& q, Values& p) {
  if (!system.velocity(t, q, p, v1)) return false;
  add_columns(t, q, v1, end_grips, end_columns);
  add_rows(t, q);
  mu.setZero(all), work = 0;
  if (turns()) return make_tangent_as_it_turns(t, q, p);
  tangent.arrange(system.size(), mass_pairs, end_columns);
  if (all == 0) return true;
  const bool linear = system.quadratic();
  double before = HUGE_VAL;
  for (int pass = 0; pass < (linear ? 2 : 50); ++pass) {
    if (!system.velocity(t, q, p, v1) || ((!linear || pass == 0) && !factor_tangent(t, q))) return false;
    change.setZero(), change_of_lambda.resize(all);
    for (int k = 0; k < all; ++k) change_of_lambda[k] = -rows[k].rate(v1);
    tangent.solve(change, change_of_lambda);
    mu += change_of_lambda;
    for (int k = 0; k < all; ++k) {
      end_columns[k].add_to(p, change_of_lambda[k]);
      work -= change_of_lambda[k] * end_columns[k].drift;
    }
    const double now = change.lpNorm<Eigen::Infinity>();
    if (pass > 1 && !(now < 0.5 * before)) break;
    before = now;
  }
  return p.allFinite();
}

bool FrictionStep::factor_tangent(double t, const Values& q) {
  tangent.set_zero();
  system.curvature(t, q, v1, {.vv = 1}, tangent);
  for (int k = 0; k < all; ++k) tangent.add_column(k, end_columns[k]), tangent.add_row(k, rows[k]);
  return tangent.factor();
}

// What friction takes by impulses at one end, along v.
double FrictionStep::friction_power(double t, const Values& q, const ChangingValues& impulses,
                                    const std::vector<double>& by) {
  slips.clear();
  system.slip_slopes(t, q, held, slips);
  double sum = 0;
  for (int row = 0; row < each * count; ++row)
    sum -= impulses[joints + row / each] * by[row] * slips[row].rate(v);
  return sum;
}

}  // namespace carom
