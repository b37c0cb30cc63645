// A run whose steps its owner takes, one by one: a control loop, or an environment to learn in. What Run
// (run.hpp) does around its steps is left to the owner, but for the time, which is t0 + n h. Tested from
// Python in tests/python/control_test.py.
#pragma once

#include <memory>
#include <vector>

#include "carom/run/stepper.hpp"
#include "carom/system/look.hpp"
#include "run/run_system.hpp"

namespace carom {

class Stepping {
 public:
  // `held` is the force that the owner may set between steps; null: none.
  Stepping(ReadySystem ready, Method method, const Grid& grid, std::shared_ptr<Values> held);

  // One step. Where it fails, state and time stay. The result is good until the next one.
  const Stepped& step();
  // From this state on, at the time of the start, as if nothing had been before.
  void restart(const Phase& z);

  double t() const { return grid.time(taken); }
  std::int64_t steps() const { return taken; }
  const Phase& state() const { return z; }
  const Look& look();
  const System& system() const { return *ready.system; }
  Values* force() { return held.get(); }

  // All of it as numbers: whoever gives them back goes on as if nothing had been in between. Throws
  // RecordError for numbers of another system.
  std::vector<double> kept();
  void go_back(const std::vector<double>& numbers);

 private:
  void numbers(KeptNumbers& f);
  std::optional<Failure> unworldly(const Phase& next);

  ReadySystem ready;
  Method method;
  Grid grid;
  std::shared_ptr<Values> held;
  SystemLook look_at;
  Look seen;
  Stepped refused;
  std::unique_ptr<Stepper> stepper;
  Phase z;
  std::int64_t taken = 0;
};

}  // namespace carom
