// The cheapest setting that reaches an error, from a list that goes from loose to tight. An error may be
// small by luck; so the next tighter setting has to reach it too.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <vector>

#include "compare/contest.hpp"

namespace carom::bench {

using Candidates = std::vector<std::unique_ptr<Contestant>>;
using ErrorOf = std::function<double(const Outcome&)>;

struct Trial {
  double seconds, error;
};

inline Trial try_candidate(Contestant& candidate, const ErrorOf& error_of) {
  Trial trial{HUGE_VAL, HUGE_VAL};
  double spent = 0;
  for (int i = 0; i < 3 || (i < 100 && spent < 2e-3);
       ++i) {  // short ones more often: they are measured worse
    const Measured m = try_out(candidate);
    trial.seconds = std::min(trial.seconds, m.seconds);
    if (m.outcome.bounded) trial.error = error_of(m.outcome);
    spent += m.seconds;
  }
  return trial;
}

// Its index; where none reaches the target, that of the smallest error.
inline std::size_t pick(const std::vector<Trial>& trials, double target) {
  std::size_t best = trials.size(), closest = 0;
  for (std::size_t i = 0; i < trials.size(); ++i) {
    const bool reached =
        trials[i].error <= target && (i + 1 == trials.size() || trials[i + 1].error <= target);
    if (reached && (best == trials.size() || trials[i].seconds < trials[best].seconds)) best = i;
    if (trials[i].error < trials[closest].error) closest = i;
  }
  return best < trials.size() ? best : closest;
}

// Of several such lists.
inline std::unique_ptr<Contestant> cheapest(std::vector<Candidates> lists, double target,
                                            const ErrorOf& error_of) {
  Candidates finalists;
  std::vector<Trial> results;
  for (Candidates& list : lists) {
    std::vector<Trial> trials;
    for (const auto& candidate : list) trials.push_back(try_candidate(*candidate, error_of));
    const std::size_t best = pick(trials, target);
    finalists.push_back(std::move(list[best]));
    results.push_back(trials[best]);
  }
  const auto better = [target](const Trial& a, const Trial& b) {
    const bool a_reaches = a.error <= target, b_reaches = b.error <= target;
    if (a_reaches != b_reaches) return a_reaches;
    return a_reaches ? a.seconds < b.seconds : a.error < b.error;
  };
  return std::move(finalists[static_cast<std::size_t>(
      std::min_element(results.begin(), results.end(), better) - results.begin())]);
}

}  // namespace carom::bench
