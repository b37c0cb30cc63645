// What one smooth step costs, for every kind of flow, on the double pendulum and the systems of constant
// mass. `sincos` is the yardstick: three sines and cosines, what the double pendulum's L needs once.
#include <benchmark/benchmark.h>

#include "allocations.hpp"
#include "carom/carom.hpp"

namespace {

using namespace carom;

// The double pendulum stated by its Lagrangian alone.
struct GeneralDoublePendulum {
  static constexpr int dim = 2;
  DoublePendulum own;
  template <class S>
  S lagrangian(const Vector<S, 2>& q, const Vector<S, 2>& v) const {
    const S w = v[0] + v[1];
    const S kinetic = 0.5 * (own.m1 + own.m2) * own.L1 * own.L1 * v[0] * v[0] +
                      0.5 * own.m2 * own.L2 * own.L2 * w * w +
                      own.m2 * own.L1 * own.L2 * v[0] * w * cos(q[1]);
    return kinetic - own.potential(q);
  }
  Start<2> start() const { return own.start(); }
};

void sincos(benchmark::State& state) {
  double x = 0.1;
  for (auto _ : state) {
    const double s =
        std::sin(x) + std::cos(x) + std::sin(x + 1) + std::cos(x + 1) + std::sin(2 * x) + std::cos(2 * x);
    benchmark::DoNotOptimize(x = 0.1 + 1e-9 * s);
  }
}
BENCHMARK(sincos);

template <class Sys>
void step(benchmark::State& state, const Sys& own, const Flow& flow) {
  const auto system = make_system(own);
  const auto take_step = make_free_flow(*system);
  auto z = validated_state(*system, own.start());
  const double H0 = system->hamiltonian(0, z.q, z.p);
  (void)(*take_step)(flow, 0.0, 0.01, z);  // the first step gives everything its size
  std::int64_t iterations = 0;
  const bench::AllocationCounter counter;
  for (auto _ : state) {
    const Spent r = (*take_step)(flow, 0.0, 0.01, z);
    if (!r.outcome.ok()) return state.SkipWithError(describe(r.outcome.status));
    iterations += r.outcome.iterations;
  }
  counter.report(state);
  state.counters["newton"] =
      benchmark::Counter(static_cast<double>(iterations), benchmark::Counter::kAvgIterations);
  state.counters["energy_error"] =
      std::abs(system->hamiltonian(0, z.q, z.p) - H0);  // correctness, in the same run
}

BENCHMARK_CAPTURE(step, double_pendulum_svc_mass, DoublePendulum{}, svc());
BENCHMARK_CAPTURE(step, double_pendulum_svc_lagrangian, GeneralDoublePendulum{}, svc());
BENCHMARK_CAPTURE(step, double_pendulum_sva, DoublePendulum{}, sva());
BENCHMARK_CAPTURE(step, double_pendulum_midpoint, DoublePendulum{}, midpoint());
BENCHMARK_CAPTURE(step, double_pendulum_yoshida4, DoublePendulum{}, yoshida4(sva()));
BENCHMARK_CAPTURE(step, double_pendulum_kahan_li8, DoublePendulum{}, kahan_li8(sva()));
BENCHMARK_CAPTURE(step, double_pendulum_gauss4, DoublePendulum{}, gauss(4));
BENCHMARK_CAPTURE(step, billiard_svc_explicit, (Billiard{.k = 4}), svc());
BENCHMARK_CAPTURE(step, billiard_midpoint, (Billiard{.k = 4}), midpoint());

}  // namespace
