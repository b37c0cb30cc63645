#include "carom/bodies/space_contacts.hpp"

#include <algorithm>

namespace carom {
namespace {

constexpr double space_tie = 1e-9;    // of the size of a gap: what is nearer is at an edge
constexpr double parallel = 1e-3;     // the sine below which two edges do not cross: faces and corners decide
constexpr double end_of_edge = 1e-6;  // of its length: corners are there

Point3 point(const Arrow<double>& a) { return {a.x, a.y, a.z}; }

double clearance(const SpacePart::Face& face, const SpacePose& own, const SpacePart& other,
                 const SpacePose& where) {
  double least = HUGE_VAL;
  for (const Point3& corner : other.corners)
    least = std::min(least, face.normal.dot(own.own(where.out(corner))) - face.offset);
  return least;
}

// How far s is outside of an edge, its very ends included.
double outside(double s, double length) {
  const double margin = end_of_edge * length;
  return std::max({0.0, margin - s, s - (length - margin)});
}

}  // namespace

const char* SpaceContacts::cannot_touch(const SpacePart& a, const SpacePart& b) {
  const bool plane = a.is_half_space() || b.is_half_space();
  if (!plane && (a.is_round() || b.is_round()))
    return "ellipsoids and cylinders touch half-spaces only: leave the pair out by contact.between, or take "
           "another shape";
  return nullptr;
}

void SpaceContacts::add(SpaceContact contact, const std::string& name) {
  const SpacePart &p = part(contact.a, contact.part_a), &q = part(contact.b, contact.part_b);
  contact.radius_a = p.radius, contact.radius_b = q.radius, contact.size = p.extent() + q.extent();
  all.push_back(contact), names.push_back(name);
}

// Every corner of one against the core of the other, and the other way round, where that says more; then the
// edges.
void SpaceContacts::add_pair(int pair, int a, int b, const std::string& name_a, const std::string& name_b) {
  const auto& parts_a = *shapes[static_cast<std::size_t>(a)].shape;
  const auto& parts_b = *shapes[static_cast<std::size_t>(b)].shape;
  const auto name = [](const std::string& own, std::size_t k, std::size_t count) {
    return count > 1 ? own + '.' + std::to_string(k + 1) : own;
  };
  for (std::size_t i = 0; i < parts_a.size(); ++i)
    for (std::size_t k = 0; k < parts_b.size(); ++k) {
      const std::string of_a = name(name_a, i, parts_a.size()), of_b = name(name_b, k, parts_b.size());
      const SpacePart &p = parts_a[i], &q = parts_b[k];
      const int part_a = static_cast<int>(i), part_b = static_cast<int>(k);
      if (cannot_touch(p, q)) continue;
      if (p.is_round()) {
        add_round(pair, a, part_a, b, part_b, of_a + '-' + of_b);
        continue;
      }
      if (q.is_round()) {
        add_round(pair, b, part_b, a, part_a, of_b + '-' + of_a);
        continue;
      }
      const bool a_is_ball = p.corners.size() == 1, b_is_ball = q.corners.size() == 1;
      if (!p.is_half_space() && !(b_is_ball && !a_is_ball))
        add_corners(pair, a, part_a, b, part_b, of_a, of_b);
      if (!q.is_half_space() && !a_is_ball) add_corners(pair, b, part_b, a, part_a, of_b, of_a);
      for (int e = 0; e < static_cast<int>(p.edges.size()); ++e)
        for (int f = 0; f < static_cast<int>(q.edges.size()); ++f)
          add({SpaceContact::Kind::edges, a, b, pair, part_a, part_b, e, f, 0, 0, 0},
              of_a + '[' + std::to_string(e + 1) + "]-" + of_b + '[' + std::to_string(f + 1) + ']');
    }
}

void SpaceContacts::add_corners(int pair, int a, int part_a, int b, int part_b, const std::string& name_a,
                                const std::string& name_b) {
  const SpacePart& p = part(a, part_a);
  for (std::size_t k = 0; k < p.corners.size(); ++k)
    add({SpaceContact::Kind::corner, a, b, pair, part_a, part_b, static_cast<int>(k), 0, 0, 0, 0},
        name_a + (p.corners.size() > 1 ? '(' + std::to_string(k + 1) + ')' : "") + '-' + name_b);
}

void SpaceContacts::add_round(int pair, int a, int part_a, int b, int part_b, const std::string& name) {
  using Kind = SpaceContact::Kind;
  if (part(a, part_a).kind == SpacePart::Kind::ellipsoid)
    return add({Kind::ellipsoid, a, b, pair, part_a, part_b, 0, 0, 0, 0, 0}, name);
  for (const int end : {-1, 1})
    add({Kind::rim, a, b, pair, part_a, part_b, end, 0, 0, 0, 0}, name + (end < 0 ? "(1)" : "(2)"));
}

bool SpaceContacts::is_sharp(int i) const {
  return (*this)[i].kind == SpaceContact::Kind::corner && core_b(i).is_polyhedron() &&
         (*this)[i].radius_a + (*this)[i].radius_b == 0;
}

bool SpaceContacts::has_slide(int i) const {
  const SpaceContact& k = (*this)[i];
  return k.kind == SpaceContact::Kind::corner && k.radius_a == 0 &&
         (core_b(i).is_half_space() || is_sharp(i));
}

bool SpaceContacts::has_branches(int i) const {
  const SpaceContact& k = (*this)[i];
  return k.kind == SpaceContact::Kind::edges ||
         (k.kind == SpaceContact::Kind::corner && core_b(i).features() > 1);
}

SpaceContacts::Line SpaceContacts::line(const SpacePart& of, const SpacePose& pose, int edge) const {
  const auto& e = of.edges[static_cast<std::size_t>(edge)];
  const Point3 &from = of.corners[static_cast<std::size_t>(e.from)],
               way = of.corners[static_cast<std::size_t>(e.to)] - from;
  const double length = way.norm();
  return {pose.out(from), pose.turned(way / length), length};
}

// Whether sharp edges have passed each other: the way from P_e to P_f, outwards, lies between the normals of
// both, none of their faces separates the two edges, and it is short beside both bodies, or these are the far
// sides of two that are apart.
bool SpaceContacts::is_behind(int i, Poses poses, const Line& e, const Line& f, const Point3& P_e,
                              const Point3& P_f) const {
  const SpaceContact& k = (*this)[i];
  const double distance = (P_f - P_e).norm();
  const auto passed = [distance](const SpacePart& of, const SpacePose& pose, int edge, const Line& other,
                                 const Point3& from, const Point3& outwards) {
    const auto& own = of.edges[static_cast<std::size_t>(edge)];
    const Point3 n = outwards / distance,
                 left = pose.turned(of.faces[static_cast<std::size_t>(own.left)].normal),
                 right = pose.turned(of.faces[static_cast<std::size_t>(own.right)].normal);
    const double c = left.dot(right), off = -0.02 * (1 - c * c);
    if (n.dot(left) - c * n.dot(right) < off || n.dot(right) - c * n.dot(left) < off) return false;
    for (const Point3& side : {left, right}) {
      const double first = side.dot(other.from - from), last = first + other.length * side.dot(other.way);
      if (std::min(first, last) >= 0) return false;
    }
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (const Point3& corner : of.corners) {
      const double along = n.dot(pose.turned(corner));
      low = std::min(low, along), high = std::max(high, along);
    }
    return distance < 0.5 * (high - low);
  };
  return distance > 0 && passed(core_b(i), poses[static_cast<std::size_t>(k.b)], k.of_b, e, P_f, P_f - P_e) &&
         passed(core_a(i), poses[static_cast<std::size_t>(k.a)], k.of_a, f, P_e, P_e - P_f);
}

SpaceContacts::Crossing SpaceContacts::crossing(int i, Poses poses) const {
  const SpaceContact& k = (*this)[i];
  const Line e = line(core_a(i), poses[static_cast<std::size_t>(k.a)], k.of_a),
             f = line(core_b(i), poses[static_cast<std::size_t>(k.b)], k.of_b);
  const double radius = k.radius_a + k.radius_b;
  const Point3 w = e.from - f.from, N = e.way.cross(f.way);
  const double square = N.squaredNorm();
  if (square > parallel * parallel) {
    const double s = -w.cross(f.way).dot(N) / square, t = -w.cross(e.way).dot(N) / square;
    const double off = outside(s, e.length) + outside(t, f.length);
    if (off == 0) {
      const Point3 P_e = e.from + s * e.way, P_f = f.from + t * f.way, n = N / std::sqrt(square);
      const double apart = n.dot(w);
      const bool sharp = radius == 0 && core_a(i).is_polyhedron() && core_b(i).is_polyhedron();
      const bool against = sharp && is_behind(i, poses, e, f, P_e, P_f);
      const bool along = (apart >= 0) != against;
      return {along ? 1 : 2, (along ? apart : -apart) - radius, P_e, along ? n : Point3(-n)};
    }
  }
  // Where it is no touch of edges: their distance, and as much as to be none.
  const auto nearest = [](const Line& of, const Point3& p) {
    return std::clamp(of.way.dot(p - of.from), 0.0, of.length);
  };
  double s = 0, t = 0, least = HUGE_VAL;
  const auto take = [&](double at_e, double at_f) {
    const double d = (w + at_e * e.way - at_f * f.way).norm();
    if (d < least) least = d, s = at_e, t = at_f;
  };
  for (const double end : {0.0, e.length}) take(end, nearest(f, e.from + end * e.way));
  for (const double end : {0.0, f.length}) take(nearest(e, f.from + end * f.way), end);
  double off = 0.1 * std::min(e.length, f.length);
  if (square > parallel * parallel) {
    const double at_e = -w.cross(f.way).dot(N) / square, at_f = -w.cross(e.way).dot(N) / square;
    const double far = outside(at_e, e.length) + outside(at_f, f.length);
    if (outside(at_e, e.length) <= end_of_edge * e.length &&
        outside(at_f, f.length) <= end_of_edge * f.length)
      least = std::abs(N.dot(w)) / std::sqrt(square);
    off = std::min(off, far);
  }
  const Point3 P_e = e.from + s * e.way, P_f = f.from + t * f.way;
  return {0, least - radius + off, P_e,
          least > 0 ? Point3((P_e - P_f) / (P_e - P_f).norm()) : Point3(0, 0, 1)};
}

double SpaceContacts::far_away(int i, Poses poses) const {
  const SpaceContact& k = (*this)[i];
  const SpacePart &p = core_a(i), &q = core_b(i);
  if (q.is_half_space()) return 0;
  const double reach = p.reach() + q.reach();
  const double apart = (poses[static_cast<std::size_t>(k.a)].out(p.middle()) -
                        poses[static_cast<std::size_t>(k.b)].out(q.middle()))
                           .norm() -
                       reach;
  return apart > 0.5 * reach ? apart : 0;
}

int SpaceContacts::feature(int i, Poses poses, int held) const {
  if (held >= 0) return held;
  const SpaceContact& k = (*this)[i];
  if (k.kind == SpaceContact::Kind::edges) return crossing(i, poses).feature;
  if (k.kind != SpaceContact::Kind::corner) return 0;
  if (is_sharp(i)) return top(i, poses).face;
  const Point3& corner = core_a(i).corners[static_cast<std::size_t>(k.of_a)];
  return core_b(i).nearest_feature(
      poses[static_cast<std::size_t>(k.b)].own(poses[static_cast<std::size_t>(k.a)].out(corner)));
}

double SpaceContacts::gap(int i, Poses poses, int held) const {
  const SpaceContact& k = (*this)[i];
  if (held < 0) {
    if (const double far = far_away(i, poses); far > 0) return far;
    if (k.kind == SpaceContact::Kind::edges) return crossing(i, poses).gap;
  }
  return look(i, poses, held).gap;
}

SpaceNear<double> SpaceContacts::look(int i, Poses poses, int held) const {
  const SpaceContact& k = (*this)[i];
  const int which = feature(i, poses, held);
  const SpacePose& b = poses[static_cast<std::size_t>(k.b)];
  if (held < 0 && k.kind == SpaceContact::Kind::edges && which == 0) {
    const Crossing c = crossing(i, poses);
    return {arrow<double>(c.P), arrow<double>(c.n), arrow<double>(b.unturned(c.n)), c.gap};
  }
  return near(i, which, SpaceFrame<double>::of(poses[static_cast<std::size_t>(k.a)]),
              SpaceFrame<double>::of(b));
}

SpaceContacts::Rows SpaceContacts::slope(int i, Poses poses, int held) const {
  const SpaceContact& k = (*this)[i];
  const auto at = look(i, poses, held);
  const Point3 n = point(at.n), P = point(at.P);
  return {Wrench::at(poses[static_cast<std::size_t>(k.a)], P, n),
          Wrench::at(poses[static_cast<std::size_t>(k.b)], P, -n)};
}

std::array<SpaceContacts::Rows, 2> SpaceContacts::slips(int i, Poses poses, int held) const {
  const SpaceContact& k = (*this)[i];
  const SpacePose &a = poses[static_cast<std::size_t>(k.a)], &b = poses[static_cast<std::size_t>(k.b)];
  const auto at = look(i, poses, held);
  const Point3 C = point(at.P) - k.radius_a * point(at.n);
  const auto t = tangents(at.n_in_b);
  std::array<Rows, 2> r;
  for (std::size_t e = 0; e < 2; ++e) {
    const Point3 way = b.turned(point(t[e]));
    r[e] = {Wrench::at(a, C, way), Wrench::at(b, C, -way)};
  }
  return r;
}

std::array<double, 2> SpaceContacts::slide(int i, Poses poses, int held) const {
  const SpaceContact& k = (*this)[i];
  const Point3& corner = core_a(i).corners[static_cast<std::size_t>(k.of_a)];
  const Point3 p = poses[static_cast<std::size_t>(k.b)].own(poses[static_cast<std::size_t>(k.a)].out(corner));
  const auto& face = core_b(i).faces[static_cast<std::size_t>(feature(i, poses, held))];
  const auto t = tangents(arrow<double>(face.normal));
  return {p.dot(point(t[0])), p.dot(point(t[1]))};
}

Point3 SpaceContacts::place(int i, Poses poses, int held) const {
  const auto at = look(i, poses, held);
  return point(at.P) - ((*this)[i].radius_a + 0.5 * at.gap) * point(at.n);
}

bool SpaceContacts::is_corner_on_edge(int i, Poses poses) const {
  return is_sharp(i) && !top(i, poses).clear;
}

// The face above which the corner is highest; where several are equal, that which separates the two parts.
SpaceContacts::Top SpaceContacts::top(int i, Poses poses) const {
  const SpaceContact& k = (*this)[i];
  const SpacePart &of = core_b(i), &other = core_a(i);
  const SpacePose &a = poses[static_cast<std::size_t>(k.a)], &b = poses[static_cast<std::size_t>(k.b)];
  const Point3 p = b.own(a.out(other.corners[static_cast<std::size_t>(k.of_a)]));
  const int best = of.highest_face(p);
  const auto over = [&](int f) {
    const auto& face = of.faces[static_cast<std::size_t>(f)];
    return face.normal.dot(p) - face.offset;
  };
  const double near_by = space_tie * k.size, most = over(best);
  if (most > near_by) return {best, true};  // far away nothing touches
  Top r{best, true};
  double widest = -HUGE_VAL;
  int clear = 0, equal = 0;
  for (int f = 0; f < static_cast<int>(of.faces.size()); ++f) equal += over(f) >= most - near_by;
  if (equal < 2) return r;
  for (int f = 0; f < static_cast<int>(of.faces.size()); ++f) {
    if (over(f) < most - near_by) continue;
    const double apart = clearance(of.faces[static_cast<std::size_t>(f)], b, other, a);
    clear += apart >= -near_by;
    if (apart > widest) widest = apart, r.face = f;
  }
  r.clear = clear < 2 || std::abs(most) > near_by;
  return r;
}

}  // namespace carom
