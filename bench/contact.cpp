// Steps of gvi along lasting contacts and joints: a column of n balls at rest, and a cradle of n balls at
// rest in Cartesian coordinates. The time a step takes is to grow in proportion to n (the fitted exponent is
// the RMS line of Google Benchmark's complexity), and nothing may sink.
#include <benchmark/benchmark.h>

#include "carom/contact.hpp"

namespace {

using namespace carom;

void rest(benchmark::State& state, std::shared_ptr<const Mechanism> mechanism, const Values& q, double h) {
  GviStepper stepper({mechanism}, SteadyFlow(svc(), h), {});
  State<double, Eigen::Dynamic> z{q, Values::Zero(q.size())};
  for (auto _ : state) {
    const auto r = stepper.step(0, z);
    if (r.failure) return state.SkipWithError(r.failure->reason.c_str());
    z = r.step.z;
  }
  state.counters["moved"] = (z.q - q).lpNorm<Eigen::Infinity>();
  state.SetComplexityN(state.range(0));
}

void column_at_rest(benchmark::State& state) {
  const auto column = std::make_shared<BallColumn>(static_cast<int>(state.range(0)));
  rest(state, column, column->rest(), 1e-3);
}
BENCHMARK(column_at_rest)->Arg(25)->Arg(100)->Arg(400)->Arg(2000)->Arg(10000)->Complexity(benchmark::oN);

void cradle_at_rest(benchmark::State& state) {
  const auto cradle = std::make_shared<CradleInCoordinates>(CradleShape{static_cast<int>(state.range(0))});
  rest(state, cradle, cradle->at(Values::Zero(state.range(0))), 1e-2);
}
BENCHMARK(cradle_at_rest)->Arg(5)->Arg(50)->Arg(500)->Arg(5000)->Complexity(benchmark::oN);

}  // namespace
