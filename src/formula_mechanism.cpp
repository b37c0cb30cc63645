#include "formula_mechanism.hpp"

namespace carom {

void FormulaMechanism::run(const formula::Program& program, double t, const double* q, const double* v,
                           double* out) const {
  std::array<double, 2 * most_formula_coordinates + 1> in;
  const auto n = static_cast<std::size_t>(f->dim);
  for (std::size_t i = 0; i < n; ++i) in[i] = q[i], in[n + i] = v[i];
  in[2 * n] = t;
  program(std::span<const double>(in.data(), 2 * n + 1),
          std::span<double>(out, static_cast<std::size_t>(program.outputs())));
}

void FormulaMechanism::jet(const double* q, const double* v, Need need, const PointMemory&,
                           double* out) const {
  run(need == Need::slopes ? f->slopes : need == Need::mixed ? f->mixed : f->all, 0, q, v, out);
}
void FormulaMechanism::fibre(const double* q, const double* v, double* out) const {
  run(f->fibre, 0, q, v, out);
}
void FormulaMechanism::potential(const double* q, double* out) const {
  run(f->potential, 0, q, q, out);  // does not look at v
}
void FormulaMechanism::mass(double* out) const {
  for (int i = 0; i < f->dim; ++i)
    for (int k = 0; k < f->dim; ++k) *out++ = f->mass(i, k);
}

void FormulaMechanism::gap_jet(const double* q, double* out) const { run(f->gap_jet, 0, q, q, out); }
void FormulaMechanism::joint_jet(const double* q, double* out) const { run(f->joint_jet, 0, q, q, out); }
void FormulaMechanism::gaps(const Values& q, Values& g) const {
  g.resize(contact_count());
  if (g.size() > 0) run(f->gaps, 0, q.data(), q.data(), g.data());
}

// Second derivatives along u of all outputs: the program over second-order duals in one direction.
template <class Keep>
void FormulaMechanism::bend(const formula::Program& program, const Values& q, const Values& u,
                            const Keep& keep) const {
  using D = Dual2<double, 1>;
  std::array<D, 2 * most_formula_coordinates + 1> in;
  std::array<D, std::max(most_formula_gaps, most_formula_joints)> out;
  const int n = f->dim;
  for (int i = 0; i <= 2 * n; ++i) in[i] = D(0.0);
  for (int i = 0; i < n; ++i) in[i] = D(q[i]), in[i].d[0] = u[i];
  program(std::span<const D>(in.data(), static_cast<std::size_t>(2 * n + 1)),
          std::span<D>(out.data(), static_cast<std::size_t>(program.outputs())));
  for (int k = 0; k < program.outputs(); ++k) keep(k, out[k].h[0]);
}
void FormulaMechanism::gap_bends(const Values& q, const Values& u, std::span<const int> which,
                                 Eigen::Ref<Values> bends) const {
  std::array<double, most_formula_gaps> all;
  bend(f->gaps, q, u, [&](int k, double x) { all[k] = x; });
  for (std::size_t k = 0; k < which.size(); ++k) bends[static_cast<int>(k)] = all[which[k]];
}
void FormulaMechanism::joint_bends(const Values& q, const Values& u, Values& bends) const {
  bends.resize(joint_count());
  if (bends.size() > 0) bend(f->joints, q, u, [&](int k, double x) { bends[k] = x; });
}

void FormulaMechanism::force(double t, const double* q, const double* v, double* out) const {
  if (f->forced) run(f->force, t, q, v, out);
}
void FormulaMechanism::force_slopes(double t, const double* q, const double* v, double* out) const {
  run(f->force_slopes, t, q, v, out);
}

void FormulaMechanism::momenta(const Values& q, const Values& p, const Tell& tell) const {
  if (f->momentum_names.empty()) return;
  thread_local std::vector<double> values;
  thread_local Values v;
  values.resize(f->momentum_names.size()), v.resize(size());
  velocity(q, p, v);
  run(f->momenta, 0, q.data(), v.data(), values.data());
  for (std::size_t k = 0; k < values.size(); ++k) tell(f->momentum_names[k].c_str(), values[k]);
}

}  // namespace carom
