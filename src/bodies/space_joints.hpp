// What joints and springs measure between two bodies, over any scalar: functions of place and quaternion of a
// and then of b; and their derivatives, with the motion of bodies that are functions of time.
#pragma once

#include "carom/bodies/space_scene.hpp"
#include "carom/numerics/differentiate.hpp"

namespace carom {

// From the point of b to that of a, in space.
template <class S>
Arrow<S> space_reach(const S* x, const Point3& at_a, const Point3& at_b) {
  return Arrow<S>{x[0], x[1], x[2]} + turned(x + 3, arrow<S>(at_a)) -
         (Arrow<S>{x[7], x[8], x[9]} + turned(x + 10, arrow<S>(at_b)));
}

// |A - B|, which has no slope where it is zero.
inline auto space_length(const Point3& at_a, const Point3& at_b) {
  return [at_a, at_b](const auto* x) {
    using std::sqrt;
    const auto r = space_reach(x, at_a, at_b);
    const auto square = dot(r, r);
    using S = std::decay_t<decltype(square)>;
    return square > 0 ? S(sqrt(square)) : S(0.0);
  };
}

// ½ k (l - l0)²; without a length ½ k l², which has no corner at l = 0.
inline auto spring_energy(const SpaceSpring& spring) {
  return [&spring](const auto* x) {
    const auto r = space_reach(x, spring.at_a, spring.at_b);
    using S = std::decay_t<decltype(r.x)>;
    if (spring.length == 0) return S(0.5 * spring.stiffness * dot(r, r));
    const S off = space_length(spring.at_a, spring.at_b)(x) - spring.length;
    return S(0.5 * spring.stiffness * off * off);
  };
}

// From A to B along column k of a's axes.
template <class S>
S along_axis(const S* x, const SpaceJoint& joint, int k) {
  return -dot(unturned(x + 3, space_reach(x, joint.at_a, joint.at_b)), arrow<S>(joint.axes_a.col(k)));
}

// Column i of a's axes by column k of b's.
template <class S>
S between_axes(const S* x, const SpaceJoint& joint, int i, int k) {
  return dot(turned(x + 3, arrow<S>(joint.axes_a.col(i))), turned(x + 10, arrow<S>(joint.axes_b.col(k))));
}

inline int SpaceJoint::rows() const {
  switch (kind) {
    case Kind::ball:
      return 3;
    case Kind::universal:
      return 4;
    case Kind::distance:
      return is_rope() ? 0 : 1;
    case Kind::fixed:
      return 6;
    default:
      return 5;
  }
}

inline auto joint_row(const SpaceJoint& joint, int part) {
  return [&joint, part](const auto* x) {
    using S = std::decay_t<decltype(x[0])>;
    using Kind = SpaceJoint::Kind;
    if (joint.kind == Kind::distance) return S(space_length(joint.at_a, joint.at_b)(x) - joint.length);
    int turn = part - 3;  // which of those that turning breaks
    if (joint.kind == Kind::slider) {
      if (part < 2) return along_axis(x, joint, part);
      turn = part - 2;
    } else if (part < 3) {
      const auto r = space_reach(x, joint.at_a, joint.at_b);
      return part == 0 ? r.x : part == 1 ? r.y : r.z;
    }
    if (joint.kind == Kind::hinge) return between_axes(x, joint, turn, 2);
    if (joint.kind == Kind::universal) return between_axes(x, joint, 2, 2);
    return between_axes(x, joint, turn, (turn + 1) % 3);
  };
}

// What a limit bounds: an angle from the start, a travel, or a length.
inline auto joint_travel(const SpaceJoint& joint) {
  return [&joint](const auto* x) {
    using std::atan2;
    using S = std::decay_t<decltype(x[0])>;
    using Kind = SpaceJoint::Kind;
    if (joint.kind == Kind::distance) return space_length(joint.at_a, joint.at_b)(x);
    if (joint.kind == Kind::slider) return along_axis(x, joint, 2);
    return S(atan2(between_axes(x, joint, 1, 0), between_axes(x, joint, 0, 0)));
  };
}

// By the fourteen coordinates and, in place 14, by time.
template <class F>
auto SpaceScene::gradient_of(int a, int b, double t, const Values& q, const F& f) const {
  using D = Dual<double, 15>;
  std::array<D, 14> x;
  const Values still = Values::Zero(0);
  for (const int side : {0, 1}) {
    const int body = side ? b : a, i = coordinate_of(body);
    const auto now = state(body, t, q, still);
    for (int e = 0; e < each; ++e) {
      const auto k = static_cast<std::size_t>(e);
      D& one = x[static_cast<std::size_t>(each * side) + k];
      one = i >= 0 ? D::variable(now[k], each * side + e) : D(now[k]);
      if (i < 0) one.d[14] = now[k + each];
    }
  }
  return f(static_cast<const D*>(x.data()));
}

template <class F>
void SpaceScene::append_gradient(int a, int b, double t, const Values& q, const F& f,
                                 SparseRows& into) const {
  const auto y = gradient_of(a, b, t, q, f);
  for (const int side : {0, 1})
    if (const int i = coordinate_of(side ? b : a); i >= 0)
      for (int e = 0; e < each; ++e) into.push(i + e, y.d[each * side + e]);
  into.end_row(y.d[14]);
}

// The second derivative along (1, u) of (t, q).
template <class F>
double SpaceScene::bend_of(int a, int b, double t, const Values& q, const Values& u, const F& f) const {
  using D = Dual2<double, 1>;
  std::array<D, 14> x;
  for (const int side : {0, 1}) {
    const auto now = state(side ? b : a, t, q, u);
    for (int e = 0; e < each; ++e) {
      const auto k = static_cast<std::size_t>(e);
      D& one = x[static_cast<std::size_t>(each * side) + k];
      one = D(now[k]);
      one.d[0] = now[k + each], one.h[0] = now[k + 2 * each];
    }
  }
  return f(static_cast<const D*>(x.data())).h[0];
}

}  // namespace carom
