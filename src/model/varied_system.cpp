#include "model/varied_system.hpp"

#include <fmt/format.h>

#include "formula/point_contacts.hpp"
#include "scenario/quantities.hpp"
#include "scenario/scenario_text.hpp"
#include "scenario/suggest.hpp"

namespace carom {
namespace {

std::vector<double> values_of(const Scenario& scenario, const std::vector<std::string>& names) {
  const auto parameters = number_parameters(scenario);
  std::vector<std::string> known;
  for (const auto& [name, value] : parameters) known.push_back(name);
  std::vector<double> values;
  for (const std::string& name : names) {
    const auto found = parameters.find(name);
    if (found == parameters.end())
      scenario.reject("system.parameters." + detail::key_part(name), "",
                      "is no parameter of the system" + suggestion(name, known));
    values.push_back(found->second);
  }
  return values;
}

class VariationReader {
 public:
  VariationReader(const Scenario& s, const std::vector<std::string>& wanted)
      : scenario(s), names(s, s.system.coordinates, number_parameters(s), wanted) {
    by.push_back(names.t());
    for (int k = 0; k < static_cast<int>(wanted.size()); ++k) by.push_back(names.varied(k));
  }

  VariedFormulas read() {
    VariedFormulas r;
    r.multipliers = names.inputs_with_psi() - names.inputs();
    r.motion = motion(), r.gaps = gaps(), r.joints = joints(), r.restitutions = restitutions();
    for (const auto& [name, text] : scenario.output.quantities) r.quantity_names.push_back(name);
    r.quantities = quantities();
    return r;
  }

 private:
  using Node = formula::Node;

  formula::Program compile(const Nodes& nodes) {
    return formula::compile(names.expressions, nodes, names.all_inputs());
  }
  Node slope(Node of, int symbol) { return names.expressions.derivative(of, symbol); }

  formula::Program motion() {
    const Node L = names.parse("system.lagrangian", *scenario.system.lagrangian);
    Nodes forces, out;
    for (std::size_t i = 0; i < scenario.system.force.size(); ++i)
      forces.push_back(names.parse(fmt::format("system.force.{}", i), scenario.system.force[i]));
    forces.resize(static_cast<std::size_t>(names.dim()), names.expressions.number(0));
    for (const int x : by) {
      out.push_back(slope(L, x));
      for (int i = 0; i < names.dim(); ++i) out.push_back(slope(slope(L, names.q(i)), x));
      for (int i = 0; i < names.dim(); ++i) out.push_back(slope(slope(L, names.v(i)), x));
      for (const Node f : forces) out.push_back(slope(f, x));
    }
    return compile(out);
  }

  formula::Program gaps() {
    Nodes all;
    for (const auto& [name, text] : scenario.system.gaps)
      all.push_back(names.parse("system.gaps." + detail::key_part(name), text));
    for (const auto& [name, contact] : scenario.system.contacts) {
      const std::string key = "system.contacts." + detail::key_part(name) + ".";
      all.push_back(contact.point.empty() ? names.parse(key + "gap", *contact.gap)
                                          : read_point(scenario, names, key, contact).gap);
    }
    return constraints(all);
  }

  formula::Program joints() {
    Nodes all;
    for (const auto& [name, text] : scenario.system.joints)
      all.push_back(names.parse("system.joints." + detail::key_part(name), text));
    return constraints(all);
  }

  formula::Program constraints(const Nodes& all) {
    Nodes out;
    for (const int x : by)
      for (const Node g : all) {
        out.push_back(slope(g, x));
        for (int i = 0; i < names.dim(); ++i) out.push_back(slope(slope(g, names.q(i)), x));
        out.push_back(slope(slope(g, names.t()), x));
      }
    return compile(out);
  }

  formula::Program restitutions() {
    Nodes all(scenario.system.gaps.size(), names.expressions.number(0)), out;
    for (const auto& [name, contact] : scenario.system.contacts) {
      const auto* text = contact.restitution ? std::get_if<std::string>(&*contact.restitution) : nullptr;
      all.push_back(text ? names.parse("system.contacts." + detail::key_part(name) + ".restitution", *text)
                         : names.expressions.number(0));
    }
    for (const Node e : all)
      for (std::size_t k = 1; k < by.size(); ++k) out.push_back(slope(e, by[k]));
    return compile(out);
  }

  formula::Program quantities() {
    Nodes out;
    for (const Node quantity : add_quantities(scenario, names)) {
      out.push_back(quantity);
      for (int i = 0; i < 2 * names.dim(); ++i) out.push_back(slope(quantity, i));
      for (const int x : by) out.push_back(slope(quantity, x));
    }
    return compile(out);
  }

  const Scenario& scenario;
  FormulaNames names;
  std::vector<int> by;  // t and the parameters, as inputs
};

}  // namespace

std::shared_ptr<const VariedFormulas> define_variations(const Scenario& scenario,
                                                        const std::vector<std::string>& names) {
  const auto values = values_of(scenario, names);
  try {
    VariedFormulas r = VariationReader(scenario, names).read();
    r.names = names, r.values = values;
    return std::make_shared<const VariedFormulas>(std::move(r));
  } catch (const formula::FormulaError& error) {
    scenario.reject("system.lagrangian", "",
                    std::string("derivatives by time and parameters: ") + error.what());
  }
}

void VariedSystem::run(const formula::Program& program, double t, const double* q, const double* v,
                       double* out) const {
  const int n = size();
  thread_local std::vector<double> in;
  in.assign(static_cast<std::size_t>(program.inputs()), 0.0);
  std::copy_n(q, n, in.begin()), std::copy_n(v, n, in.begin() + n);
  in[static_cast<std::size_t>(2 * n)] = t;
  std::copy(varied->values.begin(), varied->values.end(),
            in.end() - static_cast<std::ptrdiff_t>(varied->values.size()));
  program(std::span<const double>(in), std::span<double>(out, static_cast<std::size_t>(program.outputs())));
}

void VariedSystem::parameter_slopes(double t, const double* q, const double* v, double* out) const {
  run(varied->motion, t, q, v, out);
}
void VariedSystem::parameter_gap_slopes(double t, const double* q, double* out) const {
  if (varied->gaps.outputs() > 0) run(varied->gaps, t, q, q, out);
}
void VariedSystem::parameter_joint_slopes(double t, const double* q, double* out) const {
  if (varied->joints.outputs() > 0) run(varied->joints, t, q, q, out);
}
double VariedSystem::restitution_slope(int contact, int parameter) const {
  const Values none = Values::Zero(size());
  std::vector<double> all(static_cast<std::size_t>(varied->restitutions.outputs()));
  run(varied->restitutions, 0, none.data(), none.data(), all.data());
  return all[static_cast<std::size_t>(contact * parameter_count() + parameter)];
}

}  // namespace carom
