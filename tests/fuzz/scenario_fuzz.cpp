// Arbitrary text as a scenario: it is refused by ScenarioError in one short line, or its formulas, its
// method, its drawing and the formula that ends it can be made, and to_toml() writes what reads back as the
// same scenario. Only the systems behind the core's templates are left out, which take minutes to compile.
// Built and run by tests/fuzz/CMakeLists.txt.
#include <array>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "model/dae_formulas.hpp"
#include "model/system_formulas.hpp"
#include "report/drawing.hpp"
#include "scenario/method.hpp"
#include "scenario/until.hpp"

namespace {

using namespace carom;

void check(bool holds) {
  if (!holds) std::abort();
}

Model model_of_dae(const Scenario& scenario) {
  const auto dae = define_dae(scenario);
  const DaeSizes size = dae->sizes();
  check(size.y > 0 && size.z == size.y);
  const Values y = Values::Constant(size.y, 0.5), psi = Values::Constant(size.g, 0.5);
  DaeMotion motion;
  DaeReaction reaction;
  DaeConstraint constraint;
  dae->motion(0.5, y, y, motion), dae->reaction(y, y, psi, 1, reaction), dae->constraint(y, y, constraint);
  dae->energy(y, y), dae->friction_power(y, y, psi);
  Model model{.name = scenario.system.name, .summary = {}, .dim = size.y};
  for (int i = 0; i < size.y; ++i) model.coordinates.push_back(dae->coordinate_name(i));
  return model;
}

// The coordinates of a scenario that is about no system in formulas.
Model model_of(const Scenario& scenario) {
  Model model{.name = scenario.system.name, .summary = {}, .dim = 2, .coordinates = {"z", "θ"}};
  if (scenario.system.is_dae()) return model_of_dae(scenario);
  if (!scenario.system.is_expression()) {
    model.parameters = {{"m1", 1.0, "> 0"}, {"g", 9.81, "any"}};
    return model;
  }
  const auto system = define_system(scenario);
  check(system->dim > 0);
  check(static_cast<int>(system->coordinates.size()) == system->dim);
  for (const auto* program : {&system->lagrangian, &system->all, &system->fibre, &system->gaps,
                              &system->force, &system->conditions, &system->branches, &system->curvature}) {
    const std::vector<double> in(static_cast<std::size_t>(program->inputs()), 0.5);
    std::vector<double> out(static_cast<std::size_t>(program->outputs()));
    if (!out.empty()) (*program)(std::span(in), std::span(out));
  }
  model.dim = system->dim, model.coordinates = system->coordinates, model.contacts = system->gap_names;
  return model;
}

std::map<std::string, double> parameters_of(const Scenario& scenario) {
  std::map<std::string, double> numbers;
  for (const auto& [name, value] : scenario.system.parameters)
    if (const auto* number = std::get_if<double>(&value)) numbers[name] = *number;
  return numbers;
}

void check_round_trip(Scenario scenario) {
  Scenario again = parse_scenario(to_toml(scenario), "again.toml");
  check(again.system == scenario.system && again.initial == scenario.initial &&
        again.method == scenario.method);
  check(again.time == scenario.time && again.output == scenario.output && again.draw == scenario.draw);
  check(again.title == scenario.title && again.seed == scenario.seed);
}

// Each part on its own, so that a fault in one does not hide those of the others.
void attempt(const auto& part) {
  try {
    part();
  } catch (const ScenarioError& error) {
    const std::string line = error.what();
    check(!line.empty() && line.size() < 2000 && line.find('\n') == std::string::npos);
  }
}

void exercise(const Scenario& scenario) {
  attempt([&] { make_method(scenario); });
  attempt([&] {
    const Model model = model_of(scenario);
    attempt([&] { make_quantities(scenario, model.coordinates, parameters_of(scenario)); });
    attempt([&] { make_until(scenario, model.coordinates, parameters_of(scenario)); });
    if (const auto drawing = make_drawing(scenario, model))
      fitted_view(*drawing, std::vector<double>(model.coordinates.size(), 0.5), model.coordinates.size());
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  attempt([&] {
    const Scenario scenario = parse_scenario(text, "fuzz.toml");
    check_round_trip(scenario);
    exercise(scenario);
  });
  const std::size_t half = text.find('\x01');  // what lies behind it is given to --set
  if (half == std::string::npos) return 0;
  attempt([&] { exercise(parse_scenario(text.substr(0, half), "fuzz.toml", {text.substr(half + 1)})); });
  return 0;
}
