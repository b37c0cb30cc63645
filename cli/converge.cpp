// carom converge: the error at the end of a run against the step, and the order that it shows.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "execute.hpp"
#include "files/files.hpp"
#include "given_command.hpp"
#include "progress.hpp"
#include "records/run_folder.hpp"
#include "report/report.hpp"
#include "report/svg_plot.hpp"
#include "scenario/shipped.hpp"
#include "terminal.hpp"
#include "variants.hpp"

namespace carom::cli {
namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

struct FinalState {
  double t;
  std::vector<double> q, p;
};

// Errors of one method over the steps, the coarsest first.
struct Study {
  std::string label;
  int claimed_order = 0;
  std::vector<double> h, error, energy_error, seconds;
  double slope = std::nan("");
};

// summary.json of another run, or just {"t": ..., "q": [...], "p": [...]}.
FinalState read_reference(const std::string& path) {
  std::ifstream file(path);
  const Json json = Json::parse(file, nullptr, false);
  if (!file.is_open()) throw ScenarioError(fmt::format("--reference {}: cannot be read", path));
  const Json& state = json.is_object() && json.contains("final") ? json["final"] : json;
  try {
    return {state.at("t"), state.at("q"), state.at("p")};
  } catch (const Json::exception&) {
    throw ScenarioError(fmt::format(
        "--reference {}: must be the summary.json of a run, or have numbers t and arrays q and p", path));
  }
}

double distance(const RunResult& r, const FinalState& reference, const std::string& place) {
  if (r.q.size() != reference.q.size() || r.p.size() != reference.p.size() ||
      std::abs(r.t - reference.t) > 1e-9 * std::fmax(1, std::abs(r.t)))
    throw ScenarioError(
        fmt::format("--reference {}: is a state of {} coordinates at t = {}, and the runs end "
                    "with {} at t = {}",
                    place, reference.q.size(), reference.t, r.q.size(), r.t));
  double largest = 0;
  for (std::size_t i = 0; i < r.q.size(); ++i)
    largest =
        std::fmax(largest, std::fmax(std::abs(r.q[i] - reference.q[i]), std::abs(r.p[i] - reference.p[i])));
  return largest;
}

// The order r of error = C (h^r - h0^r), by least squares of logarithms, where the error is clear of
// rounding. h0 is the step of the reference, whose own error would otherwise show as a steeper slope; 0 for
// an exact one.
double fitted_order(const Study& s, double h0, double scale) {
  const auto misfit = [&](double r) {
    double n = 0, sum = 0, squares = 0;
    for (std::size_t i = 0; i < s.h.size(); ++i) {
      if (!(s.error[i] > 1e-12 * scale)) continue;
      const double x = std::log(s.error[i]) - std::log(std::pow(s.h[i], r) - std::pow(h0, r));
      n += 1, sum += x, squares += x * x;
    }
    return n >= 2 ? squares / n - sum / n * sum / n : std::nan("");
  };
  double low = 0.1, high = 20;
  if (std::isnan(misfit(low))) return std::nan("");
  for (int k = 0; k < 100; ++k) {  // the misfit has one valley
    const double a = low + (high - low) / 3, b = high - (high - low) / 3;
    (misfit(a) < misfit(b) ? high : low) = misfit(a) < misfit(b) ? b : a;
  }
  return 0.5 * (low + high);
}

void require_whole_steps(const Scenario& s) {
  if (!s.time.end) s.reject("time.end", "", "must be given: errors are compared at one time");
  const double steps = (*s.time.end - s.time.start) / s.time.step;
  if (std::abs(steps - std::round(steps)) > 1e-6 * std::fmax(1, steps))
    s.reject(
        "time.step", fmt::format("{}", s.time.step),
        fmt::format("does not divide the time from {} to {} into whole steps", s.time.start, *s.time.end));
}

RunResult run_quietly(const Scenario& scenario) {
  const auto prepared = prepare_with_drawing(scenario);
  auto result = prepared.model.run(prepared.scenario, prepared.method, {});
  if (result.status != "completed")
    throw std::runtime_error(fmt::format("h = {}: {}", scenario.time.step, result.reason));
  return result;
}

// Runs one method with every step. Without a reference from a file the finest run is it, and has no error.
Study study_of(const std::vector<Variant>& variants, const std::string& label, const ConvergeOptions& options,
               const std::optional<FinalState>& given) {
  Study s;
  s.label = label;
  std::vector<RunResult> runs;
  for (const Variant& v : variants) runs.push_back(run_quietly(v.scenario));
  const auto& finest = runs.back();
  const FinalState reference = given ? *given : FinalState{finest.t, finest.q, finest.p};
  for (std::size_t i = 0; i + (given ? 0 : 1) < runs.size(); ++i) {
    s.h.push_back(runs[i].grid.step);
    s.error.push_back(distance(runs[i], reference, options.reference));
    s.energy_error.push_back(runs[i].energy.max_abs_error);
    s.seconds.push_back(runs[i].wall_seconds);
  }
  double scale = 0;
  for (const auto& x : {reference.q, reference.p})
    for (const double a : x) scale = std::fmax(scale, std::abs(a));
  s.claimed_order = finest.order;
  s.slope = fitted_order(s, given ? 0 : finest.grid.step, scale);
  return s;
}

Json to_json(const Study& s) {
  return {{"label", s.label},
          {"h", s.h},
          {"error", s.error},
          {"energy_error", s.energy_error},
          {"slope", std::isfinite(s.slope) ? Json(s.slope) : Json(nullptr)},
          {"claimed_order", s.claimed_order},
          {"seconds", s.seconds}};
}

std::string figure(const std::vector<Study>& studies, const std::string& title) {
  Axes axes{.x_label = "step h", .y_label = "error at the end", .log_x = true, .log_y = true};
  for (const Study& s : studies)
    axes.series.push_back({.label = fmt::format("{}: order {:.2f}", s.label, s.slope),
                           .x = s.h,
                           .y = s.error,
                           .markers = true});
  return render_svg({.title = title, .width = 640, .height = 420, .axes = {axes}});
}

void print_table(const std::vector<Study>& studies, const fs::path& folder) {
  const Ink ink(stdout);
  for (const Study& s : studies) {
    fmt::print("{}\n", ink.bold(s.label));
    fmt::print("  {:>10}  {:>10}  {:>12}  {:>6}\n", "step", "error", "energy error", "order");
    for (std::size_t i = 0; i < s.h.size(); ++i) {
      const double order =
          i == 0 ? std::nan("") : std::log(s.error[i - 1] / s.error[i]) / std::log(s.h[i - 1] / s.h[i]);
      fmt::print("  {:>10.4g}  {:>10.3e}  {:>12.3e}  {:>6}\n", s.h[i], s.error[i], s.energy_error[i],
                 std::isfinite(order) ? fmt::format("{:.2f}", order) : "");
    }
    fmt::print("  fitted order {:.2f}, the flow's own is {}\n\n", s.slope, s.claimed_order);
  }
  fmt::print("The report is {}\n", (folder / "report.html").string());
}

}  // namespace

int converge(const ConvergeOptions& options) {
  const std::string path = locate_scenario(options.scenario);
  std::vector<double> steps = options.steps;
  std::sort(steps.begin(), steps.end(), std::greater<>());
  const std::vector<std::string> own = {""};
  const auto& methods = options.methods.empty() ? own : options.methods;
  std::vector<std::vector<Variant>> all;
  for (const auto& method : methods) {
    const std::vector<std::string> list = method.empty() ? std::vector<std::string>() : std::vector{method};
    all.push_back(variants_of(path, options.set, list, steps));
    for (const Variant& v : all.back()) require_whole_steps(v.scenario), prepare_with_drawing(v.scenario);
  }
  std::optional<FinalState> reference;
  if (options.reference != "finest") reference = read_reference(options.reference);
  const auto folder = options.out.empty() ? free_folder(fs::path(path).stem().string() + "-convergence")
                                          : fs::path(options.out);
  claim_folder(folder, options.force);

  const NativeScope native(options.native);
  std::vector<Study> studies;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string label = methods[i].empty() ? make_method(all[i][0].scenario).label : methods[i];
    studies.push_back(study_of(all[i], label, options, reference));
  }
  if (!native.warning().empty()) fmt::print(stderr, "carom: warning: {}\n", native.warning());
  Json list = Json::array();
  for (const Study& s : studies) list.push_back(to_json(s));
  const Json json = {
      {"schema_version", 1},
      {"command", given_command()},
      {"convergence", {{"reference", reference ? options.reference : "the finest step"}, {"series", list}}}};
  const std::string text = json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  write_scenario(folder, all[0][0].scenario);
  write_text(folder / "convergence.json", text);
  write_text(folder / "convergence.svg", figure(studies, all[0][0].scenario.title));
  write_report(folder);
  if (options.json) fmt::print("{}", text);
  if (!options.json && !options.quiet) print_table(studies, folder);
  return done;
}

}  // namespace carom::cli
