// What an impact costs, in smooth steps of the same flow measured in the same run: the cart-pendulum of 000
// with h = 0.01, some 140 steps between impacts. `energy_mean_error` shows in the same run what the law is
// worth.
#include <benchmark/benchmark.h>

#include "allocations.hpp"
#include "carom/carom.hpp"
#include "cpu_clock.hpp"

namespace {

using namespace carom;
using bench::cpu_seconds;
using Law = ImpactLaw<CartPendulum>;

constexpr double h = 0.01;
const CartPendulum cart;

double seconds_per_step(const Flow& flow) {
  auto z = validated_state(cart, CartPendulum::family(4.2));
  const double begin = cpu_seconds();
  constexpr int steps = 80;  // until shortly before the floor
  constexpr int repeats = 50;
  for (int k = 0; k < repeats; ++k) {
    auto x = z;
    for (int n = 0; n < steps; ++n) x = flow_step(cart, flow, 0.0, h, x).z;
    benchmark::DoNotOptimize(x);
  }
  return (cpu_seconds() - begin) / (steps * repeats);
}

void impacts(benchmark::State& state, const Flow& flow, Law (*make)(const SteadyFlow&), int steps) {
  const SteadyFlow steady(flow, h);
  const auto start = validated_state(cart, CartPendulum::family(4.2));
  const double H0 = hamiltonian(cart, start);
  double best = HUGE_VAL, smooth = HUGE_VAL, error = 0;
  std::int64_t count = 0;
  const bench::AllocationCounter counter;  // a few are the stepper's own, made anew in each iteration
  for (auto _ : state) {
    EventDrivenStepper<CartPendulum> stepper(cart, steady, make(steady));
    count = 0, error = 0;
    smooth = std::min(smooth, seconds_per_step(flow));
    const double begin = cpu_seconds();
    auto z = start;
    for (int n = 0; n < steps; ++n) {
      const auto r = stepper.step(n * h, z);
      if (r.failure) return state.SkipWithError(r.failure->reason.c_str());
      count += static_cast<std::int64_t>(r.impacts.size()), z = r.step.z;
    }
    best = std::min(best, cpu_seconds() - begin);
    error = hamiltonian(cart, z) - H0;
  }
  counter.report(state, steps);
  state.counters["impacts"] = static_cast<double>(count);
  state.counters["step_in_smooth_steps"] = best / (steps * smooth);
  state.counters["impact_in_smooth_steps"] = (best / smooth - steps) / static_cast<double>(count);
  state.counters["energy_error"] = error;
}

const Rule trapezoidal{{0, 0.5}, {1, 0.5}};

BENCHMARK_CAPTURE(
    impacts, svc_continuous_energy, svc(), [](const SteadyFlow& f) { return continuous_energy(cart, f); },
    20000);
BENCHMARK_CAPTURE(
    impacts, svc_discrete_energy, svc(), [](const SteadyFlow& f) { return discrete_energy(cart, f); }, 20000);
BENCHMARK_CAPTURE(
    impacts, svc_modified_energy_3_terms, svc(),
    [](const SteadyFlow& f) { return modified_energy(cart, f, modified_series(cart, trapezoidal, h, 3)); },
    1000);
BENCHMARK_CAPTURE(
    impacts, svc_shadow_composition, svc(),
    [](const SteadyFlow& f) { return shadow_law(cart, f, 4, Fraction::composition); }, 20000);
BENCHMARK_CAPTURE(
    impacts, svc_shadow_polynomial, svc(),
    [](const SteadyFlow& f) { return shadow_law(cart, f, 4, Fraction::polynomial); }, 20000);
BENCHMARK_CAPTURE(
    impacts, sva_continuous_energy, sva(), [](const SteadyFlow& f) { return continuous_energy(cart, f); },
    20000);
BENCHMARK_CAPTURE(
    impacts, sva_modified_energy, sva(),
    [](const SteadyFlow& f) { return modified_energy(cart, f, modified_sva(cart, h)); }, 20000);
BENCHMARK_CAPTURE(
    impacts, sva_stable_energy, sva(),
    [](const SteadyFlow& f) { return stable_energy(cart, f, 8, modified_sva(cart, h)); }, 20000);
BENCHMARK_CAPTURE(
    impacts, sva_shadow_composition, sva(),
    [](const SteadyFlow& f) { return shadow_law(cart, f, 4, Fraction::composition); }, 20000);

}  // namespace
