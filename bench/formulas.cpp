// A smooth step of a system in formulas beside the same system in C++: the double pendulum (mass depends on
// q) and Henon-Heiles (constant mass, explicit steps), svc and gauss. The ratio is to stay below 5.
#include <benchmark/benchmark.h>

#include "allocations.hpp"
#include "carom/carom.hpp"
#include "formula_system.hpp"

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

FormulaSystem<2> formula(const char* text) {
  return FormulaSystem<2>(define_system(parse_scenario(text, "bench")));
}

template <class Sys>
void step(benchmark::State& state, const Sys& system, const Flow& flow, State<double, 2> z) {
  const double H0 = hamiltonian(system, z);
  z = flow_step(system, flow, 0.0, 0.01, z).z;  // formulas take their registers once
  const bench::AllocationCounter counter;
  for (auto _ : state) {
    const auto r = flow_step(system, flow, 0.0, 0.01, z);
    if (!r.outcome.ok()) return state.SkipWithError(describe(r.outcome.status));
    z = r.z;
  }
  counter.report(state);
  state.counters["energy_error"] = std::abs(hamiltonian(system, z) - H0);  // correctness, in the same run
}

const State<double, 2> pendulum_start{{0.5647, 1.1106}, {3.7270, 0.2415}},
    heiles_start{{0.1, 0.2}, {0.2, 0.1}};

BENCHMARK_CAPTURE(step, double_pendulum_svc_cpp, DoublePendulum{}, svc(), pendulum_start);
BENCHMARK_CAPTURE(step, double_pendulum_svc_formula, formula(double_pendulum_text), svc(), pendulum_start);
BENCHMARK_CAPTURE(step, double_pendulum_gauss_cpp, DoublePendulum{}, gauss(4), pendulum_start);
BENCHMARK_CAPTURE(step, double_pendulum_gauss_formula, formula(double_pendulum_text), gauss(4),
                  pendulum_start);
BENCHMARK_CAPTURE(step, henon_heiles_svc_cpp, HenonHeiles{}, svc(), heiles_start);
BENCHMARK_CAPTURE(step, henon_heiles_svc_formula, formula(henon_heiles_text), svc(), heiles_start);
BENCHMARK_CAPTURE(step, henon_heiles_midpoint_cpp, HenonHeiles{}, midpoint(), heiles_start);
BENCHMARK_CAPTURE(step, henon_heiles_midpoint_formula, formula(henon_heiles_text), midpoint(), heiles_start);

}  // namespace
