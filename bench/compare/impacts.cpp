// The double pendulum beside a wall (001) and the bouncing ball: time of a step, and what becomes of the
// energy.
#include <fmt/format.h>

#include "compare/problems.hpp"
#include "compare/steps_rows.hpp"
#include "compare/timed_steps.hpp"

namespace carom::bench {

namespace {

auto by_events(const std::string& how, const auto& system, const ImpactLaw& law, const Grid& grid) {
  const SteadyFlow flow(svc(), grid.step);
  return timed_steps(how, system, grid, [=](const System& m) {
    return std::make_unique<ContactStepper>(m, flow, ContactOptions{.law = law, .lasting = false});
  });
}

}  // namespace

void add_smooth_pendulum(Rows& rows) {
  const double h = 0.01, end = 100;
  DoublePendulum system;
  system.wall = -3;  // out of reach
  const auto carom = timed_steps(fmt::format("svc, h = {}", h), system, Grid{0, h, std::lround(end / h)},
                                 [=](const System& m) { return std::make_unique<FlowStepper>(m, svc(), h); });
  add_steps(rows, {"double pendulum without wall, h = 0.01, T = 100", 5}, *carom, {.step = h, .end = end},
            {{"MuJoCo", "double pendulum", 0.2, "at most a fifth of its time"}});
}

// The same step for all: gauss beside the scheme that keeps to the motion, svc with the law that keeps the
// energy for ever beside the one that does not.
void add_wall(Rows& rows) {
  const Setup setup{.step = 0.058, .end = 1000};
  const Grid grid{0, setup.step, static_cast<std::int64_t>(setup.end / setup.step)};
  const DoublePendulum system;
  const CollocationOptions options{.stages = 4, .accuracy_of_slopes = 1e-8, .measures = false};
  const auto fast =
      timed_steps("gauss, 4 stages, solved to 1e-08, h = 0.058", system, grid,
                  [=](const System& m) { return make_collocation_stepper(m, setup.step, options); });
  const StepsProblem problem{"double pendulum with wall, h = 0.058, T = 1000", 3};
  add_steps(rows, problem, *fast, setup,
            {{"Siconos", "double pendulum, D1-minus", 0.2, "bounded, and at most a fifth of its time"}});

  const auto kept = by_events("svc, shadow law, h = 0.058", system, shadow_law(8), grid);
  add_steps(rows, problem, *kept, setup, {{"Siconos", "double pendulum, Moreau-Jean", {}, "bounded"}});
}

void add_ball(Rows& rows) {
  const double h = 0.005, end = 100;
  const PointMass ball{.m = 1, .g = 9.81};
  const auto carom = by_events(fmt::format("svc, continuous-energy, h = {}", h), ball, continuous_energy(),
                               Grid{0, h, std::lround(end / h)});
  const Setup setup{.step = h, .end = end};
  add_steps(rows, {"bouncing ball, h = 0.005, T = 100", 5}, *carom, setup,
            {{"Siconos", "bouncing ball, Moreau-Jean", 0.2, "at most a fifth of its time"},
             {"Siconos", "bouncing ball, D1-minus", 0.2, "at most a fifth of its time"},
             {"ODE", "bouncing ball", 0.5, "at most half of its time"}});
}

}  // namespace carom::bench
