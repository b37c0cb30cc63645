// An impact law is data: how the system moves over a part of a step, and which energy an impact leaves it
// with. Here: rubber, whose restitution falls with the speed of the impact as e(v) = 1 - c v^(1/5).
#include <carom/carom.hpp>

#include <cmath>
#include <cstdio>

using namespace carom;

namespace {

double restitution_at(double v) { return 1 - 0.1 * std::pow(std::abs(v), 0.2); }

// snippet: law
ImpactLaw rubber(const System& system, double m) {
  ImpactLaw law = continuous_energy();
  law.name = "rubber";
  law.after = [&system](double t, const ImpactLaw::Z& z) { return system.hamiltonian(t, z.q, z.p); };
  law.before = [&system, m](double t, const ImpactLaw::Z& z) {  // what has to be there after the impact
    const double v = z.p[1] / m, e = restitution_at(v);
    return system.hamiltonian(t, z.q, z.p) - 0.5 * m * (1 - e * e) * v * v;
  };
  return law;
}
// snippet end

}  // namespace

int main() {
  // snippet: run
  const Particle particle;
  const auto system = make_system(particle);
  const auto start = validated_state(*system, particle.start());
  ContactStepper stepper(*system, SteadyFlow(svc(), 0.01), {.law = rubber(*system, particle.m)});

  int bounces = 0;
  double worst = 0;
  const auto watch = [&](const GridPoint& point) {
    for (const auto& impact : point.impacts) {
      const double before = impact.p_before[1] / particle.m, after = impact.p_after[1] / particle.m;
      worst = std::fmax(worst, std::abs(after / before + restitution_at(before)));
      ++bounces;
    }
  };
  const auto ended = simulate(stepper, start, Grid{0, 0.01, 500}, watch);
  // snippet end

  std::printf("%d bounces until t = %g, restitution as asked for to %.1e, energy %.4f of %.4f left\n",
              bounces, ended.t, worst, system->hamiltonian(0, ended.z.q, ended.z.p),
              system->hamiltonian(0, start.q, start.p));
  return !ended.failure && bounces == 10 && worst < 1e-12 && ended.z.p[0] == -2 ? 0 : 1;
}
