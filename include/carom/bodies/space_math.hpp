// Vectors and rotations in space, over doubles and dual numbers. A rotation is a quaternion q = (w, x, y, z),
// body to space, of any length but zero: with u its last three
//
//   R r = ((w² - u·u) r + 2 (u·r) u + 2 w u x r)/|q|²,   ω = 2 vec(q' q*)/|q|²  in space,  q' = ½ (0, ω) q
//
// so what is measured between bodies does not depend on |q|. Tested in tests/unit/space_scene_test.cpp.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <array>
#include <cmath>

namespace carom {

using Point3 = Eigen::Vector3d;
using Turn = Eigen::Vector4d;  // (w, x, y, z)

template <class S>
struct Arrow {
  S x, y, z;
  friend Arrow operator+(const Arrow& a, const Arrow& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend Arrow operator-(const Arrow& a, const Arrow& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend Arrow operator*(const S& s, const Arrow& a) { return {s * a.x, s * a.y, s * a.z}; }
};
template <class S>
Arrow<S> arrow(const Point3& p) {
  return {S(p.x()), S(p.y()), S(p.z())};
}
template <class S>
S dot(const Arrow<S>& a, const Arrow<S>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class S>
Arrow<S> cross(const Arrow<S>& a, const Arrow<S>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class S>
S length(const Arrow<S>& a) {
  using std::sqrt;
  return sqrt(dot(a, a));
}

// R r for the quaternion at q, and its inverse.
template <class S>
Arrow<S> turned(const S* q, const Arrow<S>& r, double way = 1) {
  const Arrow<S> u{q[1], q[2], q[3]};
  const S ww = q[0] * q[0], uu = dot(u, u), two(2.0);
  return (S(1.0) / (ww + uu)) * ((ww - uu) * r + (two * dot(u, r)) * u + (two * way * q[0]) * cross(u, r));
}
template <class S>
Arrow<S> unturned(const S* q, const Arrow<S>& r) {
  return turned(q, r, -1);
}

inline Turn product(const Turn& a, const Turn& b) {
  Turn r;
  r[0] = a[0] * b[0] - a.tail<3>().dot(b.tail<3>());
  r.tail<3>() = a[0] * b.tail<3>() + b[0] * a.tail<3>() + a.tail<3>().cross(b.tail<3>());
  return r;
}
inline Turn conjugate(const Turn& q) { return {q[0], -q[1], -q[2], -q[3]}; }
inline Turn pure(const Point3& r) { return {0, r.x(), r.y(), r.z()}; }
inline Eigen::Matrix3d matrix_of(const Turn& q) {
  Eigen::Matrix3d r;
  const double w = q[0], x = q[1], y = q[2], z = q[3];
  r << w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y), 2 * (x * y + w * z),
      w * w - x * x + y * y - z * z, 2 * (y * z - w * x), 2 * (x * z - w * y), 2 * (y * z + w * x),
      w * w - x * x - y * y + z * z;
  return r / q.squaredNorm();
}

// About the direction of r by its length, over any scalar.
template <class S>
std::array<S, 4> rotation(const Arrow<S>& r) {
  using std::cos, std::sin, std::sqrt;
  const S square = 0.25 * dot(r, r);
  if (square > 0.01) {
    const S half = sqrt(square), s = 0.5 * sin(half) / half;
    return {cos(half), s * r.x, s * r.y, s * r.z};
  }
  S c(1.0), s(0.5), term(1.0);  // as a series in the square, which has no corner at zero
  for (int k = 1; k < 8; ++k) {
    term = term * square * (-1.0 / (2 * k * (2 * k - 1)));
    c = c + term, s = s + term * (0.5 / (2 * k + 1));
  }
  return {c, s * r.x, s * r.y, s * r.z};
}
inline Turn rotation_by(const Point3& r) {
  const auto q = rotation(arrow<double>(r));
  return {q[0], q[1], q[2], q[3]};
}

// Where a body is.
struct SpacePose {
  Point3 at = Point3::Zero();
  Turn q{1, 0, 0, 0};
  Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
  static SpacePose of(const Point3& at, const Turn& q) { return {at, q, matrix_of(q)}; }
  Point3 turned(const Point3& p) const { return R * p; }
  Point3 unturned(const Point3& p) const { return R.transpose() * p; }
  Point3 out(const Point3& own) const { return at + R * own; }
  Point3 own(const Point3& p) const { return R.transpose() * (p - at); }
};

// What a force n at a point, or a rate along it, is for a body: along its place, and along its turning in
// space.
struct Wrench {
  Point3 n = Point3::Zero(), turn = Point3::Zero();
  static Wrench at(const SpacePose& body, const Point3& point, const Point3& n) {
    return {n, (point - body.at).cross(n)};
  }
  // Along the quaternion: 2 (0, turn) q/|q|².
  Turn along(const Turn& q) const { return product(pure(turn), q) * (2 / q.squaredNorm()); }
};

}  // namespace carom
