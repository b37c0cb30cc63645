// random_contact FIRST LAST [--each] [--no-piles]: the random runs of tests/support/random_contact.hpp with
// seeds from FIRST up to, not including, LAST; what was worst in them, by which seed it can be had again.
// Piles take most of the time.
#include "support/random_contact.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>

namespace {

struct Worst {
  double value;
  std::uint64_t seed = 0;
};
struct Reason {
  std::int64_t count = 0;
  std::vector<std::uint64_t> seeds;
};

void describe_run(std::uint64_t seed, const carom::test::RandomContact& start,
                  const carom::test::RandomContactRun& run) {
  const bool shadow = start.options.law.by_shadow();
  std::printf(
      "%llu %s, %d coordinates, e = %.3g, %s, %s, h = %.4g, turns %.2g: %lld of %d steps, %lld impacts, "
      "%lld changes, gap %.2e, gain %.2e, %.2f s %s [%s]\n",
      static_cast<unsigned long long>(seed), start.label.c_str(), start.system.dimension(),
      start.options.restitution, shadow ? "shadow" : "continuous", start.flow.name.c_str(), start.h,
      start.turns, static_cast<long long>(run.steps), start.steps, static_cast<long long>(run.impacts),
      static_cast<long long>(run.changes), run.gap, run.gain, run.seconds, run.reason.c_str(),
      run.contact.c_str());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return std::fprintf(stderr, "random_contact FIRST LAST [--each] [--no-piles]\n"), 2;
  const std::uint64_t first = std::strtoull(argv[1], nullptr, 10), last = std::strtoull(argv[2], nullptr, 10);
  const auto has = [&](const char* flag) {
    for (int i = 3; i < argc; ++i)
      if (std::strcmp(argv[i], flag) == 0) return true;
    return false;
  };
  const bool each = has("--each"), piles = !has("--no-piles");
  Worst gap{HUGE_VAL}, gain{0}, slow{0};
  std::int64_t runs = 0, steps = 0, impacts = 0, fallbacks = 0;
  double seconds = 0;
  std::map<std::string, Reason> reasons;
  for (std::uint64_t seed = first; seed < last; ++seed) {
    const auto start = carom::test::random_contact(seed);
    if (!start || (!piles && start->label == "pile of discs")) continue;
    const auto run = carom::test::run_random_contact(*start);
    ++runs, steps += run.steps, impacts += run.impacts, fallbacks += run.fallbacks, seconds += run.seconds;
    if (run.gap < gap.value) gap = {run.gap, seed};
    if (run.gain > gain.value) gain = {run.gain, seed};
    if (run.seconds > slow.value) slow = {run.seconds, seed};
    if (!run.reason.empty()) {
      Reason& reason = reasons[run.reason];
      if (++reason.count <= 5) reason.seeds.push_back(seed);
    }
    if (each) describe_run(seed, *start, run);
  }
  std::printf("%lld runs, %lld steps, %lld impacts, %lld fallbacks, %.1f s\n", static_cast<long long>(runs),
              static_cast<long long>(steps), static_cast<long long>(impacts),
              static_cast<long long>(fallbacks), seconds);
  std::printf("  worst gap  %10.2e of the size, seed %llu\n", gap.value,
              static_cast<unsigned long long>(gap.seed));
  std::printf("  worst gain %10.2e of the energy, seed %llu\n", gain.value,
              static_cast<unsigned long long>(gain.seed));
  std::printf("  slowest    %10.2f s, seed %llu\n", slow.value, static_cast<unsigned long long>(slow.seed));
  for (const auto& [text, reason] : reasons) {
    std::printf("  %lld x %s; seeds", static_cast<long long>(reason.count), text.c_str());
    for (const auto seed : reason.seeds) std::printf(" %llu", static_cast<unsigned long long>(seed));
    std::puts("");
  }
}
