#include "carom/flow/flow_stepper.hpp"

#include "carom/system/validate.hpp"

namespace carom {

const Stepped& FlowStepper::step(double t, const Phase& start) {
  auto& step = result.step;
  Spent spent;
  if (const auto taken = ahead ? ahead->step_from(start) : std::nullopt) {
    step.z = taken->z, spent = taken->spent;
  } else {
    step.z = start;
    spent = held(flow, t, h, step.z, {}, HeldFlow::Hold::bilateral);
  }
  step.action = spent.action, step.energy = spent.energy, step.work = spent.work;
  step.outcome = spent.outcome;
  result.failure.reset();
  if (!spent.outcome.ok()) {
    result.failure = Failure{describe(spent.outcome.status), spent.outcome.residual, ""};
    return result;
  }
  system.gaps(t + h, step.z.q, scales.gaps);
  if ((scales.gaps.array() >= 0).all()) return result;
  scales.look(t + h, step.z);
  for (int i = 0; i < scales.gaps.size() && !result.failure; ++i)
    if (!(scales.gaps[i] >= -scales.touching(i)))
      result.failure = Failure{"a contact closes, and the method has no impact law", scales.gaps[i],
                               system.contact_name(i)};
  return result;
}

}  // namespace carom
