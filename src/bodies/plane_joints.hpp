// What joints and springs measure between two bodies, over any scalar: functions of x, y, angle of a and then
// of b; and their derivatives, with the motion of bodies that are functions of time.
#pragma once

#include "carom/bodies/plane_scene.hpp"
#include "carom/numerics/differentiate.hpp"

namespace carom {

template <class S>
struct PlaneReach {  // of the two points of a joint in space, from that of b to that of a
  S x, y;
};

template <class S>
PlaneReach<S> plane_reach(const S* x, const Point& at_a, const Point& at_b) {
  using std::cos, std::sin;
  const S ca = cos(x[2]), sa = sin(x[2]), cb = cos(x[5]), sb = sin(x[5]);
  return {x[0] + ca * at_a.x() - sa * at_a.y() - (x[3] + cb * at_b.x() - sb * at_b.y()),
          x[1] + sa * at_a.x() + ca * at_a.y() - (x[4] + sb * at_b.x() + cb * at_b.y())};
}

// |A - B|, which has no slope where it is zero.
inline auto joint_length(const Point& at_a, const Point& at_b) {
  return [at_a, at_b](const auto* x) {
    using std::sqrt;
    const auto r = plane_reach(x, at_a, at_b);
    const auto square = r.x * r.x + r.y * r.y;
    using S = std::decay_t<decltype(square)>;
    return square > 0 ? S(sqrt(square)) : S(0.0);
  };
}

// ½ k (l - l0)²; without a length ½ k l², which has no corner at l = 0.
inline auto spring_energy(const PlaneSpring& spring) {
  return [&spring](const auto* x) {
    const auto r = plane_reach(x, spring.at_a, spring.at_b);
    using S = std::decay_t<decltype(r.x)>;
    if (spring.length == 0) return S(0.5 * spring.stiffness * (r.x * r.x + r.y * r.y));
    const S off = joint_length(spring.at_a, spring.at_b)(x) - spring.length;
    return S(0.5 * spring.stiffness * off * off);
  };
}

// From A to B along the axis of a (sign 0), or across it.
template <class S>
S along_axis(const S* x, const PlaneJoint& joint, const Point& axis) {
  using std::cos, std::sin;
  const auto r = plane_reach(x, joint.at_a, joint.at_b);
  const S ca = cos(x[2]), sa = sin(x[2]);
  return -(r.x * (ca * axis.x() - sa * axis.y()) + r.y * (sa * axis.x() + ca * axis.y()));
}

inline auto joint_row(const PlaneJoint& joint, int part) {
  return [&joint, part](const auto* x) {
    using S = std::decay_t<decltype(x[0])>;
    using Kind = PlaneJoint::Kind;
    if (joint.kind == Kind::distance) return S(joint_length(joint.at_a, joint.at_b)(x) - joint.length);
    if (joint.kind == Kind::slider && part == 0) return along_axis(x, joint, turned(joint.axis));
    if (joint.kind == Kind::slider || part == 2) return S(x[5] - x[2] - joint.angle);
    const auto r = plane_reach(x, joint.at_a, joint.at_b);
    return part == 0 ? r.x : r.y;
  };
}

// What a limit bounds: an angle from the start, a travel, or a length.
inline auto joint_travel(const PlaneJoint& joint) {
  return [&joint](const auto* x) {
    using S = std::decay_t<decltype(x[0])>;
    using Kind = PlaneJoint::Kind;
    if (joint.kind == Kind::distance) return joint_length(joint.at_a, joint.at_b)(x);
    if (joint.kind == Kind::slider) return along_axis(x, joint, joint.axis);
    return S(x[5] - x[2] - joint.angle);
  };
}

// By the six coordinates and, in place 6, by time.
template <class F>
auto PlaneScene::gradient_of(int a, int b, double t, const Values& q, const F& f) const {
  using D = Dual<double, 7>;
  std::array<D, 6> x;
  for (const int side : {0, 1}) {
    const int body = side ? b : a, i = coordinate_of(body);
    const PlanePose at = pose(body, t, q);
    const std::array<double, 3> own{at.x, at.y, at.angle}, speed = rate(body, t);
    for (int e = 0; e < 3; ++e) {
      const auto k = static_cast<std::size_t>(e);
      D& each = x[static_cast<std::size_t>(3 * side) + k];
      each = i >= 0 ? D::variable(own[k], 3 * side + e) : D(own[k]);
      each.d[6] = speed[k];
    }
  }
  return f(static_cast<const D*>(x.data()));
}

template <class F>
void PlaneScene::append_gradient(int a, int b, double t, const Values& q, const F& f,
                                 SparseRows& into) const {
  const auto y = gradient_of(a, b, t, q, f);
  for (const int side : {0, 1})
    if (const int i = coordinate_of(side ? b : a); i >= 0)
      for (int e = 0; e < 3; ++e) into.push(i + e, y.d[3 * side + e]);
  into.end_row(y.d[6]);
}

// The second derivative along (1, u) of (t, q).
template <class F>
double PlaneScene::bend_of(int a, int b, double t, const Values& q, const Values& u, const F& f) const {
  using D = Dual2<double, 1>;
  std::array<D, 6> x;
  for (const int side : {0, 1}) {
    const int body = side ? b : a, i = coordinate_of(body);
    std::array<double, 9> now{};
    if (moves(body)) {
      world_->bodies[static_cast<std::size_t>(body)].motion(t, now);
    } else {
      const PlanePose at = pose(body, t, q);
      now = {at.x, at.y, at.angle};
    }
    for (int e = 0; e < 3; ++e) {
      const auto k = static_cast<std::size_t>(e);
      D& each = x[static_cast<std::size_t>(3 * side) + k];
      each = D(now[k]);
      each.d[0] = i >= 0 ? u[i + e] : now[k + 3], each.h[0] = i >= 0 ? 0 : now[k + 6];
    }
  }
  return f(static_cast<const D*>(x.data())).h[0];
}

}  // namespace carom
