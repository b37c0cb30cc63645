// carom orbit: a periodic orbit, or the branch of them along a parameter.
#include <fmt/format.h>

#include <filesystem>

#include "commands.hpp"
#include "files/files.hpp"
#include "given_command.hpp"
#include "import/import.hpp"
#include "records/run_folder.hpp"
#include "report/report.hpp"
#include "report/svg_plot.hpp"
#include "run/orbit_json.hpp"
#include "scenario/shipped.hpp"
#include "terminal.hpp"

namespace carom::cli {
namespace fs = std::filesystem;

namespace {

std::vector<double> list_of(const Values& x) { return {x.begin(), x.end()}; }

// p of the first coordinate over the parameter: of stable orbits, of those that are not, and of runs that
// settled.
std::string picture(const Branch& branch, const std::vector<Settled>& settled, const std::string& parameter,
                    const std::string& title) {
  Axes axes{.x_label = parameter, .y_label = "p of the first coordinate"};
  Series stable{.label = "stable", .markers = true}, unstable{.label = "unstable", .markers = true};
  for (const Orbit& o : branch.orbits) {
    Series& into = o.stable() ? stable : unstable;
    into.x.push_back(o.parameter), into.y.push_back(o.z.p[0]);
  }
  Series dots{.label = "where runs settle", .colour = Series::grey, .dots = true};
  for (const Settled& here : settled)
    for (const Phase& z : here.points) dots.x.push_back(here.parameter), dots.y.push_back(z.p[0]);
  if (!dots.x.empty()) axes.series.push_back(dots);
  for (const Series* one : {&stable, &unstable})
    if (!one->x.empty()) axes.series.push_back(*one);
  return render_svg({.title = title, .width = 640, .height = 420, .axes = {axes}});
}

void print_orbit(const Orbit& o, const std::string& parameter) {
  if (!parameter.empty()) fmt::print("  {} = {:.12g}\n", parameter, o.parameter);
  const auto list = [](const Values& x) { return fmt::format("{:.12g}", fmt::join(list_of(x), ", ")); };
  fmt::print("  q = [{}], p = [{}], period {:.12g}\n  multipliers", list(o.z.q), list(o.z.p), o.period);
  for (const auto& m : o.multipliers)
    fmt::print("  {:.9g}{}", m.real(), m.imag() == 0 ? "" : fmt::format("{:+.9g}i", m.imag()));
  fmt::print("\n  {}, {} impacts{}\n", o.stable() ? "stable" : "unstable", o.impacts.size(),
             o.impacts.empty() ? "" : fmt::format(", the slowest at {:.3g}", o.slowest));
}

void print_branch(const Branch& branch, const std::string& parameter, const fs::path& folder) {
  const Ink ink(stdout);
  fmt::print("{}\n", ink.bold("periodic orbit"));
  print_orbit(branch.orbits.front(), parameter);
  for (const BranchEvent& e : branch.events)
    fmt::print("{}\n", ink.bold(e.kind)), print_orbit(e.at, parameter);
  if (!parameter.empty()) fmt::print("{} orbits: {}\n", branch.orbits.size(), branch.ended);
  fmt::print("The report is {}\n", (folder / "report.html").string());
}

}  // namespace

int orbit(const OrbitOptions& options) {
  const std::string path = locate_scenario(options.scenario);
  const Scenario scenario = read_scenario_or_robot(path, options.set);
  OrbitSearch search(scenario, options.along, options.period);
  const Branch branch = search.follow({options.along, options.to.value_or(0), options.by});
  std::vector<Settled> settled;
  if (options.settle > 0) settled = search.settle({.to = *options.to, .values = options.settle});
  const auto folder =
      options.out.empty() ? free_folder(fs::path(path).stem().string() + "-orbit") : fs::path(options.out);
  claim_folder(folder, options.force);
  write_scenario(folder, scenario);
  const std::string text = orbit_json(branch, options.along, given_command(), settled);
  write_text(folder / "orbit.json", text);
  if (!options.along.empty())
    write_text(folder / "branch.svg", picture(branch, settled, options.along, scenario.title));
  write_report(folder);
  if (options.json) fmt::print("{}", text);
  if (!options.json && !options.quiet) print_branch(branch, options.along, folder);
  return done;
}

}  // namespace carom::cli
