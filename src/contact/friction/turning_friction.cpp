// The end of a step where friction depends on the velocity there: in space it opposes u(q1, v1), whose
// direction turns, and mu may depend on |u|.
//
//   M v1 - p - B(v1) μ = 0,   C v1 + w = 0,   B_k = N_k' - T_k' c(u_k),   c = mu(|u|) u/|u|
//
// by Newton's method, with ∂c/∂u = mu/|u| (1 - σσ') + mu' σσ'; after one solution without friction, whose
// slips are the first guess, and one with theirs.
#include <cmath>

#include "carom/contact/friction/friction_step.hpp"
#include "mu_of_speed.hpp"

namespace carom {

bool FrictionStep::make_tangent_as_it_turns(double t, const Values& q, Values& p) {
  constexpr int most = 40;
  // v1 may be all but zero, where the whole system stops: rounding is that of p.
  const double of_p = v1.lpNorm<Eigen::Infinity>();
  arrange_turning();
  std::fill(end_grips.begin(), end_grips.end(), 0.0);
  double before = HUGE_VAL;
  for (int pass = 0; pass < most; ++pass) {
    const double changed = turn_once(t, q, p, pass > 1);
    if (!std::isfinite(changed)) return false;
    slips.clear(), system.slip_slopes(t, q, held, slips);
    find_grips(v1, end_grips);
    const double now = changed / std::fmax(v1.lpNorm<Eigen::Infinity>(), of_p + 1e-300);
    if (pass > 2 && (now <= 1e-16 || (now <= 1e-12 && !(now < 0.25 * before)))) break;
    if (pass + 1 == most && now > 1e-10) return false;
    before = now;
  }
  add_columns(t, q, v1, end_grips, end_columns);
  add_rows(t, q);
  for (int k = 0; k < all; ++k) end_columns[k].add_to(p, mu[k]), work -= mu[k] * end_columns[k].drift;
  return p.allFinite();
}

// Coordinates that a slip sees are coupled by its direction.
void FrictionStep::arrange_turning() {
  turning_pairs = mass_pairs;
  end_columns.clear();
  for (int k = 0; k < joints; ++k) end_columns.append(rows[k]);
  for (int k = 0; k < count; ++k) {
    const auto N = rows[joints + k];
    for (const int i : N.at) end_columns.push(i, 1);
    for (int row = each * k; row < each * (k + 1); ++row)
      for (const int i : slips[row].at) {
        end_columns.push(i, 1);
        for (int other = each * k; other < each * (k + 1); ++other)
          for (const int j : slips[other].at)
            if (j < i) turning_pairs.push_back({i, j});
      }
    end_columns.end_row();
  }
  for (const Stuck& stuck : sticking) end_columns.append(slips[stuck.row]);
  tangent.arrange(system.size(), turning_pairs, end_columns);
}

// One change of v1 and μ; how large that of v1 is.
double FrictionStep::turn_once(double t, const Values& q, const Values& p, bool newton) {
  const double L = system.slopes(t, q, v1, terms, change);  // ∂L/∂v = M v1
  if (!std::isfinite(L)) return HUGE_VAL;
  change = p - change;
  end_columns.clear();
  rows.clear(), slips.clear();
  system.joint_slopes(t, q, rows);
  system.gap_slopes(t, q, held, rows), system.slip_slopes(t, q, held, slips);
  for (int k = 0; k < joints; ++k) end_columns.append(rows[k]);
  for (int k = 0; k < count; ++k) {
    const auto N = rows[joints + k];
    for (std::size_t e = 0; e < N.at.size(); ++e) end_columns.push(N.at[e], N.slopes[e]);
    double drift = N.drift;
    for (int row = each * k; row < each * (k + 1); ++row) {
      const auto T = slips[row];
      for (std::size_t e = 0; e < T.at.size(); ++e) end_columns.push(T.at[e], -end_grips[row] * T.slopes[e]);
      drift -= end_grips[row] * T.drift;
    }
    end_columns.end_row(drift);
  }
  for (const Stuck& stuck : sticking) end_columns.append(slips[stuck.row]), rows.append(slips[stuck.row]);
  for (int k = 0; k < all; ++k) end_columns[k].add_to(change, mu[k]);
  tangent.set_zero();
  system.curvature(t, q, v1, {.vv = 1}, tangent);
  if (newton) add_turning();
  for (int k = 0; k < all; ++k) tangent.add_column(k, end_columns[k]), tangent.add_row(k, rows[k]);
  if (!tangent.factor()) return HUGE_VAL;
  change_of_lambda.resize(all);
  for (int k = 0; k < all; ++k) change_of_lambda[k] = -rows[k].rate(v1);
  tangent.solve(change, change_of_lambda);
  v1 += change, mu += change_of_lambda;
  return change.lpNorm<Eigen::Infinity>();
}

// Σ μ_k T' ∂c/∂u T.
void FrictionStep::add_turning() {
  for (int k = 0; k < count; ++k) {
    const int i = held[k], sign = slip_sign(modes->mode[i]);
    if (sign == 0 || system.mu(i) == 0) continue;
    const auto [speed, direction] = slip_of(k, v1);
    const double across = each == 1 || speed == 0 ? 0 : mu_of_speed(system, i, speed) / speed;
    const double along = mu_slope_of_speed(system, i, speed);
    for (int a = 0; a < each; ++a)
      for (int b = 0; b < each; ++b) {
        const double c =
            (across * ((a == b) - direction[a] * direction[b]) + along * direction[a] * direction[b]) *
            mu[joints + k];
        if (c == 0) continue;
        const auto Ta = slips[each * k + a], Tb = slips[each * k + b];
        for (std::size_t x = 0; x < Ta.at.size(); ++x)
          for (std::size_t y = 0; y < Tb.at.size(); ++y)
            tangent.add(Ta.at[x], Tb.at[y], c * Ta.slopes[x] * Tb.slopes[y]);
      }
  }
}

}  // namespace carom
