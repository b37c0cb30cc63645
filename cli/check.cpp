// carom check: validate a scenario without running it.
#include <fmt/format.h>

#include "commands.hpp"
#include "execute.hpp"
#include "import/import.hpp"
#include "scenario/shipped.hpp"

namespace carom::cli {
namespace {

std::string steps_in_words(const TimeSpec& time) {
  return fmt::format("{} steps{}", time.steps(), time.short_end() ? " and a shorter one" : "");
}

}  // namespace

int check(const std::string& scenario_name, const std::vector<std::string>& set) {
  const std::string path = locate_scenario(scenario_name);
  const auto [scenario, model, method] = prepare_with_drawing(read_scenario_or_robot(path, set));
  const std::string until = scenario.time.end ? steps_in_words(scenario.time)
                            : scenario.time.impacts
                                ? fmt::format("{} impacts in steps", *scenario.time.impacts)
                                : fmt::format("until {} in steps", *scenario.time.until);
  fmt::print("{}: {} with {}, {} of {}\n", path, model.name, method.label, until, scenario.time.step);
  return done;
}

}  // namespace carom::cli
