#include "report/shapes.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace carom {
namespace {

Vector2 turned(const Vector2& v) { return {-v.y(), v.x()}; }

// The point of a shape's middle line that is nearest to p, from 0 to 1.
double along(const Shape& s, const Vector2& p) {
  const Vector2 d = s.b - s.a;
  const double length2 = d.squaredNorm();
  return length2 > 0 ? std::clamp((p - s.a).dot(d) / length2, 0.0, 1.0) : 0;
}

Vector2 point_of(const Shape& s, double at) { return s.a + at * (s.b - s.a); }

// Where the middle lines are nearest: at an end of one of them. Lines that cross do not touch, they pass each
// other.
Nearest nearest_lines(const Shape& a, const Shape& b) {
  Nearest best{.distance = HUGE_VAL};
  const auto consider = [&](double on_a, double on_b) {
    const Vector2 p = point_of(a, on_a), q = point_of(b, on_b);
    const double distance = (p - q).norm();
    if (distance < best.distance)
      best = {.on_a = p, .on_b = q, .along_a = on_a, .along_b = on_b, .distance = distance};
  };
  consider(0, along(b, a.a)), consider(1, along(b, a.b));
  consider(along(a, b.a), 0), consider(along(a, b.b), 1);
  return best;
}

bool inside(double at) { return at > 0 && at < 1; }

}  // namespace

Nearest nearest(const Shape& a, const Shape& b, double tiny) {
  Nearest r = nearest_lines(a, b);
  const Vector2 u = a.b - a.a, v = b.b - b.a;
  if (r.distance > tiny)
    r.normal = (r.on_a - r.on_b) / r.distance;
  else if (inside(r.along_b) && v.norm() > 0)  // on the line of b: across it
    r.normal = turned(v).normalized();
  else if (inside(r.along_a) && u.norm() > 0)
    r.normal = turned(u).normalized();
  r.distance -= a.radius + b.radius;
  return r;
}

Vector2 between(const Shape& a, const Shape& b, const Nearest& at) {
  if (b.radius == 0) return at.on_b;
  if (a.radius == 0) return at.on_a;
  return 0.5 * (at.on_a - a.radius * at.normal + at.on_b + b.radius * at.normal);
}

double Solid::reach(const Vector2& direction) const {
  if (round) return half.x();
  // A ray from the middle leaves a box by the side that it meets first.
  double r = HUGE_VAL;
  for (const int k : {0, 1})
    if (direction[k] != 0) r = std::fmin(r, half[k] / std::abs(direction[k]));
  return r;
}

ShapeList::ShapeList(const Drawing& drawing) : points_(drawing.points.size(), Vector2::Zero()) {
  std::map<std::string, int> number;
  for (const auto& point : drawing.points) number.emplace(point.name, static_cast<int>(number.size()));
  for (const auto& row : drawing.circles) solids_.push_back({number.at(row[0]), true});
  for (const auto& row : drawing.boxes) solids_.push_back({number.at(row[0]), false});
  const auto add_chains = [&](const DrawSpec::Rows& rows, bool closed) {
    for (const auto& row : rows) {
      auto& chain = chains_.emplace_back();
      for (const std::string& name : row) chain.push_back(number.at(name));
      if (closed) chain.push_back(chain.front());
    }
  };
  add_chains(drawing.lines, false), add_chains(drawing.polygons, true);
  for (const auto& g : drawing.ground) shapes_.push_back({{g[0], g[1]}, {g[2], g[3]}});
  for (const auto& path : drawing.paths)
    for (std::size_t i = 0; i + 1 < path.size(); ++i)
      shapes_.push_back({{path[i][0], path[i][1]}, {path[i + 1][0], path[i + 1][1]}});
  walls_ = shapes_.size();
}

void ShapeList::add_segment(int a, int b) {
  shapes_.push_back({points_[static_cast<std::size_t>(a)], points_[static_cast<std::size_t>(b)], a, b});
}

void ShapeList::add_box(const Solid& box) {
  const Vector2 middle = points_[static_cast<std::size_t>(box.point)];
  const auto corner = [&](double x, double y) {
    return Vector2(middle + Vector2(x * box.half.x(), y * box.half.y()));
  };
  const Vector2 corners[] = {corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)};
  for (std::size_t k = 0; k < 4; ++k)
    shapes_.push_back({corners[k], corners[(k + 1) % 4], box.point, box.point});
}

void ShapeList::move(std::span<const double> geometry) {
  shapes_.resize(walls_);
  std::size_t at = 0;
  for (Vector2& point : points_) point = {geometry[at], geometry[at + 1]}, at += 2;
  for (Solid& solid : solids_) {
    const double x = geometry[at++], y = solid.round ? x : geometry[at++];
    solid.half = (solid.round ? 1.0 : 0.5) * Vector2(std::abs(x), std::abs(y));
    const Vector2 middle = points_[static_cast<std::size_t>(solid.point)];
    if (solid.round)
      shapes_.push_back({middle, middle, solid.point, solid.point, solid.half.x()});
    else
      add_box(solid);
  }
  for (const auto& chain : chains_)
    for (std::size_t i = 0; i + 1 < chain.size(); ++i) add_segment(chain[i], chain[i + 1]);
}

}  // namespace carom
