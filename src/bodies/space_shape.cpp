#include "carom/bodies/space_shape.hpp"

#include <algorithm>
#include <map>
#include <numbers>

namespace carom {
namespace {

using Eigen::Matrix3d;
constexpr double pi = std::numbers::pi;

double distance_to_edge(const Point3& p, const Point3& a, const Point3& b) {
  const Point3 along = b - a;
  const double s = std::clamp((p - a).dot(along) / along.squaredNorm(), 0.0, 1.0);
  return (p - a - s * along).norm();
}

// Σ x x' over the volume, about the origin of the corners.
struct Second {
  double volume = 0;
  Point3 first = Point3::Zero();
  Matrix3d square = Matrix3d::Zero();
};

Second tetrahedra_of(const SpacePart& part, const Point3& origin) {
  Second r;
  for (const auto& face : part.faces)
    for (std::size_t k = 1; k + 1 < face.corners.size(); ++k) {
      const auto corner = [&](std::size_t i) {
        return Point3(part.corners[static_cast<std::size_t>(face.corners[i])] - origin);
      };
      const Point3 a = corner(0), b = corner(k), c = corner(k + 1), sum = a + b + c;
      const double volume = a.dot(b.cross(c)) / 6;
      r.volume += volume, r.first += volume / 4 * sum;
      r.square +=
          volume / 20 * (a * a.transpose() + b * b.transpose() + c * c.transpose() + sum * sum.transpose());
    }
  return r;
}

SpaceMoments moments_of(const SpacePart& part) {
  using Kind = SpacePart::Kind;
  const double r = part.radius, ball = 4 * pi / 3 * r * r * r;
  const auto along = [](const Point3& axis, double own, double across) {
    return Matrix3d(across * Matrix3d::Identity() + (own - across) * axis * axis.transpose());
  };
  if (part.kind == Kind::half_space) return {};
  if (part.kind == Kind::point) return {ball, part.corners[0], 0.4 * ball * r * r * Matrix3d::Identity()};
  if (part.kind == Kind::segment) {
    const Point3 way = part.corners[1] - part.corners[0];
    const double l = way.norm(), tube = pi * r * r * l;
    return {tube + ball, 0.5 * (part.corners[0] + part.corners[1]),
            along(way / l, r * r * (0.5 * tube + 0.4 * ball),
                  tube * (l * l / 12 + r * r / 4) + ball * (0.4 * r * r + 0.25 * l * l + 0.375 * l * r))};
  }
  if (part.kind == Kind::cylinder) {
    const double l = 2 * part.half[0], own = part.half[1], volume = pi * own * own * l;
    return {volume, part.corners[0],
            along(part.axes.col(0), 0.5 * volume * own * own, volume * (l * l / 12 + own * own / 4))};
  }
  if (part.kind == Kind::ellipsoid) {
    const double volume = 4 * pi / 3 * part.half.prod();
    const Point3 squares = part.half.cwiseAbs2();
    const Point3 own = volume / 5 * (Point3::Constant(squares.sum()) - squares);
    return {volume, part.corners[0], part.axes * own.asDiagonal() * part.axes.transpose()};
  }
  const Point3 middle = part.middle();
  const Second sum = tetrahedra_of(part, middle);
  const Point3 off = sum.first / sum.volume;
  const Matrix3d square = sum.square - sum.volume * off * off.transpose();
  return {sum.volume, middle + off, square.trace() * Matrix3d::Identity() - square};
}

// Triangles of the hull of points, by adding one after the other.
using Triangle = std::array<int, 3>;
class Hull {
 public:
  explicit Hull(const std::vector<Point3>& of) : points(of) {}

  std::vector<Triangle> triangles() {
    if (!begin()) return {};
    for (int k = 0; k < static_cast<int>(points.size()); ++k) add(k);
    return faces;
  }

 private:
  const Point3& at(int k) const { return points[static_cast<std::size_t>(k)]; }
  Point3 normal(const Triangle& f) const { return (at(f[1]) - at(f[0])).cross(at(f[2]) - at(f[0])); }
  bool is_above(const Triangle& f, int k) const {
    const Point3 n = normal(f);
    return n.dot(at(k) - at(f[0])) > 1e-10 * size * n.norm();
  }
  template <class F>
  int farthest(const F& distance) const {
    int best = 0;
    for (int k = 1; k < static_cast<int>(points.size()); ++k)
      if (distance(k) > distance(best)) best = k;
    return best;
  }
  bool begin() {  // with four points that are no plane
    const int a = 0, b = farthest([&](int k) { return (at(k) - at(0)).norm(); });
    const Point3 way = at(b) - at(a);
    size = way.norm();
    if (!(size > 0)) return false;
    const int c = farthest([&](int k) { return way.cross(at(k) - at(a)).norm(); });
    const Point3 n = way.cross(at(c) - at(a));
    if (!(n.norm() > 1e-9 * size * size)) return false;
    const int d = farthest([&](int k) { return std::abs(n.dot(at(k) - at(a))); });
    const double height = n.dot(at(d) - at(a));
    if (!(std::abs(height) > 1e-9 * size * n.norm())) return false;
    faces = {{a, b, c}, {a, d, b}, {b, d, c}, {c, d, a}};
    if (height > 0)
      for (Triangle& f : faces) std::swap(f[1], f[2]);
    return true;
  }
  void add(int k) {
    std::vector<Triangle> kept;
    std::map<std::pair<int, int>, bool> open;  // edges of what k sees
    for (const Triangle& f : faces) {
      if (!is_above(f, k)) {
        kept.push_back(f);
        continue;
      }
      for (std::size_t e = 0; e < 3; ++e) open[{f[e], f[(e + 1) % 3]}] = true;
    }
    if (kept.size() == faces.size()) return;
    for (const auto& [edge, seen] : open)
      if (!open.contains({edge.second, edge.first})) kept.push_back({edge.first, edge.second, k});
    faces = std::move(kept);
  }

  const std::vector<Point3>& points;
  std::vector<Triangle> faces;
  double size = 0;
};

// A face with all corners that lie in its plane, around it, those in line left out.
SpacePart::Face whole_face(const std::vector<Point3>& corners, const Point3& n, double offset, double close) {
  SpacePart::Face face{n, offset, {}};
  Point3 middle = Point3::Zero();
  for (int k = 0; k < static_cast<int>(corners.size()); ++k)
    if (std::abs(n.dot(corners[static_cast<std::size_t>(k)]) - offset) < close) face.corners.push_back(k);
  for (const int k : face.corners)
    middle += corners[static_cast<std::size_t>(k)] / static_cast<double>(face.corners.size());
  const Point3 first = (corners[static_cast<std::size_t>(face.corners[0])] - middle).normalized(),
               second = n.cross(first);
  const auto angle = [&](int k) {
    const Point3 p = corners[static_cast<std::size_t>(k)] - middle;
    return std::atan2(p.dot(second), p.dot(first));
  };
  std::sort(face.corners.begin(), face.corners.end(), [&](int a, int b) { return angle(a) < angle(b); });
  return face;
}

void add_edges(SpacePart& part) {
  std::map<std::pair<int, int>, std::size_t> known;
  for (int f = 0; f < static_cast<int>(part.faces.size()); ++f) {
    const auto& corners = part.faces[static_cast<std::size_t>(f)].corners;
    for (std::size_t k = 0; k < corners.size(); ++k) {
      const int a = corners[k], b = corners[(k + 1) % corners.size()];
      if (const auto other = known.find({b, a}); other != known.end()) {
        part.edges[other->second].right = f;
      } else {
        known[{a, b}] = part.edges.size();
        part.edges.push_back({a, b, f, -1});
      }
    }
  }
}

// How far two cores are apart along n, b ahead of a; negative where they overlap there.
double apart_along(const Point3& n, const SpacePart& a, const SpacePart& b) {
  double most = -HUGE_VAL, least = HUGE_VAL;
  for (const Point3& p : a.corners) most = std::fmax(most, n.dot(p));
  for (const Point3& p : b.corners) least = std::fmin(least, n.dot(p));
  return least - most;
}

double by_axes(const SpacePart& a, const SpacePart& b) {
  double best = -HUGE_VAL;
  for (const auto& face : a.faces) best = std::fmax(best, apart_along(face.normal, a, b));
  for (const auto& face : b.faces) best = std::fmax(best, apart_along(face.normal, b, a));
  for (const auto& e : a.edges)
    for (const auto& f : b.edges) {
      const auto way = [](const SpacePart& of, const SpacePart::Edge& edge) {
        return Point3(of.corners[static_cast<std::size_t>(edge.to)] -
                      of.corners[static_cast<std::size_t>(edge.from)]);
      };
      const Point3 u = way(a, e), v = way(b, f), n = u.cross(v);
      if (!(n.norm() > 1e-9 * u.norm() * v.norm())) continue;
      best =
          std::fmax(best, std::fmax(apart_along(n.normalized(), a, b), apart_along(-n.normalized(), a, b)));
    }
  return best;
}

double core_distance(const Point3& p, const SpacePart& of) {
  double least = HUGE_VAL;
  for (const auto& edge : of.edges)
    least = std::fmin(least, distance_to_edge(p, of.corners[static_cast<std::size_t>(edge.from)],
                                              of.corners[static_cast<std::size_t>(edge.to)]));
  for (const Point3& c : of.corners) least = std::fmin(least, (p - c).norm());
  if (of.is_polyhedron()) {
    const int f = of.nearest_feature(p);
    if (f < static_cast<int>(of.faces.size()))
      return of.faces[static_cast<std::size_t>(f)].normal.dot(p) -
             of.faces[static_cast<std::size_t>(f)].offset;
  }
  return least;
}

double edge_distance(const Point3& a, const Point3& b, const Point3& c, const Point3& d) {
  const Point3 u = b - a, v = d - c, n = u.cross(v), w = c - a;
  double least = std::min({distance_to_edge(a, c, d), distance_to_edge(b, c, d), distance_to_edge(c, a, b),
                           distance_to_edge(d, a, b)});
  const double nn = n.squaredNorm();
  if (nn > 1e-18 * u.squaredNorm() * v.squaredNorm()) {
    const double s = w.cross(v).dot(n) / nn, t = w.cross(u).dot(n) / nn;
    if (s > 0 && s < 1 && t > 0 && t < 1) least = std::fmin(least, std::abs(w.dot(n)) / std::sqrt(nn));
  }
  return least;
}

// Of the lowest point over a plane.
double lowest(const SpacePart& part, const SpacePart::Face& over) {
  const Point3& n = over.normal;
  double least = HUGE_VAL;
  for (const Point3& c : part.corners) least = std::fmin(least, n.dot(c) - over.offset);
  if (part.kind == SpacePart::Kind::ellipsoid)
    least -= (part.half.asDiagonal() * (part.axes.transpose() * n)).norm();
  if (part.kind == SpacePart::Kind::cylinder) {
    const double along = n.dot(part.axes.col(0));
    least -= part.half[0] * std::abs(along) + part.half[1] * std::sqrt(std::fmax(0, 1 - along * along));
  }
  return least - part.radius;
}

}  // namespace

int SpacePart::highest_face(const Point3& p) const {
  int best = 0;
  double most = -HUGE_VAL;
  for (int f = 0; f < static_cast<int>(faces.size()); ++f) {
    const auto& face = faces[static_cast<std::size_t>(f)];
    if (const double over = face.normal.dot(p) - face.offset; over > most) most = over, best = f;
  }
  return best;
}

int SpacePart::nearest_feature(const Point3& p) const {
  const int plain = static_cast<int>(faces.size()), lines = static_cast<int>(edges.size());
  if (is_half_space()) return 0;
  if (is_polyhedron()) {
    const int high = highest_face(p);
    bool inside = true;
    for (int f = 0; f < plain; ++f) {
      const auto& face = faces[static_cast<std::size_t>(f)];
      const double over = face.normal.dot(p) - face.offset;
      if (over > 0) inside = false;
      if (!(over > 0)) continue;
      bool above = true;  // p is over the face itself
      for (std::size_t k = 0; k < face.corners.size() && above; ++k) {
        const Point3 &a = corners[static_cast<std::size_t>(face.corners[k])],
                     &b = corners[static_cast<std::size_t>(face.corners[(k + 1) % face.corners.size()])];
        above = face.normal.cross(b - a).dot(p - a) >= 0;
      }
      if (above) return f;
    }
    if (inside) return high;
  }
  int best = plain + lines;
  double least = HUGE_VAL;
  for (int k = 0; k < static_cast<int>(corners.size()); ++k)
    if (const double d = (p - corners[static_cast<std::size_t>(k)]).norm(); d < least)
      least = d, best = plain + lines + k;
  for (int k = 0; k < lines; ++k) {
    const auto& edge = edges[static_cast<std::size_t>(k)];
    const Point3 &a = corners[static_cast<std::size_t>(edge.from)],
                 way = corners[static_cast<std::size_t>(edge.to)] - a;
    const double s = (p - a).dot(way) / way.squaredNorm();
    if (!(s > 0 && s < 1)) continue;
    if (const double d = (p - a - s * way).norm(); d < least) least = d, best = plain + k;
  }
  return best;
}

double SpacePart::extent() const {
  double r = 0;
  for (const Point3& c : corners) r = std::fmax(r, c.norm());
  if (is_half_space()) return std::abs(faces[0].offset);
  if (kind == Kind::cylinder) return r + std::hypot(half[0], half[1]);
  if (kind == Kind::ellipsoid) return r + half.maxCoeff();
  return r + radius;
}

Point3 SpacePart::middle() const {
  Point3 r = Point3::Zero();
  for (const Point3& c : corners) r += c / static_cast<double>(corners.size());
  return r;
}

double SpacePart::reach() const {
  const Point3 from = middle();
  double r = 0;
  for (const Point3& c : corners) r = std::fmax(r, (c - from).norm());
  if (kind == Kind::cylinder) return std::hypot(half[0], half[1]);
  if (kind == Kind::ellipsoid) return half.maxCoeff();
  return r + radius;
}

SpacePart ball_part(const Point3& centre, double radius) {
  SpacePart r{SpacePart::Kind::point, {centre}};
  r.radius = radius;
  return r;
}
SpacePart capsule_part(const Point3& a, const Point3& b, double radius) {
  SpacePart r{SpacePart::Kind::segment, {a, b}};
  r.edges = {{0, 1, -1, -1}}, r.radius = radius;
  return r;
}
SpacePart half_space_part(const Point3& point, const Point3& outward) {
  SpacePart r{SpacePart::Kind::half_space, {}};
  const Point3 n = outward.normalized();
  r.faces = {{n, n.dot(point), {}}};
  return r;
}
SpacePart cylinder_part(double length, double radius) {
  SpacePart r{SpacePart::Kind::cylinder, {Point3::Zero()}};
  r.half = {0.5 * length, radius, radius};
  return r;
}
SpacePart ellipsoid_part(const Point3& half) {
  SpacePart r{SpacePart::Kind::ellipsoid, {Point3::Zero()}};
  r.half = half;
  return r;
}

SpacePart hull_part(const std::vector<Point3>& points) {
  SpacePart r{SpacePart::Kind::polyhedron, {}};
  const auto triangles = Hull(points).triangles();
  if (triangles.empty()) return r;
  double size = 0;
  for (const Point3& p : points) size = std::fmax(size, (p - points[0]).norm());
  const double close = 1e-9 * size;
  std::vector<char> used(points.size(), 0);
  std::vector<SpacePart::Face> planes;
  for (const Triangle& f : triangles) {
    const auto at = [&](std::size_t k) -> const Point3& { return points[static_cast<std::size_t>(f[k])]; };
    const Point3 n = (at(1) - at(0)).cross(at(2) - at(0)).normalized();
    const bool known = std::any_of(planes.begin(), planes.end(), [&](const auto& plane) {
      return std::abs(plane.normal.dot(at(0)) - plane.offset) < close &&
             std::abs(plane.normal.dot(at(1)) - plane.offset) < close &&
             std::abs(plane.normal.dot(at(2)) - plane.offset) < close && plane.normal.dot(n) > 0;
    });
    if (!known) planes.push_back({n, n.dot(at(0)), {}});
    for (const int k : f) used[static_cast<std::size_t>(k)] = 1;
  }
  // A corner is on three planes at least; what is on fewer lies on an edge or a face.
  for (std::size_t k = 0; k < points.size(); ++k) {
    int on = 0;
    for (const auto& plane : planes) on += std::abs(plane.normal.dot(points[k]) - plane.offset) < close;
    const bool twice = std::any_of(r.corners.begin(), r.corners.end(),
                                   [&](const Point3& c) { return (c - points[k]).norm() < close; });
    if (used[k] && on > 2 && !twice) r.corners.push_back(points[k]);
  }
  for (const auto& plane : planes)
    r.faces.push_back(whole_face(r.corners, plane.normal, plane.offset, close));
  add_edges(r);
  return r;
}

SpacePart block_part(const Point3& edges) {
  std::vector<Point3> corners;
  for (int k = 0; k < 8; ++k)
    corners.push_back(0.5 * Point3((k & 1 ? 1 : -1) * edges.x(), (k & 2 ? 1 : -1) * edges.y(),
                                   (k & 4 ? 1 : -1) * edges.z()));
  return hull_part(corners);
}

SpacePart placed(const SpacePart& part, const Point3& at, const Turn& q) {
  const Matrix3d R = matrix_of(q);
  SpacePart r = part;
  for (Point3& c : r.corners) c = at + R * c;
  for (auto& face : r.faces) {
    face.normal = R * face.normal;
    face.offset += face.normal.dot(at);
  }
  r.axes = R * part.axes;
  return r;
}

SpaceMoments moments_of(const std::vector<SpacePart>& parts) {
  SpaceMoments sum;
  std::vector<SpaceMoments> all;
  for (const SpacePart& part : parts) {
    all.push_back(moments_of(part));
    sum.volume += all.back().volume, sum.centre += all.back().volume * all.back().centre;
  }
  if (!(sum.volume > 0)) return {};
  sum.centre /= sum.volume;
  for (const SpaceMoments& each : all) {
    const Point3 off = each.centre - sum.centre;
    sum.inertia +=
        each.inertia + each.volume * (off.squaredNorm() * Matrix3d::Identity() - off * off.transpose());
  }
  return sum;
}

double separation(const SpacePart& a, const SpacePart& b) {
  if (a.is_half_space() && b.is_half_space()) return 0;
  if (b.is_half_space()) return lowest(a, b.faces[0]);
  if (a.is_half_space()) return lowest(b, a.faces[0]);
  if (a.is_round() || b.is_round()) return (a.middle() - b.middle()).norm() - a.reach() - b.reach();
  const double radius = a.radius + b.radius;
  if (a.is_polyhedron() || b.is_polyhedron()) {
    const double cores = by_axes(a, b);
    if (cores < 0 || radius == 0) return cores - radius;
  }
  double least = HUGE_VAL;
  for (const Point3& p : a.corners) least = std::fmin(least, core_distance(p, b));
  for (const Point3& p : b.corners) least = std::fmin(least, core_distance(p, a));
  for (const auto& e : a.edges)
    for (const auto& f : b.edges) {
      const auto at = [](const SpacePart& of, int k) { return of.corners[static_cast<std::size_t>(k)]; };
      least = std::fmin(least, edge_distance(at(a, e.from), at(a, e.to), at(b, f.from), at(b, f.to)));
    }
  return least - radius;
}

}  // namespace carom
