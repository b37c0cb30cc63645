#include "report/svg_plot.hpp"

#include <stdexcept>
#include <utility>

namespace carom {
namespace detail {
namespace {

constexpr std::array palette{"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#8C8C8C"};
constexpr double tick_size = 11, text_drop = 0.36 * tick_size;  // from a line's middle to its baseline
constexpr double room_per_x_tick = 55, room_per_y_tick = 36;
constexpr double legend_row = 17, legend_swatch = 22, legend_inset = 8;
constexpr std::string_view tick_style = "font-size='11' fill='#444444'";
constexpr std::string_view label_style = "font-size='12' fill='#222222'";
constexpr std::string_view upward_style = "font-size='12' fill='#222222' transform='rotate(-90)'";
constexpr std::string_view title_style = "font-size='13' font-weight='600' fill='#222222'";
constexpr std::string_view headline_style = "font-size='16' font-weight='600' fill='#222222'";
constexpr std::string_view legend_style = "rx='3' fill='#FFFFFF' fill-opacity='0.88' stroke='#E0E0E0'";

struct Margins {
  double left = 0, right = 0, top = 0, bottom = 0;
};

struct Axis {
  Interval range;  // in log10 when logarithmic
  double length = 0;
  Ticks ticks;
  double label_width = 0;

  double pixel(double measured) const { return (measured - range.low) / (range.high - range.low) * length; }
};

// Axes that have found their place. Coordinates of what is inside are relative to the corner of `box`.
struct Panel {
  const Axes& axes;
  Box box;
  double head = 0;  // height of the strip above the box
  Axis x = {}, y = {};
  std::vector<Curve> curves = {};
  std::optional<Box> legend = {};
  int legend_columns = 1;
};

Axis make_axis(bool log, Interval range, double length, double room_per_tick) {
  const double count = length / room_per_tick;
  Axis axis{range, length, log ? decade_ticks(range, count) : linear_ticks(range, count)};
  for (const std::string& label : axis.ticks.labels) {
    axis.label_width = std::max(axis.label_width, text_width(label, tick_size));
  }
  return axis;
}

std::vector<Curve> curves_of(const Panel& panel) {
  constexpr double far = 1e5;  // beyond any figure; keeps absurd numbers out of the file
  std::vector<Curve> curves;
  for (const Series& series : panel.axes.series) {
    Curve curve(series.x.size());
    for (std::size_t i = 0; i < curve.size(); ++i) {
      const Point p = measured_point(panel.axes, series, i);
      curve[i] = {std::clamp(panel.x.pixel(p.x), -far, far),
                  std::clamp(panel.box.h - panel.y.pixel(p.y), -far, far)};
    }
    curves.push_back(panel.axes.series[curves.size()].dots ? curve : decimate(curve, panel.box.w));
  }
  return curves;
}

// How much of the curves lies in the box. Segments count by length: few points can make long lines.
int crowding(const Panel& panel, const Box& box) {
  int inside = 0;
  for (const auto& curve : panel.curves) {
    for (std::size_t i = 0; i < curve.size(); ++i) {
      if (!drawn(curve[i])) continue;
      const Point a = curve[i], b = i + 1 < curve.size() && drawn(curve[i + 1]) ? curve[i + 1] : a;
      const double pieces = std::clamp(std::ceil(std::hypot(b.x - a.x, b.y - a.y) / 4), 1.0, 1000.0);
      for (double k = 0; k < pieces; ++k) {
        const double x = a.x + (b.x - a.x) * k / pieces - box.x, y = a.y + (b.y - a.y) * k / pieces - box.y;
        if (x > 0 && x < box.w && y > 0 && y < box.h) ++inside;
      }
    }
  }
  return inside;
}

void set_y(Panel& panel, Interval y) {
  panel.y = make_axis(panel.axes.log_y, y, panel.box.h, room_per_y_tick);
  panel.curves = curves_of(panel);
}

// The emptiest corner, or when none is empty a flat legend in room made above the curves.
void place_legend(Panel& panel) {
  double w = 0;
  int entries = 0;
  for (const Series& series : panel.axes.series) {
    if (series.label.empty()) continue;
    w = std::max(w, legend_swatch + 20 + text_width(escape_xml(series.label), tick_size));
    ++entries;
  }
  if (panel.axes.series.size() < 2 || entries == 0) return;
  const double h = legend_row * entries + 8, left = legend_inset, right = panel.box.w - w - legend_inset;
  const double top = legend_inset, bottom = panel.box.h - h - legend_inset;
  int least = std::numeric_limits<int>::max();
  for (const Point corner : {Point{right, top}, {left, top}, {right, bottom}, {left, bottom}}) {
    const int crowd = crowding(panel, {corner.x, corner.y, w, h});
    if (crowd < least) panel.legend = Box{corner.x, corner.y, w, h};
    least = std::min(least, crowd);
  }
  const int most = std::clamp(static_cast<int>((panel.box.w - 2 * legend_inset) / w), 1, entries);
  const int rows = (entries + most - 1) / most, columns = (entries + rows - 1) / rows;
  const double flat = legend_row * rows + 8, needed = flat + 2 * legend_inset;
  const bool may_grow = !panel.axes.y_range && !panel.axes.equal_aspect && needed < panel.box.h / 2;
  if (least == 0 || !may_grow) return;
  const Interval y = panel.y.range;
  set_y(panel, {y.low, y.high + (y.high - y.low) * needed / (panel.box.h - needed)});
  panel.legend = Box{panel.box.w - w * columns - legend_inset, top, w * columns, flat};
  panel.legend_columns = columns;
}

Panel fit(const Axes& axes, const Box& cell, const Margins& m) {
  constexpr double smallest = 20;  // a figure too small for its labels is ugly but not broken
  Panel panel{axes, {cell.x + m.left, cell.y + m.top, 0, 0}, m.top};
  panel.box.w = std::max(smallest, cell.w - m.left - m.right);
  panel.box.h = std::max(smallest, cell.h - m.top - m.bottom);
  auto [x, y] = shown_ranges(axes);
  if (axes.equal_aspect) equalise(x, y, panel.box);
  panel.x = make_axis(axes.log_x, x, panel.box.w, room_per_x_tick);
  set_y(panel, y);
  place_legend(panel);
  return panel;
}

void make_room(Margins& m, const Panel& panel) {
  const bool below = !panel.axes.x_label.empty() || !panel.x.ticks.note.empty();
  m.left = std::max(m.left, panel.y.label_width + (panel.axes.y_label.empty() ? 10 : 30));
  m.right = std::max(m.right, panel.x.label_width / 2);
  m.top = std::max(m.top, (panel.y.ticks.note.empty() ? 0.0 : 16.0) + (panel.axes.title.empty() ? 8 : 27));
  m.bottom = std::max(m.bottom, below ? 42.0 : 22.0);
}

std::string shown(double value) { return short_number(value); }
std::string_view shown(std::string_view text) { return text; }

template <typename... Values>
void add(std::string& out, std::string_view format, const Values&... values) {
  out += fmt::vformat(format, fmt::make_format_args(shown(values)...));
}

void add_text(std::string& out, Point at, std::string_view anchor, std::string_view style,
              std::string_view svg) {
  if (svg.empty()) return;
  add(out, "<text x='{}' y='{}' text-anchor='{}' {}>{}</text>\n", at.x, at.y, anchor, style, svg);
}

void add_grid(std::string& out, const Panel& panel, std::vector<double> Ticks::*kind,
              std::string_view paint) {
  const auto [w, h] = std::pair{panel.box.w, panel.box.h};
  std::string path;
  for (const double at : panel.x.ticks.*kind) add(path, "M{} 0v{}", panel.x.pixel(at), h);
  for (const double at : panel.y.ticks.*kind) add(path, "M0 {}h{}", h - panel.y.pixel(at), w);
  if (!path.empty()) add(out, "<path d='{}' stroke='{}' stroke-width='0.8'/>\n", path, paint);
}

void add_labels(std::string& out, const Panel& panel) {
  const Axis &x = panel.x, &y = panel.y;
  const double w = panel.box.w, h = panel.box.h;
  for (std::size_t i = 0; i < x.ticks.labels.size(); ++i) {
    add_text(out, {x.pixel(x.ticks.major[i]), h + 17}, "middle", tick_style, x.ticks.labels[i]);
  }
  for (std::size_t i = 0; i < y.ticks.labels.size(); ++i) {
    add_text(out, {-7, h - y.pixel(y.ticks.major[i]) + text_drop}, "end", tick_style, y.ticks.labels[i]);
  }
  add_text(out, {w, h + 35}, "end", tick_style, x.ticks.note);
  add_text(out, {0, -7}, "start", tick_style, y.ticks.note);
  add_text(out, {w / 2, h + 36}, "middle", label_style, escape_xml(panel.axes.x_label));
  add_text(out, {-h / 2, -y.label_width - 16}, "middle", upward_style, escape_xml(panel.axes.y_label));
  add_text(out, {w / 2, 17 - panel.head}, "middle", title_style, escape_xml(panel.axes.title));
}

std::string_view paint_of(const Axes& axes, std::size_t i) {
  const int colour = axes.series[i].colour;
  return palette[(colour < 0 ? i : static_cast<std::size_t>(colour)) % palette.size()];
}

// A dot is a line of no length with round ends. A point alone between gaps makes no line and is always a dot.
void add_curve(std::string& out, const Curve& curve, std::string_view paint, bool dashed, bool marked) {
  std::string line, dots;
  for (std::size_t i = 0; i < curve.size(); ++i) {
    if (!drawn(curve[i])) continue;
    const bool starts = i == 0 || !drawn(curve[i - 1]);
    const bool ends = i + 1 == curve.size() || !drawn(curve[i + 1]);
    if (!(starts && ends)) add(line, "{}{} {}", starts ? "M" : " ", curve[i].x, curve[i].y);
    if (marked || (starts && ends)) add(dots, "M{} {}h0", curve[i].x, curve[i].y);
  }
  const std::string_view dashes = dashed ? " stroke-dasharray='5 4'" : "";
  if (!line.empty()) add(out, "<path d='{}' stroke='{}' stroke-width='1.5'{}/>\n", line, paint, dashes);
  if (!dots.empty()) add(out, "<path d='{}' stroke='{}' stroke-width='6'/>\n", dots, paint);
}

void add_dots(std::string& out, const Curve& curve, std::string_view paint) {
  std::string dots;
  for (const Point& at : curve)
    if (drawn(at)) add(dots, "M{} {}h0", at.x, at.y);
  if (!dots.empty()) add(out, "<path d='{}' stroke='{}' stroke-width='2'/>\n", dots, paint);
}

void add_legend(std::string& out, const Panel& panel, const Box& box) {
  add(out, "<rect x='{}' y='{}' width='{}' height='{}' {}/>\n", box.x, box.y, box.w, box.h, legend_style);
  int entry = 0;
  for (std::size_t i = 0; i < panel.axes.series.size(); ++i) {
    const Series& series = panel.axes.series[i];
    if (series.label.empty()) continue;
    const int row = entry / panel.legend_columns, column = entry++ % panel.legend_columns;
    const double left = box.x + 7 + column * box.w / panel.legend_columns, right = left + legend_swatch;
    const double y = box.y + 4 + (row + 0.5) * legend_row;
    if (series.dots)
      add_dots(out, {{left, y}, {(left + right) / 2, y}, {right, y}}, paint_of(panel.axes, i));
    else
      add_curve(out, {{left, y}, {right, y}}, paint_of(panel.axes, i), series.dashed, false);
    if (series.markers) add_curve(out, {{(left + right) / 2, y}}, paint_of(panel.axes, i), false, true);
    add_text(out, {right + 7, y + text_drop}, "start", tick_style, escape_xml(series.label));
  }
}

void add_panel(std::string& out, const Panel& panel) {
  const Box& box = panel.box;
  add(out, "<g transform='translate({} {})'>\n", box.x, box.y);
  add_grid(out, panel, &Ticks::minor, "#F2F2F2");
  add_grid(out, panel, &Ticks::major, "#E0E0E0");
  // An inner svg clips without an id, which would clash with another figure's on the same page.
  add(out, "<svg width='{}' height='{}' overflow='hidden'>\n", box.w, box.h);
  for (std::size_t i = 0; i < panel.curves.size(); ++i) {
    const Series& series = panel.axes.series[i];
    if (series.dots)
      add_dots(out, panel.curves[i], paint_of(panel.axes, i));
    else
      add_curve(out, panel.curves[i], paint_of(panel.axes, i), series.dashed, series.markers);
  }
  add(out, "</svg>\n<path d='M0 0v{}h{}' stroke='#666666'/>\n", box.h, box.w);
  add_labels(out, panel);
  if (panel.legend) add_legend(out, panel, *panel.legend);
  out += "</g>\n";
}

void require(bool good, const std::string& complaint) {
  if (!good) throw std::invalid_argument("figure: " + complaint);
}

void validate(const Figure& figure) {
  const auto [w, h] = std::pair{figure.width, figure.height};
  require(w > 0 && w < 1e5 && h > 0 && h < 1e5, fmt::format("{} by {} pixels is no size", w, h));
  for (const Axes& axes : figure.axes) {
    require(!axes.equal_aspect || !(axes.log_x || axes.log_y),
            fmt::format("axes '{}' cannot be logarithmic with an equal aspect", axes.title));
    for (const auto& [range, log] : {std::pair{axes.x_range, axes.log_x}, {axes.y_range, axes.log_y}}) {
      const Interval r = range.value_or(Interval{1, 2});
      require(measure(r.low, log) < measure(r.high, log),
              fmt::format("axes '{}' cannot show {} to {}", axes.title, r.low, r.high));
    }
    for (const Series& s : axes.series) {
      require(s.x.size() == s.y.size(),
              fmt::format("series '{}' has {} x but {} y", s.label, s.x.size(), s.y.size()));
    }
  }
}

std::string describe(const Figure& figure) {
  std::string text;
  for (const Axes& axes : figure.axes) {
    add(text, "{}{}: {} against {}.", text.empty() ? "" : " ", axes.title, axes.y_label, axes.x_label);
    for (const Series& series : axes.series) add(text, " {};", series.label);
  }
  return figure.description.empty() ? text : figure.description;
}

// All panels have the same margins, so that their boxes line up in rows and columns.
void add_panels(std::string& out, const Figure& figure) {
  constexpr double edge = 12, gap = 14;
  const double head = figure.title.empty() ? edge : 44;
  const std::size_t count = figure.axes.size();
  const std::size_t columns = figure.columns == 0 ? count : std::min(figure.columns, count);
  const std::size_t rows = (count + columns - 1) / columns;
  const double w = (figure.width - 2 * edge + gap) / static_cast<double>(columns);
  const double h = (figure.height - head - edge + gap) / static_cast<double>(rows);
  const auto cell = [&](std::size_t i) {
    const double column = static_cast<double>(i % columns), row = static_cast<double>(i / columns);
    return Box{edge + column * w, head + row * h, w - gap, h - gap};
  };
  Margins margins{0, 10, 0, 0};
  for (std::size_t i = 0; i < count; ++i) make_room(margins, fit(figure.axes[i], cell(i), {60, 16, 27, 42}));
  for (std::size_t i = 0; i < count; ++i) add_panel(out, fit(figure.axes[i], cell(i), margins));
}

}  // namespace
}  // namespace detail

std::string render_svg(const Figure& figure) {
  using namespace detail;
  validate(figure);
  std::string out = "<svg xmlns='http://www.w3.org/2000/svg' role='img' ";
  out += "fill='none' stroke-linecap='round' stroke-linejoin='round' ";
  out += "font-family='system-ui, Helvetica, Arial, sans-serif' ";
  add(out, "width='{0}' height='{1}' viewBox='0 0 {0} {1}'>\n", figure.width, figure.height);
  add(out, "<title>{}</title>\n<desc>{}</desc>\n", escape_xml(figure.title), escape_xml(describe(figure)));
  out += "<rect width='100%' height='100%' rx='6' fill='#FFFFFF'/>\n";
  add_text(out, {figure.width / 2, 28}, "middle", headline_style, escape_xml(figure.title));
  if (!figure.axes.empty()) add_panels(out, figure);
  return out + "</svg>\n";
}

}  // namespace carom
