#include "model/formula_system.hpp"

namespace carom {

void FormulaSystem::run(const formula::Program& program, double t, const double* q, const double* v,
                        double* out) const {
  std::array<double, 2 * most_formula_coordinates + 1> in;
  const auto n = static_cast<std::size_t>(f->dim);
  for (std::size_t i = 0; i < n; ++i) in[i] = q[i], in[n + i] = v[i];
  in[2 * n] = t;
  program(std::span<const double>(in.data(), 2 * n + 1),
          std::span<double>(out, static_cast<std::size_t>(program.outputs())));
}

void FormulaSystem::jet(double t, const double* q, const double* v, Need need, const PointMemory&,
                        double* out) const {
  run(need == Need::slopes ? f->slopes : need == Need::mixed ? f->mixed : f->all, t, q, v, out);
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

void FormulaSystem::gap_jet(double t, const double* q, double* out) const { run(f->gap_jet, t, q, q, out); }
void FormulaSystem::gap_rates(double t, const double* q, const double* v, double* gap, double* rate) const {
  using D = Dual<double, 1>;
  std::array<D, 2 * most_formula_coordinates + 1> in;
  std::array<D, most_formula_gaps> out;
  const int n = f->dim, count = contact_count();
  for (int i = 0; i < n; ++i) in[i].a = q[i], in[i].d[0] = v[i], in[n + i] = in[i];  // does not look at v
  in[2 * n] = D::variable(t, 0);
  f->gaps(std::span<const D>(in.data(), static_cast<std::size_t>(2 * n + 1)),
          std::span<D>(out.data(), static_cast<std::size_t>(count)));
  for (int i = 0; i < count; ++i) gap[i] = out[i].a, rate[i] = out[i].d[0];
}
void FormulaSystem::joint_jet(double t, const double* q, double* out) const { run(f->joint_jet, t, q, q, out); }
void FormulaSystem::gaps(double t, const Values& q, Values& g) const {
  g.resize(contact_count());
  if (g.size() > 0) run(f->gaps, t, q.data(), q.data(), g.data());
}

// Second derivatives along (1, u) of all outputs: the program over second-order duals in one direction.
template <class Keep>
void FormulaSystem::bend(const formula::Program& program, double t, const Values& q, const Values& u,
                         const Keep& keep) const {
  using D = Dual2<double, 1>;
  std::array<D, 2 * most_formula_coordinates + 1> in;
  std::array<D, std::max(most_formula_gaps, most_formula_joints)> out;
  const int n = f->dim;
  for (int i = 0; i <= 2 * n; ++i) in[i] = D(0.0);
  for (int i = 0; i < n; ++i) in[i] = D(q[i]), in[i].d[0] = u[i];
  in[2 * n] = D(t), in[2 * n].d[0] = 1;
  program(std::span<const D>(in.data(), static_cast<std::size_t>(2 * n + 1)),
          std::span<D>(out.data(), static_cast<std::size_t>(program.outputs())));
  for (int k = 0; k < program.outputs(); ++k) keep(k, out[k].h[0]);
}
void FormulaSystem::gap_bends(double t, const Values& q, const Values& u, std::span<const int> which,
                              Eigen::Ref<Values> bends) const {
  std::array<double, most_formula_gaps> all;
  bend(f->gaps, t, q, u, [&](int k, double x) { all[k] = x; });
  for (std::size_t k = 0; k < which.size(); ++k) bends[static_cast<int>(k)] = all[which[k]];
}
void FormulaSystem::joint_bends(double t, const Values& q, const Values& u, Values& bends) const {
  bends.resize(joint_count());
  if (bends.size() > 0) bend(f->joints, t, q, u, [&](int k, double x) { bends[k] = x; });
}

void FormulaSystem::slope_bends(double t, const double* q, const double* u, double* out) const {
  constexpr int width = 4;
  using Along = Dual<double, 1>;
  using D = Dual<Along, width>;
  std::array<D, 2 * most_formula_coordinates + 1> in;
  std::array<D, std::max(most_formula_gaps, most_formula_joints)> y;
  const int n = f->dim;
  for (const formula::Program* program : {&f->joints, &f->gaps}) {
    const int rows = program->outputs();
    for (int begin = 0; rows > 0 && begin < n; begin += width) {
      for (int i = 0; i <= 2 * n; ++i) in[i] = D(0.0);
      for (int i = 0; i < n; ++i) {
        Along along(q[i]);
        along.d[0] = u[i];
        in[i] = i >= begin && i < begin + width ? D::variable(along, i - begin) : D(along);
      }
      in[2 * n] = D(t);
      (*program)(std::span<const D>(in.data(), static_cast<std::size_t>(2 * n + 1)),
                 std::span<D>(y.data(), static_cast<std::size_t>(rows)));
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
  std::array<D, 2 * most_formula_coordinates + 1 + most_formula_joints + most_formula_gaps> in;
  std::array<D, most_formula_coordinates> y;
  const int n = f->dim, m = constraint_count(), all = 2 * n + m;
  for (int begin = 0; begin < all; begin += width) {
    const auto seed = [begin](double value, int direction) {
      const int k = direction - begin;
      return k >= 0 && k < width ? D::variable(value, k) : D(value);
    };
    for (int i = 0; i < n; ++i) in[i] = seed(q[i], i), in[n + i] = seed(v[i], n + i);
    in[2 * n] = D(0.0);
    for (int i = 0; i < m; ++i) in[2 * n + 1 + i] = seed(psi[i] == 0 ? 1e-200 : psi[i], 2 * n + i);
    f->friction(std::span<const D>(in.data(), static_cast<std::size_t>(2 * n + 1 + m)),
                std::span<D>(y.data(), static_cast<std::size_t>(n)));
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
  return !rubs() && !timed() && std::none_of(code.begin(), code.end(), is_power);
}

namespace {

// q, v and t = 0, in lanes.
template <class X>
using LaneInputs = std::array<X, 2 * most_formula_coordinates + 1>;
template <class X>
LaneInputs<X> lane_inputs(int n, const double* q, const double* v) {
  LaneInputs<X> in;
  for (int i = 0; i < n; ++i) in[i] = X::load(q + i * X::width), in[n + i] = X::load(v + i * X::width);
  in[2 * n] = X(0.0);
  return in;
}
template <class X>
void run_lanes(const formula::Program& program, int n, const auto& in, X* out) {
  program(std::span<const X>(in.data(), static_cast<std::size_t>(2 * n + 1)),
          std::span<X>(out, static_cast<std::size_t>(program.outputs())));
}
template <class X>
void potential_in_lanes(const SystemFormulas& f, const double* q, double* V_Vq) {
  run_lanes(f.potential, f.dim, lane_inputs<X>(f.dim, q, q), reinterpret_cast<X*>(V_Vq));
}

}  // namespace

void FormulaSystem::lane_potential(int lanes, const double* q, double* V_Vq) const {
  lanes == 4 ? potential_in_lanes<ExactPack<4>>(*f, q, V_Vq) : potential_in_lanes<ExactPack<2>>(*f, q, V_Vq);
}

template <class X>
void FormulaSystem::look_in_lanes(const LanePoint& at) const {
  const int n = f->dim;
  const auto in = lane_inputs<X>(n, at.q, at.v);
  std::array<X, 1 + 2 * most_formula_coordinates> jet;  // L, Lq, Lv
  run_lanes(f->slopes, n, in, jet.data());
  jet[0].store(at.L);
  for (int i = 0; i < n; ++i) jet[1 + n + i].store(at.Lv + i * X::width);
  if (!f->momentum_names.empty()) run_lanes(f->momenta, n, in, reinterpret_cast<X*>(at.momenta));
  if (contact_count() == 0) return;
  run_lanes(f->gaps, n, in, reinterpret_cast<X*>(at.gap));
  if (!at.moving_gap) return;
  using D = Dual<X, 1>;
  LaneInputs<D> moving;
  for (int i = 0; i < n; ++i) moving[i].a = in[i], moving[i].d[0] = in[n + i], moving[n + i] = moving[i];
  moving[2 * n] = D(0.0);
  std::array<D, most_formula_gaps> g;
  run_lanes(f->gaps, n, moving, g.data());
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
