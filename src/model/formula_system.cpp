#include "model/formula_system.hpp"

namespace carom {
namespace {

// Numbers for one call: on the stack where they are few, otherwise in memory that the thread keeps.
template <class S, int part>
class CallMemory {
  static constexpr std::size_t few = 33;  // q, v and t of 16 coordinates

 public:
  explicit CallMemory(int count)
      : numbers(static_cast<std::size_t>(count) <= few ? own.data() : kept(static_cast<std::size_t>(count))) {
  }
  CallMemory(const CallMemory&) = delete;
  CallMemory& operator=(const CallMemory&) = delete;
  S& operator[](int i) { return numbers[i]; }
  S* data() { return numbers; }

 private:
  static S* kept(std::size_t count) {
    thread_local std::vector<S> memory;
    if (memory.size() < count) memory.resize(count);
    return memory.data();
  }
  std::array<S, few> own;
  S* numbers;
};
template <class S>
using ProgramInputs = CallMemory<S, 0>;
template <class S>
using ProgramOutputs = CallMemory<S, 1>;

template <class S>
void call(const formula::Program& program, const S* in, S* out) {
  program(std::span<const S>(in, static_cast<std::size_t>(program.inputs())),
          std::span<S>(out, static_cast<std::size_t>(program.outputs())));
}

}  // namespace

void FormulaSystem::run(const formula::Program& program, double t, const double* q, const double* v,
                        double* out) const {
  const int n = f->dim;
  ProgramInputs<double> in(program.inputs());
  for (int i = 0; i < n; ++i) in[i] = q[i], in[n + i] = v[i];
  in[2 * n] = t;
  add_branches(program, t, q, in.data());
  call(program, in.data(), out);
}
// The inputs that a program of gaps with kinks has behind the others.
template <class S>
void FormulaSystem::add_branches(const formula::Program& program, double t, const double* q, S* in) const {
  const int first = 2 * f->dim + 1, count = program.inputs() - first;
  if (count <= 0) return;
  CallMemory<double, 2> side(count);
  run(f->branches, t, q, q, side.data());
  for (int k = 0; k < count; ++k)
    in[first + k] = S(k < held.size() && !std::isnan(held[k]) ? held[k] : side[k]);
}

void FormulaSystem::jet(double t, const double* q, const double* v, Need need, const PointMemory&,
                        double* out) const {
  if (f->sparse() && need != Need::slopes) return sparse_jet(t, q, v, need, out);
  run(need == Need::slopes ? f->slopes : need == Need::mixed ? f->mixed : f->all, t, q, v, out);
}
void FormulaSystem::sparse_jet(double t, const double* q, const double* v, Need need, double* out) const {
  const int n = f->dim;
  run(f->slopes, t, q, v, out);
  ProgramOutputs<double> x(f->curvature.outputs());
  run(f->curvature, t, q, v, x.data());
  double *Lqv = out + 1 + 2 * n, *Lvv = Lqv + n * n, *Lqq = Lvv + n * n;
  std::fill(Lqv, need == Need::all ? Lqq + n * n : Lqq, 0.0);
  for (const auto& c : f->couplings) {
    const int at = c.i * n + c.k;
    if (c.qv >= 0) Lqv[at] = x[c.qv];
    if (c.vv >= 0) Lvv[at] = x[c.vv];
    if (c.qq >= 0 && need == Need::all) Lqq[at] = x[c.qq];
  }
}
void FormulaSystem::fibre(double t, const double* q, const double* v, double* out) const {
  run(f->fibre, t, q, v, out);
}
void FormulaSystem::drift(double t, const double* q, const double* v, double* out) const {
  run(f->drift, t, q, v, out);
}
void FormulaSystem::potential(double t, const double* q, double* out) const {
  run(f->potential, t, q, q, out);  // does not look at v
}
void FormulaSystem::mass(double* out) const {
  for (int i = 0; i < f->dim; ++i)
    for (int k = 0; k < f->dim; ++k) *out++ = f->mass(i, k);
}

// What is zero everywhere costs nothing; what a weight leaves out may lie outside of the pattern of `into`.
void FormulaSystem::curvature(double t, const Values& q, const Values& v, const Weights& w,
                              KktMatrix& into) const {
  if (!f->sparse()) return DenseSystem::curvature(t, q, v, w, into);
  ProgramOutputs<double> x(f->curvature.outputs());
  run(f->curvature, t, q.data(), v.data(), x.data());
  const auto part = [&x](double weight, int k) { return weight == 0 || k < 0 ? 0 : weight * x[k]; };
  for (const auto& c : f->couplings) {
    const double sum = part(w.qv, c.qv) + part(w.vq, c.vq) + part(w.vv, c.vv) + part(w.qq, c.qq);
    if (sum != 0) into.add(c.i, c.k, sum);
  }
}
void FormulaSystem::couplings(Pairs& pairs) const {
  if (!f->sparse()) return DenseSystem::couplings(pairs);
  for (const auto& c : f->couplings)
    if (c.i > c.k) pairs.push_back({c.i, c.k});
}
void FormulaSystem::mass_couplings(Pairs& pairs) const {
  if (!f->sparse()) return DenseSystem::couplings(pairs);
  for (const auto& c : f->couplings)
    if (c.i > c.k && c.vv >= 0) pairs.push_back({c.i, c.k});
}
void FormulaSystem::gap_slopes(double t, const Values& q, std::span<const int> which,
                               SparseRows& rows) const {
  if (!f->sparse()) return DenseSystem::gap_slopes(t, q, which, rows);
  if (!which.empty()) push_rows(f->gap_rows, t, q, which, rows);
}
void FormulaSystem::joint_slopes(double t, const Values& q, SparseRows& rows) const {
  if (!f->sparse()) return DenseSystem::joint_slopes(t, q, rows);
  thread_local std::vector<int> all;
  for (int i = static_cast<int>(all.size()); i < joint_count(); ++i) all.push_back(i);
  push_rows(f->joint_rows, t, q, {all.data(), static_cast<std::size_t>(joint_count())}, rows);
}
void FormulaSystem::push_rows(const SystemFormulas::Rows& formulas, double t, const Values& q,
                              std::span<const int> which, SparseRows& rows) const {
  ProgramOutputs<double> x(formulas.slopes.outputs());
  run(formulas.slopes, t, q.data(), q.data(), x.data());
  for (const int i : which) {
    for (int k = formulas.begin[i]; k < formulas.begin[i + 1]; ++k) rows.push(formulas.column[k], x[k]);
    rows.end_row(f->timed ? x[formulas.begin.back() + i] : 0);
  }
}

void FormulaSystem::gap_jet(double t, const double* q, double* out) const { run(f->gap_jet, t, q, q, out); }
void FormulaSystem::gap_rates(double t, const double* q, const double* v, double* gap, double* rate) const {
  using D = Dual<double, 1>;
  const int n = f->dim, count = contact_count();
  ProgramInputs<D> in(f->gaps.inputs());
  ProgramOutputs<D> out(count);
  for (int i = 0; i < n; ++i) in[i].a = q[i], in[i].d[0] = v[i], in[n + i] = in[i];  // does not look at v
  in[2 * n] = D::variable(t, 0);
  add_branches(f->gaps, t, q, in.data());
  call(f->gaps, in.data(), out.data());
  for (int i = 0; i < count; ++i) gap[i] = out[i].a, rate[i] = out[i].d[0];
}
void FormulaSystem::joint_jet(double t, const double* q, double* out) const {
  run(f->joint_jet, t, q, q, out);
}
void FormulaSystem::gaps(double t, const Values& q, Values& g) const {
  g.resize(contact_count());
  if (g.size() > 0) run(f->gaps, t, q.data(), q.data(), g.data());
}

// Second derivatives along (1, u) of all outputs: the program over second-order duals in one direction.
template <class Keep>
void FormulaSystem::bend(const formula::Program& program, double t, const Values& q, const Values& u,
                         const Keep& keep) const {
  using D = Dual2<double, 1>;
  const int n = f->dim;
  ProgramInputs<D> in(program.inputs());
  ProgramOutputs<D> out(program.outputs());
  for (int i = 0; i <= 2 * n; ++i) in[i] = D(0.0);
  for (int i = 0; i < n; ++i) in[i] = D(q[i]), in[i].d[0] = u[i];
  in[2 * n] = D(t), in[2 * n].d[0] = 1;
  add_branches(program, t, q.data(), in.data());
  call(program, in.data(), out.data());
  for (int k = 0; k < program.outputs(); ++k) keep(k, out[k].h[0]);
}
void FormulaSystem::gap_bends(double t, const Values& q, const Values& u, std::span<const int> which,
                              Eigen::Ref<Values> bends) const {
  ProgramOutputs<double> all(contact_count());
  bend(f->gaps, t, q, u, [&](int k, double x) { all[k] = x; });
  for (std::size_t k = 0; k < which.size(); ++k) bends[static_cast<int>(k)] = all[which[k]];
}
void FormulaSystem::joint_bends(double t, const Values& q, const Values& u, Values& bends) const {
  bends.resize(joint_count());
  if (bends.size() > 0) bend(f->joints, t, q, u, [&](int k, double x) { bends[k] = x; });
}

void FormulaSystem::slip_slopes(double t, const Values& q, std::span<const int> which,
                                SparseRows& rows) const {
  const auto& slips = f->slip_rows;
  if (slips.begin.empty()) return System::slip_slopes(t, q, which, rows);
  ProgramOutputs<double> x(slips.slopes.outputs());
  run(slips.slopes, t, q.data(), q.data(), x.data());  // T and w do not look at v
  const int each = slips_each();
  for (const int contact : which)
    for (int i = each * contact; i < each * (contact + 1); ++i) {
      for (int k = slips.begin[i]; k < slips.begin[i + 1]; ++k) rows.push(slips.column[k], x[k]);
      rows.end_row(x[slips.begin.back() + i]);
    }
}
void FormulaSystem::slip_bends(double t, const Values& q, const Values& v, std::span<const int> which,
                               Eigen::Ref<Values> bends) const {
  if (f->slip_rows.begin.empty()) return bends.setZero(), void();
  const int each = slips_each();
  ProgramOutputs<double> all(each * contact_count());
  run(f->slip_bends, t, q.data(), v.data(), all.data());
  for (int k = 0; k < bends.size(); ++k)
    bends[k] = all[each * which[static_cast<std::size_t>(k / each)] + k % each];
}
double FormulaSystem::sliding_mu_at(int output, double speed) const {
  ProgramOutputs<double> all(f->sliding_mu.outputs());
  call(f->sliding_mu, &speed, all.data());
  return all[output];
}
void FormulaSystem::slides(double t, const Values& q, Values& s) const {
  s.setZero(slips_each() * contact_count());
  if (!f->slip_rows.begin.empty()) run(f->slides, t, q.data(), q.data(), s.data());
}

void FormulaSystem::branches(double t, const Values& q, Values& sides) const {
  sides.resize(branch_count());
  if (sides.size() > 0) run(f->branches, t, q.data(), q.data(), sides.data());
}
std::shared_ptr<System> FormulaSystem::with_own_branches() const {
  return branch_count() > 0 ? std::make_shared<FormulaSystem>(*this) : nullptr;
}
void FormulaSystem::conditions(double t, const Values& q, const Values& v, Values& c) const {
  if (!has_conditions()) return System::conditions(t, q, v, c);
  c.resize(contact_count());
  run(f->conditions, t, q.data(), v.data(), c.data());
}

// What the slopes that are there do along u; all others stay zero.
void FormulaSystem::sparse_bends(double t, const double* q, const double* u, double* out) const {
  using D = Dual<double, 1>;
  const int n = f->dim;
  std::fill_n(out, constraint_count() * n, 0.0);
  for (const auto* rows : {&f->joint_rows, &f->gap_rows}) {
    const int count = rows == &f->joint_rows ? joint_count() : contact_count();
    if (count == 0) continue;
    ProgramInputs<D> in(rows->slopes.inputs());
    ProgramOutputs<D> x(rows->slopes.outputs());
    for (int i = 0; i < n; ++i) in[i] = D(q[i]), in[i].d[0] = u[i], in[n + i] = in[i];  // does not look at v
    in[2 * n] = D(t);
    add_branches(rows->slopes, t, q, in.data());
    call(rows->slopes, in.data(), x.data());
    for (int i = 0; i < count; ++i)
      for (int k = rows->begin[i]; k < rows->begin[i + 1]; ++k) out[i * n + rows->column[k]] = x[k].d[0];
    out += count * n;
  }
}

void FormulaSystem::slope_bends(double t, const double* q, const double* u, double* out) const {
  if (f->sparse()) return sparse_bends(t, q, u, out);
  constexpr int width = 4;
  using Along = Dual<double, 1>;
  using D = Dual<Along, width>;
  const int n = f->dim;
  ProgramInputs<D> in(std::max(f->joints.inputs(), f->gaps.inputs()));
  ProgramOutputs<D> y(std::max(joint_count(), contact_count()));
  for (const formula::Program* program : {&f->joints, &f->gaps}) {
    const int rows = program->outputs();
    add_branches(*program, t, q, in.data());
    for (int begin = 0; rows > 0 && begin < n; begin += width) {
      for (int i = 0; i <= 2 * n; ++i) in[i] = D(0.0);
      for (int i = 0; i < n; ++i) {
        Along along(q[i]);
        along.d[0] = u[i];
        in[i] = i >= begin && i < begin + width ? D::variable(along, i - begin) : D(along);
      }
      in[2 * n] = D(t);
      call(*program, in.data(), y.data());
      for (int i = 0; i < rows; ++i)
        for (int k = begin; k < std::min(n, begin + width); ++k) out[i * n + k] = y[i].d[k - begin].d[0];
    }
    out += rows * n;
  }
}

// Laws such as |psi|^0.85 have no slope at 0: there they are asked at a number too small to matter.
void FormulaSystem::friction(const double* q, const double* v, const double* psi, double* out) const {
  constexpr int width = 4;
  using D = Dual<double, width>;
  const int n = f->dim, m = constraint_count(), all = 2 * n + m;
  ProgramInputs<D> in(all + 1);
  ProgramOutputs<D> y(n);
  for (int begin = 0; begin < all; begin += width) {
    const auto seed = [begin](double value, int direction) {
      const int k = direction - begin;
      return k >= 0 && k < width ? D::variable(value, k) : D(value);
    };
    for (int i = 0; i < n; ++i) in[i] = seed(q[i], i), in[n + i] = seed(v[i], n + i);
    in[2 * n] = D(0.0);
    for (int i = 0; i < m; ++i) in[2 * n + 1 + i] = seed(psi[i] == 0 ? 1e-200 : psi[i], 2 * n + i);
    call(f->friction, in.data(), y.data());
    for (int i = 0; i < n; ++i) {
      out[i] = y[i].a;
      for (int k = begin; k < std::min(all, begin + width); ++k) {
        const int block = k < n ? 0 : k < 2 * n ? 1 : 2, column = k - block * n;
        out[n + block * n * n + i * (block == 2 ? m : n) + column] = y[i].d[k - begin];
      }
    }
  }
}

bool FormulaSystem::has_lanes() const {
  const auto code = f->gaps.instructions();
  const auto is_power = [](const formula::Instruction& i) { return i.code == formula::Code::power; };
  return !rubs() && !timed() && !has_conditions() && branch_count() == 0 &&
         std::none_of(code.begin(), code.end(), is_power);
}

namespace {

// q, v and t = 0, in lanes.
template <class X>
void fill_lanes(int n, const double* q, const double* v, ProgramInputs<X>& in) {
  for (int i = 0; i < n; ++i) in[i] = X::load(q + i * X::width), in[n + i] = X::load(v + i * X::width);
  in[2 * n] = X(0.0);
}
template <class X>
void potential_in_lanes(const SystemFormulas& f, const double* q, double* V_Vq) {
  ProgramInputs<X> in(2 * f.dim + 1);
  fill_lanes(f.dim, q, q, in);
  call(f.potential, in.data(), reinterpret_cast<X*>(V_Vq));
}

}  // namespace

void FormulaSystem::lane_potential(int lanes, const double* q, double* V_Vq) const {
  lanes == 4 ? potential_in_lanes<ExactPack<4>>(*f, q, V_Vq) : potential_in_lanes<ExactPack<2>>(*f, q, V_Vq);
}

template <class X>
void FormulaSystem::look_in_lanes(const LanePoint& at) const {
  const int n = f->dim;
  ProgramInputs<X> in(2 * n + 1);
  fill_lanes(n, at.q, at.v, in);
  ProgramOutputs<X> jet(1 + 2 * n);  // L, Lq, Lv
  call(f->slopes, in.data(), jet.data());
  jet[0].store(at.L);
  for (int i = 0; i < n; ++i) jet[1 + n + i].store(at.Lv + i * X::width);
  if (!f->momentum_names.empty()) call(f->momenta, in.data(), reinterpret_cast<X*>(at.momenta));
  if (contact_count() == 0) return;
  call(f->gaps, in.data(), reinterpret_cast<X*>(at.gap));
  if (!at.moving_gap) return;
  using D = Dual<X, 1>;
  ProgramInputs<D> moving(2 * n + 1);
  for (int i = 0; i < n; ++i) moving[i].a = in[i], moving[i].d[0] = in[n + i], moving[n + i] = moving[i];
  moving[2 * n] = D(0.0);
  ProgramOutputs<D> g(contact_count());
  call(f->gaps, moving.data(), g.data());
  for (int i = 0; i < contact_count(); ++i)
    g[i].a.store(at.moving_gap + i * X::width), g[i].d[0].store(at.rate + i * X::width);
}
void FormulaSystem::lane_look(const LanePoint& at) const {
  at.lanes == 4 ? look_in_lanes<ExactPack<4>>(at) : look_in_lanes<ExactPack<2>>(at);
}

void FormulaSystem::force(double t, const double* q, const double* v, double* out) const {
  if (f->forced) run(f->force, t, q, v, out);
}
void FormulaSystem::force_slopes(double t, const double* q, const double* v, double* out) const {
  run(f->force_slopes, t, q, v, out);
}

void FormulaSystem::momenta(double t, const Values& q, const Values& p, const Tell& tell) const {
  if (f->momentum_names.empty()) return;
  thread_local std::vector<double> values;
  thread_local Values v;
  values.resize(f->momentum_names.size()), v.resize(size());
  velocity(t, q, p, v);
  run(f->momenta, t, q.data(), v.data(), values.data());
  for (std::size_t k = 0; k < values.size(); ++k) tell(f->momentum_names[k].c_str(), values[k]);
}

}  // namespace carom
