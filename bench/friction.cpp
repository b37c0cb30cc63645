// What friction at contacts costs: impacts of random bodies in the plane, as the median of one call, and
// steps along contacts that are held, without friction, sliding and sticking.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "carom/carom.hpp"
#include "carom/contact/friction/frictional_impact.hpp"
#include "cpu_clock.hpp"

namespace {

using namespace carom;
using bench::cpu_seconds;

double uniform(std::mt19937_64& random, double low, double high) {
  return low + (high - low) * static_cast<double>(random() >> 11) * 0x1p-53;
}
double normal(std::mt19937_64& random) {
  return std::sqrt(-2 * std::log(uniform(random, 1e-300, 1))) *
         std::cos(6.283185307179586 * uniform(random, 0, 1));
}

struct RandomImpact {
  ContactEquations e;
  std::vector<double> restitution;
};

RandomImpact random_impact(std::mt19937_64& random, int n) {
  const int dof = 2 * n + static_cast<int>(random() % 3);
  Eigen::MatrixXd J(2 * n, dof);
  Eigen::VectorXd v(dof);
  for (auto& x : J.reshaped()) x = normal(random);
  for (auto& x : v) x = normal(random);
  const Eigen::MatrixXd W = J * J.transpose();
  const Eigen::VectorXd w = J * v;
  RandomImpact r;
  r.e.resize(n);
  for (int i = 0; i < 2 * n; ++i) {
    r.e.b[i] = w[i];
    for (int k = 0; k < 2 * n; ++k) r.e.w(i, k) = W(i, k);
  }
  for (int i = 0; i < n; ++i) {
    r.e.b[2 * i] = -std::abs(r.e.b[2 * i]);  // all of them close
    r.e.set_mu(i, uniform(random, 0, 1)), r.restitution.push_back(uniform(random, 0, 1));
  }
  return r;
}

void frictional_impacts(benchmark::State& state) {
  std::mt19937_64 random(9);
  std::vector<RandomImpact> cases;
  for (int k = 0; k < 500; ++k) cases.push_back(random_impact(random, static_cast<int>(state.range(0))));
  FrictionalImpact law;
  std::vector<double> times(cases.size());
  for (auto _ : state)
    for (std::size_t k = 0; k < cases.size(); ++k) {
      constexpr int repeats = 5;
      const double begin = cpu_seconds();
      for (int again = 0; again < repeats; ++again) law(cases[k].e, cases[k].restitution);
      times[k] = (cpu_seconds() - begin) / repeats;
    }
  std::sort(times.begin(), times.end());
  state.counters["median_us"] = 1e6 * times[times.size() / 2];
  state.counters["worst_us"] = 1e6 * times.back();
}
BENCHMARK(frictional_impacts)->DenseRange(1, 6);

// A block on its floor.
struct Block {
  static constexpr int dim = 2;
  double friction = 0;
  Eigen::Matrix2d mass() const { return Eigen::Matrix2d::Identity(); }
  template <class S>
  S potential(const Vector<S, 2>& q) const {
    return 9.81 * q[1];
  }
  template <class S>
  Vector<S, 1> gaps(const Vector<S, 2>& q) const {
    return Vector<S, 1>(q[1]);
  }
  double mu(int) const { return friction; }
  template <class S>
  Vector<S, 1> slides(const Vector<S, 2>& q) const {
    return Vector<S, 1>(q[0]);
  }
};

void block_steps(benchmark::State& state, double mu, double height, double speed) {
  const Block block{.friction = mu};
  const auto system = make_system(block);
  const Phase start{(Values(2) << 0, height).finished(), (Values(2) << speed, 0).finished()};
  ContactStepper stepper(*system, SteadyFlow(svc(), 1e-3), {.law = continuous_energy(), .restitution = 0});
  for (auto _ : state) {
    Phase z = start;
    for (int n = 0; n < 100; ++n) {
      const auto& r = stepper.step(n * 1e-3, z);
      if (r.failure) return state.SkipWithError(r.failure->reason.c_str());
      z = r.step.z;
    }
    benchmark::DoNotOptimize(z);
  }
  state.SetItemsProcessed(100 * state.iterations());
}
BENCHMARK_CAPTURE(block_steps, free_without_friction, 0, 1, 1);
BENCHMARK_CAPTURE(block_steps, free_with_friction, 0.3, 1, 1);
BENCHMARK_CAPTURE(block_steps, held_without_friction, 0, 0, 5);
BENCHMARK_CAPTURE(block_steps, slides, 0.3, 0, 5);
BENCHMARK_CAPTURE(block_steps, sticks, 0.3, 0, 0);

}  // namespace
