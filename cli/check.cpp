// carom check: validate a scenario without running it.
#include <fmt/format.h>

#include "commands.hpp"
#include "model.hpp"
#include "shipped.hpp"

namespace carom::cli {

int check(const std::string& scenario_name, const std::vector<std::string>& set) {
  const std::string path = locate_scenario(scenario_name);
  const Scenario scenario = read_scenario(path, set);
  const Model& model = find_model(scenario);
  const Method method = make_method(scenario);
  model.check(scenario);
  const std::string until = scenario.time.end ? fmt::format("{} steps", scenario.time.steps())
                                              : fmt::format("{} impacts in steps", *scenario.time.impacts);
  fmt::print("{}: {} with {}, {} of {}\n", path, model.name, method.label, until, scenario.time.step);
  return done;
}

}  // namespace carom::cli
