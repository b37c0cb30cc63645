// Steps of gvi and contact along lasting contacts and joints: a column of n balls at rest, and a cradle of n
// balls at rest in Cartesian coordinates. The time a step takes is to grow in proportion to n (the fitted
// exponent is the RMS line of Google Benchmark's complexity), and nothing may sink.
// And steps that touch nothing.
#include <benchmark/benchmark.h>

#include "allocations.hpp"
#include "carom/carom.hpp"

namespace {

using namespace carom;

template <class Stepper>
void rest(benchmark::State& state, std::shared_ptr<const System> system, const Values& q, double h) {
  Stepper stepper(system, SteadyFlow(svc(), h), {});
  Phase z{q, Values::Zero(q.size())};
  z = stepper.step(0, z).step.z;  // the first step gives everything its size
  const bench::AllocationCounter counter;
  for (auto _ : state) {
    const auto& r = stepper.step(0, z);
    if (r.failure) return state.SkipWithError(r.failure->reason.c_str());
    z = r.step.z;
  }
  counter.report(state);
  state.counters["moved"] = (z.q - q).lpNorm<Eigen::Infinity>();
  state.SetComplexityN(state.range(0));
}

template <class Stepper>
void column_at_rest(benchmark::State& state) {
  const auto column = std::make_shared<BallColumn>(static_cast<int>(state.range(0)));
  rest<Stepper>(state, column, column->rest(), 1e-3);
}
BENCHMARK(column_at_rest<GviStepper>)
    ->Arg(25)
    ->Arg(100)
    ->Arg(400)
    ->Arg(2000)
    ->Arg(10000)
    ->Complexity(benchmark::oN);
BENCHMARK(column_at_rest<ContactStepper>)
    ->Arg(25)
    ->Arg(100)
    ->Arg(400)
    ->Arg(2000)
    ->Arg(10000)
    ->Complexity(benchmark::oN);

template <class Stepper>
void cradle_at_rest(benchmark::State& state) {
  const auto cradle = std::make_shared<CradleInCoordinates>(CradleShape{static_cast<int>(state.range(0))});
  rest<Stepper>(state, cradle, cradle->at(Values::Zero(state.range(0))), 1e-2);
}
BENCHMARK(cradle_at_rest<GviStepper>)->Arg(5)->Arg(50)->Arg(500)->Arg(5000)->Complexity(benchmark::oN);
BENCHMARK(cradle_at_rest<ContactStepper>)->Arg(5)->Arg(50)->Arg(500)->Arg(5000)->Complexity(benchmark::oN);

// Twenty steps of flight, again and again from the start.
template <class Sys>
void fly(benchmark::State& state) {
  const Sys sys;
  const auto system = make_system(sys);
  const auto start = validated_state(*system, sys.start());
  ContactStepper stepper(*system, SteadyFlow(svc(), 1e-3));
  auto z = start;
  (void)stepper.step(0, z);  // the first step gives everything its size
  const bench::AllocationCounter counter;
  for (auto _ : state) {
    z = start;
    for (int i = 0; i < 20; ++i) {
      const auto& r = stepper.step(0, z);
      if (r.failure || !r.impacts.empty()) return state.SkipWithError("it touches something");
      z = r.step.z;
    }
  }
  counter.report(state, 20);
  state.SetItemsProcessed(20 * state.iterations());
}
BENCHMARK(fly<Particle>);
BENCHMARK(fly<Billiard>);
BENCHMARK(fly<CartPendulum>);
BENCHMARK(fly<DoublePendulum>);

}  // namespace
