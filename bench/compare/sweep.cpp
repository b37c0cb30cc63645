// A sweep over the cart-pendulum's family of starts by the program itself: 1 thread, 2 threads, 2 ranks. Here
// wall time counts, as the sweep reports it.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "compare/problems.hpp"

namespace carom::bench {

namespace fs = std::filesystem;

namespace {

struct Crew {
  int threads, ranks;
  std::string name() const {
    return ranks > 1 ? fmt::format("{} ranks", ranks)
                     : fmt::format("{} thread{}", threads, threads > 1 ? "s" : "");
  }
};

constexpr int members = 100000;
const Crew alone{1, 1}, two_threads{2, 1}, two_ranks{1, 2};

// What a command prints, or nothing if it fails. Its complaints are not shown: it is skipped for them.
std::optional<std::string> output_of(const std::string& command) {
  FILE* pipe = popen((command + " </dev/null 2>/dev/null").c_str(), "r");
  if (!pipe) return std::nullopt;
  std::string text;
  char part[4096];
  while (const std::size_t n = std::fread(part, 1, sizeof part, pipe)) text.append(part, n);
  if (pclose(pipe) != 0) return std::nullopt;
  return text;
}

// A folder of its own that goes when this does.
struct Workplace {
  fs::path path = fs::temp_directory_path() / fmt::format("carom-bench-{}", getpid());
  Workplace() { fs::create_directories(path); }
  ~Workplace() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;

  std::string sweep_file(int count) const {
    const fs::path file = path / "sweep.toml";
    std::ofstream(file) << fmt::format(R"(scenario = "cart-pendulum"
fields = ["final.q.0"]
[set]
"time.step" = 0.05
"method.impact" = "continuous-energy"
[grid]
"initial.q.0" = {{ from = 3.2, to = 5.2, count = {} }}
)",
                                       count);
    return file.string();
  }
};

// Seconds of the sweep by its own clock; nothing where it cannot be run so.
std::optional<double> sweep_seconds(const std::string& program, const Workplace& place, const Crew& crew,
                                    int count) {
  const std::string mpirun = "timeout 120 mpirun --allow-run-as-root --oversubscribe --bind-to none -n";
  const auto text =
      output_of(fmt::format("{}'{}' sweep '{}' --threads {} --out '{}' --force --json",
                            crew.ranks > 1 ? fmt::format("{} {} ", mpirun, crew.ranks) : "", program,
                            place.sweep_file(count), crew.threads, (place.path / "out").string()));
  if (!text) return std::nullopt;
  const auto summary = nlohmann::json::parse(*text, nullptr, false);
  if (summary.is_discarded() || summary["cost"]["ranks"] != crew.ranks) return std::nullopt;
  return summary["cost"]["wall_seconds"].get<double>();
}

std::optional<Side> side(const Crew& crew, std::optional<double> seconds) {
  if (!seconds) return std::nullopt;
  return Side{"carom", crew.name(), *seconds / members, std::nullopt};
}

bool can_sweep(const std::string& program) {
  return !program.empty() && output_of(fmt::format("'{}' sweep --help", program));
}

}  // namespace

std::optional<Growth> growth_of_sweep(const std::string& program) {
  if (!can_sweep(program)) return std::nullopt;
  const Workplace place;
  Growth r{"sweep of the cart-pendulum, one thread, by wall time", "members", "sweep", {}};
  for (const int count : {1000, 3000, 10000, 30000})
    if (const auto seconds = sweep_seconds(program, place, alone, count))
      r.measured.push_back({1.0 * count, *seconds});
  return r.measured.size() == 4 ? std::optional(r) : std::nullopt;
}

void add_sweep(Rows& rows, const std::string& program) {
  const std::string problem = fmt::format("sweep, {} members of the cart-pendulum, by wall time", members);
  const Crew crews[]{alone, two_threads, two_ranks};
  Row threads{problem, "member", "", {}, {}, {"at least 90 % of twice the rate of one thread", 1 / 1.8, {}}};
  Row ranks{problem, "member", "", {}, {}, {"as fast as two threads, within 10 %", 1.1, {}}};
  if (!can_sweep(program)) {
    threads.skipped = ranks.skipped = "the program has no command `sweep`";
  } else {
    const Workplace place;
    std::optional<double> best[3];
    for (int round = 0; round < 2; ++round)
      for (int i = 0; i < 3; ++i)
        if (const auto s = sweep_seconds(program, place, crews[i], members))
          best[i] = std::min(best[i].value_or(*s), *s);
    threads.carom = side(crews[1], best[1]), threads.peer = side(crews[0], best[0]);
    ranks.carom = side(crews[2], best[2]), ranks.peer = side(crews[1], best[1]);
    ranks.target.holds = ranks.ratio().value_or(0) >= 0.9;
    if (!best[0] || !best[1]) threads.skipped = "the sweep failed";
    if (!best[2]) ranks.skipped = "the sweep does not run under mpirun";
  }
  rows.push_back(threads), rows.push_back(ranks);
}

}  // namespace carom::bench
