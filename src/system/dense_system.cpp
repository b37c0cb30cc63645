#include "carom/system/dense_system.hpp"

#include <cmath>

#include "carom/numerics/positive.hpp"

namespace carom {
namespace {

// Memory for one call, kept by the thread; `part` keeps apart what is alive at the same time.
template <int part>
double* scratch(std::size_t count) {
  thread_local std::vector<double> memory;
  if (memory.size() < count) memory.resize(count);
  return memory.data();
}

double* jet_at(const System& m, double t, const Values& q, const Values& v, Need need) {
  const auto n = static_cast<std::size_t>(m.size());
  double* out = scratch<0>(1 + 2 * n + 3 * n * n);
  PointMemory memory;
  m.look(t, q.data(), need, memory);
  m.jet(t, q.data(), v.data(), need, memory, out);
  return out;
}

// Row i of a jet: `count` values, their slopes row by row, and how they change with time where they do.
void append_row(SparseRows& rows, const double* jet, int count, int i, int n, bool timed) {
  const double* slopes = jet + count + i * n;
  for (int k = 0; k < n; ++k) rows.push(k, slopes[k]);
  rows.end_row(timed ? jet[count * (1 + n) + i] : 0);
}

}  // namespace

double DenseSystem::slopes(double t, const Values& q, const Values& v, Values& Lq, Values& Lv) const {
  const int n = size();
  const double* jet = jet_at(*this, t, q, v, Need::slopes);
  for (int i = 0; i < n; ++i) Lq[i] = jet[1 + i], Lv[i] = jet[1 + n + i];
  return jet[0];
}

void DenseSystem::curvature(double t, const Values& q, const Values& v, const Weights& w,
                            KktMatrix& into) const {
  const int n = size();
  const double* Lqv = jet_at(*this, t, q, v, w.qq != 0 ? Need::all : Need::mixed) + 1 + 2 * n;
  const double *Lvv = Lqv + n * n, *Lqq = Lvv + n * n;
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k) {
      double x = w.qv * Lqv[i * n + k] + w.vq * Lqv[k * n + i] + w.vv * Lvv[i * n + k];
      if (w.qq != 0) x += w.qq * Lqq[i * n + k];
      into.add(i, k, x);
    }
}

void DenseSystem::stiffness(double t, const Values& q, const Values& u, Values& Vqq_u) const {
  const int n = size();
  Values& rest = Vqq_u;  // v = 0, and then the result
  rest.setZero();
  const double* Lqq = jet_at(*this, t, q, rest, Need::all) + 1 + 2 * n + 2 * n * n;
  for (int i = 0; i < n; ++i) {
    double sum = 0;
    for (int k = 0; k < n; ++k) sum += Lqq[i * n + k] * u[k];
    Vqq_u[i] = -sum;
  }
}

void DenseSystem::momentum_bend(double t, const Values& q, const Values& u, Values& change) const {
  const int n = size();
  if (timed())
    drift(t, q, u, change);
  else
    change.setZero();
  if (constant_mass()) return;
  const double* Lqv = jet_at(*this, t, q, u, Need::mixed) + 1 + 2 * n;
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k) change[i] += Lqv[k * n + i] * u[k];
}

double DenseSystem::drift(double t, const Values& q, const Values& v, Values& Ltv) const {
  const int n = size();
  double* Lt_Ltv = scratch<0>(static_cast<std::size_t>(1 + n));
  drift(t, q.data(), v.data(), Lt_Ltv);
  for (int i = 0; i < n; ++i) Ltv[i] = Lt_Ltv[1 + i];
  return Lt_Ltv[0];
}

void DenseSystem::couplings(Pairs& pairs) const {
  for (int i = 0; i < size(); ++i)
    for (int k = 0; k < i; ++k) pairs.push_back({i, k});
}

bool DenseSystem::newton_velocity(double t, const Values& q, const double* v, const Values& p,
                                  double* change) const {
  const int n = size();
  double* Lv = scratch<0>(static_cast<std::size_t>(n + n * n));
  fibre(t, q.data(), v, Lv);
  for (int i = 0; i < n; ++i) change[i] = p[i] - Lv[i];
  return solve_positive_in_place(Lv + n, change, n);
}

bool DenseSystem::velocity(double t, const Values& q, const Values& p, Values& v) const {
  if (!quadratic()) return solve_velocity(t, q, p, v);
  const int n = size();
  double* Lv = scratch<0>(static_cast<std::size_t>(n + n * n));
  v.setZero();
  fibre(t, q.data(), v.data(), Lv);
  for (int i = 0; i < n; ++i) v[i] = p[i] - Lv[i];
  return solve_positive_in_place(Lv + n, v.data(), n);
}

bool DenseSystem::solve_velocity(double t, const Values& q, const Values& p, Values& v) const {
  constexpr int most_iterations = 100, most_halvings = 60;
  const int n = size();
  double* change = scratch<1>(static_cast<std::size_t>(2 * n));
  double* trial = change + n;
  const auto residual = [&](const double* at) {
    double* Lv = scratch<0>(static_cast<std::size_t>(n + n * n));
    fibre(t, q.data(), at, Lv);
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += (p[i] - Lv[i]) * (p[i] - Lv[i]);
    return std::sqrt(sum);
  };
  const auto moved = [&] {
    for (int i = 0; i < n; ++i) trial[i] = v[i] + change[i];
    return residual(trial);
  };
  v.setZero();
  double missing = residual(v.data());
  for (int i = 0; i < most_iterations; ++i) {
    if (!newton_velocity(t, q, v.data(), p, change)) return false;
    double length = 0, size_after = 0;
    for (int k = 0; k < n; ++k)
      length += change[k] * change[k], size_after += (v[k] + change[k]) * (v[k] + change[k]);
    if (std::sqrt(length) <= 1e-14 * std::sqrt(size_after)) {
      for (int k = 0; k < n; ++k) v[k] += change[k];
      return true;
    }
    double left = moved();
    for (int k = 0; k < most_halvings && !(left < missing); ++k) {
      for (int j = 0; j < n; ++j) change[j] *= 0.5;
      left = moved();
    }
    if (!(left < missing)) return missing <= 1e-12 * p.norm();  // at rounding level, or nowhere
    for (int k = 0; k < n; ++k) v[k] = trial[k];
    missing = left;
  }
  return false;
}

void DenseSystem::gaps(double t, const Values& q, Values& g) const {
  const int n = size(), count = contact_count();
  g.resize(count);
  if (count == 0) return;
  double* jet = scratch<0>(static_cast<std::size_t>(count * (2 + n)));
  gap_jet(t, q.data(), jet);
  for (int i = 0; i < count; ++i) g[i] = jet[i];
}

void DenseSystem::moving_gaps(double t, const Values& q, const Values& v, Values& g, Values& rate) const {
  const int count = contact_count();
  g.resize(count), rate.resize(count);
  if (count == 0) return;
  gap_rates(t, q.data(), v.data(), g.data(), rate.data());
}

void DenseSystem::gap_slopes(double t, const Values& q, std::span<const int> which, SparseRows& rows) const {
  const int n = size(), count = contact_count();
  if (which.empty()) return;
  double* jet = scratch<0>(static_cast<std::size_t>(count * (2 + n)));
  gap_jet(t, q.data(), jet);
  for (const int i : which) append_row(rows, jet, count, i, n, timed());
}

void DenseSystem::joints(double t, const Values& q, Values& f) const {
  const int n = size(), count = joint_count();
  f.resize(count);
  if (count == 0) return;
  double* jet = scratch<0>(static_cast<std::size_t>(count * (2 + n)));
  joint_jet(t, q.data(), jet);
  for (int i = 0; i < count; ++i) f[i] = jet[i];
}

void DenseSystem::joint_slopes(double t, const Values& q, SparseRows& rows) const {
  const int n = size(), count = joint_count();
  if (count == 0) return;
  double* jet = scratch<0>(static_cast<std::size_t>(count * (2 + n)));
  joint_jet(t, q.data(), jet);
  for (int i = 0; i < count; ++i) append_row(rows, jet, count, i, n, timed());
}

void DenseSystem::held_curvature(double t, const double* q, const double* psi, double* out) const {
  const int n = size(), count = constraint_count();
  double* bends = scratch<0>(static_cast<std::size_t>(n + count * n));
  double* unit = bends + count * n;
  for (int k = 0; k < n; ++k) unit[k] = 0;
  for (int k = 0; k < n; ++k) {
    unit[k] = 1;
    slope_bends(t, q, unit, bends);
    unit[k] = 0;
    for (int i = 0; i < n; ++i) out[i * n + k] = 0;
    for (int c = 0; c < count; ++c)
      for (int i = 0; psi[c] != 0 && i < n; ++i) out[i * n + k] += psi[c] * bends[c * n + i];
  }
}

void DenseSystem::parameter_slopes(double, const double*, const double*, double* out) const {
  std::fill_n(out, (1 + parameter_count()) * (1 + 3 * size()), 0.0);
}
void DenseSystem::parameter_gap_slopes(double, const double*, double* out) const {
  std::fill_n(out, (1 + parameter_count()) * contact_count() * (2 + size()), 0.0);
}
void DenseSystem::parameter_joint_slopes(double, const double*, double* out) const {
  std::fill_n(out, (1 + parameter_count()) * joint_count() * (2 + size()), 0.0);
}

void DenseSystem::stage_slopes(const StageRows& rows) const {
  constexpr int row = StageRows::row;
  const int n = size();
  thread_local Values q, p, v;
  q.resize(n), p.resize(n), v.resize(n);
  double* change = scratch<1>(static_cast<std::size_t>(n));
  for (int i = 0; i < rows.count; ++i) {
    for (int k = 0; k < n; ++k)
      q[k] = rows.Q[k * row + i], p[k] = rows.P[k * row + i], v[k] = rows.guess[k * row + i];
    rows.pivot[i] = newton_velocity(rows.t[i], q, v.data(), p, change) ? 1 : -1;
    for (int k = 0; k < n; ++k) v[k] += change[k];
    const double* Lq = jet_at(*this, rows.t[i], q, v, Need::slopes) + 1;
    for (int k = 0; k < n; ++k) rows.V[k * row + i] = v[k], rows.F[k * row + i] = Lq[k];
    if (!forced()) continue;
    force(rows.t[i], q.data(), v.data(), change);
    for (int k = 0; k < n; ++k) rows.F[k * row + i] += change[k];
  }
  for (int i = rows.count; i < rows.length; ++i) {
    rows.pivot[i] = rows.pivot[rows.count - 1];
    for (double* x : {rows.V, rows.F})
      for (int k = 0; k < n; ++k) x[k * row + i] = x[k * row + rows.count - 1];
  }
}

void DenseSystem::force(double t, const Values& q, const Values& v, Values& f) const {
  f.setZero();
  if (forced()) force(t, q.data(), v.data(), f.data());
}

}  // namespace carom
