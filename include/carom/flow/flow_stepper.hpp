// Smooth motion alone: the flow along the joints. Where a contact is reached it says so and ends, because no
// impact law was asked for. Tested in tests/unit/simulate_test.cpp.
#pragma once

#include "carom/flow/shadow_window.hpp"
#include "carom/run/stepper.hpp"
#include "carom/system/gap_scales.hpp"

namespace carom {

class FlowStepper final : public Stepper {
 public:
  FlowStepper(const System& m, const Flow& f, double step)
      : system(m), flow(f), h(step), held(m), scales(m, step) {}

  const Stepped& step(double t, const Phase& start) override;
  void numbers(KeptNumbers&) override {}  // keeps nothing from step to step

  const ShadowWindow* ahead = nullptr;  // of the same flow, where somebody has one

 private:
  const System& system;
  Flow flow;
  double h;
  HeldFlow held;
  GapScales scales;
  Stepped result;
};

}  // namespace carom
