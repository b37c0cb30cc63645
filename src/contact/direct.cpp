#include "carom/contact/direct.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "carom/numerics/nothing.hpp"
#include "carom/numerics/unit_of_mass.hpp"

namespace carom {

DirectScheme DirectScheme::newmark(double beta, double gamma) {
  return {{{0, 1 - 2 * beta, 1 - gamma}, {1, 2 * beta, gamma}}, 1, 0.5 - beta, beta, 1 - gamma, gamma};
}

DirectScheme DirectScheme::imex_newmark(double beta, double gamma) {
  return {{{0, 1 - 2 * beta, 1 - gamma}, {1, 2 * beta, gamma}}, 1};
}

DirectStepper::DirectStepper(SystemRef sys, DirectScheme s, double step)
    : shared(std::move(sys)), system(*shared), scheme(std::move(s)), h(step), scales(system, h) {
  const int n = system.size();
  for (Values* x : {&v, &rest, &x_i, &Lq, &Lv, &kick, &before_kick, &residual, &q_c, &terms, &of_unit})
    x->setZero(n);
  system.couplings(pairs);
  units = system.units();
}

// The mass is constant: any place tells it.
void DirectStepper::weigh(double t, const Values& q) {
  sigma.resize(system.size());
  gradients.clear();
  matrix.arrange(system.size(), pairs, gradients);
  matrix.set_zero();
  system.curvature(t, q, rest, {.vv = 1}, matrix);
  for (int i = 0; i < sigma.size(); ++i)
    sigma[i] = unit_of_mass(matrix.on_diagonal(0), matrix.on_diagonal(i));
}

const Stepped& DirectStepper::step(double t, const Z& start) {
  z = start, impacts.clear(), pressed.clear();
  scales.look(t, z);
  if (sigma.size() == 0) weigh(t, z.q);
  if (!system.velocity(t, z.q, z.p, v)) return failure(Status::singular, 0);
  lambda.setZero(system.joint_count());
  Outcome total;
  for (int round = 0; round < most_rounds; ++round) {
    const Outcome part = solve(t);
    total.iterations += part.iterations, total.residual = part.residual;
    if (!part.ok()) return failure(part.status, part.residual);
    if (settle()) return finish(t, total);
  }
  return failure(Status::no_convergence, total.residual);
}

// Newton's method with the pressed contacts held; the change of G with v is left out of its matrix.
Outcome DirectStepper::solve(double t) {
  double worst = HUGE_VAL;
  for (int i = 0; i < most_iterations; ++i) {
    const double before = worst;
    worst = look(t);
    if (std::isnan(worst)) return {Status::not_finite, worst, i};
    if (worst <= 1e-15 || (worst > 0.9 * before && worst <= 1e-12)) return {Status::ok, worst, i};
    if (!newton(t)) return {Status::singular, worst, i};
  }
  return {Status::no_convergence, worst, most_iterations};
}

double DirectStepper::look(double t) {
  residual = z.p + scheme.w0 * before_kick;
  terms.setZero();
  count_terms(z.p, 1), count_terms(before_kick, 1);
  kick.setZero(), work = 0;
  for (const auto& [c, a, b] : scheme.points) {
    slopes_at(t, c);
    if (system.forced()) work += h * b * Lv.dot(v);
    residual += (0.5 * h * a) * Lq;
    kick += (h * b) * Lq;
    count_terms(Lq, h);
  }
  system.move(z.q, v, scheme.c * h, q_c);
  system.slopes(t + scheme.c * h, q_c, v, Lq, Lv);
  residual -= Lv;
  count_terms(Lv, 1);
  constrain(t + scheme.c * h);
  double worst = 0;
  for (int k = 0; k < gradients.size(); ++k) {
    gradients[k].add_to(residual, scheme.w1 * lambda[k]);
    if (std::abs(value[k]) > nothing)
      worst = std::fmax(worst, std::abs(value[k]) / size_of_gap(gradients[k], z.q, v, rest, h));
  }
  if (!residual.allFinite() || std::isnan(worst)) return std::nan("");
  return std::fmax(off_balance(), worst);
}

void DirectStepper::count_terms(const Values& some, double factor) {
  terms = terms.cwiseMax(factor * some.cwiseAbs());
}

// The largest of `residual` against the terms that it is the sum of, in each unit for itself.
double DirectStepper::off_balance() {
  of_unit.setZero();
  for (int i = 0; i < terms.size(); ++i) {
    double& most = of_unit[units[static_cast<std::size_t>(i)]];
    most = std::fmax(most, terms[i] * sigma[i]);
  }
  double worst = 0;
  for (int i = 0; i < terms.size(); ++i) {
    const double all = of_unit[units[static_cast<std::size_t>(i)]];
    if (std::abs(residual[i]) > nothing) worst = std::fmax(worst, std::abs(residual[i]) * sigma[i] / all);
  }
  return worst;
}

// Lq + f at q + c h v: with a constant mass Lq is -∇V.
void DirectStepper::slopes_at(double t, double c) {
  system.move(z.q, v, c * h, x_i);
  system.slopes(t + c * h, x_i, rest, Lq, Lv);
  if (!system.forced()) return;
  system.force(t + c * h, x_i, v, Lv);  // as Lv
  Lq += Lv;
}

void DirectStepper::constrain(double at) {
  gradients.clear();
  system.joint_slopes(at, q_c, gradients);
  const int joints = gradients.size(), count = static_cast<int>(pressed.size());
  value.resize(joints + count);
  system.joints(at, q_c, numbers_there);
  value.head(joints) = numbers_there;
  system.gaps(at, q_c, gaps_there);
  if (count > 0) system.gap_slopes(at, q_c, pressed, gradients);
  for (int k = 0; k < count; ++k) value[joints + k] = gaps_there[pressed[k]];
}

bool DirectStepper::newton(double t) {
  matrix.arrange(system.size(), pairs, gradients);
  matrix.set_zero();
  double mass = 1;  // added once
  for (const auto& [c, a, b] : scheme.points) {
    system.move(z.q, v, c * h, x_i);
    system.curvature(t + c * h, x_i, rest, {.qq = -0.5 * h * h * a * c, .vv = mass}, matrix);
    mass = 0;
  }
  change = residual, change_of_lambda.resize(gradients.size());
  for (int k = 0; k < gradients.size(); ++k) {
    matrix.add_column(k, gradients[k]), matrix.add_row(k, gradients[k]);
    change_of_lambda[k] = -value[k] / (scheme.c * h);
  }
  if (!matrix.factor()) return false;
  matrix.solve(change, change_of_lambda);
  v += change, lambda += change_of_lambda / scheme.w1;
  return true;
}

// Releases contacts that pull and presses those that were passed; true where neither was needed.
bool DirectStepper::settle() {
  const int joints = system.joint_count();
  next.clear();
  bool same = true;
  for (std::size_t k = 0; k < pressed.size(); ++k) {
    if (lambda[joints + static_cast<int>(k)] >= 0)
      next.push_back(pressed[k]);
    else
      same = false;
  }
  for (int i = 0; i < gaps_there.size(); ++i)
    if (gaps_there[i] < -1e-4 * scales.touching(i) && !std::binary_search(pressed.begin(), pressed.end(), i))
      next.push_back(i), same = false;
  if (same) return true;
  std::sort(next.begin(), next.end());
  pressed = next;
  lambda.setZero(joints + static_cast<int>(pressed.size()));
  return false;
}

const Stepped& DirectStepper::finish(double t, const Outcome& outcome) {
  ++solved;
  Stepped& r = result;
  r.failure.reset();
  const Values free = z.p + kick + scheme.u0 * before_kick;
  before_kick.setZero();
  for (int k = 0; k < gradients.size(); ++k) gradients[k].add_to(before_kick, lambda[k]);
  r.step.z = {z.q + h * v, free + scheme.u1 * before_kick};
  record(t, free, r.step.z);
  r.step.energy = r.step.action = std::nan("");
  r.step.work = work, r.step.outcome = outcome, r.impacts = impacts;
  return r;
}

// Contacts that did not rest before and are pressed in this step, as one impact at its end.
void DirectStepper::record(double t, const Values& free, const Z& end) {
  const int joints = system.joint_count();
  for (std::size_t k = 0; k < pressed.size(); ++k) {
    if (std::abs(scales.gaps[pressed[k]]) <= scales.touching(pressed[k]) ||
        lambda[joints + static_cast<int>(k)] == 0)
      continue;
    if (impacts.empty()) {
      impacts.push_back({t + h, {}, end.q, free, end.p, (end.p - free).norm(), 0, 0});
      system.velocity(t + h, end.q, free, x_i);
      impacts[0].rate_before = gradients[joints + static_cast<int>(k)].rate(x_i);
      system.velocity(t + h, end.q, end.p, x_i);
      impacts[0].rate_after = gradients[joints + static_cast<int>(k)].rate(x_i);
    }
    impacts[0].contacts.push_back(pressed[k]);
  }
}

const Stepped& DirectStepper::failure(Status status, double residual_left) {
  Stepped& r = result;
  r.step.z = z, r.impacts = {};
  r.failure = Failure{describe(status), residual_left, contact_names(system, pressed), "residual"};
  return r;
}

}  // namespace carom
