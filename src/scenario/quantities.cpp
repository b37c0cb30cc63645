#include "scenario/quantities.hpp"

#include <algorithm>

#include "records/names.hpp"
#include "scenario/scenario_text.hpp"

namespace carom {

StateFormulas::StateFormulas(const FormulaNames& names, std::span<const formula::Node> nodes)
    : program(formula::compile(names.expressions, nodes, names.inputs())),
      in(static_cast<std::size_t>(names.inputs())),
      out(nodes.size()) {}

std::span<const double> StateFormulas::operator()(std::span<const double> q, std::span<const double> v,
                                                  double t) {
  std::copy(q.begin(), q.end(), in.begin());
  std::copy(v.begin(), v.end(), in.begin() + static_cast<std::ptrdiff_t>(q.size()));
  in.back() = t;
  program(std::span<const double>(in), std::span<double>(out));
  return out;
}

std::vector<formula::Node> add_quantities(const Scenario& scenario, FormulaNames& names) {
  std::vector<formula::Node> nodes;
  for (const auto& [name, text] : scenario.output.quantities) {
    const std::string key = "output.quantities." + detail::key_part(name);
    if (is_record_name(name))
      scenario.reject(key, detail::quoted(name), "is a column of the records; choose another name");
    nodes.push_back(names.define(key, name, text));
  }
  return nodes;
}

Quantities make_quantities(const Scenario& scenario, const std::vector<std::string>& coordinates,
                           const std::map<std::string, double>& parameters) {
  Quantities r;
  if (scenario.output.quantities.empty()) return r;
  FormulaNames names(scenario, coordinates, parameters);
  const auto nodes = add_quantities(scenario, names);
  for (const auto& [name, text] : scenario.output.quantities) r.names.push_back(name);
  r.formulas = StateFormulas(names, nodes);
  return r;
}

}  // namespace carom
