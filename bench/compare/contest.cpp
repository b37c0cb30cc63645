#include "compare/contest.hpp"

#include <algorithm>
#include <cmath>

#include "cpu_clock.hpp"

namespace carom::bench {

namespace {

// Reading the clock takes half a microsecond, which short runs would be charged with.
double cost_of_clock() {
  double least = HUGE_VAL;
  for (int i = 0; i < 1000; ++i) {
    const double begin = cpu_seconds();
    least = std::min(least, cpu_seconds() - begin);
  }
  return least;
}

double timed(Contestant& contestant) {
  static const double clock = cost_of_clock();
  contestant.prepare();
  const double begin = cpu_seconds();
  contestant.run();
  return cpu_seconds() - begin - clock;
}

}  // namespace

Measured try_out(Contestant& contestant) {
  const double seconds = timed(contestant);
  return {contestant.name, contestant.settings, seconds, contestant.outcome()};
}

std::vector<Measured> contest(const std::vector<Contestant*>& contestants, const ContestOptions& options) {
  std::vector<Measured> results;
  std::vector<int> repeats;
  for (Contestant* contestant : contestants) {
    const double first = timed(*contestant);
    results.push_back({contestant->name, contestant->settings, HUGE_VAL, {}});
    repeats.push_back(static_cast<int>(std::clamp(options.block / std::max(first, 1e-9), 1.0, 1e6)));
  }
  for (int round = 0; round < options.rounds; ++round)
    for (std::size_t i = 0; i < contestants.size(); ++i) {
      double seconds = 0;
      for (int k = 0; k < repeats[i]; ++k) seconds += timed(*contestants[i]);
      results[i].seconds = std::min(results[i].seconds, seconds / repeats[i]);
    }
  for (std::size_t i = 0; i < contestants.size(); ++i) results[i].outcome = contestants[i]->outcome();
  return results;
}

}  // namespace carom::bench
