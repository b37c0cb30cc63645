// Contact: Newton's cradle, and a column of balls at rest.
#include <fmt/format.h>

#include <numbers>

#include "compare/problems.hpp"
#include "compare/steps_rows.hpp"
#include "compare/timed_steps.hpp"

namespace carom::bench {

namespace {

using ContactSteps = TimedSteps<ContactStepper>;

std::unique_ptr<ContactSteps> contact_steps(const std::string& how,
                                            const std::shared_ptr<const System>& system, const Values& q,
                                            const Grid& grid) {
  return std::make_unique<ContactSteps>(
      fmt::format("contact, svc, {}h = {:.3g}", how, grid.step), system,
      [=] { return std::make_unique<ContactStepper>(*system, SteadyFlow(svc(), grid.step)); },
      Phase{q, Values::Zero(q.size())}, grid);
}

constexpr double drawn = std::numbers::pi / 5;

// Two of five balls are drawn: the third hangs still for ever. By how much it moves tells what became of the
// pattern.
auto middle_ball(bool angles) {
  return [angles](const Track& track, Outcome& r) {
    const double pivot = CradleShape{}.pivot(2);
    double moved = 0;
    for (std::int64_t n = 0; n <= track.steps(); ++n) {
      const double* x = track.state(n);
      moved = std::fmax(moved, std::abs(angles ? x[2] : std::atan2(x[4] - pivot, -x[5])));
    }
    r.end = {moved / drawn};
  };
}

}  // namespace

void add_cradle(Rows& rows) {
  const Setup setup{.step = 0.01, .end = 50};
  const Grid grid{0, setup.step, std::lround(setup.end / setup.step)};
  Values at = Values::Zero(5);
  at.head(2).setConstant(-drawn);
  const auto joints = std::make_shared<CradleInCoordinates>(CradleShape{});
  const auto in_joints = contact_steps("joints, ", joints, joints->at(at), grid);
  in_joints->examine = middle_ball(false);
  const auto in_angles = contact_steps("angles, ", std::make_shared<CradleInAngles>(CradleShape{}), at, grid);
  in_angles->examine = middle_ball(true);
  const StepsProblem problem{.name = "newton-cradle, two of five balls drawn, h = 0.01, T = 50",
                             .rounds = 5,
                             .error = "the middle ball moves by, of the drawn angle,",
                             .error_of = [](const Outcome& r) { return r.end[0]; },
                             .largest_error = 1e-8};
  const Opponent mujoco{"MuJoCo", "cradle", 1.0, "pattern kept, and at most its time"};
  add_steps(rows, problem, *in_angles, setup, {mujoco});
  add_steps(rows, problem, *in_joints, setup, {mujoco});
}

void add_column(Rows& rows) {
  const Setup setup{.step = 1e-3, .end = 0.01, .bodies = 400};
  const auto column = std::make_shared<BallColumn>(setup.bodies);
  const auto carom = contact_steps("", column, column->rest(), Grid{0, setup.step, 10});
  add_steps(rows, {"column of 400 balls at rest, h = 0.001", 3}, *carom, setup,
            {{"Siconos", "column at rest", 0.01, "at most a hundredth of its time"}});
}

}  // namespace carom::bench
