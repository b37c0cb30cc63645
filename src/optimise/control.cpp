#include "optimise/control.hpp"

#include <fmt/format.h>

#include <Eigen/LU>

#include <chrono>
#include <filesystem>

#include "run/start.hpp"
#include "scenario/scenario_text.hpp"
#include "scenario/shipped.hpp"

namespace carom {
namespace {

namespace fs = std::filesystem;

Prepared prepared_for(const ControlProblem& problem, const std::string& folder) {
  const fs::path beside = fs::path(folder) / problem.scenario;
  const std::string path = fs::exists(beside) ? beside.string() : locate_scenario(problem.scenario);
  Prepared r = carom::prepare(read_scenario(path, problem.set));
  const Scenario& s = r.scenario;
  const std::string name = '"' + s.system.name + '"';
  if (!s.system.is_expression() || !r.model.ready)
    s.reject("system.name", name,
             "optimal control is of mechanical systems in formulas: name = \"expression\"");
  if (!s.system.joints.empty())
    s.reject("system.joints", "", "optimal control has none yet: choose coordinates without");
  if (!s.system.friction.empty()) s.reject("system.friction", "", "optimal control has none");
  return r;
}

std::string why_not(const SparseSolution& solved, const Transcription& made) {
  const auto worst = made.program.worst(solved.x);
  const std::string furthest =
      worst.by > 1e-8 ? fmt::format("; furthest from being met is {}, by {:.3g}", worst.name, worst.by)
                      : std::string();
  switch (solved.end) {
    case SolverEnd::infeasible:
      return "no motion near the guess meets all conditions" + furthest;
    case SolverEnd::too_many_iterations:
      return fmt::format("not converged after {} iterations{}", solved.iterations, furthest);
    case SolverEnd::not_finite: {
      const std::string which = made.program.not_finite(solved.x);
      return (which.empty() ? "the cost, a condition or a derivative of these" : which) +
             " is not finite near what was reached";
    }
    case SolverEnd::stopped:
      return "stopped on request";
    case SolverEnd::too_few_unknowns:
      return "there are more conditions than unknowns";
    default:
      return "the solver gave up" + furthest;
  }
}

// Coefficients of powers of t of the polynomial with these values at these times.
std::vector<double> polynomial(const std::vector<double>& t, const std::vector<double>& y) {
  const auto s = static_cast<Eigen::Index>(t.size());
  Eigen::MatrixXd V(s, s);
  for (Eigen::Index i = 0; i < s; ++i)
    for (Eigen::Index k = 0; k < s; ++k)
      V(i, k) = std::pow(t[static_cast<std::size_t>(i)], static_cast<double>(k));
  const Eigen::VectorXd a = V.partialPivLu().solve(Eigen::Map<const Eigen::VectorXd>(y.data(), s));
  return {a.begin(), a.end()};
}

// A formula of t that takes the pieces between the times, found by halving.
std::string of_pieces(const std::vector<double>& begins, const std::vector<std::string>& pieces,
                      std::size_t from, std::size_t to) {
  if (to - from == 1) return pieces[from];
  const std::size_t middle = from + (to - from) / 2;
  return fmt::format("if(t < {}, {}, {})", detail::written(begins[middle]),
                     of_pieces(begins, pieces, from, middle), of_pieces(begins, pieces, middle, to));
}

std::string piece(double begin, const std::vector<double>& coefficients) {
  std::string r = detail::written(coefficients.back());
  for (std::size_t k = coefficients.size() - 1; k-- > 0;)
    r = fmt::format("{} + (t - {})*({})", detail::written(coefficients[k]), detail::written(begin), r);
  return r;
}

}  // namespace

OptimalControl::OptimalControl(ControlProblem p, const std::string& folder)
    : problem(std::move(p)),
      prepared(prepared_for(problem, folder)),
      measured(read_measured(problem, folder, prepared.scenario.system.coordinates)) {}

Plan OptimalControl::solve(SolveProgram solver, const SolverOptions& options) {
  constexpr int most_rounds = 10;  // of measurements that change their phases
  const auto begin = std::chrono::steady_clock::now();
  Plan r;
  int iterations = 0;
  for (int round = 0; round == 0 || (r.misplaced && round < most_rounds); ++round) {
    const MotionGuess guess = round == 0 ? make_guess() : guess_of_plan(r);
    const Transcription made(problem, prepared, guess, measured);
    if (const std::string which = made.program.not_finite(made.program.start); !which.empty())
      problem.reject(which == "the cost" ? "cost" : "guess", "",
                     which + " is not finite at the guess: a line from start to end, with [guess]");
    SparseSolution solved;
    solver(made.program, options, solved);
    r = plan_of(made, solved);
    r.iterations = iterations += r.iterations;
  }
  r.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return r;
}

Plan OptimalControl::plan_of(const Transcription& made, const SparseSolution& solved) const {
  Plan r;
  r.solved = solved.end == SolverEnd::solved, r.stopped = solved.end == SolverEnd::stopped;
  if (!r.solved) r.reason = why_not(solved, made);
  if (r.solved)
    r.reason = made.misplaced(measured, solved.x), r.solved = r.reason.empty(), r.misplaced = !r.solved;
  r.iterations = solved.iterations;
  r.unknowns = made.program.start.size(), r.rows = made.program.row_low.size();
  made.program.cost(solved.x.data(), r.cost);
  const auto x = [&](int k) { return solved.x[static_cast<std::size_t>(k)]; };
  const auto values = [&](const std::vector<int>& which) {
    Values all(std::ssize(which));
    for (Eigen::Index i = 0; i < all.size(); ++i) all[i] = x(which[static_cast<std::size_t>(i)]);
    return all;
  };
  for (std::size_t k = 0; k < made.theta.size(); ++k)
    r.parameters.emplace_back(problem.parameters[k].first, x(made.theta[k]));
  const ReadySystem ready = prepared.model.ready(prepared.scenario, {});
  for (const ControlPhase& phase : made.phases) {
    Plan::Phase& own = r.phases.emplace_back();
    own.begin = x(phase.begin), own.duration = x(phase.duration);
    if (phase.contact >= 0) own.contact = ready.system->contact_name(phase.contact);
    own.v_begin = values(phase.v_begin), own.v_end = values(phase.v_end);
    const double h = own.duration / static_cast<double>(phase.steps);
    std::vector<double> nodes;
    for (const double c : made.rule.c) nodes.push_back(c * h);
    for (std::int64_t i = 0; i <= phase.steps; ++i) {
      const auto at = static_cast<std::size_t>(i);
      own.t.push_back(own.begin + static_cast<double>(i) * h), own.q.push_back(values(phase.q[at])),
          own.p.push_back(values(phase.p[at]));
      if (i == phase.steps) break;
      const std::size_t first = at * nodes.size();
      for (std::size_t j = 0; j < nodes.size(); ++j) {
        if (made.rule.shares_nodes && j == 0 && i > 0) continue;
        const Values u = values(phase.u[first + j]);
        own.control_times.push_back(own.t.back() + nodes[j]), own.controls.emplace_back(u.begin(), u.end());
      }
      for (std::size_t c = 0; c < problem.controls.size(); ++c) {
        std::vector<double> y;
        for (std::size_t j = 0; j < nodes.size(); ++j) y.push_back(x(phase.u[first + j][c]));
        own.pieces.push_back(polynomial(nodes, y));
      }
    }
  }
  return r;
}

Scenario OptimalControl::with_controls(
    const std::vector<std::pair<std::string, std::string>>& formulas) const {
  Scenario s = prepared.scenario;
  for (const auto& [name, text] : formulas)
    s.system.parameters.erase(name), s.system.let.emplace_back(name, text);
  return s;
}

Scenario OptimalControl::replay(const Plan& plan) const {
  std::vector<std::pair<std::string, std::string>> formulas;
  const std::size_t count = problem.controls.size();
  for (std::size_t c = 0; c < count; ++c) {
    std::vector<double> begins;
    std::vector<std::string> pieces;
    for (const Plan::Phase& phase : plan.phases)
      for (std::size_t i = 0; i + 1 < phase.t.size(); ++i)
        begins.push_back(phase.t[i]), pieces.push_back(piece(phase.t[i], phase.pieces[i * count + c]));
    formulas.emplace_back(problem.controls[c], of_pieces(begins, pieces, 0, pieces.size()));
  }
  Scenario s = with_controls(formulas);
  if (!problem.title.empty()) s.title = problem.title;
  for (const auto& [name, value] : plan.parameters) s.system.parameters[name] = value;
  const Plan::Phase& first = plan.phases.front();
  s.initial.q = std::vector<double>(first.q[0].begin(), first.q[0].end());
  s.initial.v = std::vector<double>(first.v_begin.begin(), first.v_begin.end());
  s.initial.p.reset();
  s.time.end = plan.phases.back().t.back(), s.time.impacts.reset(), s.time.until.reset();
  for (const std::string& name : problem.controls) s.output.quantities.emplace_back("control_" + name, name);
  if (!problem.running.empty()) s.output.quantities.emplace_back("running_cost", problem.running);
  return s;
}

}  // namespace carom
