#include "carom/bodies/plane_contacts.hpp"

#include <algorithm>
#include <array>

namespace carom {
namespace {

constexpr double tie = 1e-9;  // of the size of a gap: what is nearer is at a corner

// The least height of the corners of `other` over a face of `part`, both bodies where they are.
double clearance(const PlanePart::Face& face, const PlanePose& own, const PlanePart& other,
                 const PlanePose& where) {
  double least = HUGE_VAL;
  for (const Point& corner : other.corners)
    least = std::min(least, face.normal.dot(own.own(where.out(corner))) - face.offset);
  return least;
}

}  // namespace

// Every corner of one against the core of the other, and the other way round, where that says more.
void PlaneContacts::add_pair(int pair, int a, int b, const std::string& name_a, const std::string& name_b) {
  const auto& parts_a = *shapes[static_cast<std::size_t>(a)].shape;
  const auto& parts_b = *shapes[static_cast<std::size_t>(b)].shape;
  const auto name = [](const std::string& own, std::size_t k, std::size_t count) {
    return count > 1 ? own + '.' + std::to_string(k + 1) : own;
  };
  for (std::size_t i = 0; i < parts_a.size(); ++i)
    for (std::size_t k = 0; k < parts_b.size(); ++k) {
      const std::string of_a = name(name_a, i, parts_a.size()), of_b = name(name_b, k, parts_b.size());
      const PlanePart &p = parts_a[i], &q = parts_b[k];
      const int part_a = static_cast<int>(i), part_b = static_cast<int>(k);
      const bool a_is_round = p.corners.size() == 1, b_is_round = q.corners.size() == 1;
      if (!p.is_half_plane() && !(b_is_round && !a_is_round))
        add_corners(pair, a, part_a, b, part_b, of_a, of_b);
      if (!q.is_half_plane() && !a_is_round) add_corners(pair, b, part_b, a, part_a, of_b, of_a);
    }
}

void PlaneContacts::add_corners(int pair, int a, int part_a, int b, int part_b, const std::string& name_a,
                                const std::string& name_b) {
  const PlanePart &p = part(a, part_a), &q = part(b, part_b);
  for (std::size_t k = 0; k < p.corners.size(); ++k) {
    all.push_back({a, b, pair, part_a, part_b, p.corners[k], p.radius, q.radius, p.extent() + q.extent()});
    const std::string number = p.corners.size() > 1 ? '(' + std::to_string(k + 1) + ')' : "";
    names.push_back(name_a + number + '-' + name_b);
  }
}

int PlaneContacts::feature(int i, Poses poses, int held) const {
  if (held >= 0) return held;
  if (is_sharp(i)) return axes(i, poses).face;
  const PlaneContact& k = (*this)[i];
  return core(i).nearest_feature(
      poses[static_cast<std::size_t>(k.b)].own(poses[static_cast<std::size_t>(k.a)].out(k.corner)));
}

// Of all gaps most are far away: their face is the highest one, whichever it is.
double PlaneContacts::gap(int i, Poses poses, int held) const {
  const PlaneContact& k = (*this)[i];
  const PlanePart& of = core(i);
  if (held < 0 && is_sharp(i)) {
    const Point p =
        poses[static_cast<std::size_t>(k.b)].own(poses[static_cast<std::size_t>(k.a)].out(k.corner));
    double most = -HUGE_VAL;
    for (const auto& face : of.faces) most = std::max(most, face.normal.dot(p) - face.offset);
    return most;
  }
  return look(i, poses, feature(i, poses, held)).distance;
}

PlaneContacts::Near PlaneContacts::look(int i, Poses poses, int feature) const {
  const PlaneContact& k = (*this)[i];
  const PlanePart& of = core(i);
  const PlanePose& b = poses[static_cast<std::size_t>(k.b)];
  const Point P = poses[static_cast<std::size_t>(k.a)].out(k.corner), p = b.own(P);
  const auto f = static_cast<std::size_t>(feature);
  const double radius = k.radius_a + k.radius_b;
  if (f < of.faces.size())
    return {P, b.turned(of.faces[f].normal), of.faces[f].normal.dot(p) - (of.faces[f].offset + radius)};
  const Point e = p - of.corners[f - of.faces.size()];
  const double length = e.norm();
  return {P, length > 0 ? b.turned(e / length) : Point(0, 1), length - radius};
}

PlaneRow PlaneContacts::slope(int i, Poses poses, int held) const {
  const PlaneContact& k = (*this)[i];
  const bool sharp = held < 0 && is_sharp(i);
  const Axes of = sharp ? axes(i, poses) : Axes{{}, {}, feature(i, poses, held)};
  Near at = look(i, poses, of.face);
  if (of.first) at.n = bisector(i, poses, of);
  const Point& n = at.n;
  return {n, cross(at.P - poses[static_cast<std::size_t>(k.a)].origin(), n),
          -cross(at.P - poses[static_cast<std::size_t>(k.b)].origin(), n)};
}

PlaneRow PlaneContacts::slip(int i, Poses poses, int held) const {
  const PlaneContact& k = (*this)[i];
  const Near at = look(i, poses, feature(i, poses, held));
  const Point C = at.P - k.radius_a * at.n, t = turned(at.n);
  return {t, cross(C - poses[static_cast<std::size_t>(k.a)].origin(), t),
          -cross(C - poses[static_cast<std::size_t>(k.b)].origin(), t)};
}

// Along the face, less what has rolled.
double PlaneContacts::slide(int i, Poses poses, int held) const {
  const PlaneContact& k = (*this)[i];
  const PlanePose &a = poses[static_cast<std::size_t>(k.a)], &b = poses[static_cast<std::size_t>(k.b)];
  const auto& face = core(i).faces[static_cast<std::size_t>(feature(i, poses, held))];
  return turned(face.normal).dot(b.own(a.out(k.corner))) - k.radius_a * (a.angle - b.angle);
}

Point PlaneContacts::place(int i, Poses poses, int held) const {
  const Near at = look(i, poses, feature(i, poses, held));
  return at.P - ((*this)[i].radius_a + 0.5 * at.distance) * at.n;
}

bool PlaneContacts::is_corner_on_corner(int i, Poses poses) const {
  return is_sharp(i) && axes(i, poses).first.has_value();
}

// The face above which the corner is highest; where two are equal, that which separates the two parts.
PlaneContacts::Axes PlaneContacts::axes(int i, Poses poses) const {
  const PlaneContact& k = (*this)[i];
  const PlanePart &of = core(i), &other = part(k.a, k.part_a);
  const PlanePose &a = poses[static_cast<std::size_t>(k.a)], &b = poses[static_cast<std::size_t>(k.b)];
  const Point p = b.own(a.out(k.corner));
  const int sides = static_cast<int>(of.faces.size()), best = of.highest_face(p);
  const auto face = [&](int f) -> const PlanePart::Face& { return of.faces[static_cast<std::size_t>(f)]; };
  const double near = tie * k.size, top = face(best).normal.dot(p) - face(best).offset;
  int equal = -1;
  if (top > near) return {{}, {}, best};  // far away nothing touches
  for (const int f : {(best + 1) % sides, (best + sides - 1) % sides})
    if (face(f).normal.dot(p) - face(f).offset >= top - near) equal = f;
  if (equal < 0) return {{}, {}, best};

  const std::array<int, 2> two{best, equal};
  std::array<double, 2> apart{};
  for (std::size_t f = 0; f < 2; ++f) apart[f] = clearance(face(two[f]), b, other, a);
  Axes r{{}, {}, apart[0] >= apart[1] ? best : equal};
  if (std::abs(top) > near) return r;
  std::array<Point, 4> normals;
  std::size_t count = 0;
  for (std::size_t f = 0; f < 2; ++f)
    if (apart[f] >= -near) normals[count++] = b.turned(face(two[f]).normal);
  if (!other.is_polygon()) return r;
  const auto corner = static_cast<std::size_t>(
      std::find(other.corners.begin(), other.corners.end(), k.corner) - other.corners.begin());
  const std::size_t n = other.corners.size();
  for (const std::size_t f : {corner, (corner + n - 1) % n})
    if (count < 4 && clearance(other.faces[f], a, of, b) >= -near)
      normals[count++] = -a.turned(other.faces[f].normal);
  double widest = tie;
  for (std::size_t f = 0; f < count; ++f)
    for (std::size_t g = 0; g < f; ++g) {
      const double angle = std::abs(std::atan2(cross(normals[f], normals[g]), normals[f].dot(normals[g])));
      if (angle > widest) widest = angle, r.first = normals[f], r.last = normals[g];
    }
  return r;
}

Point PlaneContacts::bisector(int i, Poses poses, const Axes& of) const {
  const PlaneContact& k = (*this)[i];
  const Body &a = shapes[static_cast<std::size_t>(k.a)], &b = shapes[static_cast<std::size_t>(k.b)];
  const Point P = poses[static_cast<std::size_t>(k.a)].out(k.corner);
  const auto norm = [&](const Point& n) {
    double square = 0;
    for (const auto& [body, where] : {std::pair{&a, k.a}, std::pair{&b, k.b}}) {
      if (!(body->mass > 0)) continue;
      const double turn = cross(P - poses[static_cast<std::size_t>(where)].origin(), n);
      square += n.squaredNorm() / body->mass + turn * turn / body->inertia;
    }
    return std::sqrt(square);
  };
  return (*of.first / norm(*of.first) + *of.last / norm(*of.last)).normalized();
}

}  // namespace carom
