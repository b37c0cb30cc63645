// A system in formulas as modified Hamiltonians see it. Tested in tests/unit/formula_system_test.cpp.
#include "model/system_formulas.hpp"

namespace carom {
namespace {

class FormulaLagrangian : public NilpotentLagrangian {
 public:
  explicit FormulaLagrangian(std::shared_ptr<const SystemFormulas> formulas) : f(std::move(formulas)) {}
  int size() const override { return f->dim; }

  void slopes(const Nilpotent* q, const Nilpotent* v, int, Nilpotent* Lq, Nilpotent* Lv) const override {
    const int n = size();
    const Nilpotent* next = run(f->slopes, q, v) + 1;
    std::copy_n(next, n, Lq), std::copy_n(next + n, n, Lv);
  }

  void jet(const double* q, const double* v, RunTimeJet& out) const override {
    const int n = size();
    if (f->sparse()) return sparse_jet(q, v, out);
    const double* next = run(f->all, q, v);
    out.L = *next++;
    for (auto* to : {&out.Lq, &out.Lv}) *to = Eigen::Map<const Eigen::VectorXd>(next, n), next += n;
    for (auto* to : {&out.Lqv, &out.Lvv, &out.Lqq}) {
      to->resize(n, n);
      for (int i = 0; i < n; ++i)
        for (int k = 0; k < n; ++k) (*to)(i, k) = *next++;
    }
  }

 private:
  // Of many coordinates second derivatives are known where they are not zero.
  void sparse_jet(const double* q, const double* v, RunTimeJet& out) const {
    const int n = size();
    const double* next = run(f->slopes, q, v);
    out.L = *next++;
    out.Lq = Eigen::Map<const Eigen::VectorXd>(next, n),
    out.Lv = Eigen::Map<const Eigen::VectorXd>(next + n, n);
    for (auto* to : {&out.Lqv, &out.Lvv, &out.Lqq}) to->setZero(n, n);
    const double* x = run(f->curvature, q, v);
    for (const auto& c : f->couplings) {
      if (c.qv >= 0) out.Lqv(c.i, c.k) = x[c.qv];
      if (c.vv >= 0) out.Lvv(c.i, c.k) = x[c.vv];
      if (c.qq >= 0) out.Lqq(c.i, c.k) = x[c.qq];
    }
  }

  // What the program gives at (q, v, t = 0), until it runs again in this thread.
  template <class S>
  const S* run(const formula::Program& program, const S* q, const S* v) const {
    thread_local std::vector<S> in, out;
    const std::size_t n = f->dim;
    in.resize(2 * n + 1), out.resize(program.outputs());
    std::copy_n(q, n, in.begin()), std::copy_n(v, n, in.begin() + n);
    in.back() = S(0.0);
    program(std::span<const S>(in), std::span<S>(out));
    return out.data();
  }

  std::shared_ptr<const SystemFormulas> f;
};

}  // namespace

std::shared_ptr<const NilpotentLagrangian> lagrangian_of(std::shared_ptr<const SystemFormulas> formulas) {
  return std::make_shared<FormulaLagrangian>(std::move(formulas));
}

}  // namespace carom
