#include "eta.hpp"

#include "carom/numerics/nothing.hpp"

namespace carom::detail {

void Eta::resize(int size) {
  n = size;
  for (Vec* own : {&q, &p, &v, &missing, &change, &trial, &place, &forces, &terms}) own->resize(n);
  for (Nilpotents* own : {&Q, &P, &V, &x, &Lq, &Lv, &force, &momentum, &residual}) own->resize(n);
  slope_.resize(2 * n), second_.resize(2 * n);
  for (auto* own : {&momentum_by_q, &momentum_by_v, &force_by_q, &force_by_v}) own->resize(n, n);
  table.resize(2 * n, Nilpotent::most_parts / 2);
}

void Eta::evaluate(int free) {
  force.setConstant(0.0), momentum.setConstant(0.0);
  for (const Node& node : *rule) {
    const double ahead = h * node.c;
    for (int i = 0; i < n; ++i) x[i] = ahead == 0 ? Q[i] : Q[i] + V[i] * ahead;
    system->slopes(x.data(), V.data(), free, Lq.data(), Lv.data());
    for (int i = 0; i < n; ++i) {
      force[i] += Lq[i] * node.b;
      momentum[i] += Lv[i] * node.b;
      if (ahead != 0) momentum[i] += Lq[i] * (ahead * node.b);
    }
  }
}

// At (q, v) in doubles: what is missing to p, and the derivatives of D2 L_d and Σ b_i Lq.
void Eta::linearise(const Vec& at) {
  missing = p, forces.setZero(), mean_L = 0;
  for (auto* own : {&momentum_by_q, &momentum_by_v, &force_by_q, &force_by_v}) own->setZero();
  for (const Node& node : *rule) {
    const double ahead = h * node.c, b = node.b;
    place = q + ahead * at;
    system->jet(place.data(), at.data(), L);
    mean_L += b * L.L, forces += b * L.Lq;
    missing -= b * (ahead * L.Lq + L.Lv);
    force_by_q += b * L.Lqq;
    force_by_v += b * (L.Lqv + ahead * L.Lqq);
    momentum_by_q += b * (ahead * L.Lqq + L.Lqv.transpose());
    momentum_by_v += b * (ahead * (L.Lqv + L.Lqv.transpose() + ahead * L.Lqq) + L.Lvv);
  }
}

// The largest of what is missing against the terms of its equation: coordinates have different units, and
// nothing couples some of them.
double Eta::off() const {
  double worst = 0;
  for (int i = 0; i < n; ++i)
    if (!(std::abs(missing[i]) <= nothing))
      worst = std::fmax(worst, std::isfinite(missing[i]) ? std::abs(missing[i]) / terms[i] : HUGE_VAL);
  return worst;
}

// Newton's method from v = 0, until what is missing is at rounding level. Where L is not quadratic a full
// step may leave the velocities that exist, so it is halved until less is missing.
bool Eta::solve() {
  constexpr int most_iterations = 100, most_halvings = 60;
  constexpr double settled = 1e-15, close = 1e-10;
  v.setZero();
  linearise(v);
  double previous = HUGE_VAL;
  for (int k = 0; k < most_iterations; ++k) {
    matrix.factor(momentum_by_v);
    if (!matrix.ok()) return false;
    change = missing;
    matrix.solve_in_place(change);
    if (!change.allFinite()) return false;
    trial = v + change;
    for (int i = 0; i < n; ++i)
      terms[i] = std::abs(p[i]) + momentum_by_v.row(i).cwiseAbs().dot(trial.cwiseAbs());
    const double size = off();
    if (size <= settled || (size <= close && size >= 0.5 * previous)) return true;
    linearise(trial);
    for (int j = 0; size > close && !(off() < size); ++j) {
      if (j == most_halvings) return false;
      change *= 0.5, trial = v + change;
      linearise(trial);
    }
    v = trial, previous = size;
  }
  return false;
}

bool Eta::set(const NilpotentLagrangian& lagrangian, const Rule& nodes, double step, const In& at_q,
              const In& at_p) {
  system = &lagrangian, rule = &nodes, h = step;
  if (n != system->size()) resize(system->size());
  q = at_q, p = at_p;
  if (!solve()) return false;
  value_ = p.dot(v) - mean_L;  // stationary in v
  v += change;
  for (int i = 0; i < n; ++i) slope_[i] = -forces[i] - force_by_v.row(i).dot(change);
  slope_.tail(n) = v;
  return true;
}

const Eta::Vec& Eta::second(const Vec& d) {
  change = d.tail(n);
  change.noalias() -= momentum_by_q * d.head(n);
  matrix.solve_in_place(change);
  second_.head(n).noalias() = force_by_q * d.head(n);
  second_.head(n).noalias() += force_by_v * change;
  second_.head(n) *= -1;
  second_.tail(n) = change;
  return second_;
}

// The first derivatives of v are known in doubles, and each sweep with the same matrix makes one more order
// exact. The last one changes the highest order only, which the forces follow linearly.
const Eigen::MatrixXd& Eta::slopes(std::initializer_list<const Vec*> directions) {
  const int k = static_cast<int>(directions.size());
  for (int i = 0; i < n; ++i) Q[i] = q[i], P[i] = p[i], V[i] = v[i];
  int generator = 0;
  for (const Vec* d : directions) {
    const Vec& g = second(*d);
    for (int i = 0; i < n; ++i) {
      Q[i].move(generator, (*d)[i]), P[i].move(generator, (*d)[n + i]);
      V[i].move(generator, g[n + i]);
    }
    ++generator;
  }
  for (int sweep = 1; sweep < k; ++sweep) {
    evaluate(k);
    for (int i = 0; i < n; ++i) residual[i] = P[i] - momentum[i];
    matrix.solve_in_place(residual);
    for (int i = 0; i < n; ++i) V[i] += residual[i];
  }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) force[i] += residual[j] * force_by_v(i, j);
  for (int m = 0; m < 1 << k; ++m)
    for (int i = 0; i < n; ++i) table(i, m) = -force[i].part(m), table(n + i, m) = V[i].part(m);
  return table;
}

}  // namespace carom::detail
