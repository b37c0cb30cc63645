// A stepper takes a state over one full step through whatever happens in it. This one knows smooth motion only:
// it applies the flow, and says so where a contact is reached, because no impact law was asked for.
#pragma once

#include <string>

#include "carom/flow.hpp"
#include "carom/validate.hpp"

namespace carom {

// Why a run could not go on; the driver words it with the step and the time.
struct Failure {
  std::string reason;
  double residual = 0;
  std::string contact;  // empty where none is concerned
};

template <System Sys>
struct SteppedState {
  StepResult<double, Sys::dim> step;
  std::optional<Failure> failure;
};

template <System Sys>
class SmoothStepper {
 public:
  SmoothStepper(const Sys& sys, Flow f, double step) : system(sys), flow(std::move(f)), h(step) {}

  SteppedState<Sys> step(double t, const State<double, Sys::dim>& z) const {
    auto r = flow_step(system, flow, t, h, z);
    if (!r.outcome.ok()) return {r, Failure{describe(r.outcome.status), r.outcome.residual, ""}};
    if constexpr (HasGaps<Sys>) {
      const auto gaps = system.gaps(r.z.q);
      const double least = -gap_tolerance(r.z.q.template lpNorm<Eigen::Infinity>());
      for (int i = 0; i < gaps.size(); ++i)
        if (!(gaps[i] >= least))
          return {r, Failure{"a contact closes, and the method has no impact law", gaps[i], gap_name(system, i)}};
    }
    return {r, std::nullopt};
  }

 private:
  Sys system;
  Flow flow;
  double h;
};

}  // namespace carom
