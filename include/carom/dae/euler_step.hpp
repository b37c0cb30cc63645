// One step of the symplectic Euler methods of 004 from (y0, z0) to (y1, z1), all equations at once:
//
//   P1 = p0 + h f(y0, Z1) + h alpha r(y0, z0, Psi0)                       (3.2a), (3.5a); P1 = p(y0, Z1)
//   y1 = y0 + h v(y0, Z1)                                                 (b)
//   p1 = P1 + h (1 - alpha) r(y1, z1, Psi1)                               natural, (3.2d)
//   p1 = P1 + h r(y1, z1, Psi1) - h alpha r(y1, z1, Psi0)                 true, (3.5d)
//   0 = g(y1),   0 = g_y(y1) v(y1, z1)                                    (c), (e)
//
// The conjugate ones, (3.7) and (3.8), take f and v at (y1, Z1), P1 = p(y1, Z1), and f goes into p1. The
// adjoint of each is the same set of equations with -h, in which (y1, z1) is where the step starts: the
// unknown end, on which g and its rate vanish, is then (y0, z0). (3.8) is not the adjoint of (3.5).
// Tested in tests/laws/dae_laws_test.cpp and dae_orders_test.cpp.
#pragma once

#include <span>

#include "carom/dae/dae.hpp"
#include "carom/outcome.hpp"

namespace carom {

struct DaeScheme {
  bool natural = false, conjugate = false;
  double alpha = 0.5;
  // Which z the reactions at y0 and at y1 are taken at: those of their ends, or one for both.
  enum class At { ends, z0, z1, Z1 } at = At::ends;
};

class DaeEuler {
 public:
  DaeEuler(const Dae& d, const DaeScheme& s)
      : dae(d), scheme(s), size(d.sizes()), Psi0(Values::Zero(size.g)), Psi1(Values::Zero(size.g)) {}

  // Takes (y, z) from t to t + step with the constraints `which` held. Psi0 and Psi1 of the step before are
  // where Newton's method starts, as 004 advises: Psi0 is not near the consistent multipliers.
  Outcome operator()(double t, double step, bool adjoint, std::span<const int> which, Values& y, Values& z) {
    start(t, step, adjoint, which, y, z);
    Outcome out;
    double last = HUGE_VAL;
    for (; out.iterations < most_iterations; ++out.iterations) {
      assemble();
      matrix.compute(jacobian);
      change = matrix.solve(residual);
      out.residual = update();
      if (!std::isfinite(out.residual)) return out.status = Status::not_finite, out;
      const bool settled = out.residual <= 1e-15 || (out.residual <= 1e-10 && out.residual >= 0.3 * last);
      if (settled) return finish(y, z), out;
      last = out.residual;
    }
    return out.status = Status::no_convergence, out;
  }

  void numbers(auto&& f) {
    for (Values* psi : {&Psi0, &Psi1})
      for (double& x : *psi) f(x);
  }

 private:
  const Dae& dae;
  DaeScheme scheme;
  DaeSizes size;

 public:
  // Friction opposes the motion along this way (a momentum), and still points against it where z turns back:
  // so a motion that friction brings to rest passes through rest smoothly, and rest can be found. Without a
  // way friction follows z.
  Values way;
  bool has_way = false;
  // Multipliers: of the true methods Psi1 is consistent. Where Newton's method starts; zero for what is not
  // held.
  Values Psi0, Psi1;
  double force_work = 0, friction_work = 0;  // of the last step

 private:
  // The unknowns: an end of the step (columns of y and z), Z1 and the multipliers of what is held. -1: known.
  struct Columns {
    int y0 = -1, z0 = -1, y1 = -1, z1 = -1, Z = 0, Psi0 = 0, Psi1 = 0;
  };

  double sign(const Values& z) const { return has_way && way.dot(z) < 0 ? -1 : 1; }
  // Friction has no direction at rest, which a step may end at: there it is asked for a bit of the way.
  const Values& moving(const Values& z) {
    if (!has_way || !z.isZero(0)) return z;
    bit = 1e-30 * way;
    return bit;
  }

  void start(double t, double step, bool adjoint, std::span<const int> which, const Values& y,
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
    (adjoint ? y0 : y1) += step * drive.v;
    for (int i = 0; i < size.g; ++i)
      if (std::find(held.begin(), held.end(), i) == held.end()) Psi0[i] = Psi1[i] = 0;
  }

  const Values& reaction_z(bool at_start) const {
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
  int reaction_column(bool at_start) const {
    const Values* z = &reaction_z(at_start);
    return z == &z0 ? column.z0 : z == &z1 ? column.z1 : column.Z;
  }

  void assemble() {
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

  void add_reactions(int first, int second) {
    const double alpha = scheme.alpha;
    add_reaction(first, -h * alpha, true, Psi0, column.Psi0);
    add_reaction(second, scheme.natural ? -h * (1 - alpha) : -h, false, Psi1, column.Psi1);
    if (!scheme.natural) add_reaction(second, h * alpha, false, Psi0, column.Psi0);
  }
  void add_reaction(int row, double factor, bool at_start, const Values& psi, int psi_column) {
    const Values& z = reaction_z(at_start);
    dae.reaction(at_start ? y0 : y1, moving(z), psi, sign(z), reaction);
    add(row, factor, reaction.r, {at_start ? column.y0 : column.y1, &reaction.r_y},
        {reaction_column(at_start), &reaction.r_z});
    for (std::size_t k = 0; k < held.size(); ++k)
      jacobian.col(psi_column + static_cast<int>(k)).segment(row, size.z) +=
          factor * reaction.r_psi.col(held[k]);
  }
  // At the unknown end.
  void add_constraints(int row) {
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

  struct Slope {
    int column;
    const Dense* matrix;
  };
  void add(int row, double factor, const Values& value, const Slope& by_y, const Slope& by_z) {
    residual.segment(row, value.size()) += factor * value;
    for (const Slope* by : {&by_y, &by_z})
      if (by->column >= 0)
        jacobian.block(row, by->column, by->matrix->rows(), by->matrix->cols()) += factor * *by->matrix;
  }

  // Returns the largest change of y, z or Z1 relative to their sizes; the multipliers follow from these.
  double update() {
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
    const auto relative = [](const auto& part, double whole) {
      const double moved = part.size() > 0 ? part.template lpNorm<Eigen::Infinity>() : 0;
      return moved == 0 ? 0 : moved / (whole + moved);
    };
    // Rounding of g, relative to y, is one of y / h in z.
    const double length = y0.lpNorm<Eigen::Infinity>() + y1.lpNorm<Eigen::Infinity>(),
                 speed = z0.lpNorm<Eigen::Infinity>() + z1.lpNorm<Eigen::Infinity>() +
                         Z.lpNorm<Eigen::Infinity>() + 1e-5 * length / std::abs(h);
    return std::fmax(relative(y_change, length),
                     std::fmax(relative(z_change, speed), relative(Z_change, speed)));
  }

  void finish(Values& y, Values& z) {
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

  static constexpr int most_iterations = 50;
  bool backward = false;
  double h = 0, t0 = 0, t1 = 0;
  std::span<const int> held;
  Columns column;
  Values y0, z0, y1, z1, Z, residual, change, bit;
  Dense jacobian;
  Eigen::PartialPivLU<Dense> matrix;
  DaeMotion drive, ends;
  DaeReaction reaction;
  DaeConstraint constraint;
};

}  // namespace carom
