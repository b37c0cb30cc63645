// A stepper over states of run-time size that is no Stepper by itself.
#pragma once

#include "run/watched.hpp"

namespace carom {

template <class S>
class ErasedStepper final : public Stepper {
 public:
  explicit ErasedStepper(S& own) : stepper(own) {}

  const Stepped<Eigen::Dynamic>& step(double t, const RunState& z) override {
    if constexpr (std::is_reference_v<decltype(stepper.step(t, z))>)
      return stepper.step(t, z);
    else
      return result = stepper.step(t, z);
  }
  void numbers(KeptNumbers& f) override { stepper.numbers(f); }
  std::int64_t solves() const override {
    if constexpr (requires { stepper.solves(); })
      return stepper.solves();
    else if constexpr (requires { stepper.solves; })
      return stepper.solves;
    else
      return 0;
  }
  std::int64_t fallbacks() const override {
    if constexpr (requires { stepper.fallbacks; })
      return stepper.fallbacks;
    else
      return 0;
  }

 private:
  S& stepper;
  Stepped<Eigen::Dynamic> result;
};

}  // namespace carom
