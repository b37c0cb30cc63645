#include "run/stepping.hpp"

#include "run/kept_numbers.hpp"
#include "run/unworldly.hpp"

namespace carom {

Stepping::Stepping(ReadySystem r, Method m, const Grid& g, std::shared_ptr<Values> h)
    : ready(std::move(r)), method(std::move(m)), grid(g), held(std::move(h)), look_at(ready.system) {
  restart(ready.start);
}

void Stepping::restart(const Phase& from) {
  z = from, taken = 0;
  if (held) held->setZero();
  stepper = make_stepper(ready, method, grid.step);
}

const Stepped& Stepping::step() {
  const Stepped& stepped = stepper->step(t(), z);
  if (stepped.failure) return stepped;
  if ((refused.failure = unworldly(stepped.step.z))) return refused.step.z = z, refused;
  z = stepped.step.z, ++taken;
  return stepped;
}

std::optional<Failure> Stepping::unworldly(const Phase& next) {
  if (const auto beyond = unworldly_state(next)) return beyond;
  look_at(grid.time(taken + 1), next, seen);
  return unworldly_energy(seen.H);
}

const Look& Stepping::look() {
  look_at(t(), z, seen);
  return seen;
}

void Stepping::numbers(KeptNumbers& f) {
  f(taken);
  for (int i = 0; i < z.q.size(); ++i) f(z.q[i]), f(z.p[i]);
  if (held)
    for (double& force : *held) f(force);
  stepper->numbers(f);
}

std::vector<double> Stepping::kept() {
  NumberWriter writer;
  numbers(writer);
  return writer.counted();
}

void Stepping::go_back(const std::vector<double>& list) {
  restart(ready.start);
  NumberReader reader(list);
  numbers(reader);
  if (!reader.used_up()) throw RecordError("state", "does not fit this system");
}

}  // namespace carom
