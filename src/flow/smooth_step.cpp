#include "carom/flow/smooth_step.hpp"

#include <cmath>

#include "carom/numerics/nothing.hpp"
#include "carom/numerics/unit_of_mass.hpp"

namespace carom {
namespace {

// What is held in zero shrinks to its own rounding from step to step, until numbers have no digits left.
void let_vanish(Values& x) {
  constexpr double vanished = 1e-250;
  for (double& each : x)
    if (std::abs(each) < vanished) each = 0;
}

}  // namespace

SmoothStep::SmoothStep(const System& m)
    : Ld(m),
      v(m.size()),
      system(m),
      tangent(m),
      units(m.units()),
      residual(m.size()),
      q1(m.size()),
      kick(m.size()),
      terms(m.size()),
      of_unit(m.size()),
      sigma(m.size()) {
  system.couplings(all_pairs), system.mass_couplings(mass_pairs);
}

Outcome SmoothStep::operator()(const Rule& rule, double t, double h, Values& q, Values& p,
                               std::span<const int> contacts, Hold hold, const Options& how) {
  begin(rule, t, q, contacts, how);
  unilateral = hold == Hold::unilateral;
  if (!system.velocity(t, q, p, v)) return {Status::singular};
  Outcome r = solve_active_set(rule, t, h, q, p);
  if (r.status == Status::no_convergence && unilateral && count > 0)
    r = solve_smoothed(rule, t, h, q, p, r.iterations);
  return r.ok() ? finish(t + h, q, p, r) : r;
}

void SmoothStep::begin(const Rule& rule, double t, const Values& q, std::span<const int> contacts,
                       const Options& o) {
  options = o;
  held.assign(contacts.begin(), contacts.end());
  count = static_cast<int>(held.size());
  gradients.clear();
  if (options.joints) system.joint_slopes(t, q, gradients);
  joints = gradients.size();
  if (count > 0) system.gap_slopes(t, q, held, gradients);
  const bool explicit_rule = rule.ends_only() && system.constant_mass();
  matrix.arrange(system.size(), explicit_rule ? mass_pairs : all_pairs, gradients);
  lambda.setZero(joints + count), sizes.resize(0), weighed = false;
  pressing.assign(held.size(), 1);
  if (options.linearized) system.gaps(t, q, gaps_at_start);
}

// Σ |B_k| (|q_k| + h |v_k|) with the velocity of the start and what forces add to it, which `residual` tells
// before anything is pressed.
void SmoothStep::measure(double t, double h, const Values& q) {
  if (!system.quadratic() || !system.velocity(t, q, residual, kick)) kick.setZero();
  sizes.resize(gradients.size());
  for (int k = 0; k < gradients.size(); ++k) {
    const auto B = gradients[k];
    sizes[k] = B.size_along(q) + std::abs(h) * (B.size_along(v) + B.size_along(kick) + std::abs(B.drift));
  }
}

// Adds a thousandth of what it would be with the largest coordinate of the unit, which may come in through
// other constraints.
void SmoothStep::weigh(double h, const Values& q) {
  weighed = true, of_unit.setZero();
  for (int i = 0; i < sigma.size(); ++i) {
    sigma[i] = unit_of_mass(matrix.on_diagonal(0), matrix.on_diagonal(i));
    double& most = of_unit[units[static_cast<std::size_t>(i)]];
    most = std::fmax(most, (std::abs(q[i]) + std::abs(h) * (std::abs(v[i]) + std::abs(kick[i]))) / sigma[i]);
  }
  for (int k = 0; k < gradients.size(); ++k) {
    const auto B = gradients[k];
    for (std::size_t e = 0; e < B.at.size(); ++e)
      sizes[k] +=
          1e-3 * std::abs(B.slopes[e]) * sigma[B.at[e]] * of_unit[units[static_cast<std::size_t>(B.at[e])]];
  }
}

// p0 + minus + B λ into `residual`, f and g at q1 into `value`; the largest of both relative to rounding.
double SmoothStep::look(const Rule& rule, double t, double h, const Values& q, const Values& p) {
  Ld.evaluate(rule, t, h, q, v);
  constraints_at_end(t, h, q);
  for (int k = 0; k < count; ++k)  // too far away to be pressed
    if (unilateral && value[joints + k] == HUGE_VAL) pressing[k] = 0, lambda[joints + k] = 0;
  residual = p + Ld.minus;
  for (int k = 0; k < gradients.size(); ++k) gradients[k].add_to(residual, lambda[k]);
  double worst = off_balance(p);
  if (sizes.size() != gradients.size()) measure(t, h, q);
  for (int k = 0; k < gradients.size(); ++k)
    if ((k < joints || pressing[k - joints]) && std::abs(value[k]) > nothing)
      worst = std::fmax(worst, std::abs(value[k]) / sizes[k]);
  return residual.allFinite() ? worst : std::nan("");
}

// The largest of `residual` against the terms that it is the sum of, in each unit for itself, once weighed;
// tall columns press.
double SmoothStep::off_balance(const Values& p) {
  terms = p.cwiseAbs().cwiseMax(Ld.terms);
  for (int k = 0; k < gradients.size(); ++k) {
    const auto B = gradients[k];
    for (std::size_t e = 0; e < B.at.size(); ++e)
      terms[B.at[e]] = std::fmax(terms[B.at[e]], std::abs(B.slopes[e] * lambda[k]));
  }
  if (weighed) {
    of_unit.setZero();
    for (int i = 0; i < terms.size(); ++i) {
      double& most = of_unit[units[static_cast<std::size_t>(i)]];
      most = std::fmax(most, terms[i] * sigma[i]);
    }
    for (int i = 0; i < terms.size(); ++i) terms[i] = of_unit[units[static_cast<std::size_t>(i)]] / sigma[i];
  }
  double worst = 0;
  for (int i = 0; i < terms.size(); ++i)
    if (std::abs(residual[i]) > nothing) worst = std::fmax(worst, std::abs(residual[i]) / terms[i]);
  return worst;
}

void SmoothStep::constraints_at_end(double t, double h, const Values& q) {
  value.resize(joints + count), end_gradients.clear();
  system.move(q, v, h, q1);
  if (joints > 0) {
    system.joints(t + h, q1, joint_values);
    value.head(joints) = joint_values;
    system.joint_slopes(t + h, q1, end_gradients);
  }
  if (count == 0) return;
  if (options.linearized) {
    for (int k = 0; k < count; ++k) {
      const auto row = gradients[joints + k];
      value[joints + k] = gaps_at_start[held[k]] + h * row.rate(v);
      end_gradients.append(row);
    }
    return;
  }
  system.gaps(t + h, q1, gap_values);
  for (int k = 0; k < count; ++k) value[joints + k] = gap_values[held[k]];
  system.gap_slopes(t + h, q1, held, end_gradients);
}

// Newton's method with a primal-dual active set: a contact that would pull is released, one that would be
// passed is pressed. All start pressed, as resting contacts are.
Outcome SmoothStep::solve_active_set(const Rule& rule, double t, double h, const Values& q, const Values& p) {
  double worst = HUGE_VAL;
  for (int i = 0; i < most_iterations; ++i) {
    const double before = worst;
    worst = look(rule, t, h, q, p);
    if (std::isnan(worst)) return {Status::not_finite, worst, i};
    const bool changed = unilateral && i > 0 && choose_pressing(h);
    if (!changed && (worst <= rounding || (worst > 0.25 * before && worst <= good_enough)))
      return {Status::ok, worst, i};
    if (!newton(rule, t, h, q)) return {Status::singular, worst, i};
  }
  return {Status::no_convergence, worst, most_iterations};
}

bool SmoothStep::choose_pressing(double h) {
  bool changed = false;
  const double sign = h < 0 ? -1 : 1, reach = lambda.tail(count).lpNorm<Eigen::Infinity>();
  for (int k = 0; k < count; ++k) {
    const double push = sign * lambda[joints + k];
    const bool now = pressing[k] ? push >= -1e-13 * reach : value[joints + k] < -1e-14 * sizes[joints + k];
    changed = changed || now != static_cast<bool>(pressing[k]);
    pressing[k] = now;
  }
  return changed;
}

bool SmoothStep::newton(const Rule& rule, double t, double h, const Values& q) {
  matrix.set_zero();
  Ld.add_matrix(rule, t, h, q, v, matrix);
  if (!weighed) weigh(h, q);
  change = residual, change_of_lambda.resize(joints + count);
  for (int k = 0; k < joints + count; ++k) {
    matrix.add_column(k, gradients[k]);
    if (k < joints || pressing[k - joints]) {
      matrix.add_row(k, end_gradients[k]);
      change_of_lambda[k] = -value[k] / h;
    } else {
      matrix.release(k);
      change_of_lambda[k] = -lambda[k];
    }
  }
  if (!matrix.factor()) return false;
  matrix.solve(change, change_of_lambda);
  v += change, lambda += change_of_lambda;
  return true;
}

// p1 from the momentum equation; contacts that touch at the end are tangent there.
Outcome SmoothStep::finish(double t1, Values& q, Values& p, Outcome r) {
  q = q1;
  for (int k = 0; k < gradients.size(); ++k) {
    gradients[k].add_to(p, lambda[k]);
    Ld.work -= lambda[k] * gradients[k].drift;  // what drives a joint or a wall does work
  }
  p += Ld.minus + Ld.plus;
  if (joints + count == 0) return r;
  touching.clear();
  for (int k = 0; k < joints + count; ++k)
    if (k < joints || pressing[k - joints] || std::abs(value[k]) <= 1e-9 * sizes[k])
      touching.append(end_gradients[k]);
  if (touching.size() == 0) return r;
  if (!tangent.prepare(t1, q, p, touching) || !tangent.project(q, p)) r.status = Status::singular;
  Ld.work += tangent.work;
  let_vanish(q), let_vanish(p);
  return r;
}

}  // namespace carom
