// carom's side of problems that compare the time of a step: any stepper, with all states kept.
#pragma once

#include <functional>

#include "carom/carom.hpp"
#include "compare/contest.hpp"
#include "compare/track.hpp"

namespace carom::bench {

// `make` gives a fresh stepper of the system.
template <class Stepper>
class TimedSteps final : public Contestant {
 public:
  using Z = Phase;
  using Make = std::function<std::unique_ptr<Stepper>()>;

  TimedSteps(const std::string& how, std::shared_ptr<const System> system, Make m, const Z& from,
             const Grid& g)
      : Contestant("carom", how),
        system(std::move(system)),
        make(std::move(m)),
        start(from),
        grid(g),
        track(2 * static_cast<std::size_t>(from.q.size())) {}

  void prepare() override {
    stepper = make();
    failure.clear();
    impacts = 0;
    track.begin(grid.steps);
    keep(start);
  }
  void run() override {
    Z z = start;
    for (std::int64_t n = 0; n < grid.steps; ++n) {
      const auto& next = stepper->step(grid.time(n), z);
      if (next.failure) {
        failure = next.failure->reason;
        return;
      }
      z = next.step.z;
      impacts += static_cast<std::int64_t>(next.impacts.size());
      keep(z);
    }
  }
  Outcome outcome() const override {
    Outcome r;
    r.steps = track.steps(), r.impacts = impacts;
    r.energy_error = track.energy_error([this](const double* x) {
      const auto z = state(x);
      return system->hamiltonian(0, z.q, z.p);
    });
    r.bounded = failure.empty() && r.energy_error < 1;
    r.remark = failure;
    if (examine) examine(track, r);
    return r;
  }

  std::function<void(const Track&, Outcome&)> examine;  // may add to the outcome

 private:
  Z state(const double* x) const {
    Z z = start;
    for (Eigen::Index i = 0; i < z.q.size(); ++i) z.q[i] = x[i], z.p[i] = x[i + z.q.size()];
    return z;
  }
  void keep(const Z& z) {
    for (Eigen::Index i = 0; i < z.q.size(); ++i) track.add(z.q[i]);
    for (Eigen::Index i = 0; i < z.p.size(); ++i) track.add(z.p[i]);
  }

  std::shared_ptr<const System> system;
  Make make;
  Z start;
  Grid grid;
  Track track;
  std::unique_ptr<Stepper> stepper;
  std::string failure;
  std::int64_t impacts = 0;
};

// Any stepper of a system written in C++, and its own start.
template <SystemStruct Sys>
auto timed_steps(const std::string& how, const Sys& own, const Grid& grid,
                 const std::function<std::unique_ptr<Stepper>(const System&)>& make) {
  const auto system = make_system(own);
  const auto start = validated_state(own, own.start());
  return std::make_unique<TimedSteps<Stepper>>(
      how, system, [=] { return make(*system); }, Phase{start.q, start.p}, grid);
}

}  // namespace carom::bench
