// Derivatives of a scenario's run, as its user sees them: of the last state, of the scenario's quantities
// there and of the times of the impacts, by what the scenario states of the start and by parameters.
//
//   scenario -> Model::ready() -> Differentiated (the run, its tape) -> jacobian() or gradient()
//
// Tested in tests/cli/sensitivity_test.py.
#pragma once

#include "carom/derivative/run_slopes.hpp"
#include "run/start.hpp"
#include "scenario/prepare.hpp"

namespace carom {

// What derivatives are by: the method's restitution, besides parameters of the system.
inline constexpr const char* restitution_name = "restitution";

struct Jacobian {
  std::vector<std::string> rows, columns;  // "q.y", "p.a", "v.y", a quantity, "impact 1"; "initial.q.y", "m1"
  std::vector<double> values, by;          // of the rows, and of the columns
  Eigen::MatrixXd slopes;
};

// A scenario whose runs have derivatives: its system with what may vary, its method, its grid.
struct Differentiable {
  // Throws ScenarioError where they have none.
  Differentiable(const Prepared& prepared, const std::vector<std::string>& by);
  Differentiable(const Differentiable&) = delete;  // its parts refer to each other

  std::unique_ptr<Stepper> stepper() const;
  std::string worded(const Failure& why, std::int64_t step) const;

  const Scenario& scenario;
  const Method& method;
  Grid grid;
  ReadySystem ready;
  const DenseSystem* dense;
  SteadyFlow flow;
  ImpactLaw law;
  RunMethod how;

 private:
  void refuse() const;
};

class Differentiated {
 public:
  // Takes the run. Throws ScenarioError where it has no derivatives here; a run that fails, or that `stop`
  // ends, says so in `failure`, and so do its derivatives.
  Differentiated(const Prepared& prepared, const std::vector<std::string>& by,
                 const std::function<bool()>& stop = {});

  // All at once, forwards; or of one quantity by all columns, backwards.
  Jacobian jacobian();
  Jacobian gradient(const std::string& quantity);

  // As RunSlopes has it, by (q, p) of the start, its time, the step and the parameters.
  RunSlopes::Tangent tangent() { return slopes.tangent(tape); }
  std::string worded(const RunSlopes::Tangent& failed) const {
    return set.worded(*failed.failure, failed.failed_step);
  }
  const DerivativeColumns& columns() const { return slopes.columns; }
  const Phase& start() const { return set.ready.start; }
  Phase end() const { return tape.node(tape.steps()); }

  // The smallest gap of a contact that turns around before it closes; HUGE_VAL where none does
  // (closest_pass.cpp).
  double closest_pass() const;

  RunTape tape;
  std::optional<std::string> failure;  // of the run or of its derivative
  double slowest = HUGE_VAL;           // approach of an impact
  const DenseSystem& system() const { return *dense; }

 private:
  void name_columns();
  Slopes start_slopes() const;  // of (q, p) and the parameters, by the columns that the user sees
  Jacobian numbers_at_end() const;
  void add_quantities(double t, const Values& q, const Values& v, Jacobian& r) const;

  Differentiable set;
  const DenseSystem* dense;
  RunSlopes slopes;
  bool from_velocity;
  Jacobian head;  // columns alone
};

}  // namespace carom
