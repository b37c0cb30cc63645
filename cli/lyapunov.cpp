// carom lyapunov: the spectrum of a run.
#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "carom/derivative/exponents.hpp"
#include "commands.hpp"
#include "files/files.hpp"
#include "given_command.hpp"
#include "interrupt.hpp"
#include "records/run_folder.hpp"
#include "report/report.hpp"
#include "run/sensitivity.hpp"
#include "scenario/shipped.hpp"
#include "terminal.hpp"

namespace carom::cli {
namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

std::vector<double> numbers_of(const Values& x) { return {x.begin(), x.end()}; }

void print_spectrum(const Spectrum& s, const fs::path& folder) {
  const Ink ink(stdout);
  fmt::print("{}\n", ink.bold(fmt::format("Lyapunov exponents over t = {:.6g}, {} impacts", s.time, s.impacts)));
  for (Eigen::Index i = 0; i < s.exponents.size(); ++i) fmt::print("  {:>14.7f} +- {:.1e}\n", s.exponents[i], s.errors[i]);
  fmt::print("sums of pairs, zero where the map is symplectic\n");
  for (Eigen::Index i = 0; i < s.pairs.size(); ++i) fmt::print("  {:>14.3e} +- {:.1e}\n", s.pairs[i], s.pair_errors[i]);
  fmt::print("The report is {}\n", (folder / "report.html").string());
}

}  // namespace

int lyapunov(const LyapunovOptions& options) {
  const std::string path = locate_scenario(options.scenario);
  const Prepared prepared = carom::prepare(read_scenario(path, options.set));
  const NativeScope native(options.native);
  const Differentiable set(prepared, {});
  const auto skipped = static_cast<std::int64_t>(std::ceil(options.skip / set.grid.step));
  if (set.grid.steps - skipped < 128)
    throw ScenarioError(fmt::format("--skip {}: leaves {} steps of {}; errors need 128", options.skip,
                                    std::max<std::int64_t>(0, set.grid.steps - skipped), set.grid.steps));
  const auto folder = options.out.empty() ? free_folder(fs::path(path).stem().string() + "-lyapunov") : fs::path(options.out);
  claim_folder(folder, options.force);
  write_scenario(folder, prepared.scenario);

  const SignalScope signals;
  Exponents exponents(set.how, set.grid, options.every, skipped);
  const auto stepper = set.stepper();
  const Ended ended = simulate(
      *stepper, set.ready.start, set.grid, [&](const GridPoint&) { return interrupt.load() || exponents.failure.has_value(); }, exponents);
  const auto& failure = ended.failure ? ended.failure : exponents.failure;
  const bool stopped = !failure && ended.steps < set.grid.steps;
  const Spectrum s = exponents.spectrum();
  const std::string reason = failure ? set.worded(*failure, ended.steps - (ended.failure ? 0 : 1)) : "stopped on request";
  const Json json = {{"schema_version", 1},
                     {"command", given_command()},
                     {"status", failure ? "failed" : stopped ? "stopped" : "completed"},
                     {"reason", failure || stopped ? Json(reason) : Json(nullptr)},
                     {"time", s.time},
                     {"impacts", s.impacts},
                     {"exponents", numbers_of(s.exponents)},
                     {"errors", numbers_of(s.errors)},
                     {"pairs", numbers_of(s.pairs)},
                     {"pair_errors", numbers_of(s.pair_errors)},
                     {"slowest_approach", std::isfinite(exponents.slowest()) ? Json(exponents.slowest()) : Json(nullptr)}};
  const std::string text = json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  write_text(folder / "lyapunov.json", text);
  write_report(folder);
  if (options.json) fmt::print("{}", text);
  if (failure || stopped) fmt::print(stderr, "carom: {}; what was computed until then is in {}\n", reason, folder.string());
  if (!failure && !options.json && !options.quiet) print_spectrum(s, folder);
  return failure ? numerics_failed : stopped ? interrupted : done;
}

}  // namespace carom::cli
