// carom section: where a formula of a run passes zero.
#include <fmt/format.h>

#include <filesystem>

#include "commands.hpp"
#include "files/files.hpp"
#include "given_command.hpp"
#include "records/run_folder.hpp"
#include "report/report.hpp"
#include "report/svg_plot.hpp"
#include "run/orbit_json.hpp"
#include "scenario/shipped.hpp"

namespace carom::cli {
namespace fs = std::filesystem;

namespace {

// The first coordinate that is not the same at all points, and its velocity.
std::string picture_of_section(const Section& s, const std::string& title) {
  Eigen::Index shown = 0;
  double widest = -1;
  for (std::size_t i = 0; i < s.coordinates.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (const SectionPoint& at : s.points)
      low = std::fmin(low, at.z.q[k]), high = std::fmax(high, at.z.q[k]);
    if (widest < 1e-9 && high - low > widest) widest = high - low, shown = k;
  }
  const std::string& name = s.coordinates[static_cast<std::size_t>(shown)];
  Series points{.label = "", .dots = true};
  for (const SectionPoint& at : s.points) points.x.push_back(at.z.q[shown]), points.y.push_back(at.v[shown]);
  Axes axes{.x_label = name, .y_label = name + "'", .series = {points}};
  return render_svg({.title = title, .width = 640, .height = 480, .axes = {axes}});
}

}  // namespace

int section(const SectionOptions& options) {
  const std::string path = locate_scenario(options.scenario);
  const Prepared prepared = carom::prepare(read_scenario(path, options.set));
  const NativeScope native(options.native);
  const Passing passing = options.passing == "rising"    ? Passing::rising
                          : options.passing == "falling" ? Passing::falling
                                                         : Passing::both;
  const Section found = section_of(prepared, options.at, passing);
  const auto folder =
      options.out.empty() ? free_folder(fs::path(path).stem().string() + "-section") : fs::path(options.out);
  claim_folder(folder, options.force);
  write_scenario(folder, prepared.scenario);
  const std::string text = section_json(found, options.at, given_command());
  write_text(folder / "section.json", text);
  if (!found.points.empty())
    write_text(folder / "section.svg", picture_of_section(found, prepared.scenario.title));
  write_report(folder);
  if (options.json) fmt::print("{}", text);
  if (found.failure) {
    fmt::print(stderr, "carom: {}; what was computed until then is in {}\n", *found.failure, folder.string());
    return numerics_failed;
  }
  if (!options.json && !options.quiet)
    fmt::print("{} points where {} = 0\nThe report is {}\n", found.points.size(), options.at,
               (folder / "report.html").string());
  return done;
}

}  // namespace carom::cli
