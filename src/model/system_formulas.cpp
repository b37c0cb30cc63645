#include "model/system_formulas.hpp"

namespace carom {
namespace {

Nodes joined(std::initializer_list<Nodes> parts) {
  Nodes all;
  for (const Nodes& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace

std::shared_ptr<const SystemFormulas> define_system(const Scenario& scenario) {
  const SystemExpressions e(scenario);
  const auto compile = [&e](const Nodes& nodes) {
    return formula::compile(e.names.expressions, nodes, e.names.inputs());
  };
  SystemFormulas r;
  r.dim = e.names.dim(), r.coordinates = e.names.coordinates();
  r.gap_names = e.gap_names, r.joint_names = e.joint_names, r.momentum_names = e.momentum_names;
  r.forced = !e.force.empty(), r.timed = e.timed, r.quadratic = e.quadratic, r.constant_mass = e.constant_mass;
  r.lagrangian = compile({e.L});
  r.slopes = compile(joined({{e.L}, e.Lq, e.Lv}));
  r.mixed = compile(joined({{e.L}, e.Lq, e.Lv, e.Lqv, e.Lvv}));
  r.all = compile(joined({{e.L}, e.Lq, e.Lv, e.Lqv, e.Lvv, e.Lqq}));
  r.fibre = compile(joined({e.Lv, e.Lvv}));
  r.gaps = compile(e.gaps), r.joints = compile(e.joints), r.force = compile(e.force),
  r.momenta = compile(e.momenta);
  r.gap_jet = compile(joined({e.gaps, e.gap_slopes, e.gap_drifts}));
  r.joint_jet = compile(joined({e.joints, e.joint_slopes, e.joint_drifts}));
  r.drift = compile(e.drift);
  r.force_slopes = compile(joined({e.force_by_q, e.force_by_v}));
  r.friction = formula::compile(e.names.expressions, e.friction, e.names.inputs_with_psi());
  if (r.constant_mass) {
    r.potential = compile(joined({{e.V}, e.Vq}));
    r.mass.resize(r.dim, r.dim);
    for (int k = 0; k < r.dim * r.dim; ++k)
      r.mass(k / r.dim, k % r.dim) = *e.names.expressions.constant(e.Lvv[k]);
  }
  return std::make_shared<const SystemFormulas>(std::move(r));
}

}  // namespace carom
