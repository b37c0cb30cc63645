#include "model/system_formulas.hpp"

#include <functional>

namespace carom {
namespace {

Nodes joined(std::initializer_list<Nodes> parts) {
  Nodes all;
  for (const Nodes& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

// The sum of the sizes of the numbers that a formula adds up.
double constants_of(const formula::Expressions& e, formula::Node node) {
  const formula::Part& part = e[node];
  if (part.op == formula::Op::number) return std::abs(part.value);
  if (part.op == formula::Op::add || part.op == formula::Op::subtract)
    return constants_of(e, part.operands[0]) + constants_of(e, part.operands[1]);
  return 0;
}

// Coordinates are coupled where a second derivative of L, the slope of a force, or two slopes of one gap or
// joint do not vanish identically.
std::vector<int> units_of(const SystemExpressions& e, bool by_gaps) {
  const int n = e.names.dim();
  std::vector<int> unit(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) unit[i] = i;
  const auto join = [&unit](int a, int b) {
    const int from = std::max(unit[a], unit[b]), to = std::min(unit[a], unit[b]);
    for (int& u : unit)
      if (u == from) u = to;
  };
  const auto there = [&e](formula::Node node) {
    const auto constant = e.names.expressions.constant(node);
    return !constant || *constant != 0;
  };
  for (const Nodes* pairs : {&e.Lqq, &e.Lqv, &e.Lvv, &e.force_by_q, &e.force_by_v})
    for (std::size_t k = 0; k < pairs->size(); ++k)
      if (there((*pairs)[k])) join(static_cast<int>(k) / n, static_cast<int>(k) % n);
  for (const Nodes* rows : {&e.gap_slopes, &e.joint_slopes, &e.slips.slopes})
    for (std::size_t row = 0; (by_gaps || rows == &e.joint_slopes) && row + n <= rows->size(); row += n) {
      int first = -1;
      for (int k = 0; k < n; ++k)
        if (there((*rows)[row + k])) first < 0 ? void(first = k) : join(first, k);
    }
  std::vector<int> names;  // in the order in which they come
  for (int& u : unit) {
    const auto known = std::find(names.begin(), names.end(), u);
    const int name = static_cast<int>(known - names.begin());
    if (known == names.end()) names.push_back(u);
    u = name;
  }
  return unit;
}

using Compile = std::function<formula::Program(const Nodes&)>;

void find_couplings(const SystemExpressions& e, const Compile& compile, SystemFormulas& r) {
  const int n = r.dim;
  Nodes outputs;
  const auto place = [&](formula::Node node) {
    if (e.names.expressions.constant(node) == 0.0) return -1;
    outputs.push_back(node);
    return static_cast<int>(outputs.size()) - 1;
  };
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k) {
      const SystemFormulas::Coupling c{i,
                                       k,
                                       place(e.Lqv[i * n + k]),
                                       place(e.Lqv[k * n + i]),
                                       place(e.Lvv[i * n + k]),
                                       place(e.Lqq[i * n + k])};
      if (std::max({c.qv, c.vq, c.vv, c.qq}) >= 0) r.couplings.push_back(c);
    }
  r.curvature = compile(outputs);
}

SystemFormulas::Rows rows_of(const SystemExpressions& e, const Compile& compile, const Nodes& slopes,
                             const Nodes& drifts) {
  const auto n = static_cast<std::size_t>(e.names.dim());
  SystemFormulas::Rows r;
  Nodes outputs;
  for (std::size_t i = 0; i < slopes.size(); ++i) {
    if (i % n == 0) r.begin.push_back(static_cast<int>(outputs.size()));
    if (e.names.expressions.constant(slopes[i]) == 0.0) continue;
    r.column.push_back(static_cast<int>(i % n)), outputs.push_back(slopes[i]);
  }
  r.begin.push_back(static_cast<int>(outputs.size()));
  r.slopes = compile(joined({outputs, drifts}));
  return r;
}

SystemFormulas compiled(const SystemExpressions& e) {
  const auto compile = [&e](const Nodes& nodes) {
    return formula::compile(e.names.expressions, nodes, e.names.inputs());
  };
  SystemFormulas r;
  r.dim = e.names.dim(), r.coordinates = e.names.coordinates();
  r.gap_names = e.gap_names, r.joint_names = e.joint_names, r.momentum_names = e.momentum_names;
  r.forced = !e.force.empty(), r.timed = e.timed, r.quadratic = e.quadratic,
  r.constant_mass = e.constant_mass;
  r.lagrangian = compile({e.L});
  r.slopes = compile(joined({{e.L}, e.Lq, e.Lv}));
  r.fibre = compile(joined({e.Lv, e.Lvv}));
  const auto compile_gaps = [&e](const Nodes& nodes) {
    return formula::compile(e.names.expressions, nodes,
                            e.names.inputs() + static_cast<int>(e.branches.size()));
  };
  r.gaps = compile_gaps(e.branched_gaps), r.joints = compile(e.joints), r.force = compile(e.force),
  r.momenta = compile(e.momenta);
  r.gap_jet = compile_gaps(joined({e.branched_gaps, e.branched_slopes, e.branched_drifts}));
  r.joint_jet = compile(joined({e.joints, e.joint_slopes, e.joint_drifts}));
  r.drift = compile(e.drift);
  r.force_slopes = compile(joined({e.force_by_q, e.force_by_v}));
  r.units = units_of(e, true), r.units_in_motion = units_of(e, false);
  for (const formula::Node gap : e.gaps) r.gap_constants.push_back(constants_of(e.names.expressions, gap));
  r.conditions = compile(e.conditions), r.branches = compile(e.branches);
  r.restitutions = e.restitutions, r.branch_contacts = e.branch_contacts;
  r.friction = formula::compile(e.names.expressions, e.friction, e.names.inputs_with_psi());
  r.mu = e.slips.mu, r.has_slide = e.slips.has_slide, r.slips_each = e.slips.each;
  r.mu_is_split = e.slips.is_split;
  if (e.slips.any()) {
    r.sliding_mu =
        formula::compile(e.names.expressions, joined({e.slips.sliding, e.slips.sliding_slopes}), 1);
    r.slip_rows = rows_of(e, compile, e.slips.slopes, e.slips.drifts);
    r.slip_bends = compile(e.slips.bends), r.slides = compile(e.slips.slides);
  }
  if (r.sparse()) {
    find_couplings(e, compile, r);
    r.gap_rows = rows_of(e, compile_gaps, e.branched_slopes, e.branched_drifts);
    r.joint_rows = rows_of(e, compile, e.joint_slopes, e.joint_drifts);
  } else {
    r.mixed = compile(joined({{e.L}, e.Lq, e.Lv, e.Lqv, e.Lvv}));
    r.all = compile(joined({{e.L}, e.Lq, e.Lv, e.Lqv, e.Lvv, e.Lqq}));
  }
  if (r.constant_mass) {
    r.potential = compile(joined({{e.V}, e.Vq}));
    r.mass.resize(r.dim, r.dim);
    for (int k = 0; k < r.dim * r.dim; ++k)
      r.mass(k / r.dim, k % r.dim) = *e.names.expressions.constant(e.Lvv[k]);
  }
  return r;
}

}  // namespace

std::shared_ptr<const SystemFormulas> define_system(const Scenario& scenario) {
  try {
    return std::make_shared<const SystemFormulas>(compiled(SystemExpressions(scenario)));
  } catch (const formula::FormulaError& error) {
    scenario.reject("system.lagrangian", "",
                    std::string("its formulas and their derivatives: ") + error.what());
  }
}

}  // namespace carom
