#include "carom/derivative/point_slopes.hpp"

namespace carom {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

}  // namespace

PointSlopes::PointSlopes(const DenseSystem& m)
    : Lq(m.size()),
      Lv(m.size()),
      F(m.size()),
      Fx(m.size(), 1 + m.parameter_count()),
      Lvx(m.size(), 1 + m.parameter_count()),
      Lx(1 + m.parameter_count()),
      system(m),
      n(m.size()),
      extra(1 + m.parameter_count()),
      jet(static_cast<std::size_t>(1 + 2 * n + 3 * n * n)),
      force(static_cast<std::size_t>(n + 2 * n * n)),
      by_x(static_cast<std::size_t>(extra * (1 + 3 * n))) {}

void PointSlopes::look(double t, const double* q, const double* v) {
  system.look(t, q, Need::all, memory);
  system.jet(t, q, v, Need::all, memory, jet.data());
  const double* next = jet.data() + 1;
  const auto vector = [&] { return Eigen::Map<const Values>(std::exchange(next, next + n), n); };
  const auto matrix = [&] { return Eigen::Map<const RowMajor>(std::exchange(next, next + n * n), n, n); };
  L = jet[0], Lq = vector(), Lv = vector();
  Fv = matrix(), Lvv = matrix(), Fq = matrix();
  Lvq = Fv.transpose(), F = Lq;
  if (system.forced()) {
    system.force(t, q, v, force.data());
    system.force_slopes(t, q, v, force.data() + n);
    next = force.data();
    F += vector(), Fq += matrix(), Fv += matrix();
  }
  system.parameter_slopes(t, q, v, by_x.data());
  next = by_x.data();
  for (int k = 0; k < extra; ++k) {
    Lx[k] = *next++;
    Fx.col(k) = vector(), Lvx.col(k) = vector();
    Fx.col(k) += vector();
  }
}

}  // namespace carom
