#include "carom/bodies/plane_shape.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace carom {
namespace {

Point rotated(const Point& p, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  return {c * p.x() - s * p.y(), s * p.x() + c * p.y()};
}

void add_faces(PlanePart& part) {
  const std::size_t n = part.corners.size();
  for (std::size_t k = 0; k < n; ++k) {
    const Point edge = part.corners[(k + 1) % n] - part.corners[k];
    const Point normal = -turned(edge).normalized();
    part.faces.push_back({normal, normal.dot(part.corners[k])});
  }
}

// Of a piece of area with its centre and its second moment about that.
struct Piece {
  double area;
  Point centre;
  double inertia;
};

Piece piece_of(const PlanePart& part) {
  constexpr double pi = std::numbers::pi;
  const double r = part.radius, r2 = r * r;
  if (part.is_half_plane()) return {0, Point::Zero(), 0};
  if (part.corners.size() == 1) return {pi * r2, part.corners[0], 0.5 * pi * r2 * r2};
  if (part.corners.size() ==
      2) {  // a rectangle between two half discs, whose centres are 4r/3π behind their ends
    const double l = (part.corners[1] - part.corners[0]).norm(), box = 2 * r * l, ends = pi * r2;
    const double off = 4 * r / (3 * pi);
    const double inertia =
        box * (l * l + 4 * r2) / 12 + ends * (0.5 * r2 - off * off + (0.5 * l + off) * (0.5 * l + off));
    return {box + ends, 0.5 * (part.corners[0] + part.corners[1]), inertia};
  }
  // Triangles from the first corner, each about its own centre: A/36 of the squares of its sides.
  Piece sum{0, Point::Zero(), 0};
  std::vector<Piece> triangles;
  const Point& o = part.corners[0];
  for (std::size_t k = 1; k + 1 < part.corners.size(); ++k) {
    const Point a = part.corners[k] - o, b = part.corners[k + 1] - o;
    const double area = 0.5 * cross(a, b);
    triangles.push_back(
        {area, o + (a + b) / 3, area / 36 * (a.squaredNorm() + b.squaredNorm() + (b - a).squaredNorm())});
    sum.area += area, sum.centre += area * triangles.back().centre;
  }
  sum.centre /= sum.area;
  for (const Piece& each : triangles)
    sum.inertia += each.inertia + each.area * (each.centre - sum.centre).squaredNorm();
  return sum;
}

// The largest over faces of `of` of the least distance of a corner of `other` behind it.
double over_faces(const PlanePart& of, const PlanePart& other) {
  double most = -HUGE_VAL;
  for (const auto& face : of.faces) {
    double least = HUGE_VAL;
    for (const Point& corner : other.corners) least = std::fmin(least, face.normal.dot(corner) - face.offset);
    most = std::fmax(most, least);
  }
  return most;
}

double distance(const PlanePart& of, const Point& p) {
  const auto k = static_cast<std::size_t>(of.nearest_feature(p));
  if (k < of.faces.size()) return of.faces[k].normal.dot(p) - of.faces[k].offset;
  return (p - of.corners[k - of.faces.size()]).norm();
}

}  // namespace

int PlanePart::nearest_feature(const Point& p) const {
  if (is_half_plane() || corners.size() == 1) return 0;
  const int sides = static_cast<int>(faces.size());
  if (corners.size() == 2) {
    const Point along = corners[1] - corners[0];
    const double s = (p - corners[0]).dot(along);
    if (s <= 0) return sides;
    if (s >= along.squaredNorm()) return sides + 1;
    return faces[0].normal.dot(p) - faces[0].offset >= 0 ? 0 : 1;
  }
  int best = highest_face(p);
  const auto& inner = faces[static_cast<std::size_t>(best)];
  if (inner.normal.dot(p) <= inner.offset) return best;
  // Outside: behind an end of that face a corner is nearer, or another face.
  double least = HUGE_VAL;
  for (int k = 0; k < sides; ++k) {
    const Point& a = corners[static_cast<std::size_t>(k)];
    const Point& b = corners[static_cast<std::size_t>((k + 1) % sides)];
    const double length2 = (b - a).squaredNorm(), s = (p - a).dot(b - a);
    const auto& face = faces[static_cast<std::size_t>(k)];
    const double d = s <= 0         ? (p - a).norm()
                     : s >= length2 ? (p - b).norm()
                                    : face.normal.dot(p) - face.offset;
    if (d < 0 || !(d < least)) continue;
    least = d, best = s <= 0 ? sides + k : s >= length2 ? sides + (k + 1) % sides : k;
  }
  return best;
}

int PlanePart::highest_face(const Point& p) const {
  int best = 0;
  double most = -HUGE_VAL;
  for (std::size_t k = 0; k < faces.size(); ++k) {
    const double s = faces[k].normal.dot(p) - faces[k].offset;
    if (s > most) most = s, best = static_cast<int>(k);
  }
  return best;
}

double PlanePart::extent() const {
  double r = is_half_plane() ? std::abs(faces[0].offset) : 0;
  for (const Point& corner : corners) r = std::fmax(r, corner.norm());
  return r + radius;
}

PlanePart disc(const Point& centre, double radius) {
  PlanePart r;
  r.corners = {centre}, r.radius = radius;
  return r;
}

PlanePart capsule(const Point& a, const Point& b, double radius) {
  PlanePart r;
  r.corners = {a, b}, r.radius = radius;
  add_faces(r);
  return r;
}

PlanePart polygon(std::vector<Point> counterclockwise) {
  PlanePart r;
  r.corners = std::move(counterclockwise);
  add_faces(r);
  return r;
}

PlanePart half_plane(const Point& point, const Point& outward) {
  PlanePart r;
  const Point n = outward.normalized();
  r.faces = {{n, n.dot(point)}};
  return r;
}

PlanePart placed(const PlanePart& part, const Point& at, double angle) {
  PlanePart r;
  r.radius = part.radius;
  if (part.is_half_plane())
    return half_plane(at + rotated(part.faces[0].offset * part.faces[0].normal, angle),
                      rotated(part.faces[0].normal, angle));
  for (const Point& corner : part.corners) r.corners.push_back(at + rotated(corner, angle));
  if (r.corners.size() > 1) add_faces(r);
  return r;
}

PlaneMoments moments_of(const std::vector<PlanePart>& parts) {
  PlaneMoments r;
  for (const PlanePart& part : parts) {
    const Piece piece = piece_of(part);
    r.area += piece.area, r.centre += piece.area * piece.centre;
  }
  if (r.area > 0) r.centre /= r.area;
  for (const PlanePart& part : parts) {
    const Piece piece = piece_of(part);
    r.inertia += piece.inertia + piece.area * (piece.centre - r.centre).squaredNorm();
  }
  return r;
}

double separation(const PlanePart& a, const PlanePart& b) {
  const double radius = a.radius + b.radius;
  if (a.is_half_plane() || b.is_half_plane())
    return (a.is_half_plane() ? over_faces(a, b) : over_faces(b, a)) - radius;
  if (a.is_polygon() && b.is_polygon()) return std::fmax(over_faces(a, b), over_faces(b, a));
  double least = HUGE_VAL;
  for (const Point& p : a.corners) least = std::fmin(least, distance(b, p));
  for (const Point& p : b.corners) least = std::fmin(least, distance(a, p));
  // Segments that cross, or one that passes through a polygon, have all ends outside.
  if (a.corners.size() > 1 && b.corners.size() > 1 && std::fmax(over_faces(a, b), over_faces(b, a)) < 0)
    least = std::fmin(least, std::fmax(over_faces(a, b), over_faces(b, a)));
  return least - radius;
}

}  // namespace carom
