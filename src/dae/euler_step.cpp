#include "carom/dae/euler_step.hpp"

#include <algorithm>
#include <cmath>

#include "carom/numerics/nothing.hpp"

namespace carom {

DaeEuler::DaeEuler(const Dae& d, const DaeScheme& s)
    : dae(d), scheme(s), size(d.sizes()), Psi0(Values::Zero(size.g)), Psi1(Values::Zero(size.g)) {}

Outcome DaeEuler::operator()(double t, double step, bool adjoint, std::span<const int> which, Values& y,
                             Values& z) {
  start(t, step, adjoint, which, y, z);
  Outcome out;
  double last = HUGE_VAL;
  for (; out.iterations < most_iterations; ++out.iterations) {
    assemble();
    solve();
    out.residual = update();
    if (!std::isfinite(out.residual)) return out.status = Status::not_finite, out;
    const bool settled = out.residual <= 1e-15 || (out.residual <= 1e-10 && out.residual >= 0.3 * last);
    if (settled) return finish(y, z), out;
    last = out.residual;
  }
  return out.status = Status::no_convergence, out;
}

// Newton's change, from rows and columns that are free of units: which pivots are taken depends on none.
void DaeEuler::solve() {
  const int n = size.y, m = size.z, all = static_cast<int>(residual.size());
  const double tau = power_of_two(h);
  columns.setOnes(all), rows.setOnes(all);
  for (int i = 0; i < n; ++i) columns[i] = tau * (n == m ? units[i] : 1), rows[2 * m + i] = 1 / columns[i];
  for (int i = 0; i < m; ++i) {
    columns[n + i] = columns[column.Z + i] = units[i];
    rows[i] = rows[m + i] = 1 / power_of_two(drive.p_z(i, i) * units[i]);
  }
  jacobian = rows.asDiagonal() * jacobian * columns.asDiagonal();
  for (int i = 2 * m + n; i < all; ++i) {
    const double size_of_row = power_of_two(jacobian.row(i).cwiseAbs().maxCoeff());
    jacobian.row(i) /= size_of_row, rows[i] = 1 / size_of_row;
  }
  for (int k = n + 2 * m; k < all; ++k) {
    columns[k] = 1 / power_of_two(jacobian.col(k).cwiseAbs().maxCoeff());
    jacobian.col(k) *= columns[k];
  }
  matrix.compute(jacobian);
  residual.array() *= rows.array();
  change = matrix.solve(residual);
  change.array() *= columns.array();
}

double DaeEuler::sign(const Values& z) const { return has_way && way.dot(z) < 0 ? -1 : 1; }

// Friction has no direction at rest, which a step may end at: there it is asked for a bit of the way.
const Values& DaeEuler::moving(const Values& z) {
  if (!has_way || !z.isZero(0)) return z;
  bit = 1e-30 * way;
  return bit;
}

void DaeEuler::start(double t, double step, bool adjoint, std::span<const int> which, const Values& y,
                     const Values& z) {
  backward = adjoint, held = which;
  const int n = size.y, m = size.z, k = static_cast<int>(held.size());
  h = adjoint ? -step : step;
  t0 = adjoint ? t + step : t, t1 = t0 + h;
  column = Columns{};
  (adjoint ? column.y0 : column.y1) = 0, (adjoint ? column.z0 : column.z1) = n;
  column.Z = n + m, column.Psi0 = n + 2 * m, column.Psi1 = n + 2 * m + k;
  const int all = n + 2 * m + 2 * k;
  if (residual.size() != all) residual.resize(all), jacobian.resize(all, all), change.resize(all);
  y0 = y1 = y, z0 = z1 = Z = z;
  dae.motion(t, y, z, drive);
  units.measure(drive);
  velocity = drive.v;
  (adjoint ? y0 : y1) += step * drive.v;
  for (int i = 0; i < size.g; ++i)
    if (std::find(held.begin(), held.end(), i) == held.end()) Psi0[i] = Psi1[i] = 0;
}

const Values& DaeEuler::reaction_z(bool at_start) const {
  switch (scheme.at) {
    case DaeScheme::At::ends:
      return at_start ? z0 : z1;
    case DaeScheme::At::z0:
      return z0;
    case DaeScheme::At::z1:
      return z1;
    case DaeScheme::At::Z1:
      return Z;
  }
  return z0;
}

int DaeEuler::reaction_column(bool at_start) const {
  const Values* z = &reaction_z(at_start);
  return z == &z0 ? column.z0 : z == &z1 ? column.z1 : column.Z;
}

void DaeEuler::assemble() {
  residual.setZero(), jacobian.setZero();
  const bool conjugate = scheme.conjugate;
  const int n = size.y, m = size.z, first = 0, second = m, moves = 2 * m, closes = 2 * m + n;
  const Values& y = conjugate ? y1 : y0;  // where f, v and P1 are taken
  const int y_column = conjugate ? column.y1 : column.y0;
  dae.motion(conjugate ? t1 : t0, y, Z, drive);

  add(first, 1, drive.p, {y_column, &drive.p_y}, {column.Z, &drive.p_z});
  add(second, -1, drive.p, {y_column, &drive.p_y}, {column.Z, &drive.p_z});
  add(conjugate ? second : first, -h, drive.f, {y_column, &drive.f_y}, {column.Z, &drive.f_z});
  add(moves, -h, drive.v, {y_column, &drive.v_y}, {column.Z, &drive.v_z});
  for (int i = 0; i < n; ++i) {
    residual[moves + i] += y1[i] - y0[i];
    if (column.y0 >= 0) jacobian(moves + i, column.y0 + i) -= 1;
    if (column.y1 >= 0) jacobian(moves + i, column.y1 + i) += 1;
  }
  dae.motion(t0, y0, z0, ends);
  add(first, -1, ends.p, {column.y0, &ends.p_y}, {column.z0, &ends.p_z});
  dae.motion(t1, y1, z1, ends);
  add(second, 1, ends.p, {column.y1, &ends.p_y}, {column.z1, &ends.p_z});
  if (!held.empty()) add_reactions(first, second), add_constraints(closes);
}

void DaeEuler::add_reactions(int first, int second) {
  const double alpha = scheme.alpha;
  add_reaction(first, -h * alpha, true, Psi0, column.Psi0);
  add_reaction(second, scheme.natural ? -h * (1 - alpha) : -h, false, Psi1, column.Psi1);
  if (!scheme.natural) add_reaction(second, h * alpha, false, Psi0, column.Psi0);
}

void DaeEuler::add_reaction(int row, double factor, bool at_start, const Values& psi, int psi_column) {
  const Values& z = reaction_z(at_start);
  dae.reaction(at_start ? y0 : y1, moving(z), psi, sign(z), reaction);
  add(row, factor, reaction.r, {at_start ? column.y0 : column.y1, &reaction.r_y},
      {reaction_column(at_start), &reaction.r_z});
  for (std::size_t k = 0; k < held.size(); ++k)
    jacobian.col(psi_column + static_cast<int>(k)).segment(row, size.z) +=
        factor * reaction.r_psi.col(held[k]);
}

// At the unknown end.
void DaeEuler::add_constraints(int row) {
  dae.constraint(backward ? y0 : y1, backward ? z0 : z1, constraint);
  const int k = static_cast<int>(held.size()), y = backward ? column.y0 : column.y1,
            z = backward ? column.z0 : column.z1;
  for (int i = 0; i < k; ++i) {
    residual[row + i] = constraint.g[held[i]], residual[row + k + i] = constraint.c[held[i]];
    jacobian.row(row + i).segment(y, size.y) = constraint.g_y.row(held[i]);
    jacobian.row(row + k + i).segment(y, size.y) = constraint.c_y.row(held[i]);
    jacobian.row(row + k + i).segment(z, size.z) = constraint.c_z.row(held[i]);
  }
}

void DaeEuler::add(int row, double factor, const Values& value, const Slope& by_y, const Slope& by_z) {
  residual.segment(row, value.size()) += factor * value;
  for (const Slope* by : {&by_y, &by_z})
    if (by->column >= 0)
      jacobian.block(row, by->column, by->matrix->rows(), by->matrix->cols()) += factor * *by->matrix;
}

// Returns the largest change of y, z or Z1 relative to their sizes, of each unit for itself: no other one
// that moves fast hides it. The multipliers follow from these.
double DaeEuler::update() {
  Values& y = backward ? y0 : y1;
  Values& z = backward ? z0 : z1;
  const auto y_change = change.head(size.y), z_change = change.segment(size.y, size.z),
             Z_change = change.segment(column.Z, size.z);
  y -= y_change, z -= z_change, Z -= Z_change;
  for (std::size_t k = 0; k < held.size(); ++k) {
    Psi0[held[k]] -= change[column.Psi0 + static_cast<int>(k)];
    Psi1[held[k]] -= change[column.Psi1 + static_cast<int>(k)];
  }
  if (!change.allFinite()) return std::nan("");
  const auto& coupled = dae.units();
  const int count = coupled.empty() ? 1 : 1 + *std::max_element(coupled.begin(), coupled.end());
  double most = 0;
  for (int unit = 0; unit < count; ++unit) {
    const auto largest = [&](const auto& part) { return units.largest_of(unit, part, coupled); };
    const auto relative = [&](const auto& part, double whole) {
      const double moved = largest(part);
      return moved <= nothing ? 0 : moved / (whole + moved);
    };
    // Rounding of g, relative to y and to what it moves by, is one of y / h in z.
    const double length = largest(y0) + largest(y1) + std::abs(h) * largest(velocity),
                 speed = largest(z0) + largest(z1) + largest(Z) + 1e-5 * length / std::abs(h);
    most = std::fmax(most, std::fmax(relative(y_change, length),
                                     std::fmax(relative(z_change, speed), relative(Z_change, speed))));
  }
  return most;
}

void DaeEuler::finish(Values& y, Values& z) {
  y = backward ? y0 : y1, z = backward ? z0 : z1;
  force_work = friction_work = 0;
  if (dae.is_forced())
    force_work = scheme.conjugate ? h * dae.force_power(t1, y1, Z) : h * dae.force_power(t0, y0, Z);
  if (dae.has_friction() && !held.empty()) {
    const double at_end = sign(z1) * dae.friction_power(y1, moving(z1), Psi1), alpha = scheme.alpha;
    friction_work = h * at_end;
    if (scheme.natural)
      friction_work =
          h * (alpha * sign(z0) * dae.friction_power(y0, moving(z0), Psi0) + (1 - alpha) * at_end);
  }
  if (backward) force_work = -force_work, friction_work = -friction_work;
}

}  // namespace carom
