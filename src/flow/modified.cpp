#include "carom/flow/modified.hpp"

#include <stdexcept>

#include "eta.hpp"

namespace carom {
namespace {

using Vec = Eigen::VectorXd;

// Vectors (q, p) of phase space. With K x = (x_p, 0) and K'x = (0, x_q), a = K η' and b = K'η'.
struct Workspace {
  detail::Eta eta;
  Vec a, b, s, alpha, beta, m1, m2, u, sum;

  void resize(int n) {
    for (Vec* x : {&a, &b, &s, &alpha, &beta, &m1, &m2, &u, &sum}) x->resize(2 * n);
  }
};

// At (q, p), with the directions a, b and s = a + b; null where there is no velocity.
Workspace* workspace_at(const NilpotentLagrangian& system, const Rule& rule, double h,
                        const ModifiedHamiltonian::In& q, const ModifiedHamiltonian::In& p) {
  thread_local Workspace w;
  const int n = system.size();
  if (w.a.size() != 2 * n) w.resize(n);
  if (!w.eta.set(system, rule, h, q, p)) return nullptr;
  const Vec& g = w.eta.slope();
  w.a << g.tail(n), Vec::Zero(n);
  w.b << Vec::Zero(n), g.head(n);
  w.s = w.a + w.b;
  return &w;
}

// x_q·y_p
double across(const Vec& x, const Vec& y) { return x.head(x.size() / 2).dot(y.tail(y.size() / 2)); }

double bracket(const Vec& alpha, const Vec& beta) {
  return across(alpha, alpha) + across(alpha, beta) + 3 * across(beta, alpha) + across(beta, beta);
}

// x += K y, x += K'y.
void add_K(Vec& x, double factor, const auto& y) {
  const auto n = x.size() / 2;
  x.head(n) += factor * y.tail(n);
}
void add_K_transposed(Vec& x, double factor, const auto& y) {
  const auto n = x.size() / 2;
  x.tail(n) += factor * y.head(n);
}

// The gradient of factor η'''(a, b, s), and in m1, m2 that of the bracket beside it by α and by β.
void add_cubic(Workspace& w, double factor) {
  const auto n = w.a.size() / 2;
  const auto& t = w.eta.slopes({&w.a, &w.b, &w.s});
  const auto alpha = t.col(1), beta = t.col(2), ab = t.col(3), as = t.col(5), bs = t.col(6);
  w.sum += factor * t.col(7);
  add_K(w.u, factor, as + ab);
  add_K_transposed(w.u, factor, bs + ab);
  w.m1.head(n) += factor * (alpha + beta).tail(n), w.m1.tail(n) += factor * (alpha + 3 * beta).head(n);
  w.m2.head(n) += factor * (3 * alpha + beta).tail(n), w.m2.tail(n) += factor * (alpha + beta).head(n);
}

// The gradient of all terms from the second derivatives on. The quadratic form's own, η''(a, m1) + η''(b, m2)
// with m1, m2 in the span of a and b, counts twice where a and b change.
void add_quadratic(Workspace& w, const ContractionFactors& f, double fourth) {
  w.m1 = f.aa * w.a + 0.5 * f.ab * w.b;
  w.m2 = 0.5 * f.ab * w.a + f.bb * w.b;
  if (fourth != 0) add_cubic(w, fourth);
  const auto& t = w.eta.slopes({&w.a, &w.m1});
  w.alpha = t.col(1), w.sum += t.col(3);
  add_K_transposed(w.u, 1, t.col(2));
  w.eta.slopes({&w.b, &w.m2});
  w.beta = t.col(1), w.sum += t.col(3);
  add_K(w.u, 1, t.col(2));
  add_K_transposed(w.u, 1, f.aa * w.alpha + 0.5 * f.ab * w.beta);
  add_K(w.u, 1, 0.5 * f.ab * w.alpha + f.bb * w.beta);
}

}  // namespace

ModifiedHamiltonian ModifiedHamiltonian::series(Lagrangian system, const Rule& rule, double h, int terms) {
  if (terms < 1 || terms > 4) throw std::invalid_argument("a modified Hamiltonian has 1 to 4 terms");
  ModifiedHamiltonian r(std::move(system), rule, h, terms);
  if (terms >= 2) r.second = -h / 2;
  if (terms >= 3) r.quadratic.aa = r.quadratic.bb = h * h / 12, r.quadratic.ab = h * h / 3;
  if (terms >= 4) r.fourth = -h * h * h / 12;
  return r;
}

ModifiedHamiltonian ModifiedHamiltonian::closed_form(Lagrangian system, double a, double b, double c,
                                                     double h) {
  ModifiedHamiltonian r(std::move(system), Rule{{0, 1}}, h, 4);
  const double scale = h * h / 24;
  r.quadratic.aa = a * scale, r.quadratic.ab = b * scale, r.quadratic.bb = c * scale;
  return r;
}

ModifiedHamiltonian ModifiedHamiltonian::of_flow(Lagrangian system, const Flow& flow, double h, int terms) {
  if (flow.name == "sva") return closed_form(std::move(system), 2, 2, -1, h);
  if (flow.name == "svb") return closed_form(std::move(system), -1, 2, 2, h);
  if (flow.name == "midpoint") return closed_form(std::move(system), -1, 2, -1, h);
  const Rule* rule = flow.substeps.size() == 1 ? std::get_if<Rule>(&flow.substeps.front().block) : nullptr;
  if (!rule) throw std::invalid_argument("no modified Hamiltonian is known for the flow " + flow.name);
  return series(std::move(system), *rule, h, terms);
}

double ModifiedHamiltonian::value(const In& q, const In& p) const {
  Workspace* w = workspace_at(*system, rule, h, q, p);
  if (!w) return std::nan("");
  const double first = w->eta.value() + second * across(w->eta.slope(), w->eta.slope());
  if (order_ <= 2) return first;
  w->alpha = w->eta.second(w->a), w->beta = w->eta.second(w->b);
  const double cubic = fourth != 0 ? w->eta.slopes({&w->a, &w->b}).col(3).dot(w->s) : 0;
  return first + quadratic.aa * w->a.dot(w->alpha) + quadratic.ab * w->a.dot(w->beta) +
         quadratic.bb * w->b.dot(w->beta) + fourth * (cubic + bracket(w->alpha, w->beta));
}

// With G = η'', a and b change along e by K G e and K'G e. So each term's gradient is a derivative of η'
// along fixed directions, which goes to `sum`, and G times what meets the changes of a and b, which gathers
// in u.
void ModifiedHamiltonian::gradient(const In& q, const In& p, Out by_q, Out by_p) const {
  Workspace* w = workspace_at(*system, rule, h, q, p);
  if (!w) {
    by_q.setConstant(std::nan("")), by_p.setConstant(std::nan(""));
    return;
  }
  w->sum = w->eta.slope();
  w->u = second * w->s;
  if (order_ > 2) add_quadratic(*w, quadratic, fourth);
  if (order_ > 1) w->sum += w->eta.second(w->u);
  by_q = w->sum.head(size()), by_p = w->sum.tail(size());
}

}  // namespace carom
