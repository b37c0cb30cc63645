// Contacts of shapes in the plane. Two convex shapes that come from apart meet where a corner of one core
// reaches a feature of the other, so each corner of one against the core of the other is a contact of its
// own: what lies flat is held at both ends of what it shares. With P a corner of a, n the normal of the
// feature of b nearest to it, C the point of the surface of a that faces b, and r x n = cross(r, n):
//
//   g = distance of P from the core of b - both radii,    ∇g = ( n, (P - x_a) x n, -n, -(P - x_b) x n)
//   u = t·(velocity of a at C - that of b there)        = ((t, (C - x_a) x t, -t, -(C - x_b) x t), v),   t =
//   n turned
//
// The core of a sharp polygon is taken by its highest face: a lower bound of the distance beyond a corner,
// positive exactly when apart, and signed. Where P is at a corner of b, the face counts that separates the
// two parts; where several do, the corners meet, and the free space has a re-entrant corner there: the normal
// is the bisector n1/|n1| + n2/|n2| of the outermost, in the kinetic metric (|n|² = ∇g M^-1 ∇g), which
// depends on q alone, so that impacts can be undone. Tested in tests/unit/plane_scene_test.cpp.
#pragma once

#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "carom/bodies/plane_shape.hpp"

namespace carom {

// Where a body is, with cosine and sine of its angle.
struct PlanePose {
  double x = 0, y = 0, angle = 0, c = 1, s = 0;
  static PlanePose at(double x, double y, double angle) {
    return {x, y, angle, std::cos(angle), std::sin(angle)};
  }
  Point origin() const { return {x, y}; }
  Point turned(const Point& p) const { return {c * p.x() - s * p.y(), s * p.x() + c * p.y()}; }
  Point unturned(const Point& p) const { return {c * p.x() + s * p.y(), c * p.y() - s * p.x()}; }
  Point out(const Point& own) const { return origin() + turned(own); }
  Point own(const Point& p) const { return unturned(p - origin()); }
};

struct PlaneContact {
  int a, b;            // bodies: a corner of a, and a core of b
  int pair;            // of the world
  int part_a, part_b;  // of their shapes
  Point corner;        // in a
  double radius_a, radius_b;
  double size;  // of what the gap is made of
};

struct PlaneRow {
  Point n;
  double turn_a, turn_b;  // along the angles
};

class PlaneContacts {
 public:
  struct Body {
    const std::vector<PlanePart>* shape;
    double mass, inertia;  // 0: not free
  };

  explicit PlaneContacts(std::vector<Body> bodies) : shapes(std::move(bodies)) {}
  void add_pair(int pair, int a, int b, const std::string& name_a, const std::string& name_b);

  int size() const { return static_cast<int>(all.size()); }
  const PlaneContact& operator[](int i) const { return all[static_cast<std::size_t>(i)]; }
  const std::string& name(int i) const { return names[static_cast<std::size_t>(i)]; }
  double size_of(int i) const { return (*this)[i].size; }
  const PlanePart& core(int i) const { return part((*this)[i].b, (*this)[i].part_b); }
  // Whether slips are rates of places: where the feature is always a face.
  bool has_slide(int i) const { return core(i).is_half_plane() || is_sharp(i); }
  bool has_branches(int i) const { return core(i).features() > 1; }
  bool is_sharp(int i) const {
    return core(i).is_polygon() && (*this)[i].radius_a + (*this)[i].radius_b == 0;
  }

  using Poses = std::span<const PlanePose>;
  // Of contact i the feature that counts; `held` if that is one.
  int feature(int i, Poses poses, int held) const;
  double gap(int i, Poses poses, int held) const;
  PlaneRow slope(int i, Poses poses, int held) const;
  PlaneRow slip(int i, Poses poses, int held) const;
  double slide(int i, Poses poses, int held) const;
  Point place(int i, Poses poses, int held) const;
  bool is_corner_on_corner(int i, Poses poses) const;

  // The gap and the slip over duals: x, y, angle of a, then of b; the slip with the velocities v.
  template <class S>
  S gap_at(int i, int feature, const S* x) const;
  template <class S>
  S slip_at(int i, int feature, const S* x, const double* v) const;

 private:
  const PlanePart& part(int body, int k) const {
    return (*shapes[static_cast<std::size_t>(body)].shape)[static_cast<std::size_t>(k)];
  }
  void add_corners(int pair, int a, int part_a, int b, int part_b, const std::string& name_a,
                   const std::string& name_b);
  struct Near {  // what is known at a configuration
    Point P, n;  // in space
    double distance;
  };
  Near look(int i, Poses poses, int feature) const;
  struct Axes {
    std::optional<Point> first, last;  // outermost normals, from b to a in space; none where one face decides
    int face;
  };
  Axes axes(int i, Poses poses) const;
  Point bisector(int i, Poses poses, const Axes& of) const;

  std::vector<PlaneContact> all;
  std::vector<std::string> names;
  std::vector<Body> shapes;
};

// A point of b's core as a sees it, and the same over duals.
template <class S>
S PlaneContacts::gap_at(int i, int feature, const S* x) const {
  using std::cos, std::sin, std::sqrt;
  const PlaneContact& k = (*this)[i];
  const PlanePart& part = core(i);
  const S ca = cos(x[2]), sa = sin(x[2]), cb = cos(x[5]), sb = sin(x[5]);
  const S dx = x[0] + ca * k.corner.x() - sa * k.corner.y() - x[3];
  const S dy = x[1] + sa * k.corner.x() + ca * k.corner.y() - x[4];
  const S px = cb * dx + sb * dy, py = cb * dy - sb * dx;
  const auto f = static_cast<std::size_t>(feature);
  const double radius = k.radius_a + k.radius_b;
  if (f < part.faces.size())
    return px * part.faces[f].normal.x() + py * part.faces[f].normal.y() - (part.faces[f].offset + radius);
  const Point& c = part.corners[f - part.faces.size()];
  const S ex = px - c.x(), ey = py - c.y();
  return sqrt(ex * ex + ey * ey) - radius;
}

template <class S>
S PlaneContacts::slip_at(int i, int feature, const S* x, const double* v) const {
  using std::cos, std::sin, std::sqrt;
  const PlaneContact& k = (*this)[i];
  const PlanePart& part = core(i);
  const S ca = cos(x[2]), sa = sin(x[2]), cb = cos(x[5]), sb = sin(x[5]);
  const S ax = ca * k.corner.x() - sa * k.corner.y(), ay = sa * k.corner.x() + ca * k.corner.y();  // P - x_a
  const S bx = x[0] + ax - x[3], by = x[1] + ay - x[4];                                            // P - x_b
  const auto f = static_cast<std::size_t>(feature);
  S nx(0.0), ny(0.0);
  if (f < part.faces.size()) {
    const Point& n = part.faces[f].normal;
    nx = cb * n.x() - sb * n.y(), ny = sb * n.x() + cb * n.y();
  } else {
    const Point& c = part.corners[f - part.faces.size()];
    const S ex = bx - (cb * c.x() - sb * c.y()), ey = by - (sb * c.x() + cb * c.y());
    const S length = sqrt(ex * ex + ey * ey);
    nx = ex / length, ny = ey / length;
  }
  // With r_a = P - x_a - radius n and t = (-ny, nx), r x t = r·n.
  const S turn_a = ax * nx + ay * ny - k.radius_a, turn_b = bx * nx + by * ny - k.radius_a;
  return (v[3] - v[0]) * ny + (v[1] - v[4]) * nx + turn_a * v[2] - turn_b * v[5];
}

}  // namespace carom
