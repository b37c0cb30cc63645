// Figures as text: what is in them, what must not break them, and what thinning may not lose.
#include "report/svg_plot.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numbers>
#include <sstream>
#include <stdexcept>

namespace carom {
namespace {

using detail::Point;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// Tags opened and closed in order, attributes quoted, no loose ampersand, no number that is none.
testing::AssertionResult is_well_formed(const std::string& svg) {
  std::vector<std::string> open;
  for (std::size_t at = svg.find('<'); at != std::string::npos; at = svg.find('<', at + 1)) {
    const std::size_t end = svg.find('>', at);
    if (end == std::string::npos || svg.find('<', at + 1) < end)
      return testing::AssertionFailure() << "loose <";
    const std::string tag = svg.substr(at + 1, end - at - 1);
    const std::string name =
        tag.substr(tag.front() == '/', tag.find_first_of(" />", 1) - (tag.front() == '/'));
    if (std::count(tag.begin(), tag.end(), '\'') % 2 != 0)
      return testing::AssertionFailure() << "quotes: " << tag;
    if (tag.front() != '/' && tag.back() != '/') open.push_back(name);
    if (tag.front() != '/') continue;
    if (open.empty() || open.back() != name)
      return testing::AssertionFailure() << "unexpected </" << name << ">";
    open.pop_back();
  }
  for (std::size_t at = svg.find('&'); at != std::string::npos; at = svg.find('&', at + 1)) {
    if (svg.find(';', at) > at + 6) return testing::AssertionFailure() << "loose &";
  }
  for (const char* bad : {"nan", "inf", "e+", "e-3"}) {
    if (svg.find(bad) != std::string::npos) return testing::AssertionFailure() << "contains " << bad;
  }
  return open.empty() ? testing::AssertionSuccess() : testing::AssertionFailure() << "open " << open.back();
}

std::size_t count(const std::string& text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

std::string render(Axes axes) { return render_svg({.title = "T", .axes = {std::move(axes)}}); }
std::string render(std::vector<double> x, std::vector<double> y) {
  return render(Axes{.series = {{.label = "s", .x = std::move(x), .y = std::move(y)}}});
}

std::string complaint(const Figure& figure) {
  try {
    return render_svg(figure);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

TEST(SvgText, IsEscaped) {
  EXPECT_EQ(detail::escape_xml("a<b> & \"c\" 'd'"), "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;");
  EXPECT_EQ(detail::escape_xml("θ̇ ≤ 1\x01\n"), "θ̇ ≤ 1  ");
}

TEST(SvgText, NumbersAreShort) {
  EXPECT_EQ(detail::short_number(12), "12");
  EXPECT_EQ(detail::short_number(100), "100");
  EXPECT_EQ(detail::short_number(1.5), "1.5");
  EXPECT_EQ(detail::short_number(-2.0 / 3), "-0.67");
  EXPECT_EQ(detail::short_number(-0.001), "0");
}

TEST(LinearTicks, StepBy125) {
  using Labels = std::vector<std::string>;
  EXPECT_EQ(detail::linear_ticks({0, 1}, 5).labels, (Labels{"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"}));
  EXPECT_EQ(detail::linear_ticks({-1.05, 1.05}, 5).labels, (Labels{"−1.0", "−0.5", "0.0", "0.5", "1.0"}));
  EXPECT_EQ(detail::linear_ticks({0, 48}, 5).labels, (Labels{"0", "10", "20", "30", "40"}));
  EXPECT_EQ(detail::linear_ticks({-0.3, 0.3}, 7).labels,
            (Labels{"−0.3", "−0.2", "−0.1", "0.0", "0.1", "0.2", "0.3"}));
}

TEST(LinearTicks, AreNeverCrowded) {
  for (double high = 1e-6; high < 1e6; high *= 1.37) {
    const detail::Ticks ticks = detail::linear_ticks({-0.3 * high, high}, 6);
    EXPECT_GE(ticks.major.size(), 2u) << high;
    EXPECT_LE(ticks.major.size(), 7u) << high;
    EXPECT_EQ(ticks.labels.size(), ticks.major.size());
  }
}

TEST(LinearTicks, CommonPowerMovesToTheNote) {
  const detail::Ticks ticks = detail::linear_ticks({0, 4e-9}, 4);
  EXPECT_EQ(ticks.labels, (std::vector<std::string>{"0", "1", "2", "3", "4"}));
  EXPECT_EQ(ticks.note, "×10<tspan dy='-4.5' font-size='8.5'>−9</tspan>");
}

TEST(LinearTicks, CommonPartMovesToTheNote) {
  const detail::Ticks small = detail::linear_ticks({-12.5 - 2.1e-9, -12.5 + 2.1e-9}, 5);
  EXPECT_EQ(small.labels, (std::vector<std::string>{"−2", "−1", "0", "1", "2"}));
  EXPECT_NE(small.note.find("−9</tspan>"), std::string::npos);
  EXPECT_NE(small.note.find("− 12.5<"), std::string::npos);
  const detail::Ticks large = detail::linear_ticks({1'000'000, 1'000'004}, 4);
  EXPECT_EQ(large.labels, (std::vector<std::string>{"0", "1", "2", "3", "4"}));
  EXPECT_EQ(large.note, "+ 1000000");
}

TEST(LinearTicks, RangeOfOneUlpEnds) {
  EXPECT_LE(detail::linear_ticks({1, std::nextafter(1.0, 2.0)}, 6).major.size(), 10u);
}

TEST(DecadeTicks, AreWholeDecades) {
  const detail::Ticks ticks = detail::decade_ticks({-3.2, 0.1}, 8);
  EXPECT_EQ(ticks.major, (std::vector<double>{-3, -2, -1, 0}));
  EXPECT_EQ(ticks.labels.front(), "10<tspan dy='-4.5' font-size='8.5'>−3</tspan>");
  for (const double at : ticks.minor) EXPECT_TRUE(at > -3.2 && at < 0.1);
}

TEST(DecadeTicks, SkipDecadesWhenThereAreMany) {
  EXPECT_EQ(detail::decade_ticks({-12, 0}, 6).major, (std::vector<double>{-12, -10, -8, -6, -4, -2, 0}));
  EXPECT_LE(detail::decade_ticks({-300, 300}, 6).major.size(), 8u);
}

TEST(DecadeTicks, AreAtLeastTwo) {
  for (const detail::Ticks& ticks : {detail::decade_ticks(detail::comfortable({0.3, 0.4}, true, 0), 5),
                                     detail::decade_ticks(detail::comfortable({0.4, 1.5}, true, 0), 5),
                                     detail::decade_ticks(detail::comfortable({1, 1}, true, 0), 5)}) {
    EXPECT_GE(ticks.major.size(), 2u);
  }
}

TEST(Decimation, KeepsExtremesAndEnds) {
  std::vector<Point> curve;
  for (int i = 0; i < 1'000'000; ++i) curve.push_back({400.0 * i / 1e6, 100 + 10 * std::sin(0.01 * i)});
  curve[123'456].y = -5;
  curve[777'777].y = 500;
  const std::vector<Point> kept = detail::decimate(curve, 400);
  EXPECT_LE(kept.size(), 4u * 400u);
  const auto lower = [](const Point& a, const Point& b) { return a.y < b.y; };
  const auto [low, high] = std::minmax_element(kept.begin(), kept.end(), lower);
  EXPECT_EQ(low->y, -5);
  EXPECT_EQ(low->x, curve[123'456].x);
  EXPECT_EQ(high->y, 500);
  EXPECT_EQ(kept.front().x, curve.front().x);
  EXPECT_EQ(kept.back().x, curve.back().x);
}

TEST(Decimation, LeavesShortCurvesAlone) {
  const std::vector<Point> curve{{0, 0}, {0.1, 1}, {0.2, 0}};
  EXPECT_EQ(detail::decimate(curve, 3).size(), 3u);
}

TEST(Decimation, KeepsGaps) {
  std::vector<Point> curve(1000, Point{0.5, 1});
  curve[500] = {nan, 1};
  const std::vector<Point> kept = detail::decimate(curve, 10);
  ASSERT_GE(kept.size(), 3u);
  EXPECT_EQ(std::count_if(kept.begin(), kept.end(), [](const Point& p) { return !detail::drawn(p); }), 1);
  EXPECT_TRUE(detail::drawn(kept.front()) && detail::drawn(kept.back()));
}

// Every left-out point of a closed curve lies within half a pixel of one that stays, on either side of a
// bend.
TEST(Decimation, FollowsCurvesThatTurnBack) {
  std::vector<Point> circle;
  for (int i = 0; i < 100'000; ++i) {
    const double angle = 2 * std::numbers::pi * i / 1e5;
    circle.push_back({100 + 100 * std::cos(angle), 100 + 100 * std::sin(angle)});
  }
  const std::vector<Point> kept = detail::decimate(circle, 200);
  EXPECT_LT(kept.size(), 2000u);
  for (std::size_t i = 1; i < kept.size(); ++i) {
    EXPECT_LT(std::hypot(kept[i].x - kept[i - 1].x, kept[i].y - kept[i - 1].y), 0.72);
  }
}

TEST(Svg, HasTitleDescriptionLabelsAndLegend) {
  const std::string svg = render_svg({.title = "Energy & time",
                                      .axes = {{.title = "A",
                                                .x_label = "t <s>",
                                                .y_label = "H",
                                                .series = {{.label = "svc", .x = {0, 1}, .y = {0, 1}},
                                                           {.label = "cva", .x = {0, 1}, .y = {1, 0}}}}}});
  EXPECT_TRUE(is_well_formed(svg));
  EXPECT_TRUE(svg.starts_with("<svg xmlns='http://www.w3.org/2000/svg'"));
  EXPECT_NE(svg.find("<title>Energy &amp; time</title>"), std::string::npos);
  EXPECT_NE(svg.find("<desc>A: H against t &lt;s&gt;. svc; cva;</desc>"), std::string::npos);
  EXPECT_EQ(count(svg, ">svc</text>"), 1u);
  EXPECT_EQ(count(svg, ">cva</text>"), 1u);
  EXPECT_EQ(svg, render_svg({.title = "Energy & time",
                             .axes = {{.title = "A",
                                       .x_label = "t <s>",
                                       .y_label = "H",
                                       .series = {{.label = "svc", .x = {0, 1}, .y = {0, 1}},
                                                  {.label = "cva", .x = {0, 1}, .y = {1, 0}}}}}}));
}

TEST(Svg, OneSeriesNeedsNoLegend) { EXPECT_EQ(count(render({0, 1}, {0, 1}), ">s</text>"), 0u); }

// Curves that fill the whole box from edge to edge leave no corner free, so the axis must grow.
TEST(Svg, LegendHidesNoCurve) {
  Series a{.label = "a"}, b{.label = "b"};
  for (int i = 0; i < 5000; ++i) {
    for (Series* series : {&a, &b}) series->x.push_back(i);
    a.y.push_back(std::sin(i * 0.9));
    b.y.push_back(std::cos(i * 0.7));
  }
  const std::string svg = render(Axes{.series = {a, b}});
  double x = 0, top = 0, w = 0, h = 0;
  const char* legend = svg.c_str() + svg.rfind("<rect x=");
  ASSERT_EQ(std::sscanf(legend, "<rect x='%lf' y='%lf' width='%lf' height='%lf'", &x, &top, &w, &h), 4);
  const std::size_t line = svg.find("d='M", svg.find("overflow='hidden'"));
  std::istringstream path(svg.substr(line + 4, svg.find('\'', line + 4) - line - 4));
  double highest = infinity;
  for (double px = 0, py = 0; path >> px >> py;) highest = std::min(highest, py);
  EXPECT_GT(highest, top + h);
  EXPECT_LT(highest, top + h + 30) << "no more room than needed";
}

TEST(Svg, MillionPointsMakeASmallFile) {
  std::vector<double> x, y;
  for (int i = 0; i < 1'000'000; ++i) {
    x.push_back(i * 1e-3);
    y.push_back(std::sin(i * 0.7) * std::cos(i * 1e-5));
  }
  const std::string svg = render(x, y);
  EXPECT_TRUE(is_well_formed(svg));
  EXPECT_LT(svg.size(), 60'000u);
}

TEST(Svg, OddDataDoNotBreakIt) {
  EXPECT_TRUE(is_well_formed(render_svg({})));
  EXPECT_TRUE(is_well_formed(render(Axes{})));
  const std::vector<std::vector<double>> values{
      {},       {0, 0, 0},          {9.81, 9.81, 9.81},  {nan, nan},
      {1, nan}, {1e308, -1e308, 0}, {5e-324, 0, 1e-310}, {infinity, 1, -infinity},
      {-1, -2}, {1, 1 + 1e-15},     {0, 1e-300, 1e299}};
  for (const auto& y : values) {
    for (const bool log : {false, true}) {
      Axes axes{.log_x = log,
                .log_y = log,
                .series = {{.label = "a", .x = y, .y = y, .markers = true}, {.label = "b"}}};
      EXPECT_TRUE(is_well_formed(render(axes))) << testing::PrintToString(y) << log;
      axes.log_x = axes.log_y = false;
      axes.equal_aspect = true;
      EXPECT_TRUE(is_well_formed(render(axes))) << testing::PrintToString(y);
    }
  }
  EXPECT_TRUE(is_well_formed(render_svg({.width = 10, .height = 10, .axes = {Axes{}, Axes{}, Axes{}}})));
}

TEST(Svg, NanIsAGapAndALonePointADot) {
  const std::string svg = render({0, 1, 2, 3, 4, 5}, {0, 1, nan, 1, nan, 0});
  EXPECT_EQ(count(svg, "h0"), 2u);
  const std::string two = render({0, 1, 2, 3, 4}, {0, 1, nan, 1, 0});
  const std::size_t line = two.find("d='M", two.find("overflow='hidden'"));
  const std::string path = two.substr(line, two.find("/>", line) - line);
  EXPECT_EQ(count(path, "M"), 2u);
}

TEST(Svg, EqualAspectMakesTheBoxAsTheData) {
  const std::string svg =
      render(Axes{.equal_aspect = true, .series = {{.label = "", .x = {0, 2}, .y = {0, 1}}}});
  const std::size_t at = svg.find("<svg width='");
  double w = 0, h = 0;
  ASSERT_EQ(std::sscanf(svg.c_str() + at, "<svg width='%lf' height='%lf'", &w, &h), 2);
  EXPECT_NEAR(w / h, 2, 0.01);
}

TEST(Svg, ComplaintsQuoteTheValue) {
  EXPECT_EQ(complaint({.axes = {{.series = {{.label = "q", .x = {1, 2}, .y = {1}}}}}}),
            "figure: series 'q' has 2 x but 1 y");
  EXPECT_EQ(complaint({.width = -3}), "figure: -3 by 360 pixels is no size");
  EXPECT_EQ(complaint({.height = nan}), "figure: 900 by nan pixels is no size");
  EXPECT_EQ(complaint({.axes = {{.title = "A", .x_range = Interval{2, 1}}}}),
            "figure: axes 'A' cannot show 2 to 1");
  EXPECT_EQ(complaint({.axes = {{.title = "A", .log_y = true, .y_range = Interval{0, 1}}}}),
            "figure: axes 'A' cannot show 0 to 1");
  EXPECT_EQ(complaint({.axes = {{.title = "A", .log_y = true, .equal_aspect = true}}}),
            "figure: axes 'A' cannot be logarithmic with an equal aspect");
}

}  // namespace
}  // namespace carom
