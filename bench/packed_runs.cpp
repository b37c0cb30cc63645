// What a member of a sweep costs per step: alone, as `carom run` takes it, and together with others, in the
// lanes of a pack. `impacts` per member and step, so that it shows how smooth the motion was.
#include <benchmark/benchmark.h>

#include "model/model.hpp"

namespace {

using namespace carom;

constexpr int members = 16;

const char* billiard_text = R"toml(
[system]
name = "billiard"
parameters = { a = 2.0, b = 2.0, k = 4.0 }
[initial]
q = [0.3, 0.2]
v = [1.0, 0.7]
[method]
flow = "sva"
impact = "continuous-energy"
[time]
step = 0.01
end = 20.0
)toml";
const char* particle_text = R"toml(
[system]
name = "particle"
[initial]
q = [0.0, 1.0]
v = [-2.0, 0.0]
[method]
flow = "sva"
impact = "continuous-energy"
[time]
step = 0.002
end = 4.0
)toml";
const char* henon_heiles_text = R"toml(
[system]
name = "expression"
coordinates = ["x", "y"]
lagrangian = "0.5*(x'^2 + y'^2) - 0.5*(x^2 + y^2) - x^2*y + y^3/3"
gaps = { left = "x + 0.3", right = "0.3 - x", floor = "y + 0.3", ceiling = "0.3 - y" }
[initial]
q = [0.0, 0.1]
v = [0.3, 0.37]
[method]
flow = "sva"
impact = "shadow"
[time]
step = 0.01
end = 20.0
)toml";

std::vector<Scenario> members_of(const char* text) {
  std::vector<Scenario> r(members, parse_scenario(text, "bench.toml", {}));
  for (int i = 0; i < members; ++i) r[i].initial.q->at(0) += 0.01 * i;
  return r;
}

// The benchmark's argument says whether they are together.
void member_step(benchmark::State& state, const char* text) {
  const auto scenarios = members_of(text);
  const Model model = find_model(scenarios[0]);
  const Method method = make_method(scenarios[0]);
  double steps = 0, impacts = 0;
  const auto count = [&](std::size_t, const RunResult& r) {
    steps += static_cast<double>(r.steps), impacts += static_cast<double>(r.impacts);
  };
  for (auto _ : state) {
    std::size_t given = 0;
    const auto next = [&] { return given < scenarios.size() ? &scenarios[given++] : nullptr; };
    if (state.range(0) == 0)
      for (std::size_t i = 0; i < scenarios.size(); ++i) count(i, model.run(scenarios[i], method, {}));
    else if (!model.run_together || !model.run_together(scenarios[0], method, {}, {next, count}))
      return state.SkipWithError("cannot be run together");
  }
  state.counters["step"] =
      benchmark::Counter(steps, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  state.counters["impacts"] = impacts / steps;
}
BENCHMARK_CAPTURE(member_step, billiard, billiard_text)->ArgName("together")->Arg(0)->Arg(1);
BENCHMARK_CAPTURE(member_step, particle, particle_text)->ArgName("together")->Arg(0)->Arg(1);
BENCHMARK_CAPTURE(member_step, henon_heiles, henon_heiles_text)->ArgName("together")->Arg(0)->Arg(1);

}  // namespace
