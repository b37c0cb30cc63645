// A ball that bounces, by a method that is compiled into the installed library.
#include <carom/carom.hpp>

#include <cmath>
#include <cstdio>

struct Ball {
  static constexpr int dim = 2;

  template <class S>
  S lagrangian(const carom::Vector<S, 2>& q, const carom::Vector<S, 2>& v) const {
    return 0.5 * v.dot(v) - 9.81 * q[1];
  }
  template <class S>
  carom::Vector<S, 1> gaps(const carom::Vector<S, 2>& q) const {
    return carom::Vector<S, 1>(q[1]);
  }
};

int main() {
  const auto system = carom::make_system(Ball{});
  carom::GviStepper stepper(*system, carom::SteadyFlow(carom::svc(), 0.001), {});
  carom::Phase z{carom::Values::Ones(2), carom::Values::Zero(2)};
  int impacts = 0;
  for (int n = 0; n < 2000; ++n) {
    const auto& next = stepper.step(n * 0.001, z);
    if (next.failure) return std::puts(next.failure->reason.c_str()), 1;
    z = next.step.z, impacts += static_cast<int>(next.impacts.size());
  }
  const double H = system->hamiltonian(0, z.q, z.p);
  std::printf("%d impacts, H = %.6f\n", impacts, H);
  return impacts == 2 && std::abs(H - 9.81) < 1e-9 ? 0 : 1;
}
