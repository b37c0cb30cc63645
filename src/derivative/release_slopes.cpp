#include "carom/derivative/release_slopes.hpp"

#include <Eigen/LU>
#include <Eigen/QR>

namespace carom {
namespace {

// Central differences of order 4.
constexpr std::array<double, 4> shifts{1, -1, 2, -2};
constexpr std::array<double, 4> weights{2.0 / 3, -2.0 / 3, -1.0 / 12, 1.0 / 12};

}  // namespace

ReleaseSlopes::ReleaseSlopes(const DenseSystem& m, const DerivativeColumns& c)
    : system(m), columns(c), at(m), constraints(m, c), v(c.n), a(c.n) {}

// v, a and κ there.
bool ReleaseSlopes::look(double t, const Values& q, const Values& p) {
  if (!system.velocity(t, q, p, v)) return false;
  at.look(t, q, v), constraints.look(t, q);
  const auto mass = at.Lvv.partialPivLu();
  const Values free = mass.solve(Values(at.F - at.Lvq * v - at.Lvx.col(0)));
  const Eigen::MatrixXd lift = mass.solve(Eigen::MatrixXd(constraints.G.transpose()));
  kappa = Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd>(constraints.G * lift)
              .solve(Values(-constraints.bend(v) - constraints.G * free));
  a = free + lift * kappa;
  return kappa.allFinite();
}

bool ReleaseSlopes::length_of(double t, const Phase& z, std::span<const int> held, int contact, double h,
                              const Slopes& B, SlopeRow& length) {
  constraints.hold(held);
  place = system.joint_count() + (std::find(held.begin(), held.end(), contact) - held.begin());
  const SlopeRow by = slope(t, z, h);
  length = by.head(columns.z()) * B;
  length[columns.time()] += by[columns.time()], length[columns.length()] += by[columns.time()];
  length.tail(columns.parameters) += by.tail(columns.parameters);
  const double rate = length[columns.length()];
  length /= -rate;
  length[columns.length()] = 0;
  return length.allFinite();
}

// φ by q, p, the time and the parameters.
SlopeRow ReleaseSlopes::slope(double t, const Phase& z, double h) {
  const int n = columns.n;
  SlopeRow r = SlopeRow::Zero(columns.count());
  const auto difference = [&](double size, const auto& move) {
    const double d = 1e-3 * (size > 0 ? size : 1);
    double sum = 0;
    for (std::size_t k = 0; k < shifts.size(); ++k) {
      Phase moved = z;
      double when = t;
      move(moved, when, shifts[k] * d);
      sum += weights[k] / d * (look(when, moved.q, moved.p) ? kappa[place] : std::nan(""));
    }
    return sum;
  };
  const auto size_of = [](const Values& x, int i) {
    return std::fmax(std::abs(x[i]), 1e-2 * x.lpNorm<Eigen::Infinity>());
  };
  for (int i = 0; i < n; ++i) {
    r[i] = difference(size_of(z.q, i), [i](Phase& x, double&, double d) { x.q[i] += d; });
    r[n + i] = difference(size_of(z.p, i), [i](Phase& x, double&, double d) { x.p[i] += d; });
  }
  if (system.timed() || system.forced())
    r[columns.time()] = difference(h, [](Phase&, double& when, double d) { when += d; });
  if (system.parameter_count() > 0) r += by_parameters(t, z, h, r.segment(n, n));
  return r;
}

// At fixed p, so that v depends on them, too: the equations differentiated at fixed v, a and κ, whose slopes
// along the motion are differences.
SlopeRow ReleaseSlopes::by_parameters(double t, const Phase& z, double h, const SlopeRow& by_p) {
  const int n = columns.n, own = system.parameter_count(), m = constraints.count();
  SlopeRow r = SlopeRow::Zero(columns.count());
  look(t, z.q, z.p);
  const Values u = v, lean = a, force = kappa;
  Eigen::MatrixXd all = Eigen::MatrixXd::Zero(n + m, n + m), right(n + m, own);
  all.topLeftCorner(n, n) = at.Lvv, all.topRightCorner(n, m) = -constraints.G.transpose();
  all.bottomLeftCorner(m, n) = constraints.G;
  const Slopes by_v = at.Lvx.rightCols(own);
  right.topRows(n) = at.Fx.rightCols(own) + constraints.push(force).middleCols(columns.parameter(0), own);
  // d/dt of c_qθ·v + c_tθ: the part along a, at fixed (t, q).
  right.bottomRows(m) =
      (constraints.rate(Values(u + lean)) - constraints.rate(u)).middleCols(columns.parameter(0), own) * -1;
  const double d = 1e-2 * h;
  for (std::size_t k = 0; k < shifts.size(); ++k) {
    const double s = shifts[k] * d;
    const Values q = z.q + s * u, w = u + s * lean;
    at.look(t + s, q, w), constraints.look(t + s, q);
    right.topRows(n) -= weights[k] / d * at.Lvx.rightCols(own);
    right.bottomRows(m) -= weights[k] / d * constraints.rate(u).middleCols(columns.parameter(0), own);
  }
  const Eigen::MatrixXd changes = Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd>(all).solve(right);
  r.segment(columns.parameter(0), own) = changes.row(n + place) - by_p * by_v;
  return r;
}

}  // namespace carom
