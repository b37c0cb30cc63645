// Modes of contacts in space (modes.hpp), whose cones are round.
#include <algorithm>
#include <cmath>

#include "carom/contact/friction/modes.hpp"
#include "round_cones.hpp"

namespace carom {

bool ModeSolver::begins_to_slide(const ContactEquations& e, int i) const {
  return modes[i] == Mode::forward && e.slip[i] == 0 && e.mu_sliding[i] > 0;
}

// Where a slip begins, its direction is that of the acceleration which it leaves: σ = a_t/|a_t|, found as the
// point to which σ <- (a_t + r σ)/|a_t + r σ| contracts with r = mu λ_n W_tt, beginning with what sticking
// would ask for.
bool ModeSolver::aim_slides(const ContactEquations& e, const std::vector<int>& among) {
  bool any = false;
  for (const int i : among) {
    if (modes[i] == Mode::forward && e.slip[i] != 0)
      direction[2 * i] = e.direction[2 * i], direction[2 * i + 1] = e.direction[2 * i + 1];
    else
      direction[2 * i] = direction[2 * i + 1] = 0;
    any = any || begins_to_slide(e, i);
  }
  if (!any) return solve_once(e, among);
  const std::vector<Mode>& kept = kept_modes = modes;
  for (const int i : among)
    if (begins_to_slide(e, i)) modes[i] = Mode::stick;
  (void)solve_once(e, among);
  const auto turn = [this](int i, double x, double y) {
    const double length = std::hypot(x, y);
    if (!(length > 0)) return 0.0;
    const double change = std::hypot(x / length - direction[2 * i], y / length - direction[2 * i + 1]);
    direction[2 * i] = x / length, direction[2 * i + 1] = y / length;
    return change;
  };
  modes = kept;
  for (const int i : among)
    if (begins_to_slide(e, i)) turn(i, -f[3 * i + 1], -f[3 * i + 2]);
  constexpr int most = 200;
  bool exist = true;
  for (int pass = 0; pass < most; ++pass) {
    exist = solve_once(e, among);
    double change = 0;
    for (const int i : among) {
      if (!begins_to_slide(e, i)) continue;
      const double r = e.mu_sliding[i] * std::fmax(0, f[3 * i]) *
                       std::fmax(e.w(3 * i + 1, 3 * i + 1), e.w(3 * i + 2, 3 * i + 2));
      change = std::fmax(
          change, turn(i, a[3 * i + 1] + r * direction[2 * i], a[3 * i + 2] + r * direction[2 * i + 1]));
    }
    if (change <= 1e-14) break;
  }
  return exist;
}

double ModeSolver::off_in_space(const ContactEquations& e, int i) const {
  const double* const force = &f[3 * i];
  const double* const rise = &a[3 * i];
  if (modes[i] == Mode::open) return std::fmax(0, -rise[0]) / size;
  double most = 0;
  if (begins_to_slide(e, i)) {
    const double along = std::fmax(0, direction[2 * i] * rise[1] + direction[2 * i + 1] * rise[2]);
    most = std::hypot(rise[1] - along * direction[2 * i], rise[2] - along * direction[2 * i + 1]);
  }
  if (existing) return most / size;
  most = std::fmax(most, -force[0]);
  if (modes[i] == Mode::stick) most = std::fmax(most, std::hypot(force[1], force[2]) - e.mu[i] * force[0]);
  return most / size;
}

// Some forces within their cones (round_cones.hpp).
bool ModeSolver::solve_on_rays(const ContactEquations& e) {
  const auto n = static_cast<Eigen::Index>(unknowns.size());
  if (!cones) cones = std::make_shared<RoundCones>();
  auto& A = cones->A;
  auto &c = cones->c, &P = cones->P;
  auto& of = cones->cones;
  of.clear();
  for (const int row : unknowns) {
    const int i = row / 3;
    if (row % 3 != 0) continue;
    const bool sticks = modes[i] == Mode::stick;
    const double mu = e.mu_sliding[i];
    of.push_back({static_cast<int>(3 * of.size()),
                  e.mu[i],
                  !sticks,
                  {-mu * direction[2 * i], -mu * direction[2 * i + 1]}});
  }
  A.resize(n, static_cast<Eigen::Index>(3 * of.size())), c.resize(n);
  for (Eigen::Index r = 0; r < n; ++r) {
    c[r] = -e.b[unknowns[r]];
    for (std::size_t k = 0; k < of.size(); ++k)
      for (int j = 0; j < 3; ++j)
        A(r, static_cast<Eigen::Index>(3 * k) + j) = e.w(unknowns[r], unknowns[k] + j);
  }
  const bool exist = cones->solve(tolerance) <= tolerance;
  for (std::size_t k = 0; k < of.size(); ++k)
    for (int j = 0; j < 3; ++j) f[unknowns[k] + j] = P[static_cast<Eigen::Index>(3 * k) + j];
  return exist;
}

// Of many: contact after contact takes the force that its own law asks for, until none changes; what that is
// close to is then solved for. Projected Gauss-Seidel, as in Alart and Curnier.
bool ModeSolver::relax(const ContactEquations& e, const std::vector<int>& among) {
  f.assign(static_cast<std::size_t>(e.rows), 0.0);
  constexpr int sweeps = 1000, between = 50;
  for (int sweep = 1; sweep <= sweeps; ++sweep) {
    for (const int i : among) relax_one(e, i);
    if (sweep % between != 0) continue;
    relaxed = f;
    modes.assign(static_cast<std::size_t>(e.count), Mode::open);
    double largest = 0;
    for (const int i : among) largest = std::fmax(largest, f[3 * i]);
    for (const int i : among) {
      if (!(f[3 * i] > 1e-9 * largest)) continue;
      const bool inside = std::hypot(f[3 * i + 1], f[3 * i + 2]) < (1 - 1e-9) * e.mu[i] * f[3 * i];
      modes[i] = e.slip[i] == 0 && e.mu[i] > 0 && inside ? Mode::stick : Mode::forward;
    }
    if (solve_forces(e, among) && judge(e, among) <= tolerance) return true;
    f = relaxed;
  }
  return false;
}

void ModeSolver::relax_one(const ContactEquations& e, int i) {
  std::array<double, 3> rise{e.b[3 * i], e.b[3 * i + 1], e.b[3 * i + 2]};
  for (int row = 0; row < 3; ++row)
    for (int k = 0; k < e.rows; ++k) rise[row] += e.w(3 * i + row, k) * f[k];
  double* const force = &f[3 * i];
  const double own = e.w(3 * i, 3 * i),
               across = std::fmax(e.w(3 * i + 1, 3 * i + 1), e.w(3 * i + 2, 3 * i + 2));
  if (!(own > 0)) return;
  force[0] = std::fmax(0, force[0] - rise[0] / own);
  if (e.slip[i] != 0) {
    for (const int t : {0, 1}) force[1 + t] = -e.mu_sliding[i] * force[0] * e.direction[2 * i + t];
    return;
  }
  if (across > 0)
    for (const int t : {1, 2}) force[t] -= rise[t] / across;
  const double size_now = std::hypot(force[1], force[2]), most = e.mu[i] * force[0];
  if (size_now > most)
    for (const int t : {1, 2}) force[t] *= most / size_now;
}

}  // namespace carom
