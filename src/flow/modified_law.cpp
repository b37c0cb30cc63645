#include "carom/flow/modified_law.hpp"

#include <utility>

namespace carom {
namespace {

using In = ModifiedHamiltonian::In;
using Out = ModifiedHamiltonian::Out;

// (q', p') = (∂H~/∂p, -∂H~/∂q) at x = (q, p).
void field(const ModifiedHamiltonian& modified, const In& x, Out rate) {
  const int n = modified.size();
  modified.gradient(x.head(n), x.tail(n), rate.tail(n), rate.head(n));
  rate.tail(n) *= -1;
}

struct Stages {
  Eigen::VectorXd start, at;
  Eigen::MatrixXd slope, next;

  void resize(int n) {
    start.resize(2 * n), at.resize(2 * n);
    slope.resize(2 * n, most_stages), next.resize(2 * n, most_stages);
  }

  // The largest relative change: of all q' or all p', and of each for itself, which have different units.
  struct Change {
    double whole = 0, each = 0;
  };

  // Every stage from the slopes of the sweep before.
  Change sweep(const ModifiedHamiltonian& modified, const GaussTable& table, double tau) {
    for (int i = 0; i < table.stages; ++i) {
      at = start;
      for (int j = 0; j < table.stages; ++j) at += tau * table.a[i][j] * slope.col(j);
      field(modified, at, next.col(i));
    }
    const auto n = start.size() / 2;
    const auto now = next.leftCols(table.stages), before = slope.leftCols(table.stages);
    const auto change = now - before;
    Change r;
    for (const auto first : {Eigen::Index{0}, n})
      r.whole =
          std::fmax(r.whole, change.middleRows(first, n).norm() / (now.middleRows(first, n).norm() + 1e-300));
    for (int k = 0; k < 2 * n; ++k)
      if (const double moved = change.row(k).norm(); moved > 0)
        r.each = std::fmax(r.each, moved / now.row(k).norm());
    slope.swap(next);
    return std::isfinite(slope.leftCols(table.stages).sum()) ? r : Change{HUGE_VAL, HUGE_VAL};
  }
};

}  // namespace

Outcome advance_by_hamiltonian(const ModifiedHamiltonian& modified, const GaussTable& table, double tau,
                               Out q, Out p) {
  thread_local Stages stages;
  const int n = modified.size();
  if (stages.start.size() != 2 * n) stages.resize(n);
  stages.start << q, p;
  field(modified, stages.start, stages.slope.col(0));
  for (int i = 1; i < table.stages; ++i) stages.slope.col(i) = stages.slope.col(0);
  Outcome outcome;
  Stages::Change change{HUGE_VAL, HUGE_VAL};
  double previous = HUGE_VAL;
  int rises = 0;  // against the last but one: q' and p' may settle in turns
  for (int k = 0; k < 60 && change.each > 1e-15 && rises < 3; ++k) {
    const double before = change.each, earlier = std::exchange(previous, change.whole);
    change = stages.sweep(modified, table, tau);
    outcome = {change.whole <= 1e-11 ? Status::ok : Status::no_convergence, change.whole, k + 1};
    if (!std::isfinite(change.whole)) return outcome.status = Status::not_finite, outcome;
    if (change.whole <= 1e-13 && change.each >= 0.5 * before) break;
    rises += change.whole > earlier;
  }
  for (int i = 0; i < table.stages; ++i) stages.start += tau * table.b[i] * stages.slope.col(i);
  q = stages.start.head(n), p = stages.start.tail(n);
  return outcome;
}

}  // namespace carom
