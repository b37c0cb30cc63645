// Contacts of shapes in space, as plane_contacts.hpp has those in the plane: two convex cores that come from
// apart meet where a corner of one reaches the other, or where two edges cross. Each corner against the other
// core, and each two edges, is a contact of its own, so that what lies flat is held at every corner of what
// it shares. With P the point of a's core, n the unit normal there from b to a, C = P - radius n that of its
// surface, and t_1, t_2 at right angles to n, fixed in b where n is,
//
//   g    = distance of P from the core of b - both radii      ∇g: a takes n at P, b takes -n there
//   u_k  = t_k·(velocity of a at C - that of b there)
//   edges  n = ±(e x f)/|e x f|,  g = n·(P_e - P_f) - radii, where the two lines are nearest between all four
//   ends;
//          elsewhere the distance of the edges and how far that is outside of them, so that two gaps never
//          tell of one touch
//
// Sharp polyhedra have the signed gaps of the plane's: the highest face above a corner; and of two edges, a
// minus where each is behind the faces of the other. An ellipsoid over a plane touches at its lowest point, a
// cylinder at those of its two rims. Tested in tests/unit/space_scene_test.cpp.
#pragma once

#include <limits>
#include <span>
#include <string>
#include <vector>

#include "carom/bodies/space_shape.hpp"

namespace carom {

struct SpaceContact {
  enum class Kind { corner, edges, rim, ellipsoid };
  Kind kind;
  int a, b;            // bodies: a corner, an edge of a, and a core, an edge of b
  int pair;            // of the world
  int part_a, part_b;  // of their shapes
  int of_a, of_b;      // which corner, edge or rim
  double radius_a, radius_b;
  double size;  // of what the gap is made of
};

// A body's axes over any scalar.
template <class S>
struct SpaceFrame {
  Arrow<S> at;
  std::array<Arrow<S>, 3> columns;

  static SpaceFrame of(const S* x) {
    return {{x[0], x[1], x[2]},
            {turned(x + 3, arrow<S>(Point3::UnitX())), turned(x + 3, arrow<S>(Point3::UnitY())),
             turned(x + 3, arrow<S>(Point3::UnitZ()))}};
  }
  static SpaceFrame of(const SpacePose& pose) {
    return {arrow<S>(pose.at), {arrow<S>(pose.R.col(0)), arrow<S>(pose.R.col(1)), arrow<S>(pose.R.col(2))}};
  }
  Arrow<S> turned_out(const Arrow<S>& p) const {
    return p.x * columns[0] + p.y * columns[1] + p.z * columns[2];
  }
  Arrow<S> turned_in(const Arrow<S>& p) const {
    return {dot(columns[0], p), dot(columns[1], p), dot(columns[2], p)};
  }
  Arrow<S> out(const Point3& p) const { return at + turned_out(arrow<S>(p)); }
};

template <class S>
struct SpaceNear {
  Arrow<S> P, n;  // in space
  Arrow<S> n_in_b;
  S gap;
};

class SpaceContacts {
 public:
  struct Body {
    const std::vector<SpacePart>* shape;
  };

  explicit SpaceContacts(std::vector<Body> bodies) : shapes(std::move(bodies)) {}
  // Returns why the shapes cannot touch each other, or null.
  static const char* cannot_touch(const SpacePart& a, const SpacePart& b);
  void add_pair(int pair, int a, int b, const std::string& name_a, const std::string& name_b);

  int size() const { return static_cast<int>(all.size()); }
  const SpaceContact& operator[](int i) const { return all[static_cast<std::size_t>(i)]; }
  const std::string& name(int i) const { return names[static_cast<std::size_t>(i)]; }
  double size_of(int i) const { return (*this)[i].size; }
  bool has_slide(int i) const;  // whether slips are rates of places
  bool has_branches(int i) const;
  bool is_sharp(int i) const;

  using Poses = std::span<const SpacePose>;
  int feature(int i, Poses poses, int held) const;
  double gap(int i, Poses poses, int held) const;
  struct Rows {
    Wrench a, b;
  };
  Rows slope(int i, Poses poses, int held) const;
  std::array<Rows, 2> slips(int i, Poses poses, int held) const;
  std::array<double, 2> slide(int i, Poses poses, int held) const;
  Point3 place(int i, Poses poses, int held) const;
  bool is_corner_on_edge(int i, Poses poses) const;

  // Over any scalar: place and quaternion of a, then of b; the slips with the velocities v of the same.
  template <class S>
  S gap_at(int i, int feature, const S* x) const {
    return near(i, feature, SpaceFrame<S>::of(x), SpaceFrame<S>::of(x + 7)).gap;
  }
  template <class S>
  std::array<S, 2> slips_at(int i, int feature, const S* x, const double* v) const;

 private:
  const SpacePart& part(int body, int k) const {
    return (*shapes[static_cast<std::size_t>(body)].shape)[static_cast<std::size_t>(k)];
  }
  const SpacePart& core_a(int i) const { return part((*this)[i].a, (*this)[i].part_a); }
  const SpacePart& core_b(int i) const { return part((*this)[i].b, (*this)[i].part_b); }
  void add(SpaceContact contact, const std::string& name);
  void add_corners(int pair, int a, int part_a, int b, int part_b, const std::string& name_a,
                   const std::string& name_b);
  void add_round(int pair, int a, int part_a, int b, int part_b, const std::string& name);

  struct Line {  // an edge in space
    Point3 from, way;
    double length;
  };
  Line line(const SpacePart& part, const SpacePose& pose, int edge) const;
  struct Crossing {
    int feature;  // 0: it is no touch of two edges; 1, 2: n along e x f or against it
    double gap;
    Point3 P, n;
  };
  Crossing crossing(int i, Poses poses) const;
  bool is_behind(int i, Poses poses, const Line& e, const Line& f, const Point3& P_e,
                 const Point3& P_f) const;
  double far_away(int i, Poses poses) const;  // a lower bound of the gap, or 0 where it is near
  struct Top {
    int face;
    bool clear;  // no other face could be the one that is touched
  };
  Top top(int i, Poses poses) const;

  template <class S>
  SpaceNear<S> near(int i, int feature, const SpaceFrame<S>& a, const SpaceFrame<S>& b) const;
  SpaceNear<double> look(int i, Poses poses, int held) const;

  std::vector<SpaceContact> all;
  std::vector<std::string> names;
  std::vector<Body> shapes;
};

// Two directions at right angles to n and each other, smooth in n but where it is -z.
template <class S>
std::array<Arrow<S>, 2> tangents(const Arrow<S>& n) {
  if (n.z < -0.9999999) return {arrow<S>(Point3::UnitY()), arrow<S>(Point3::UnitX())};
  const S a = S(1.0) / (1.0 + n.z), b = -(n.x * n.y * a);
  return {Arrow<S>{1.0 - n.x * n.x * a, b, -n.x}, Arrow<S>{b, 1.0 - n.y * n.y * a, -n.y}};
}

template <class S>
SpaceNear<S> SpaceContacts::near(int i, int feature, const SpaceFrame<S>& a, const SpaceFrame<S>& b) const {
  using std::sqrt;
  const SpaceContact& k = (*this)[i];
  const SpacePart &own = core_a(i), &other = core_b(i);
  const auto in_b = [&](const Arrow<S>& P, const Arrow<S>& n, const S& gap) {
    return SpaceNear<S>{P, b.turned_out(n), n, gap};
  };
  const double radius = k.radius_a + k.radius_b;
  if (k.kind == SpaceContact::Kind::corner) {
    const Arrow<S> P = a.out(own.corners[static_cast<std::size_t>(k.of_a)]), p = b.turned_in(P - b.at);
    auto f = static_cast<std::size_t>(feature);
    if (f < other.faces.size()) {
      const Arrow<S> n = arrow<S>(other.faces[f].normal);
      return in_b(P, n, dot(n, p) - (other.faces[f].offset + radius));
    }
    f -= other.faces.size();
    Arrow<S> off = p;
    if (f < other.edges.size()) {
      const Point3 &from = other.corners[static_cast<std::size_t>(other.edges[f].from)],
                   &to = other.corners[static_cast<std::size_t>(other.edges[f].to)];
      const Arrow<S> way = arrow<S>((to - from).normalized());
      off = p - arrow<S>(from);
      off = off - dot(off, way) * way;
    } else {
      off = p - arrow<S>(other.corners[f - other.edges.size()]);
    }
    const S apart = length(off);
    if (!(apart > 0)) return in_b(P, arrow<S>(Point3::UnitZ()), S(-radius));
    return in_b(P, (S(1.0) / apart) * off, apart - radius);
  }
  if (k.kind == SpaceContact::Kind::edges) {
    const auto ends = [](const SpacePart& of, int edge) {
      const auto& e = of.edges[static_cast<std::size_t>(edge)];
      return std::array<Point3, 2>{of.corners[static_cast<std::size_t>(e.from)],
                                   of.corners[static_cast<std::size_t>(e.to)]};
    };
    const auto e = ends(own, k.of_a), f = ends(other, k.of_b);
    const Arrow<S> u = a.turned_out(arrow<S>((e[1] - e[0]).normalized())),
                   v = b.turned_out(arrow<S>((f[1] - f[0]).normalized())), from = a.out(e[0]),
                   w = from - b.out(f[0]);
    const Arrow<S> N = (feature == 2) ? cross(v, u) : cross(u, v);
    const S square = dot(N, N);
    const Arrow<S> n = (S(1.0) / sqrt(square)) * N;
    const Arrow<S> along = cross(u, v);
    const Arrow<S> P = from - (dot(cross(w, v), along) / square) * u;
    return {P, n, b.turned_in(n), dot(n, w) - radius};
  }
  // Round ones over a plane.
  const auto& face = other.faces[0];
  const Arrow<S> n = arrow<S>(face.normal), out = b.turned_out(n), own_n = a.turned_in(out);
  Arrow<S> low = arrow<S>(own.corners[0]);
  if (k.kind == SpaceContact::Kind::ellipsoid) {
    std::array<S, 3> along{};
    S sum(0.0);
    for (int e = 0; e < 3; ++e) {
      const S part_of = own.half[e] * dot(arrow<S>(own.axes.col(e)), own_n);
      along[static_cast<std::size_t>(e)] = part_of, sum = sum + part_of * part_of;
    }
    const S reach = sqrt(sum);
    for (int e = 0; e < 3; ++e)
      low = low - (along[static_cast<std::size_t>(e)] * own.half[e] / reach) * arrow<S>(own.axes.col(e));
  } else {
    const Arrow<S> axis = arrow<S>(own.axes.col(0)), across = own_n - dot(own_n, axis) * axis;
    low = low + S(k.of_a * own.half[0]) * axis - (own.half[1] / length(across)) * across;
  }
  const Arrow<S> P = a.at + a.turned_out(low);
  return in_b(P, n, dot(n, b.turned_in(P - b.at)) - face.offset);
}

template <class S>
std::array<S, 2> SpaceContacts::slips_at(int i, int feature, const S* x, const double* v) const {
  const auto a = SpaceFrame<S>::of(x), b = SpaceFrame<S>::of(x + 7);
  const SpaceNear<S> at = near(i, feature, a, b);
  const Arrow<S> C = at.P - S((*this)[i].radius_a) * at.n;
  const auto velocity = [&](const SpaceFrame<S>& body, const S* q, const double* speed) {
    const Arrow<S> u{q[1], q[2], q[3]}, du = arrow<S>({speed[4], speed[5], speed[6]});
    const S dw(speed[3]), square = q[0] * q[0] + dot(u, u);
    const Arrow<S> turning = (S(2.0) / square) * (q[0] * du - dw * u - cross(du, u));
    return arrow<S>({speed[0], speed[1], speed[2]}) + cross(turning, C - body.at);
  };
  const Arrow<S> way = velocity(a, x + 3, v) - velocity(b, x + 10, v + 7);
  const auto t = tangents(at.n_in_b);
  return {dot(b.turned_out(t[0]), way), dot(b.turned_out(t[1]), way)};
}

}  // namespace carom
