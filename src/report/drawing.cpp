#include "report/drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "formula/formula_names.hpp"
#include "formula/print.hpp"
#include "scenario/scenario_text.hpp"
#include "scenario/suggest.hpp"

namespace carom {
namespace {

std::map<std::string, double> drawing_parameters(const Scenario& scenario, const Model& model) {
  std::map<std::string, double> numbers;
  for (const auto& [name, value] : scenario.system.parameters)
    if (const auto* number = std::get_if<double>(&value)) numbers[name] = *number;  // words are not drawn
  for (const auto& parameter : model.parameters) numbers.try_emplace(parameter.name, parameter.value);
  return numbers;
}

// Formulas have a limit to their size, and nobody looks at more.
std::vector<std::string> first_coordinates(const Model& model) {
  constexpr std::size_t most = 10'000;
  const auto& all = model.coordinates;
  return {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(std::min(all.size(), most))};
}

class DrawingMaker {
 public:
  DrawingMaker(const Scenario& s, const DrawSpec& d, const Model& model)
      : scenario(s), spec(d), names(s, first_coordinates(model), drawing_parameters(s, model)) {
    for (int i = 0; i < names.dim(); ++i) inputs.push_back(fmt::format("q[{}]", i));
    for (int i = 0; i < names.dim(); ++i) inputs.push_back("");  // velocities are not drawn
    inputs.push_back("t");
  }

  Drawing make() {
    make_points();
    r.lines = points_of("lines", spec.lines, 2);
    r.polygons = points_of("polygons", spec.polygons, 3);
    make_circles();
    r.boxes = shapes("boxes", spec.boxes, {"point", "width", "height"});
    make_ground();
    make_curves();
    for (std::size_t i = 0; i < spec.trails.size(); ++i) {
      check_point(fmt::format("draw.trails.{}", i), spec.trails[i]);
      r.trails.push_back(spec.trails[i]);
    }
    make_view();
    r.geometry = formula::compile(names.expressions, geometry, names.inputs());
    return r;
  }

 private:
  formula::Node parse(const std::string& key, const std::string& text) {
    const auto node = names.parse(key, text);
    if (names.expressions.depends_on_any(node, names.v(0), names.dim()))
      scenario.reject(key, detail::quoted(text), "velocities cannot be drawn; use coordinates and t");
    return node;
  }
  // As JavaScript, and among the numbers of the geometry.
  std::string measured(const std::string& key, const std::string& text) {
    geometry.push_back(parse(key, text));
    return formula::to_javascript(names.expressions, geometry.back(), inputs);
  }

  void make_points() {
    for (const auto& [name, xy] : spec.points) {
      const std::string key = "draw.points." + detail::key_part(name);
      if (xy.size() != 2)
        scenario.reject(key, fmt::format("an array of {}", xy.size()), "must be two formulas, [x, y]");
      r.points.push_back({name, measured(key, xy[0]), measured(key, xy[1])});
    }
  }

  void check_point(const std::string& key, const std::string& name) const {
    std::vector<std::string> known;
    for (const auto& [own, xy] : spec.points) known.push_back(own);
    if (std::find(known.begin(), known.end(), name) == known.end())
      scenario.reject(key, detail::quoted(name), "no point has this name" + suggestion(name, known));
  }

  DrawSpec::Rows points_of(const char* kind, const DrawSpec::Rows& rows, std::size_t least) const {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::string key = fmt::format("draw.{}.{}", kind, i);
      if (rows[i].size() < least)
        scenario.reject(key, fmt::format("an array of {}", rows[i].size()),
                        fmt::format("must be names of at least {} points", least));
      for (const std::string& name : rows[i]) check_point(key, name);
    }
    return rows;
  }

  // A point and sizes.
  DrawSpec::Rows shapes(const char* kind, const DrawSpec::Rows& rows, const std::vector<const char*>& parts) {
    DrawSpec::Rows result = rows;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::string key = fmt::format("draw.{}.{}", kind, i);
      if (rows[i].size() != parts.size())
        scenario.reject(key, fmt::format("an array of {}", rows[i].size()),
                        fmt::format("must be [{}]", fmt::join(parts, ", ")));
      check_point(key, rows[i][0]);
      for (std::size_t k = 1; k < parts.size(); ++k) result[i][k] = measured(key, rows[i][k]);
    }
    return result;
  }

  // With an angle they have a spoke, which is part of no shape.
  void make_circles() {
    DrawSpec::Rows plain = spec.circles;
    for (auto& row : plain)
      if (row.size() == 3) row.pop_back();
    r.circles = shapes("circles", plain, {"point", "radius"});
    for (std::size_t i = 0; i < spec.circles.size(); ++i)
      if (spec.circles[i].size() == 3)
        r.circles[i].push_back(formula::to_javascript(
            names.expressions, parse(fmt::format("draw.circles.{}", i), spec.circles[i][2]), inputs));
  }

  double fixed(const std::string& key, const std::string& text) {
    const auto value = names.expressions.constant(names.parse(key, text));
    if (!value) scenario.reject(key, detail::quoted(text), "must not move: a formula of parameters only");
    return *value;
  }

  void make_ground() {
    for (std::size_t i = 0; i < spec.ground.size(); ++i) {
      const std::string key = fmt::format("draw.ground.{}", i);
      if (spec.ground[i].size() != 4)
        scenario.reject(key, fmt::format("an array of {}", spec.ground[i].size()),
                        "must be [x1, y1, x2, y2]");
      std::array<double, 4> ends{};
      for (std::size_t k = 0; k < 4; ++k) ends[k] = fixed(key, spec.ground[i][k]);
      r.ground.push_back(ends);
    }
  }

  void make_curves() {
    std::vector<std::string> with_s = inputs;
    with_s.back() = "s";
    for (std::size_t i = 0; i < spec.curves.size(); ++i) {
      const std::string key = fmt::format("draw.curves.{}", i);
      const auto& curve = spec.curves[i];
      if (curve.size() != 4)
        scenario.reject(key, fmt::format("an array of {}", curve.size()), "must be [x(s), y(s), from, to]");
      auto& out = r.curves.emplace_back();
      std::vector<formula::Node> xy;
      for (std::size_t k = 0; k < 2; ++k) {
        const auto node = names.parse_with("s", names.t(), key, curve[k]);
        if (names.expressions.depends_on_any(node, 0, 2 * names.dim()))
          scenario.reject(key, detail::quoted(curve[k]), "must not move: a formula of s and parameters only");
        out.push_back(formula::to_javascript(names.expressions, node, with_s));
        xy.push_back(node);
      }
      const double from = fixed(key, curve[2]), to = fixed(key, curve[3]);
      for (const double end : {from, to}) out.push_back(fmt::format("{}", end));
      add_path(formula::compile(names.expressions, xy, names.inputs()), from, to);
    }
  }

  void add_path(const formula::Program& xy, double from, double to) {
    constexpr int pieces = 360;
    std::vector<double> in(static_cast<std::size_t>(names.inputs()), 0);
    auto& path = r.paths.emplace_back();
    for (int i = 0; i <= pieces; ++i) {
      in.back() = from + (to - from) * i / pieces;
      xy(std::span<const double>(in), std::span<double>(path.emplace_back()));
    }
  }

  void make_view() {
    r.view = spec.view;
    if (!r.view) return;
    const auto& v = *r.view;
    if (v.size() != 4 || !(v[0] < v[1]) || !(v[2] < v[3]))
      scenario.reject("draw.view", fmt::format("[{}]", detail::listed(v)),
                      "must be [xmin, xmax, ymin, ymax], the smaller one first");
  }

  const Scenario& scenario;
  const DrawSpec& spec;
  FormulaNames names;
  std::vector<std::string> inputs;
  std::vector<formula::Node> geometry;
  Drawing r;
};

struct Box {
  double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
  void add(double x, double y) {
    if (!std::isfinite(x) || !std::isfinite(y)) return;
    low[0] = std::fmin(low[0], x), high[0] = std::fmax(high[0], x);
    low[1] = std::fmin(low[1], y), high[1] = std::fmax(high[1], y);
  }
  bool empty() const { return !(low[0] <= high[0]); }
};

// The point of the segment that is nearest to (x, y).
void add_nearest(Box& box, const std::array<double, 4>& ends, double x, double y) {
  const double dx = ends[2] - ends[0], dy = ends[3] - ends[1], length2 = dx * dx + dy * dy;
  const double s = length2 > 0 ? ((x - ends[0]) * dx + (y - ends[1]) * dy) / length2 : 0;
  const double at = std::clamp(s, 0.0, 1.0);
  box.add(ends[0] + at * dx, ends[1] + at * dy);
}

}  // namespace

std::optional<Drawing> make_drawing(const Scenario& scenario, const Model& model) {
  const DrawSpec& spec = scenario.draw.empty() ? model.draw : scenario.draw;
  if (spec.empty()) return std::nullopt;
  return DrawingMaker(scenario, spec, model).make();
}

std::array<double, 4> fitted_view(const Drawing& drawing, const std::vector<double>& states,
                                  std::size_t dim) {
  if (drawing.view) return {(*drawing.view)[0], (*drawing.view)[1], (*drawing.view)[2], (*drawing.view)[3]};
  std::vector<double> in(2 * dim + 1), xy(static_cast<std::size_t>(drawing.geometry.outputs()));
  Box box;
  for (std::size_t row = 0; row + dim <= states.size(); row += dim) {
    std::copy_n(states.begin() + static_cast<std::ptrdiff_t>(row), dim, in.begin());
    drawing.geometry(std::span<const double>(in), std::span<double>(xy));
    for (std::size_t k = 0; k < 2 * drawing.points.size(); k += 2) box.add(xy[k], xy[k + 1]);
  }
  if (box.empty()) box.add(0, 0);
  const Box moving = box;
  for (const auto& ends : drawing.ground)
    for (const double x : {moving.low[0], moving.high[0]})
      for (const double y : {moving.low[1], moving.high[1]}) add_nearest(box, ends, x, y);
  const double size = std::fmax(box.high[0] - box.low[0], box.high[1] - box.low[1]);
  const double margin = 0.08 * (size > 0 ? size : 1);
  return {box.low[0] - margin, box.high[0] + margin, box.low[1] - margin, box.high[1] + margin};
}

}  // namespace carom
