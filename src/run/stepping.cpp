#include "run/stepping.hpp"

#include "run/kept_numbers.hpp"

namespace carom {

Stepping::Stepping(ReadySystem r, Method m, const Grid& g, std::shared_ptr<Values> h)
    : ready(std::move(r)), method(std::move(m)), grid(g), held(std::move(h)), look_at(ready.system) {
  restart(ready.start);
}

void Stepping::restart(const Phase& from) {
  z = from, taken = 0;
  stepper = make_stepper(ready, method, grid.step);
}

const Stepped& Stepping::step() {
  const Stepped& stepped = stepper->step(t(), z);
  if (!stepped.failure) z = stepped.step.z, ++taken;
  return stepped;
}

const Look& Stepping::look() {
  look_at(t(), z, seen);
  return seen;
}

void Stepping::numbers(KeptNumbers& f) {
  f(taken);
  for (int i = 0; i < z.q.size(); ++i) f(z.q[i]), f(z.p[i]);
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
