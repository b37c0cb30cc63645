#include "import/shapes.hpp"

#include <fmt/format.h>

#include <numbers>

#include "scenario/scenario_text.hpp"

namespace carom::robots {
namespace {

using std::numbers::pi;

Mat3 diagonal(double x, double y, double z) { return Vec3(x, y, z).asDiagonal(); }

Moments of_capsule(double r, double half) {
  const double tube = pi * r * r * 2 * half, ends = 4.0 / 3 * pi * r * r * r;
  // A half ball's centre is 3/8 r from its face, and its inertia about the ball's centre is 2/5 m r².
  const double across =
      tube * (r * r / 4 + half * half / 3) + ends * (2.0 / 5 * r * r + half * half + 3.0 / 4 * half * r);
  return {tube + ends, Vec3::Zero(), diagonal(across, across, tube * r * r / 2 + ends * 2.0 / 5 * r * r)};
}

}  // namespace

Moments unit_moments(const RobotShape& shape) {
  const double a = shape.size[0], b = shape.size[1], c = shape.size[2];
  switch (shape.kind) {
    case ShapeKind::plane:
      return {};
    case ShapeKind::ball: {
      const double m = 4.0 / 3 * pi * a * a * a, i = 2.0 / 5 * m * a * a;
      return {m, Vec3::Zero(), diagonal(i, i, i)};
    }
    case ShapeKind::capsule:
      return of_capsule(a, b);
    case ShapeKind::cylinder: {
      const double m = pi * a * a * 2 * b, across = m * (a * a / 4 + b * b / 3);
      return {m, Vec3::Zero(), diagonal(across, across, m * a * a / 2)};
    }
    case ShapeKind::box: {
      const double m = 8 * a * b * c;
      return {m, Vec3::Zero(), m / 3 * diagonal(b * b + c * c, a * a + c * c, a * a + b * b)};
    }
    case ShapeKind::ellipsoid: {
      const double m = 4.0 / 3 * pi * a * b * c;
      return {m, Vec3::Zero(), m / 5 * diagonal(b * b + c * c, a * a + c * c, a * a + b * b)};
    }
    case ShapeKind::hull:
      return shape.moments;
  }
  return {};
}

RobotShape hull_of(const Mesh& mesh, const std::string& name, const std::string& place, Notes& notes,
                   bool by_size) {
  RobotShape r;
  r.kind = ShapeKind::hull, r.name = name, r.place = place;
  const Hull hull = convex_hull(mesh.points);
  if (hull.points.empty())
    refuse(place,
           fmt::format("mesh {} lies in a plane, so it is no body", detail::clipped(detail::quoted(name))));
  r.points = hull.points;
  const Moments whole = moments_of_triangles(hull.points, hull.faces);
  const Moments own = moments_of_triangles(mesh.points, mesh.faces);
  r.moments = !(own.mass > 1e-3 * whole.mass) ? whole
              : by_size                       ? moments_of_triangles(mesh.points, mesh.faces, true)
                                              : own;
  if (!mesh.faces.empty() && !(own.mass > 0.999 * whole.mass))
    notes.warn(place, "meshes that are not convex are taken as their hulls");
  return r;
}

}  // namespace carom::robots
