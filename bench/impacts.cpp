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

constexpr double h = 0.01;
const auto cart = make_system(CartPendulum{});

double seconds_per_step(const Flow& flow) {
  const auto start = validated_state(*cart, CartPendulum::family(4.2));
  const auto take_step = make_free_flow(*cart);
  constexpr int steps = 80;  // until shortly before the floor
  constexpr int repeats = 50;
  const double begin = cpu_seconds();
  for (int k = 0; k < repeats; ++k) {
    auto z = start;
    for (int n = 0; n < steps; ++n) (void)(*take_step)(flow, 0.0, h, z);
    benchmark::DoNotOptimize(z);
  }
  return (cpu_seconds() - begin) / (steps * repeats);
}

void impacts(benchmark::State& state, const Flow& flow, const ImpactLaw& law, int steps) {
  const SteadyFlow steady(flow, h);
  const auto start = validated_state(*cart, CartPendulum::family(4.2));
  const double H0 = cart->hamiltonian(0, start.q, start.p);
  double best = HUGE_VAL, smooth = HUGE_VAL, error = 0;
  std::int64_t count = 0;
  const bench::AllocationCounter counter;  // a few are the stepper's own, made anew in each iteration
  for (auto _ : state) {
    ContactStepper stepper(*cart, steady, {.law = law, .lasting = false});
    count = 0, error = 0;
    smooth = std::min(smooth, seconds_per_step(flow));
    const double begin = cpu_seconds();
    auto z = start;
    for (int n = 0; n < steps; ++n) {
      const auto& r = stepper.step(n * h, z);
      if (r.failure) return state.SkipWithError(r.failure->reason.c_str());
      count += static_cast<std::int64_t>(r.impacts.size()), z = r.step.z;
    }
    best = std::min(best, cpu_seconds() - begin);
    error = cart->hamiltonian(0, z.q, z.p) - H0;
  }
  counter.report(state, steps);
  state.counters["impacts"] = static_cast<double>(count);
  state.counters["step_in_smooth_steps"] = best / (steps * smooth);
  state.counters["impact_in_smooth_steps"] = (best / smooth - steps) / static_cast<double>(count);
  state.counters["energy_error"] = error;
}

ModifiedHamiltonian modified(const Flow& flow, int terms) {
  return ModifiedHamiltonian::of_flow(cart->over_nilpotents(), flow, h, terms);
}

BENCHMARK_CAPTURE(impacts, svc_continuous_energy, svc(), continuous_energy(), 20000);
BENCHMARK_CAPTURE(impacts, svc_discrete_energy, svc(), discrete_energy(), 20000);
BENCHMARK_CAPTURE(impacts, svc_modified_energy_3_terms, svc(), modified_energy(modified(svc(), 3)), 1000);
BENCHMARK_CAPTURE(impacts, svc_shadow_composition, svc(), shadow_law(8), 20000);
BENCHMARK_CAPTURE(impacts, svc_shadow_polynomial, svc(), shadow_law(8, ImpactLaw::Part::polynomial), 20000);
BENCHMARK_CAPTURE(impacts, sva_continuous_energy, sva(), continuous_energy(), 20000);
BENCHMARK_CAPTURE(impacts, sva_modified_energy, sva(), modified_energy(modified(sva(), 2)), 20000);
BENCHMARK_CAPTURE(impacts, sva_stable_energy, sva(),
                  stable_energy(*cart, SteadyFlow(sva(), h), 8, modified(sva(), 2)), 20000);
BENCHMARK_CAPTURE(impacts, sva_shadow_composition, sva(), shadow_law(8), 20000);

}  // namespace
