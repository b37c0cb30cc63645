// A smooth step of a system in formulas beside the same system in C++: the double pendulum (mass depends on
// q) and Henon-Heiles (constant mass, explicit steps), svc and gauss. The ratio is to stay below 5.
#include <benchmark/benchmark.h>

#include "allocations.hpp"
#include "carom/carom.hpp"
#include "model/formula_system.hpp"

namespace {

using namespace carom;

const char* double_pendulum_text = R"toml(
[system]
name = "expression"
coordinates = ["a", "b"]
parameters = { m1 = 1.0, m2 = 1.0, L1 = 1.0, L2 = 1.0, g = 10.0 }
lagrangian = "0.5*(m1+m2)*L1^2*a'^2 + 0.5*m2*L2^2*(a'+b')^2 + m2*L1*L2*cos(b)*a'*(a'+b') - (m1+m2)*g*L1*(1-cos(a)) - m2*g*L2*(1-cos(a+b))"
[time]
end = 1.0
)toml";

const char* henon_heiles_text = R"toml(
[system]
name = "expression"
coordinates = ["x", "y"]
lagrangian = "0.5*(x'^2 + y'^2) - 0.5*(x^2 + y^2) - x^2*y + y^3/3"
[time]
end = 1.0
)toml";

struct HenonHeiles {
  static constexpr int dim = 2;
  Matrix<double, 2> mass() const { return Matrix<double, 2>::Identity(); }
  template <class S>
  S potential(const Vector<S, 2>& q) const {
    return 0.5 * (q[0] * q[0] + q[1] * q[1]) + q[0] * q[0] * q[1] - q[1] * q[1] * q[1] / 3.0;
  }
};

using SystemPointer = std::shared_ptr<const DenseSystem>;

SystemPointer formula(const char* text) {
  return std::make_shared<FormulaSystem>(define_system(parse_scenario(text, "bench")));
}

void step(benchmark::State& state, const SystemPointer& system, const Flow& flow, const Values& q,
          const Values& p) {
  Phase z{q, p};
  const double H0 = system->hamiltonian(0, z.q, z.p);
  const auto take_step = make_free_flow(*system);
  (void)(*take_step)(flow, 0.0, 0.01, z);  // the first step gives everything its size
  const bench::AllocationCounter counter;
  for (auto _ : state) {
    const Spent r = (*take_step)(flow, 0.0, 0.01, z);
    if (!r.outcome.ok()) return state.SkipWithError(describe(r.outcome.status));
  }
  counter.report(state);
  state.counters["energy_error"] =
      std::abs(system->hamiltonian(0, z.q, z.p) - H0);  // correctness, in the same run
}
void pendulum(benchmark::State& state, const SystemPointer& system, const Flow& flow) {
  step(state, system, flow, Values{{0.5647, 1.1106}}, Values{{3.7270, 0.2415}});
}
void henon_heiles(benchmark::State& state, const SystemPointer& system, const Flow& flow) {
  step(state, system, flow, Values{{0.1, 0.2}}, Values{{0.2, 0.1}});
}

BENCHMARK_CAPTURE(pendulum, svc_cpp, make_system(DoublePendulum{}), svc());
BENCHMARK_CAPTURE(pendulum, svc_formula, formula(double_pendulum_text), svc());
BENCHMARK_CAPTURE(pendulum, gauss_cpp, make_system(DoublePendulum{}), gauss(4));
BENCHMARK_CAPTURE(pendulum, gauss_formula, formula(double_pendulum_text), gauss(4));
BENCHMARK_CAPTURE(henon_heiles, svc_cpp, make_system(HenonHeiles{}), svc());
BENCHMARK_CAPTURE(henon_heiles, svc_formula, formula(henon_heiles_text), svc());
BENCHMARK_CAPTURE(henon_heiles, midpoint_cpp, make_system(HenonHeiles{}), midpoint());
BENCHMARK_CAPTURE(henon_heiles, midpoint_formula, formula(henon_heiles_text), midpoint());

}  // namespace
