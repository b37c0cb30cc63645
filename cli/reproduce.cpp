// carom reproduce: figures and tables of the papers, measured, judged and drawn into one folder.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "commands.hpp"
#include "files/files.hpp"
#include "interrupt.hpp"
#include "papers.hpp"
#include "records/run_folder.hpp"
#include "scenario/suggest.hpp"
#include "terminal.hpp"

namespace carom::cli {
namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using papers::Item;
using papers::Paper;

namespace {

struct Job {
  const Paper* paper;
  const Item* item;
  Json entry = nullptr;
};

bool wanted(const ReproduceOptions& o, const Paper& paper, const Item& item) {
  const auto named = [&](const std::string& name) { return name == paper.number || name == item.name; };
  return o.all || std::any_of(o.names.begin(), o.names.end(), named);
}

void refuse_unknown(const ReproduceOptions& o, const std::vector<Paper>& all) {
  std::vector<std::string> known;
  for (const Paper& paper : all) {
    known.emplace_back(paper.number);
    for (const Item& item : paper.items) known.emplace_back(item.name);
  }
  for (const std::string& name : o.names)
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw ScenarioError(fmt::format("no paper or item is called \"{:.60}\" in carom list papers{}", name,
                                      suggestion(name, known)));
}

std::vector<Job> jobs_of(const ReproduceOptions& o, const std::vector<Paper>& all) {
  std::vector<Job> jobs;
  for (const Paper& paper : all)
    for (const Item& item : paper.items)
      if (wanted(o, paper, item)) jobs.push_back({&paper, &item});
  return jobs;
}

// A folder of the user's own is not ours to write dozens of files into.
void claim(const fs::path& folder) {
  std::error_code error;
  if (fs::exists(folder / "papers.html", error)) return;
  if (fs::is_directory(folder, error) && !fs::is_empty(folder, error))
    throw FolderError(fmt::format(
        "--out '{}': holds other files than those of reproduce; choose another folder", folder.string()));
  claim_folder(folder, false);
}

class Conductor {
 public:
  Conductor(const ReproduceOptions& o, const papers::Module& module, fs::path folder)
      : options_(o), module_(module), folder_(std::move(folder)) {
    lab_.quick = o.quick;
    lab_.stop = [] { return interrupt.load(); };
  }

  // What measures time comes last and alone; all else shares the cores.
  void perform(std::vector<Job>& jobs) {
    for (const bool timed : {false, true}) {
      std::vector<Job*> part;
      for (Job& job : jobs)
        if (job.item->timed == timed) part.push_back(&job);
      share_out(part, timed ? 1 : std::max(1u, std::thread::hardware_concurrency()));
    }
    if (!pictured_)
      fmt::print(stderr, "carom: warning: no PNG was made: rsvg-convert is missing (Debian: librsvg2-bin)\n");
    if (trouble_) std::rethrow_exception(trouble_);
  }

 private:
  void share_out(const std::vector<Job*>& part, unsigned threads) {
    std::atomic<std::size_t> next = 0;
    std::vector<std::jthread> crew;
    for (unsigned i = 0; i < threads; ++i)
      crew.emplace_back([&] {
        for (std::size_t k = next++; k < part.size() && !interrupt; k = next++) do_one(*part[k]);
      });
  }

  void do_one(Job& job) {
    try {
      bool pictured = true;
      job.entry = module_.reproduce(*job.paper, *job.item, lab_, folder_, pictured);
      const std::lock_guard lock(mutex_);
      pictured_ = pictured_ && pictured;
    } catch (const FileError&) {
      const std::lock_guard lock(mutex_);
      trouble_ = std::current_exception();
      return;
    }
    if (!job.entry.is_null()) report(job);
  }

  void report(const Job& job) {
    const std::lock_guard lock(mutex_);
    if (job.entry.contains("error"))
      fmt::print(stderr, "carom: {}: {}\n", job.item->name, job.entry["error"].get<std::string>());
    else if (!options_.json && !options_.quiet)
      print(job.entry);
  }

  static void print(const Json& entry) {
    const Ink ink(stdout);
    const auto verdict = entry["verdict"].get<std::string>();
    fmt::print("{} {}: {} ({:.1f} s)\n  {}\n", ink.bold(entry["name"].get<std::string>()),
               entry["title"].get<std::string>(),
               verdict == "holds"           ? ink.green(verdict)
               : verdict == "does not hold" ? ink.red(verdict)
                                            : verdict,
               entry["seconds"].get<double>(), entry["measured"].get<std::string>());
    std::fflush(stdout);
  }

  const ReproduceOptions& options_;
  const papers::Module& module_;
  fs::path folder_;
  papers::Lab lab_;
  std::mutex mutex_;
  bool pictured_ = true;
  std::exception_ptr trouble_;  // of the disk
};

int code_of(const std::vector<Job>& jobs) {
  if (interrupt) return interrupted;
  const bool failed = std::any_of(jobs.begin(), jobs.end(), [](const Job& job) {
    return job.entry.is_null() || job.entry.contains("error");
  });
  return failed ? numerics_failed : done;
}

}  // namespace

int reproduce(const ReproduceOptions& options) {
  const papers::Module& module = open_papers();
  const std::vector<Paper> all = module.papers();
  refuse_unknown(options, all);
  const fs::path folder = options.out.empty() ? fs::path("runs/papers") : fs::path(options.out);
  claim(folder);
  const SignalScope signals;
  module.write_page(folder);  // so that the folder is known as ours should this be cut short
  std::vector<Job> jobs = jobs_of(options, all);
  Conductor(options, module, folder).perform(jobs);
  module.write_page(folder);
  Json list = Json::array();
  for (const Job& job : jobs)
    if (!job.entry.is_null()) list.push_back(job.entry);
  if (options.json) fmt::print("{}\n", list.dump(2, ' ', false, Json::error_handler_t::replace));
  if (!options.json && !options.quiet) fmt::print("\nThe page is {}\n", (folder / "papers.html").string());
  return code_of(jobs);
}

}  // namespace carom::cli
