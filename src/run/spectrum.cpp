#include "run/spectrum.hpp"

#include <fmt/format.h>

namespace carom {
namespace {

constexpr std::int64_t fewest_steps = 128;  // for errors to be known

}  // namespace

SpectrumSearch::SpectrumSearch(const Prepared& prepared, int often, double skip)
    : set(prepared, {}), every(often), skipped(static_cast<std::int64_t>(std::ceil(skip / set.grid.step))) {
  if (set.dense->joint_count() > 0)
    prepared.scenario.reject("system.joints", "", "exponents are of systems without joints");
  if (set.grid.steps - skipped < fewest_steps)
    throw ScenarioError(fmt::format("--skip {}: leaves {} steps of {}; errors need {}", skip,
                                    std::max<std::int64_t>(0, set.grid.steps - skipped), set.grid.steps,
                                    fewest_steps));
}

SpectrumRun SpectrumSearch::run(const std::function<bool()>& stop) const {
  Exponents exponents(set.how, set.grid, every, skipped);
  const auto stepper = set.stepper();
  const Ended ended = simulate(
      *stepper, set.ready.start, set.grid,
      [&](const GridPoint&) { return stop() || exponents.failure.has_value(); }, exponents);
  const auto& failure = ended.failure ? ended.failure : exponents.failure;
  SpectrumRun r{"completed", "", exponents.spectrum(), exponents.slowest()};
  if (failure)
    r.status = "failed", r.reason = set.worded(*failure, ended.steps - (ended.failure ? 0 : 1));
  else if (ended.steps < set.grid.steps)
    r.status = "stopped", r.reason = "stopped on request";
  return r;
}

}  // namespace carom
