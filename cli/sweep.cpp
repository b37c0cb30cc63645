// carom sweep: one scenario for many values of its keys, by all cores, into one folder.
#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "commands.hpp"
#include "files/files.hpp"
#include "given_command.hpp"
#include "import/import.hpp"
#include "interrupt.hpp"
#include "progress.hpp"
#include "records/npz.hpp"
#include "records/run_folder.hpp"
#include "records/summary.hpp"
#include "records/table.hpp"
#include "report/report.hpp"
#include "scenario/scenario_set.hpp"
#include "scenario/shipped.hpp"
#include "sweep/conduct.hpp"
#include "sweep/results.hpp"
#include "sweep/wire.hpp"
#include "terminal.hpp"

namespace carom::cli {
namespace fs = std::filesystem;

namespace {

// A sweep as two texts, the same for every process and after every resume: all else follows from them.
struct Task {
  std::string sweep, scenario;

  std::uint32_t identity() const {
    const std::string all = sweep + '\0' + scenario + '\0' + version() + git_revision();
    return detail::crc32(std::as_bytes(std::span(all)));
  }
};

// The scenario is found from the sweep file's folder; names of shipped ones are known everywhere.
std::string scenario_path(const Sweep& sweep, const fs::path& sweep_file) {
  const fs::path beside = sweep_file.parent_path() / sweep.scenario;
  std::error_code error;
  const bool is_path = sweep.scenario.ends_with(".toml") || sweep.scenario.find('/') != std::string::npos;
  if (is_path || fs::is_regular_file(beside, error)) return beside.string();
  try {
    return locate_scenario(sweep.scenario);
  } catch (const ScenarioError& e) {
    const std::string what = e.what();
    sweep.reject("scenario", '"' + sweep.scenario + '"', what.substr(what.find(": ") + 2));
  }
}

Task read_task(const std::string& path) {
  Sweep sweep = read_sweep(path);
  Scenario scenario = read_scenario_or_robot(scenario_path(sweep, path), sweep.set);
  drop_keys_of_other_steppers(scenario);
  const Members checked(sweep, scenario);  // complaints point into the user's own file
  if (sweep.title.empty()) sweep.title = scenario.title;
  sweep.scenario = "scenario.toml";
  sweep.set.clear();
  return {to_toml(sweep), to_toml(scenario)};
}

Members members_of(const Task& task) {
  return {parse_sweep(task.sweep, "sweep.toml"), parse_scenario(task.scenario, "scenario.toml")};
}

// Whatever happens to rank 0 before it has a task, the others hear of it: an empty message sends them home.
class Others {
 public:
  explicit Others(Team& team) : team_(team) {}
  ~Others() {
    if (!told_) tell("");
  }
  void share(const Task& task) { tell((detail::WireWriter() << task.sweep << task.scenario).bytes); }

 private:
  void tell(const std::string& bytes) {
    told_ = true;
    for (int rank = 1; rank < team_.size(); ++rank) team_.send(rank, bytes);
  }
  Team& team_;
  bool told_ = false;
};

std::optional<Task> wait_for_task(Team& team) {
  Task task;
  while (true) {
    if (const auto message = team.receive()) {
      if (message->bytes.empty()) return std::nullopt;
      detail::WireReader(message->bytes) >> task.sweep >> task.scenario;
      return task;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

int threads_of(const SweepOptions& options, const Team& team) {
  if (options.threads > 0) return options.threads;
  // The cores of a machine under mpirun are for its ranks.
  return team.size() > 1 ? 1 : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

void print_summary(const Members& members, const Store& store, const SweepCost& cost,
                   const fs::path& folder) {
  std::size_t completed = 0;
  for (std::size_t i = 0; i < store.members(); ++i)
    if (store.status(i) == MemberStatus::completed) ++completed;
  fmt::print("{}: {} of {} runs completed\n\n", Ink(stdout).bold(members.scenario().system.name), completed,
             store.members());
  fmt::print("  cost          {:.3g} s, {:.3g} runs/s, {} threads, {} ranks\n", cost.wall_seconds,
             cost.wall_seconds > 0 ? static_cast<double>(cost.members) / cost.wall_seconds : 0.0,
             cost.threads, cost.ranks);
  fmt::print("  arrays        {}\n", (folder / "sweep.npz").string());
  fmt::print("  report        {}\n", (folder / "report.html").string());
}

// How many members are in the store already.
std::size_t done_before(const Store& store) {
  std::size_t done = 0;
  for (std::size_t i = 0; i < store.members(); ++i) done += store.status(i) ? 1 : 0;
  return done;
}

int finish(const Members& members, const Store& store, const SweepCost& cost, const fs::path& folder,
           const SweepOptions& options) {
  write_sweep_npz(folder / "sweep.npz", members, store);
  const std::string summary = sweep_summary(members, store, cost, given_command());
  write_text(folder / "summary.json", summary);
  write_report(folder);
  if (options.json) fmt::print("{}", summary);
  if (!options.json && !options.quiet) print_summary(members, store, cost, folder);
  if (!store.reasons().empty()) {
    const auto& [member, reason] = *store.reasons().begin();
    fmt::print(stderr,
               "carom: warning: some runs did not complete, the first is number {}: {}; all are in {}\n",
               member, reason, (folder / "summary.json").string());
  }
  Store::remove(folder);
  const bool none = store.reasons().size() == store.members();
  return none ? numerics_failed : done;
}

int lead(Team& team, Others& others, const Task& task, const fs::path& folder, const SweepOptions& options) {
  const Members members = members_of(task);
  Store store(folder, task.identity(), members.size(), members.row_width());
  others.share(task);
  const std::size_t before = done_before(store);
  Progress progress(!options.quiet && !options.json);
  const auto begin = std::chrono::steady_clock::now();
  const int threads = threads_of(options, team);
  const auto show = [&](std::size_t n) {
    progress.show(static_cast<std::int64_t>(n - before), static_cast<std::int64_t>(members.size() - before),
                  "runs");
  };
  const SignalScope signals;
  conduct(members, store, team, {threads, [] { return interrupt.load(); }, show});
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const std::size_t now = done_before(store);
  if (now < members.size()) {
    if (!options.quiet)
      fmt::print(stderr, "carom: stopped after {} of {} runs; go on with: carom sweep --resume {}\n", now,
                 members.size(), folder.string());
    return interrupted;
  }
  return finish(members, store, {seconds, now - before, threads, team.size()}, folder, options);
}

int start(Team& team, Others& others, const SweepOptions& options) {
  const std::string path = locate_sweep(options.sweep);
  const Task task = read_task(path);
  const auto folder = options.out.empty() ? free_folder(fs::path(path).stem()) : fs::path(options.out);
  claim_folder(folder, options.force);
  write_text(folder / "scenario.toml", task.scenario);
  write_text(folder / "sweep.toml", task.sweep);
  return lead(team, others, task, folder, options);
}

int resume(Team& team, Others& others, const SweepOptions& options) {
  const fs::path folder = options.resume;
  if (!fs::exists(folder / "sweep.toml"))
    throw FolderError(fmt::format("--resume '{}': holds no sweep", folder.string()));
  if (!Store::exists(folder) && fs::exists(folder / "summary.json"))
    throw FolderError(
        fmt::format("--resume '{}': this sweep has ended; there is nothing to go on with", folder.string()));
  const Task task{detail::read_file((folder / "sweep.toml").string()),
                  detail::read_file((folder / "scenario.toml").string())};
  try {
    return lead(team, others, task, folder, options);
  } catch (const RecordError& e) {
    throw FolderError(fmt::format("--resume '{}': {}", folder.string(), e.what()));
  }
}

}  // namespace

int sweep(const SweepOptions& options) {
  const auto team = join_team();
  if (team->rank() > 0) {
    const auto task = wait_for_task(*team);
    if (!task) return done;
    const Members members = members_of(*task);
    const SignalScope signals;
    assist(members, *team, {threads_of(options, *team), [] { return interrupt.load(); }, {}});
    return done;
  }
  Others others(*team);
  return options.resume.empty() ? start(*team, others, options) : resume(*team, others, options);
}

}  // namespace carom::cli
