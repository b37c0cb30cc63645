// Line plots as standalone SVG: no scripts, no fonts to load, the same bytes for the same data.
//
// The figure is a white card, so that it reads the same on a light page, on a dark page and in print.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace carom {

// One curve. A point that cannot be drawn (not finite, or not positive on a logarithmic axis) is a gap.
struct Series {
  static constexpr int own_colour = -1;  // by its position among the series
  static constexpr int grey = 6;         // for reference lines; 0 to 5 are colours of Okabe and Ito

  std::string label;
  std::vector<double> x = {};
  std::vector<double> y = {};
  int colour = own_colour;
  bool dashed = false;
  bool markers = false;
  bool dots = false;  // small ones alone, all of them, without a line
};

struct Interval {
  double low = 0;
  double high = 1;
};

struct Axes {
  std::string title = {};
  std::string x_label = {};
  std::string y_label = {};
  bool log_x = false;
  bool log_y = false;
  bool equal_aspect = false;             // one unit is as long in x as in y; ranges may grow for it
  std::optional<Interval> x_range = {};  // left out: what the data need
  std::optional<Interval> y_range = {};
  std::vector<Series> series = {};
};

struct Figure {
  std::string title = {};
  std::string description = {};  // for those who cannot see it; left out: made from the labels
  double width = 900;
  double height = 360;
  std::size_t columns = 0;  // 0: all axes in one row
  std::vector<Axes> axes = {};
};

// All text is UTF-8. Throws std::invalid_argument, quoting the value, when x and y differ in length, a range
// or size is empty, or an equal aspect is asked of a logarithmic axis.
[[nodiscard]] std::string render_svg(const Figure& figure);

// The pure half of drawing, text and scales, is here for its tests; layout and drawing are in svg_plot.cpp.
namespace detail {

[[nodiscard]] inline std::string escape_xml(std::string_view text) {
  constexpr std::string_view special = "&<>\"'";
  constexpr std::array names{"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
  std::string out;
  for (const char c : text) {
    const std::size_t i = special.find(c);
    const bool control = static_cast<unsigned char>(c) < 0x20;  // XML cannot express these
    out += i < names.size() ? names[i] : std::string(1, control ? ' ' : c);
  }
  return out;
}

// At most two decimals, no trailing zeros, no "-0".
[[nodiscard]] inline std::string short_number(double value) {
  std::string text = fmt::format("{:.2f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

[[nodiscard]] inline std::string with_minus_sign(const std::string& number) {
  return number.starts_with('-') ? "\u2212" + number.substr(1) : number;
}

// A shifted tspan, because not every browser knows baseline-shift.
[[nodiscard]] inline std::string power_of_ten(int exponent) {
  return fmt::format("10<tspan dy='-4.5' font-size='8.5'>{}</tspan>",
                     with_minus_sign(std::to_string(exponent)));
}

// Nobody knows the reader's font; wide sans faces take this much, so that estimates err towards free space.
// Markup inside the text takes no room.
[[nodiscard]] inline double text_width(std::string_view text, double size) {
  int characters = 0;
  bool in_tag = false;
  for (const char c : text) {
    if (c == '<') in_tag = true;
    if (!in_tag && (c & 0xC0) != 0x80) ++characters;
    if (c == '>') in_tag = false;
  }
  return 0.6 * size * characters;
}

// Where an axis has its grid lines and what it says there. On a logarithmic axis positions are log10.
struct Ticks {
  std::vector<double> major;
  std::vector<double> minor;
  std::vector<std::string> labels;  // SVG text, one for each major tick
  std::string note;                 // "×10⁻⁹ + 1" when the labels are to be read so, else nothing
};

inline int decade_of(double value) { return static_cast<int>(std::floor(std::log10(value) + 1e-9)); }

// Labels of equally many decimals. A common power of ten, or a common large part, moves to the note.
inline void label_linear(Ticks& ticks, double step) {
  const int step_decade = decade_of(step);
  double largest = std::max(std::abs(ticks.major.front()), std::abs(ticks.major.back()));
  double common = 0;
  const int digits = largest > 0 ? decade_of(largest) - step_decade : 0;
  if (digits > 4) {
    const double unit = std::pow(10.0, step_decade + 2);
    common = std::round((ticks.major.front() + ticks.major.back()) / 2 / unit) * unit;
    const int precision = std::max(digits - 1, std::min(15, decade_of(largest) + 1));
    ticks.note = fmt::format("{} {:.{}g}", common < 0 ? "\u2212" : "+", std::abs(common), precision);
    largest = std::max(std::abs(ticks.major.front() - common), std::abs(ticks.major.back() - common));
  }
  int power = largest > 0 ? decade_of(largest) : 0;
  if (power > -4 && power < 5) power = 0;
  const int decimals = std::max(0, power - step_decade);
  for (const double tick : ticks.major) {
    const std::string text = fmt::format("{:.{}f}", (tick - common) / std::pow(10.0, power), decimals);
    const bool zero = text.find_first_not_of("-0.") == std::string::npos;
    ticks.labels.push_back(zero && text.front() == '-' ? text.substr(1) : with_minus_sign(text));
  }
  if (power == 0) return;
  const std::string rest =
      ticks.note.empty() ? "" : fmt::format("<tspan dx='4' dy='4.5'>{}</tspan>", ticks.note);
  ticks.note = "×" + power_of_ten(power) + rest;
}

// Steps of 1, 2 or 5 times a power of ten, at most about `count` of them.
[[nodiscard]] inline Ticks linear_ticks(Interval range, double count) {
  const double raw = (range.high - range.low) / std::max(1.0, count);
  const double decade = std::pow(10.0, decade_of(raw));
  double step = 10 * decade;
  for (const double nice : {5.0, 2.0, 1.0}) {
    if (nice * decade >= raw * (1 - 1e-9)) step = nice * decade;
  }
  Ticks ticks;
  const double first = std::ceil(range.low / step - 1e-9);
  const double last = std::floor(range.high / step + 1e-9);
  for (int i = 0; i <= last - first; ++i) ticks.major.push_back((first + i) * step);
  if (!ticks.major.empty()) label_linear(ticks, step);
  return ticks;
}

// Whole decades, at most about `count` of them, with minor lines at 2 to 9 times each when there is room.
[[nodiscard]] inline Ticks decade_ticks(Interval range, double count) {
  Ticks ticks;
  const double decades = range.high - range.low;
  const double stride = std::max(1.0, std::ceil(decades / std::max(1.0, count)));
  for (double k = std::ceil(range.low / stride - 1e-9) * stride; k <= range.high + 1e-9; k += stride) {
    ticks.major.push_back(k);
    ticks.labels.push_back(power_of_ten(static_cast<int>(std::lround(k))));
  }
  for (double k = std::floor(range.low); decades <= 0.8 * count && k < range.high; ++k) {
    for (int digit = 2; digit < 10; ++digit) {
      const double at = k + std::log10(digit);
      if (at > range.low && at < range.high) ticks.minor.push_back(at);
    }
  }
  return ticks;
}

inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

// A value as an axis measures it, or not a number where it has none. Huge values would overflow differences.
[[nodiscard]] inline double measure(double value, bool log) {
  if (log) return value > 0 && std::isfinite(value) ? std::log10(value) : not_a_number;
  return std::abs(value) < 1e300 ? value : not_a_number;
}

// One labelled decade alone does not tell how long a decade is.
[[nodiscard]] inline Interval with_two_decades(Interval r) {
  if (std::floor(r.high) - std::ceil(r.low) >= 1) return r;
  return {std::floor(r.low), std::max(std::ceil(r.high), std::floor(r.low) + 1)};
}

// What an axis shows of data between these limits, which are the wrong way round when there are no data.
[[nodiscard]] inline Interval comfortable(Interval r, bool log, double padding) {
  if (r.low > r.high) return {0, 1};
  const double size = std::max(std::abs(r.low), std::abs(r.high));
  const bool constant = r.high - r.low <= std::max(1e-12 * size, 1e-290);
  double extra = padding * (r.high - r.low);
  if (constant) extra = log ? 0.5 : size > 1e-280 ? 0.1 * size : 1;
  r = {r.low - extra, r.high + extra};
  return log ? with_two_decades(r) : r;
}

struct Point {
  double x = 0, y = 0;
};

using Curve = std::vector<Point>;

[[nodiscard]] inline bool drawn(const Point& p) { return !std::isnan(p.x) && !std::isnan(p.y); }

[[nodiscard]] inline Point measured_point(const Axes& axes, const Series& series, std::size_t i) {
  return {measure(series.x[i], axes.log_x), measure(series.y[i], axes.log_y)};
}

struct Intervals {
  Interval x, y;
};

[[nodiscard]] inline Intervals shown_ranges(const Axes& axes) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Interval x{infinity, -infinity}, y{infinity, -infinity};
  bool markers = false;
  for (const Series& series : axes.series) {
    markers = markers || series.markers || series.dots;
    for (std::size_t i = 0; i < series.x.size(); ++i) {
      const Point p = measured_point(axes, series, i);
      if (!drawn(p)) continue;
      x = {std::min(x.low, p.x), std::max(x.high, p.x)};
      y = {std::min(y.low, p.y), std::max(y.high, p.y)};
    }
  }
  // A plain curve over time fills the axis from edge to edge; everything else needs air.
  const double x_padding = axes.log_x || axes.equal_aspect || markers ? 0.05 : 0;
  x = comfortable(x, axes.log_x, x_padding);
  y = comfortable(y, axes.log_y, 0.05);
  if (axes.x_range) x = {measure(axes.x_range->low, axes.log_x), measure(axes.x_range->high, axes.log_x)};
  if (axes.y_range) y = {measure(axes.y_range->low, axes.log_y), measure(axes.y_range->high, axes.log_y)};
  return {x, y};
}

struct Box {
  double x = 0, y = 0, w = 0, h = 0;
};

inline void widen(Interval& r, double factor) {
  const double extra = (factor - 1) / 2 * (r.high - r.low);
  r = {r.low - extra, r.high + extra};
}

// Shrinks the box to the data's aspect; very flat or tall data get wider ranges instead.
inline void equalise(Interval& x, Interval& y, Box& box) {
  constexpr double flattest = 0.4, tallest = 2.5;
  const double aspect = (y.high - y.low) / (x.high - x.low);
  if (aspect < flattest) widen(y, flattest / aspect);
  if (aspect > tallest) widen(x, aspect / tallest);
  const double ratio = std::clamp(aspect, flattest, tallest);
  const double w = std::min(box.w, box.h / ratio), h = w * ratio;
  box = {box.x + (box.w - w) / 2, box.y + (box.h - h) / 2, w, h};
}

// For curves that turn back in x: a bend may be steep, so points half a pixel apart in either direction stay.
[[nodiscard]] inline Curve thin_by_distance(const Curve& curve) {
  Curve kept;
  for (std::size_t i = 0; i < curve.size(); ++i) {
    const Point p = curve[i], before = kept.empty() ? Point{not_a_number, 0} : kept.back();
    const bool far = std::abs(p.x - before.x) >= 0.5 || std::abs(p.y - before.y) >= 0.5;
    const bool last = drawn(p) && (i + 1 == curve.size() || !drawn(curve[i + 1]));
    if (far || last || drawn(p) != drawn(before)) kept.push_back(p);
  }
  return kept;
}

// A curve in pixels, thinned when it has more points than `pixels`: of each column of pixels stay the first,
// lowest, highest and last point. Points that are not drawn make a gap, and the gap stays.
[[nodiscard]] inline Curve decimate(const Curve& curve, double pixels) {
  if (static_cast<double>(curve.size()) <= pixels) return curve;
  const auto left_of = [](const Point& a, const Point& b) { return a.x < b.x; };
  if (!std::is_sorted(curve.begin(), curve.end(), left_of)) return thin_by_distance(curve);
  Curve kept;
  for (std::size_t begin = 0, end = 0; begin < curve.size(); begin = end) {
    const double column = std::floor(curve[begin].x);
    std::size_t low = begin, high = begin;
    for (; end < curve.size() && drawn(curve[end]) && std::floor(curve[end].x) == column; ++end) {
      if (curve[end].y < curve[low].y) low = end;
      if (curve[end].y > curve[high].y) high = end;
    }
    if (end == begin) ++end;  // a point that is not drawn stays as it is
    std::array keep{begin, std::min(low, high), std::max(low, high), end - 1};
    const auto keep_end = std::unique(keep.begin(), keep.end());
    std::for_each(keep.begin(), keep_end, [&](std::size_t i) { kept.push_back(curve[i]); });
  }
  return kept;
}

}  // namespace detail
}  // namespace carom
