// Derivatives of a run: of its last state and of the times of its impacts, by its start, the time of the
// start, the step and the parameters. They are exact derivatives of the discrete map, and hold for its
// sequence of impacts.
//
//   run -> RunTape (nodes and impacts) -> RunSlopes::tangent()   all columns at once, forwards
//                                      -> RunSlopes::adjoint()   one row, backwards: the gradient of one
//                                      number by all columns
//
// Both take the steps of the tape again, one by one (step_slopes.hpp); with λ a row, the adjoint is λ <- λ S.
// Tested in tests/laws/derivative_laws_test.cpp.
#pragma once

#include <functional>
#include <vector>

#include "carom/derivative/step_slopes.hpp"
#include "carom/run/simulate.hpp"

namespace carom {

// What a run leaves to be differentiated: 2n numbers a step, and the impacts.
class RunTape {
 public:
  RunTape(Grid g, int coordinates) : grid(g), n(coordinates) {}

  // As an observer of simulate().
  void operator()(const GridPoint& point);

  std::int64_t steps() const { return static_cast<std::int64_t>(nodes.size()) / (2 * n) - 1; }
  Phase node(std::int64_t k) const;
  std::span<const Impact> impacts_of(std::int64_t step) const;
  StepEvents events_of(std::int64_t step) const;
  std::span<const int> held_at_start() const { return held.front().contacts; }

  Grid grid;
  int n;
  std::vector<Impact> impacts;
  std::vector<std::int64_t> step_of;  // of each impact, ascending
  std::vector<ContactChange>
      changes;  // contacts that began or ceased to last, but for those that do at first
  std::vector<std::int64_t> change_of;  // the step of each

 private:
  void note(const GridPoint& point);

  struct Held {
    std::int64_t from;  // step
    std::vector<int> contacts;
  };
  std::vector<Held> held = {{0, {}}};  // what lasts, until it changes
  std::vector<double> nodes;
};

struct RunMethod {
  const DenseSystem& system;
  const SteadyFlow& flow;
  const ImpactLaw& law;
  double restitution = 1;
  bool by_restitution = false;  // whether it is the last parameter
};

class RunSlopes {
 public:
  explicit RunSlopes(const RunMethod& method);

  // Why these runs have no derivatives here; "" where they have.
  static std::string unsupported(const RunMethod& method);

  // Columns: q and p of the start, the time of the start, the step, (the anchor: 0) and the parameters.
  struct Tangent {
    Slopes state;               // of q and p at the end
    Slopes times;               // of the impacts, a row each
    double slowest = HUGE_VAL;  // approach of an impact: 0 at a graze, where there is no derivative
    std::optional<Failure> failure = {};
    std::int64_t failed_step = 0;
  };
  Tangent tangent(const RunTape& tape);

  struct Gradient {
    SlopeRow slopes;
    double slowest = HUGE_VAL;
    std::optional<Failure> failure = {};
    std::int64_t failed_step = 0;
  };
  // Of a number with these slopes by q and p at the end.
  Gradient adjoint(const RunTape& tape, const SlopeRow& at_end);

  // Step by step, for whoever follows a tangent of his own: D <- S D. `D` is by any directions of the start.
  StepSlopes step;
  DerivativeColumns columns;
  std::function<bool()> stop;  // asked at every step, if there is one; its end is a failure

 private:
  std::optional<Failure> take(const RunTape& tape, std::int64_t k);

  const RunMethod method;
};

}  // namespace carom
