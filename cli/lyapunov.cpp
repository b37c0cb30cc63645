// carom lyapunov: the spectrum of a run.
#include <fmt/format.h>

#include <filesystem>

#include "commands.hpp"
#include "files/files.hpp"
#include "given_command.hpp"
#include "import/import.hpp"
#include "interrupt.hpp"
#include "records/run_folder.hpp"
#include "report/report.hpp"
#include "run/orbit_json.hpp"
#include "scenario/shipped.hpp"
#include "terminal.hpp"

namespace carom::cli {
namespace fs = std::filesystem;

namespace {

void print_spectrum(const Spectrum& s, const fs::path& folder) {
  const Ink ink(stdout);
  fmt::print("{}\n",
             ink.bold(fmt::format("Lyapunov exponents over t = {:.6g}, {} impacts", s.time, s.impacts)));
  for (Eigen::Index i = 0; i < s.exponents.size(); ++i)
    fmt::print("  {:>14.7f} +- {:.1e}\n", s.exponents[i], s.errors[i]);
  fmt::print("sums of pairs, zero where the map is symplectic\n");
  for (Eigen::Index i = 0; i < s.pairs.size(); ++i)
    fmt::print("  {:>14.3e} +- {:.1e}\n", s.pairs[i], s.pair_errors[i]);
  fmt::print("The report is {}\n", (folder / "report.html").string());
}

}  // namespace

int lyapunov(const LyapunovOptions& options) {
  const std::string path = locate_scenario(options.scenario);
  const Prepared prepared = carom::prepare(read_scenario_or_robot(path, options.set));
  const NativeScope native(options.native);
  const SpectrumSearch search(prepared, options.every, options.skip);
  const auto folder =
      options.out.empty() ? free_folder(fs::path(path).stem().string() + "-lyapunov") : fs::path(options.out);
  claim_folder(folder, options.force);
  write_scenario(folder, prepared.scenario);
  const SignalScope signals;
  const SpectrumRun run = search.run([] { return interrupt.load(); });
  const std::string text = spectrum_json(run, given_command());
  write_text(folder / "lyapunov.json", text);
  write_report(folder);
  if (options.json) fmt::print("{}", text);
  if (!run.reason.empty())
    fmt::print(stderr, "carom: {}; what was computed until then is in {}\n", run.reason, folder.string());
  const bool failed = run.status == "failed";
  if (!failed && !options.json && !options.quiet) print_spectrum(run.spectrum, folder);
  return failed ? numerics_failed : run.status == "stopped" ? interrupted : done;
}

}  // namespace carom::cli
