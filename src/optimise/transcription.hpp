// Optimal control by discrete mechanics, as a sparse program. A phase ends at an impact or at the end; its N
// steps of h = D/N are those of the flow, with nodes c, weights b and positions that follow from velocities
// by A:
//
//   Q_j = q_i + h Σ_l A_jl v_l,   F_j = (∂L/∂q + f)(Q_j, v_l(j), u_j, t_j),   cost h Σ b_j ℓ_j
//   Σ_j in l b_j ∂L/∂v_j + h Σ_j b_j A_jl F_j = w_l p_{i+1}
//   p_{i+1} = p_i + h Σ b_j F_j,  q_{i+1} = q_i + h Σ b_j v_l(j)
//
// which is D1 L_d + p_i = 0, p_{i+1} = D2 L_d of the variational step (one v, A_j = c_j) and of Gauss
// collocation (a v at each node, A its matrix), for which the costates are collocated as well, so that costs
// converge with order 2s. Impacts, with n = ∂g/∂q:
//
//   g(q) = 0,  p⁺ = p⁻ + λ n,  n·v⁺ + g_t = -e (n·v⁻ + g_t),  n·v⁻ + g_t <= 0
//
// The root λ = 0 of the energy is divided out by this, which for L quadratic in the velocities is H⁺ = H⁻
// where e = 1. Tested in tests/cli/optimise_test.py against Pontryagin's conditions and closed forms.
#pragma once

#include "formula/formula_names.hpp"
#include "optimise/blocks.hpp"
#include "optimise/problem.hpp"
#include "scenario/prepare.hpp"

namespace carom {

// A flow of one rule, as the equations above have it.
struct ControlRule {
  int velocities = 0;                  // of a step
  std::vector<double> c, b;            // of its nodes
  std::vector<int> velocity_of;        // of each node
  std::vector<std::vector<double>> A;  // of each node by the velocities
  bool shares_nodes = false;           // a step's last node is the next one's first
  int nodes() const { return static_cast<int>(c.size()); }
};

// Where a motion is thought to be: phase by phase, at shares from 0 to 1 of each.
struct MotionGuess {
  struct At {
    Values q, v;
  };
  std::vector<double> durations;
  std::vector<int> contacts;  // at the ends of all phases but the last
  std::function<At(std::size_t phase, double share)> at;
  std::vector<double> parameters;  // chosen; empty: those of the scenario
  bool reached = false;            // it comes from a solution, whose start counts as well
};

// Where the unknowns of a phase are.
struct ControlPhase {
  std::int64_t steps = 0;
  int contact = -1;  // that ends it; -1: none
  int begin = 0, duration = 0;
  std::vector<int> v_begin, v_end;
  std::vector<std::vector<int>> q, p;  // of the grid's points
  std::vector<std::vector<int>> v;     // of each step, velocity after velocity
  std::vector<std::vector<int>> u;     // of all nodes of all steps
};

// The formulas that a problem is made of, in the names of its scenario, with controls and chosen parameters
// as inputs.
class ControlFormulas {
 public:
  ControlFormulas(const ControlProblem& problem, const Prepared& prepared);

  // A formula of the problem.
  formula::Node parse(const std::string& key, const std::string& text);
  // With these in the place of coordinates, velocities, time, controls and parameters.
  formula::Node at(formula::Node of, const Nodes& q, const Nodes& v, formula::Node t, const Nodes& u,
                   const Nodes& theta);

  const ControlProblem& problem;
  FormulaNames names;
  int n, controls, parameters;
  Nodes Lv, Fq;  // ∂L/∂v, ∂L/∂q + f
  Nodes gaps, gap_drifts, restitutions;
  std::vector<Nodes> normals;  // ∂g/∂q
  formula::Node running, at_end;
  Nodes path;
  std::vector<std::string> gap_names;

 private:
  void read_motion(const Scenario& scenario);
  void read_gaps(const Scenario& scenario, double restitution);
  void refuse_controls_in(formula::Node node, const char* where);
};

class Transcription {
 public:
  // Throws ScenarioError for what cannot be stated so.
  Transcription(const ControlProblem& problem, const Prepared& prepared, const MotionGuess& guess,
                const MeasuredPlaces& measured);

  // Which measurement is no longer in the phase in which it was fitted; "" where all are.
  std::string misplaced(const MeasuredPlaces& measured, const std::vector<double>& x) const;

  BlockProgram program;
  std::vector<ControlPhase> phases;
  std::vector<int> theta;
  ControlRule rule;

 private:
  struct Kinds {
    std::shared_ptr<const BlockKind> step, gap, momentum, impact, end, time, total;
    std::vector<std::string> end_names;
    std::vector<double> end_low, end_high;
  };
  void make_kinds();
  std::shared_ptr<const BlockKind> make_step();
  std::shared_ptr<const BlockKind> make_gaps();
  std::shared_ptr<const BlockKind> make_momentum();
  std::shared_ptr<const BlockKind> make_impact(int contact);
  std::shared_ptr<const BlockKind> make_end();
  std::shared_ptr<const BlockKind> make_measurement();
  void add_measurements(const MeasuredPlaces& measured);
  void make_times();
  void add_phase(std::size_t k);
  void add_step(std::size_t k, std::int64_t i);
  void add_impact(std::size_t k);
  void add_end();
  void add_momentum(const ControlPhase& phase, bool at_end);
  void add_gaps(const ControlPhase& phase, std::int64_t i);
  std::vector<int> add_numbers(const std::string& what, const Values& guess, bool velocities, bool bounded);
  std::vector<int> add_controls(std::size_t k, std::int64_t i, double node);
  ControlRange bound_of(const std::string& name) const;
  void check_names() const;
  void check_durations();
  // ∂L/∂v, or ∂L/∂q + f, at the guess.
  Values guessed(const formula::Program& what, double t, const MotionGuess::At& at,
                 const std::vector<int>& u) const;
  std::string place(std::size_t k, std::int64_t i) const;

  const ControlProblem& problem;
  const Prepared& prepared;
  const MotionGuess& guess;
  ControlFormulas f;
  Kinds kinds;
  formula::Program momentum_program, force_program;
  std::vector<formula::Program> control_guesses;
  std::vector<std::size_t> phase_of_measurement;
  MotionGuess::At start;
  double start_time;
  ControlRange whole;
};

// Refuses flows that step backwards, or take several rules a step.
ControlRule control_rule(const Prepared& prepared);

}  // namespace carom
