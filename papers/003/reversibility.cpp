// 003, 6.3: the generalized reflection is not reversible, and breaks the reversibility of symmetric methods.
#include <fmt/format.h>

#include <numbers>

#include "item.hpp"
#include "measure.hpp"

namespace carom::papers::p003 {
namespace of_reversibility {

constexpr std::string_view corner = R"toml(# A particle flies into a corner: p -> R p in one step.
[system]
name = "expression"
coordinates = ["x", "y"]
parameters = {angle = 120.0}       # of the corner, in degrees; and others
let = {half = "angle*pi/360"}
lagrangian = "0.5*(x'^2 + y'^2)"
gaps = {left = "x*cos(half) + y*sin(half)", right = "-x*cos(half) + y*sin(half)"}

[initial]
q = [0.0, 0.0]                     # all of this item: our choice
p = [0.3, -1.0]                    # and all directions in which both walls are approached

[method]
stepper = "gvi"
flow = "midpoint"
reflection = "generalized"         # and moreau, sequential

[time]
step = 0.01
end = 0.01

)toml";

constexpr std::string_view pogo = R"toml(# One contact, there and back.
[system]
name = "pogo-stick"
parameters = {m = 1.0, k = 10.0, l = 5.0, g = 9.8}

[initial]
q = [6.0, 1.0]
p = [0.0, 0.0]

[method]
stepper = "gvi"
flow = "svc"

[time]
step = 0.1
end = 20.0

)toml";

constexpr std::string_view slide = R"toml(# Smooth contact, there and back.
[system]
name = "spring-and-sphere"

[initial]
q = [4.0, -3.0, 3.0, -4.0]
p = [0.6, 0.8, 0.8, 0.6]

[method]
stepper = "gvi"
flow = "midpoint"

[time]
step = 0.5
end = 20.0

)toml";

constexpr std::string_view into_corner = R"toml(# Two contacts that are reached together, there and back.
[system]
name = "expression"
coordinates = ["x", "y"]
parameters = {angle = 120.0}
let = {half = "angle*pi/360"}
lagrangian = "0.5*(x'^2 + y'^2)"
gaps = {left = "x*cos(half) + y*sin(half)", right = "-x*cos(half) + y*sin(half)"}

[initial]
q = [-1.0, 1.0]
p = [1.0, -1.0]                    # towards the corner

[method]
stepper = "gvi"
flow = "midpoint"

[time]
step = 0.013                       # the corner is reached inside of a step
end = 19.994
)toml";

using Set = std::vector<std::string>;
using Vector = std::vector<double>;

std::string values(std::string_view key, const Vector& x, double sign = 1) {
  std::string r = fmt::format("initial.{}=[", key);
  for (std::size_t i = 0; i < x.size(); ++i) r += fmt::format("{}{:.17e}", i ? ", " : "", sign * x[i]);
  return r + "]";
}

double distance(const Vector& a, const Vector& b, double sign) {
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) worst = std::fmax(worst, std::abs(a[i] - sign * b[i]));
  return worst;
}

// |R(-R p) + p|: nothing where R is reversible.
double off_after_two(const Lab& lab, const std::string& reflection, double angle, const Vector& p) {
  const std::string choice = "method.reflection=" + reflection;
  const std::string wedge = fmt::format("system.parameters.angle={}", angle);
  const RunResult there = lab.complete(corner, {choice, wedge, values("p", p)});
  const RunResult back = lab.complete(corner, {choice, wedge, values("p", there.p, -1)});
  return distance(back.p, p, -1);
}

struct Scan {
  Vector angles, parts;  // of the corner, and of the directions into it: those that do not return
  double worst = 0;
};
Scan scan(const Lab& lab, const std::string& reflection, int corners, int directions) {
  Scan r;
  for (int i = 0; i < corners; ++i) {
    const double angle = 5 + 170.0 * i / (corners - 1), open = angle / 2;
    int lost = 0;
    for (int k = 0; k < directions; ++k) {
      const double a = (2 * (k + 0.5) / directions - 1) * open / 180 * std::numbers::pi;
      const double off = off_after_two(lab, reflection, angle, {std::sin(a), -std::cos(a)});
      lost += off > 1e-9, r.worst = std::fmax(r.worst, off);
    }
    r.angles.push_back(angle), r.parts.push_back(static_cast<double>(lost) / directions);
  }
  return r;
}

// The widest corner up to which every direction returns.
double last_reversible(const Scan& scan) {
  double r = 0;
  for (std::size_t i = 0; i < scan.angles.size() && scan.parts[i] == 0; ++i) r = scan.angles[i];
  return r;
}

// From the start for T, turned around, and for T again: the distance from the start.
double off_after_return(const Lab& lab, std::string_view scenario, double T, Set method = {}) {
  method.push_back(fmt::format("time.end={}", T));
  const Recorded out = lab.record(scenario, method);
  const RunResult& there = out.result;
  method.push_back(values("q", there.q)), method.push_back(values("p", there.p, -1));
  const RunResult back = lab.run(scenario, method);
  if (there.status != "completed" || back.status != "completed") return std::nan("");
  Vector q, p;
  for (std::size_t i = 1; i <= there.q.size(); ++i) {
    q.push_back(out.trajectory[fmt::format("q{}", i)][0]);
    p.push_back(out.trajectory[fmt::format("p{}", i)][0]);
  }
  return std::fmax(distance(back.q, q, 1), distance(back.p, p, -1));
}

struct Returns {
  std::string label;
  std::string_view scenario;
  Set method = {};
  Vector off = {};
};

struct Measured {
  Scan generalized, moreau, sequential;
  Vector times = {};
  std::vector<Returns> runs = {};  // the paper's three, and the same by the contact stepper
  Vector steps{0.1, 0.05, 0.02, 0.01}, by_step = {};
};
Measured measure(const Lab& lab) {
  const int corners = lab.pick(35, 18), directions = lab.pick(60, 20);
  Measured m{scan(lab, "generalized", corners, directions), scan(lab, "moreau", corners, directions),
             scan(lab, "sequential", corners, directions)};
  m.times = evenly(2, 20, lab.pick(10, 4));
  const Set contact{"method.stepper=contact"};
  m.runs = {{"one contact", pogo},
            {"sliding", slide},
            {"two contacts", into_corner},
            {"ours: one contact", pogo, contact},
            {"ours: sliding", slide, contact},
            {"ours: two contacts", into_corner, contact}};
  for (Returns& run : m.runs)
    for (const double T : m.times) run.off.push_back(off_after_return(lab, run.scenario, T, run.method));
  for (const double h : m.steps)
    m.by_step.push_back(off_after_return(lab, pogo, 2, {contact[0], fmt::format("time.step={}", h)}));
  return m;
}

std::vector<Picture> pictures_of(const Measured& m) {
  const Axes parts{.title = "directions that do not return",
                   .x_label = "angle of the corner, degrees",
                   .y_label = "part",
                   .y_range = Interval{0, 1.4},
                   .series = {{.label = "generalized", .x = m.generalized.angles, .y = m.generalized.parts},
                              {.label = "moreau", .x = m.moreau.angles, .y = m.moreau.parts, .dashed = true},
                              {.label = "sequential", .x = m.sequential.angles, .y = m.sequential.parts}}};
  const auto returns = [&](std::string title, std::size_t from) {
    Axes a{.title = std::move(title),
           .x_label = "T",
           .y_label = "distance from the start",
           .log_y = true,
           .y_range = Interval{1e-17, 1e8}};
    for (std::size_t i = from; i < from + 3; ++i)
      a.series.push_back({.label = m.runs[i].label, .x = m.times, .y = m.runs[i].off, .markers = true});
    return a;
  };
  return {
      {"", {.axes = {parts, returns("gvi, there and back", 0)}}},
      {"ours",
       {.axes = {returns("contact, there and back", 3),
                 {.title = "one contact, T = 2",
                  .x_label = "h",
                  .y_label = "distance from the start",
                  .log_x = true,
                  .log_y = true,
                  .series = {{.label = "ours: contact", .x = m.steps, .y = m.by_step, .markers = true}}}}}}};
}

Finding reproduce(const Lab& lab) {
  const Measured m = measure(lab);
  const auto& [generalized, moreau, sequential, times, runs, steps, by_step] = m;
  const double one = largest(runs[0].off), sliding = largest(runs[1].off), two = largest(runs[2].off);

  Finding f;
  f.verdict = judge({largest(generalized.parts) > 0, two > 1e-3, one < 1e-9 && sliding < 1e-9});
  f.measured = fmt::format(
      "R(-R p) = -p fails in corners wider than {:.0f} degrees, for up to {:.0f} % of the directions into "
      "them and by up to {:.2f} of |p| (Moreau's reflection from {:.0f} degrees on, one contact at a time "
      "from {:.0f}). Runs of GVI there and back, T = 2 to 20, miss their start by {:.0e} with one contact, "
      "{:.0e} sliding along two, and {:.1e} where both walls of a corner of 120 degrees are reached "
      "together.",
      last_reversible(generalized), 100 * largest(generalized.parts), generalized.worst,
      last_reversible(moreau), last_reversible(sequential), one, sliding, two);
  if (lab.quick) f.measured += " (Fewer corners, directions and times.)";
  f.ours = fmt::format(
      "The contact stepper misses by {:.0e} sliding and {:.1e} in the corner, where it reflects by the same "
      "operator. With one contact it returns up to the error of its shadow energy, which both runs take at "
      "their own start: by {:.0e} for h = 0.1 and {:.0e} for 0.01 at T = 2, order {:.1f}, and by {:.0e} for "
      "h = 0.1 at T = 20.",
      largest(runs[4].off), largest(runs[5].off), by_step.front(), by_step.back(), log_slope(steps, by_step),
      runs[3].off.back());
  f.numbers = {{"generalized_reversible_until_degrees", last_reversible(generalized)},
               {"generalized_part", largest(generalized.parts)},
               {"generalized_worst", generalized.worst},
               {"moreau_reversible_until_degrees", last_reversible(moreau)},
               {"sequential_reversible_until_degrees", last_reversible(sequential)},
               {"sequential_part", largest(sequential.parts)},
               {"one_contact", one},
               {"sliding", sliding},
               {"two_contacts", two},
               {"contact_one_contact", largest(runs[3].off)},
               {"contact_one_contact_order", log_slope(steps, by_step)},
               {"contact_sliding", largest(runs[4].off)},
               {"contact_two_contacts", largest(runs[5].off)}};
  f.pictures = pictures_of(m);
  return f;
}

const std::string parameters =
    std::string(corner) + std::string(pogo) + std::string(slide) + std::string(into_corner);

}  // namespace of_reversibility

Item reversibility() {
  using namespace of_reversibility;
  return {.name = "003-reversibility",
          .place = "section 6.3",
          .title = "Reflections that are not reversible",
          .claim =
              "The generalized reflection of several contacts is not reversible, and so breaks the "
              "reversibility of a symmetric integrator.",
          .parameters = parameters,
          .methods =
              "gvi on midpoint and svc with generalized reflections (the paper's), moreau (the paper's "
              "other) and sequential; ours: contact with shadow",
          .reproduce = reproduce};
}

}  // namespace carom::papers::p003
