#include "execute.hpp"

#include <fmt/format.h>

#include "commands.hpp"
#include "given_command.hpp"
#include "interrupt.hpp"
#include "progress.hpp"
#include "records/run_folder.hpp"
#include "report/drawing.hpp"

namespace carom::cli {
namespace {

int code_of(const RunResult& result, const FolderRecords& records) {
  if (!records.trouble().empty()) return file_trouble;
  if (result.status == "failed") return numerics_failed;
  return result.status == "stopped" ? interrupted : done;
}

}  // namespace

Prepared prepare_with_drawing(Scenario scenario) {
  Prepared r = carom::prepare(std::move(scenario));
  make_drawing(r.scenario, r.model);
  return r;
}

Executed execute(const Prepared& run, const std::filesystem::path& folder, const ExecuteOptions& options) {
  const SignalScope signals;
  if (options.resumed == nullptr) write_scenario(folder, run.scenario);
  FolderRecords records(folder, options.checkpoint, options.resumed, to_toml(run.scenario));
  const NativeScope native(options.native);
  Executed r;
  {
    Progress progress(options.progress);
    const RunHooks hooks{
        [&progress](std::int64_t n, std::int64_t all, const char* unit) { progress.show(n, all, unit); },
        [&records] { return interrupt.load() || !records.trouble().empty(); }, &records, options.resumed};
    r.result = run.model.run(run.scenario, run.method, hooks);
  }
  if (!records.trouble().empty()) {
    r.result.status = "failed";
    r.result.reason = records.trouble();
  }
  r.result.command = given_command();
  r.formulas = native.formulas();
  if (!native.warning().empty()) r.result.warnings.push_back(native.warning());
  const bool over = r.result.status == "completed", failed = r.result.status == "failed";
  const Kept kept = !over && options.checkpoint ? Kept::tables : failed ? Kept::nothing : Kept::last_state;
  r.summary = finish_folder(folder, run.scenario, r.result, r.formulas, records, kept);
  r.code = code_of(r.result, records);
  return r;
}

bool keeps_energy(const RunResult& r) { return !r.lossy && r.work == 0 && r.friction == 0; }

void print_trouble(const RunResult& result, const std::filesystem::path& folder) {
  for (const auto& warning : result.warnings) fmt::print(stderr, "carom: warning: {}\n", warning);
  if (result.status == "failed")
    fmt::print(stderr, "carom: {}; what was computed until then is in {}\n", result.reason, folder.string());
}

}  // namespace carom::cli
