// How a numerical solve ended. Failure on a hot path is a value, never an exception; the driver words it.
#pragma once

namespace carom {

enum class Status {
  ok,              // residual at rounding level
  no_convergence,  // residual above 1e-11 of the momenta after the last iteration allowed
  singular,        // the Newton matrix, or ∂²L/∂v², is singular or not positive definite
  not_finite,      // NaN or infinity appeared
  no_joints,       // the flow cannot keep the joints that the system has
};

struct [[nodiscard]] Outcome {
  Status status = Status::ok;
  double residual = 0;
  int iterations = 0;

  bool ok() const { return status == Status::ok; }
};

constexpr const char* describe(Status status) {
  switch (status) {
    case Status::ok:
      return "ok";
    case Status::no_convergence:
      return "the implicit equations of the step did not converge; a smaller step may help";
    case Status::singular:
      return "the mass matrix is not positive definite, or the step's equations are singular";
    case Status::not_finite:
      return "a value became infinite or undefined";
    case Status::no_joints:
      return "the system has joints, and Gauss collocation does not keep them";
  }
  return "";
}

}  // namespace carom
