#include "model/dae_formulas.hpp"

#include <fmt/format.h>

namespace carom {
namespace {

// Lists the outputs of a program: values and their derivatives, row by row.
class Outputs {
 public:
  explicit Outputs(DaeExpressions& expressions) : e(expressions) {}

  Outputs& values(const Nodes& of) {
    nodes.insert(nodes.end(), of.begin(), of.end());
    return *this;
  }
  Outputs& by_y(const Nodes& of) { return by(of, e.names.q(0), e.names.dim()); }
  Outputs& by_z(const Nodes& of) { return by(of, e.names.v(0), e.names.dim()); }
  Outputs& by_psi(const Nodes& of) { return by(of, e.names.psi(0), static_cast<int>(e.constraints.size())); }
  formula::Program compile(bool with_psi = false) const {
    return formula::compile(e.names.expressions, nodes,
                            with_psi ? e.names.inputs_with_psi() : e.names.inputs());
  }

 private:
  Outputs& by(const Nodes& of, int first, int count) {
    for (const formula::Node node : of)
      for (int k = 0; k < count; ++k) nodes.push_back(e.names.expressions.derivative(node, first + k));
    return *this;
  }

  DaeExpressions& e;
  Nodes nodes;
};

// c = g_y v.
Nodes rates(DaeExpressions& e) {
  using formula::Op;
  auto& x = e.names.expressions;
  Nodes r;
  for (const formula::Node g : e.constraints) {
    formula::Node c = x.number(0);
    for (int i = 0; i < e.names.dim(); ++i)
      c = x.make(Op::add, c, x.make(Op::multiply, x.derivative(g, e.names.q(i)), e.v[i]));
    r.push_back(c);
  }
  return r;
}

const double* take(const double* from, Values& to, int rows) {
  to = Eigen::Map<const Values>(from, rows);
  return from + rows;
}
const double* take(const double* from, Dense& to, int rows, int columns) {
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  to = Eigen::Map<const Rows>(from, rows, columns);
  return from + rows * columns;
}

}  // namespace

FormulaDae::FormulaDae(DaeExpressions e)
    : size{e.names.dim(), e.names.dim(), static_cast<int>(e.constraints.size())},
      joints(static_cast<int>(e.joint_names.size())),
      rubs(!e.friction.empty()),
      has_energy(e.energy != formula::none),
      coordinates(e.names.coordinates()),
      constraints(e.joint_names) {
  constraints.insert(constraints.end(), e.gap_names.begin(), e.gap_names.end());
  for (int i = 0; i < size.z; ++i) p_is_z = p_is_z && e.p[i] == e.names.expressions.symbol(e.names.v(i));
  for (const formula::Node node : e.f) timed = timed || e.names.expressions.depends_on(node, e.names.t());
  const auto outputs = [&e] { return Outputs(e); };
  moves = outputs()
              .values(e.v)
              .values(e.f)
              .values(e.p)
              .by_y(e.v)
              .by_z(e.v)
              .by_y(e.f)
              .by_z(e.f)
              .by_y(e.p)
              .by_z(e.p)
              .compile();
  reacts = outputs().values(e.r).by_y(e.r).by_z(e.r).by_psi(e.r).compile(true);
  const Nodes& g = e.constraints;
  const Nodes c = rates(e);
  holds = outputs().values(g).values(c).by_y(g).by_y(c).by_z(c).compile();
  places = outputs().values(g).compile();
  if (rubs) {
    frets = outputs().values(e.friction).by_y(e.friction).by_z(e.friction).by_psi(e.friction).compile(true);
    rubbing = outputs().values(e.v).values(e.friction).compile(true);
  }
  if (has_energy) energies = outputs().values({e.energy}).compile();
  in.resize(static_cast<std::size_t>(e.names.inputs_with_psi()));
  int most = 0;
  for (const auto* program : programs()) most = std::max(most, program->outputs());
  out.resize(static_cast<std::size_t>(most));
}

const double* FormulaDae::run(const formula::Program& program, double t, const Values& y, const Values& z,
                              const Values* psi) const {
  double* next = std::copy(y.begin(), y.end(), in.data());
  next = std::copy(z.begin(), z.end(), next);
  *next++ = t;
  if (psi) std::copy(psi->begin(), psi->end(), next);
  program(std::span<const double>(in.data(), static_cast<std::size_t>(program.inputs())),
          std::span<double>(out.data(), static_cast<std::size_t>(program.outputs())));
  return out.data();
}

void FormulaDae::motion(double t, const Values& y, const Values& z, DaeMotion& m) const {
  const int n = size.y;
  const double* next = run(moves, t, y, z);
  for (Values* x : {&m.v, &m.f, &m.p}) next = take(next, *x, n);
  for (Dense* x : {&m.v_y, &m.v_z, &m.f_y, &m.f_z, &m.p_y, &m.p_z}) next = take(next, *x, n, n);
}

void FormulaDae::reaction(const Values& y, const Values& z, const Values& psi, double friction,
                          DaeReaction& m) const {
  const int n = size.y;
  const double* next = run(reacts, 0, y, z, &psi);
  next = take(next, m.r, n), next = take(next, m.r_y, n, n), next = take(next, m.r_z, n, n);
  take(next, m.r_psi, n, size.g);
  if (!rubs || friction == 0) return;
  pressed = psi;
  for (double& x : pressed)
    if (x == 0) x = 1e-200;  // laws such as |psi|^0.85 have no slope at 0
  next = run(frets, 0, y, z, &pressed);
  const auto add = [&next, friction](auto& to) {  // row by row, as they were listed
    for (int i = 0; i < to.rows(); ++i)
      for (int k = 0; k < to.cols(); ++k) to(i, k) += friction * *next++;
  };
  add(m.r), add(m.r_y), add(m.r_z), add(m.r_psi);
}

void FormulaDae::constraint(const Values& y, const Values& z, DaeConstraint& m) const {
  const int n = size.y, k = size.g;
  const double* next = run(holds, 0, y, z);
  next = take(next, m.g, k), next = take(next, m.c, k);
  for (Dense* x : {&m.g_y, &m.c_y, &m.c_z}) next = take(next, *x, k, n);
}

void FormulaDae::gaps(const Values& y, Values& g) const { take(run(places, 0, y, y), g, size.g); }

bool FormulaDae::z_of(const Values& y, const Values& p, Values& z) const {
  if (!p_is_z) return solve_for_z(*this, y, p, z);
  z = p;
  return true;
}

double FormulaDae::energy(const Values& y, const Values& z) const {
  return has_energy ? *run(energies, 0, y, z) : std::nan("");
}

double FormulaDae::friction_power(const Values& y, const Values& z, const Values& psi) const {
  if (!rubs) return 0;
  const double* x = run(rubbing, 0, y, z, &psi);
  return Eigen::Map<const Values>(x, size.y).dot(Eigen::Map<const Values>(x + size.y, size.y));
}

std::shared_ptr<FormulaDae> define_dae(const Scenario& scenario) {
  DaeExpressions e(scenario);
  try {
    return std::make_shared<FormulaDae>(std::move(e));
  } catch (const formula::FormulaError& error) {
    scenario.reject("system.name", '"' + scenario.system.name + '"',
                    fmt::format("the derivatives of its formulas: {}", error.what()));
  }
}

}  // namespace carom
