#include "compare/steps_rows.hpp"

#include <fmt/format.h>

namespace carom::bench {

namespace {

Side side(const StepsProblem& problem, const Measured& m) {
  std::string remark = m.outcome.remark;
  if (!m.outcome.bounded && remark.empty()) remark = "diverges";
  return {m.name, m.settings, m.per_step(), problem.error_of(m.outcome), remark};
}

}  // namespace

void add_steps(Rows& rows, const StepsProblem& problem, Contestant& carom, const Setup& setup,
               const std::vector<Opponent>& opponents) {
  std::vector<std::unique_ptr<Contestant>> peers;
  std::vector<Contestant*> contestants{&carom};
  for (const Opponent& o : opponents)
    if (auto peer = make_peer(o.package, o.problem, setup)) peers.push_back(std::move(peer));
  for (const auto& peer : peers) contestants.push_back(peer.get());
  const auto results = contest(contestants, {.rounds = problem.rounds});
  std::size_t next = 1;
  for (const Opponent& o : opponents) {
    Row row{problem.name,  "step",
            problem.error, side(problem, results[0]),
            std::nullopt,  {o.target, o.ratio, problem.largest_error, results[0].outcome.bounded}};
    if (has_package(o.package))
      row.peer = side(problem, results[next++]);
    else
      row.skipped = fmt::format("{} is not installed", o.package);
    rows.push_back(row);
  }
}

}  // namespace carom::bench
