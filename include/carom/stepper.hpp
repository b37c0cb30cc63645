// A stepper takes a state over one full step through whatever happens in it. This one knows smooth motion
// only: it applies the flow, and says so where a contact is reached, because no impact law was asked for.
#pragma once

#include <array>
#include <span>
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

// The contacts that close at one instant; a handful at most, kept without allocation.
class ContactList {
 public:
  static constexpr int most = 16;
  [[nodiscard]] bool push_back(int contact) {  // false where there is no room
    if (count == most) return false;
    list[count++] = contact;
    return true;
  }
  std::size_t size() const { return static_cast<std::size_t>(count); }
  int operator[](int i) const { return list[i]; }
  const int* begin() const { return list.data(); }
  const int* end() const { return list.data() + count; }

 private:
  std::array<int, most> list{};
  int count = 0;
};

// One impact: the configuration stays, the momentum jumps.
template <int N>
struct Impact {
  double t;
  ContactList contacts;
  Vector<double, N> q, p_before, p_after;
  double impulse;                  // |p_after - p_before|
  double rate_before, rate_after;  // of the gap of the first contact
};

template <System Sys>
struct SteppedState {
  StepResult<double, Sys::dim> step;
  std::optional<Failure> failure;
  std::span<const Impact<Sys::dim>> impacts = {};
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
          return {
              r, Failure{"a contact closes, and the method has no impact law", gaps[i], gap_name(system, i)}};
    }
    return {r, std::nullopt};
  }

  void numbers(auto&&) {}  // keeps nothing from step to step

 private:
  Sys system;
  Flow flow;
  double h;
};

}  // namespace carom
