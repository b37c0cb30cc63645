// Smooth motion alone: the flow along the joints. Where a contact is reached it says so and ends, because no
// impact law was asked for. Tested in tests/unit/simulate_test.cpp.
#pragma once

#include "carom/shadow_window.hpp"
#include "carom/stepper.hpp"

namespace carom {

class FlowStepper final : public Stepper {
 public:
  FlowStepper(const Mechanism& m, const Flow& f, double step) : mechanism(m), flow(f), h(step), held(m) {}

  const Stepped<Eigen::Dynamic>& step(double t, const State<double, Eigen::Dynamic>& start) override;
  void numbers(KeptNumbers&) override {}  // keeps nothing from step to step

  const ShadowWindow* ahead = nullptr;  // of the same flow, where somebody has one

 private:
  const Mechanism& mechanism;
  Flow flow;
  double h;
  HeldFlow held;
  Values gaps;
  Stepped<Eigen::Dynamic> result;
};

}  // namespace carom
