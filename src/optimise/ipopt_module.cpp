// The module carom_ipopt: a SparseProgram given to Ipopt, with exact first and second derivatives.
#include <IpIpoptApplication.hpp>
#include <IpTNLP.hpp>

#include <algorithm>
#include <mutex>

#include "optimise/sparse_program.hpp"

namespace carom {
namespace {

class ForIpopt : public Ipopt::TNLP {
  using Number = Ipopt::Number;
  using Index = Ipopt::Index;

 public:
  ForIpopt(const SparseProgram& p, const SolverOptions& o, SparseSolution& r)
      : program(p), options(o), result(r) {}

  bool get_nlp_info(Index& n, Index& m, Index& slopes, Index& bends, IndexStyleEnum& style) override {
    n = static_cast<Index>(program.start.size()), m = static_cast<Index>(program.row_low.size());
    slopes = static_cast<Index>(program.slope_places.size()),
    bends = static_cast<Index>(program.bend_places.size());
    style = C_STYLE;
    return true;
  }
  bool get_bounds_info(Index, Number* low, Number* high, Index, Number* row_low, Number* row_high) override {
    std::copy(program.low.begin(), program.low.end(), low),
        std::copy(program.high.begin(), program.high.end(), high);
    std::copy(program.row_low.begin(), program.row_low.end(), row_low);
    std::copy(program.row_high.begin(), program.row_high.end(), row_high);
    return true;
  }
  bool get_starting_point(Index, bool, Number* x, bool, Number*, Number*, Index, bool, Number*) override {
    std::copy(program.start.begin(), program.start.end(), x);
    return true;
  }
  bool eval_f(Index, const Number* x, bool, Number& f) override { return program.cost(x, f); }
  bool eval_grad_f(Index, const Number* x, bool, Number* out) override { return program.cost_slopes(x, out); }
  bool eval_g(Index, const Number* x, bool, Index, Number* out) override { return program.rows(x, out); }
  bool eval_jac_g(Index, const Number* x, bool, Index, Index, Index* row, Index* column,
                  Number* out) override {
    if (out) return program.slopes(x, out);
    place(program.slope_places, row, column);
    return true;
  }
  bool eval_h(Index, const Number* x, bool, Number weight, Index, const Number* row_weights, bool, Index,
              Index* row, Index* column, Number* out) override {
    if (out) return program.bends(x, weight, row_weights, out);
    place(program.bend_places, row, column);
    return true;
  }
  bool intermediate_callback(Ipopt::AlgorithmMode, Index iteration, Number, Number, Number, Number, Number,
                             Number, Number, Number, Index, const Ipopt::IpoptData*,
                             Ipopt::IpoptCalculatedQuantities*) override {
    result.iterations = iteration;
    return !options.stop || !options.stop();
  }
  void finalize_solution(Ipopt::SolverReturn, Index n, const Number* x, const Number*, const Number*, Index m,
                         const Number*, const Number* row_weights, Number cost, const Ipopt::IpoptData*,
                         Ipopt::IpoptCalculatedQuantities*) override {
    result.x.assign(x, x + n), result.row_weights.assign(row_weights, row_weights + m), result.cost = cost;
  }

 private:
  static void place(const std::vector<SparseProgram::Place>& places, Index* row, Index* column) {
    for (const auto& p : places) *row++ = p.row, *column++ = p.column;
  }

  const SparseProgram& program;
  const SolverOptions& options;
  SparseSolution& result;
};

SolverEnd end_of(Ipopt::ApplicationReturnStatus status) {
  switch (status) {
    case Ipopt::Solve_Succeeded:
    case Ipopt::Solved_To_Acceptable_Level:
      return SolverEnd::solved;
    case Ipopt::Infeasible_Problem_Detected:
    case Ipopt::Restoration_Failed:
      return SolverEnd::infeasible;
    case Ipopt::Maximum_Iterations_Exceeded:
      return SolverEnd::too_many_iterations;
    case Ipopt::Invalid_Number_Detected:
      return SolverEnd::not_finite;
    case Ipopt::User_Requested_Stop:
      return SolverEnd::stopped;
    case Ipopt::Not_Enough_Degrees_Of_Freedom:
      return SolverEnd::too_few_unknowns;
    default:
      return SolverEnd::failed;
  }
}

void solve(const SparseProgram& program, const SolverOptions& options, SparseSolution& result) {
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  Ipopt::SmartPtr<Ipopt::IpoptApplication> ipopt = new Ipopt::IpoptApplication(false);
  ipopt->Options()->SetNumericValue("tol", options.tolerance);
  ipopt->Options()->SetNumericValue("bound_relax_factor", 0);
  ipopt->Options()->SetIntegerValue("max_iter", options.most_iterations);
  ipopt->Options()->SetIntegerValue("print_level", 0);
  ipopt->Options()->SetStringValue("sb", "yes");
  ipopt->Options()->SetStringValue("linear_solver", "mumps");
  if (ipopt->Initialize() != Ipopt::Solve_Succeeded) return;
  result.x = program.start;
  result.end = end_of(ipopt->OptimizeTNLP(new ForIpopt(program, options, result)));
}

}  // namespace
}  // namespace carom

extern "C" void* carom_ipopt() { return reinterpret_cast<void*>(&carom::solve); }
