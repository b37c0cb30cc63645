// Places, directions and moments of mass in space, for the import alone.
#pragma once

#include <Eigen/Dense>
#include <Eigen/Geometry>
#include <vector>

namespace carom::robots {

using Vec3 = Eigen::Vector3d;
using Mat3 = Eigen::Matrix3d;
using Quat = Eigen::Quaterniond;

// Of axes within others: x -> p + q x.
struct Pose {
  Vec3 p = Vec3::Zero();
  Quat q = Quat::Identity();
  Vec3 operator*(const Vec3& x) const { return p + q * x; }
  Pose operator*(const Pose& inner) const { return {p + q * inner.p, (q * inner.q).normalized()}; }
  Pose inverse() const { return {-(q.conjugate() * p), q.conjugate()}; }
};

// Turns z into this direction, by the shortest way.
inline Quat turning_z_to(const Vec3& direction) {
  return Quat::FromTwoVectors(Vec3::UnitZ(), direction.normalized());
}

// Mass, its centre, and the inertia about that centre, in one set of axes.
struct Moments {
  double mass = 0;
  Vec3 centre = Vec3::Zero();
  Mat3 inertia = Mat3::Zero();
};

inline Mat3 steiner(double mass, const Vec3& d) {
  return mass * (d.squaredNorm() * Mat3::Identity() - d * d.transpose());
}

inline Moments seen_from(const Pose& pose, const Moments& m) {
  const Mat3 turn = pose.q.toRotationMatrix();
  return {m.mass, pose * m.centre, turn * m.inertia * turn.transpose()};
}

inline Moments sum(const Moments& a, const Moments& b) {
  Moments r;
  r.mass = a.mass + b.mass;
  if (!(r.mass > 0)) return r;
  r.centre = (a.mass * a.centre + b.mass * b.centre) / r.mass;
  r.inertia =
      a.inertia + b.inertia + steiner(a.mass, a.centre - r.centre) + steiner(b.mass, b.centre - r.centre);
  return r;
}

}  // namespace carom::robots
