#include "model/scene_names.hpp"
#include "scenario/suggest.hpp"

namespace carom {
namespace {

using detail::to_text;

PlanePart box_part(double width, double height) {
  const double x = 0.5 * width, y = 0.5 * height;
  return polygon({{-x, -y}, {x, -y}, {x, y}, {-x, y}});
}

PlanePart polygon_part(SceneNumbers& read, const std::string& key, const StatedRows& rows) {
  std::vector<Point> corners;
  for (std::size_t k = 0; k < rows.size(); ++k)
    corners.push_back(read.point(fmt::format("{}.{}", key, k), rows[k]));
  const auto refuse = [&](const char* why) { read.refuse(key, fmt::format("{} corners", rows.size()), why); };
  const std::size_t n = corners.size();
  if (n < 3) refuse("must have three corners at least");
  double area = 0, size = 0;
  for (std::size_t k = 0; k < n; ++k) {
    area += cross(corners[k] - corners[0], corners[(k + 1) % n] - corners[0]);
    size = std::fmax(size, (corners[k] - corners[0]).squaredNorm());
  }
  if (!(std::abs(area) > 1e-12 * size)) refuse("has no area");
  if (area < 0) std::reverse(corners.begin(), corners.end());
  double turn = 0;
  for (std::size_t k = 0; k < n; ++k) {
    const Point in = corners[(k + 1) % n] - corners[k], out = corners[(k + 2) % n] - corners[(k + 1) % n];
    if (!(cross(in, out) > 1e-12 * size))
      refuse("is not convex, or three corners are in line: state a compound of convex ones");
    turn += std::atan2(cross(in, out), in.dot(out));
  }
  if (turn > 7) refuse("goes around more than once");
  return polygon(corners);
}

PlanePart part_of(SceneNumbers& read, const std::string& key, const ShapeSpec& spec) {
  if (spec.ball) return disc({0, 0}, read.positive(key + ".ball", *spec.ball));
  if (spec.box) {
    const auto edges = read.numbers(key + ".box", *spec.box, 2, 2);
    for (const double edge : edges)
      if (!(edge > 0)) read.refuse(key + ".box", to_text(edge), "an edge must be greater than 0");
    return box_part(edges[0], edges[1]);
  }
  if (spec.capsule) {
    const auto sizes = read.numbers(key + ".capsule", *spec.capsule, 2, 2);
    if (!(sizes[0] > 0 && sizes[1] > 0))
      read.refuse(key + ".capsule", fmt::format("[{}]", detail::listed(sizes)),
                  "length and radius must be greater than 0");
    return capsule({-0.5 * sizes[0], 0}, {0.5 * sizes[0], 0}, sizes[1]);
  }
  if (spec.polygon) return polygon_part(read, key + ".polygon", *spec.polygon);
  const Point normal = read.point(key + ".half-space", *spec.half_space);
  if (!(normal.norm() > 0)) read.refuse(key + ".half-space", "[0, 0]", "must be a direction, such as [0, 1]");
  return half_plane({0, 0}, normal);
}

}  // namespace

std::string stated_text(const StatedNumber& stated) {
  const auto* text = std::get_if<std::string>(&stated);
  return text ? detail::quoted(*text) : to_text(std::get<double>(stated));
}

const StatedNumber& SceneNumbers::one(const std::string& key, const StatedMany& stated) {
  if (stated.list.size() != 1)
    refuse(key, fmt::format("an array of {}", stated.list.size()), "must be a number, in the plane");
  return stated.list[0];
}

double SceneNumbers::number(const std::string& key, const StatedNumber& stated) {
  if (const double* x = std::get_if<double>(&stated)) return *x;
  const auto& text = std::get<std::string>(stated);
  const auto value = names.expressions.constant(names.parse(key, text));
  if (!value || !std::isfinite(*value))
    refuse(key, detail::quoted(text), "must be a finite number: a formula of parameters alone");
  return *value;
}

double SceneNumbers::positive(const std::string& key, const StatedNumber& stated) {
  const double x = number(key, stated);
  if (!(x > 0)) refuse(key, stated_text(stated), "must be greater than 0");
  return x;
}

double SceneNumbers::not_negative(const std::string& key, const StatedNumber& stated) {
  const double x = number(key, stated);
  if (!(x >= 0)) refuse(key, stated_text(stated), "must not be negative");
  return x;
}

double SceneNumbers::fraction(const std::string& key, const StatedNumber& stated) {
  const double x = number(key, stated);
  if (!(x >= 0 && x <= 1)) refuse(key, stated_text(stated), "must be from 0 to 1");
  return x;
}

std::vector<double> SceneNumbers::numbers(const std::string& key, const StatedNumbers& stated,
                                          std::size_t least, std::size_t most) {
  if (stated.size() < least || stated.size() > most)
    refuse(key, fmt::format("an array of {}", stated.size()),
           least == most ? fmt::format("must be an array of {} numbers", least)
                         : fmt::format("must be an array of {} or {} numbers", least, most));
  std::vector<double> r;
  for (std::size_t k = 0; k < stated.size(); ++k)
    r.push_back(number(fmt::format("{}.{}", key, k), stated[k]));
  return r;
}

Point SceneNumbers::point(const std::string& key, const StatedNumbers& stated) {
  const auto xy = numbers(key, stated, 2, 2);
  return {xy[0], xy[1]};
}

std::vector<PlanePart> scene_shape(SceneNumbers& read, const std::string& key, const ShapeSpec& spec) {
  if (spec.name) {
    std::vector<std::string> known;
    for (const auto& [name, shape] : read.scenario.scene.shapes) {
      if (name == *spec.name && !shape.name)
        return scene_shape(read, "shape." + detail::key_part(name), shape);
      known.push_back(name);
    }
    read.refuse(key, detail::quoted(*spec.name), "no shape has this name" + suggestion(*spec.name, known));
  }
  const int kinds = spec.ball.has_value() + spec.box.has_value() + spec.capsule.has_value() +
                    spec.polygon.has_value() + spec.half_space.has_value() + !spec.compound.empty();
  if (kinds != 1)
    read.refuse(key, fmt::format("{} kinds", kinds),
                "must be one of ball, box, capsule, polygon, half-space, compound");
  std::vector<PlanePart> parts;
  for (std::size_t k = 0; k < spec.compound.size(); ++k) {
    const std::string own = fmt::format("{}.compound.{}", key, k);
    for (const PlanePart& part : scene_shape(read, own, spec.compound[k])) {
      if (part.is_half_plane())
        read.refuse(own + ".half-space", "", "is no part of a compound: it has no end");
      parts.push_back(part);
    }
  }
  if (parts.empty()) parts.push_back(part_of(read, key, spec));
  if (!spec.position && !spec.angle) return parts;
  const Point at = spec.position ? read.point(key + ".position", *spec.position) : Point(0, 0);
  const double angle = spec.angle ? read.number(key + ".angle", *spec.angle) : 0;
  for (PlanePart& part : parts) part = placed(part, at, angle);
  return parts;
}

bool fits_pattern(const std::string& name, const std::string& pattern) {
  std::size_t i = 0, k = 0, star = std::string::npos, from = 0;
  while (i < name.size()) {
    if (k < pattern.size() && pattern[k] == '*')
      star = k++, from = i;
    else if (k < pattern.size() && pattern[k] == name[i])
      ++i, ++k;
    else if (star != std::string::npos)
      k = star + 1, i = ++from;
    else
      return false;
  }
  while (k < pattern.size() && pattern[k] == '*') ++k;
  return k == pattern.size();
}

}  // namespace carom
