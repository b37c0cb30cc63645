// Gilbert, Johnson & Keerthi, IEEE J. Robot. Autom. 4 (1988) 193: the point of A - B nearest to 0, by
// simplices of at most four points, each the farthest against the nearest point so far.
#include <cmath>

#include "import/assembly.hpp"

namespace carom::robots {
namespace {

Vec3 farthest(const RobotShape& s, const Vec3& d) {
  const double x = std::copysign(s.size[0], d.x()), y = std::copysign(s.size[1], d.y()),
               z = std::copysign(s.size[2], d.z());
  const double length = d.norm(), across = std::hypot(d.x(), d.y());
  switch (s.kind) {
    case ShapeKind::plane:
      return Vec3::Zero();
    case ShapeKind::ball:
      return length > 0 ? Vec3(s.size[0] / length * d) : Vec3(s.size[0], 0, 0);
    case ShapeKind::capsule:
      return Vec3(0, 0, std::copysign(s.size[1], d.z())) +
             (length > 0 ? Vec3(s.size[0] / length * d) : Vec3(s.size[0], 0, 0));
    case ShapeKind::cylinder:
      return {across > 0 ? s.size[0] / across * d.x() : s.size[0],
              across > 0 ? s.size[0] / across * d.y() : 0, std::copysign(s.size[1], d.z())};
    case ShapeKind::box:
      return {x, y, z};
    case ShapeKind::ellipsoid: {
      const Vec3 scaled = s.size.cwiseProduct(d);
      return scaled.norm() > 0 ? Vec3(s.size.cwiseProduct(scaled) / scaled.norm()) : Vec3(s.size[0], 0, 0);
    }
    case ShapeKind::hull: {
      const Vec3* best = &s.points[0];
      for (const Vec3& point : s.points)
        if (point.dot(d) > best->dot(d)) best = &point;
      return *best;
    }
  }
  return Vec3::Zero();
}

// The point nearest to 0 within the points, of which those that it needs are kept.
Vec3 nearest(std::vector<Vec3>& points) {
  Vec3 best = points[0];
  std::vector<Vec3> kept = {points[0]};
  double least = INFINITY;
  for (unsigned subset = 1; subset < 1u << points.size(); ++subset) {
    std::vector<Vec3> of;
    for (std::size_t k = 0; k < points.size(); ++k)
      if (subset >> k & 1) of.push_back(points[k]);
    const auto n = static_cast<Eigen::Index>(of.size());
    // x = Σ w p with Σ w = 1 and x orthogonal to all differences.
    Eigen::MatrixXd M(n, n);
    Eigen::VectorXd right = Eigen::VectorXd::Zero(n);
    M.row(0).setOnes(), right[0] = 1;
    for (Eigen::Index r = 1; r < n; ++r)
      for (Eigen::Index c = 0; c < n; ++c)
        M(r, c) = (of[static_cast<std::size_t>(r)] - of[0]).dot(of[static_cast<std::size_t>(c)]);
    const Eigen::FullPivLU<Eigen::MatrixXd> factors(M);
    if (!factors.isInvertible()) continue;
    const Eigen::VectorXd w = factors.solve(right);
    if (!(w.minCoeff() >= 0)) continue;
    Vec3 x = Vec3::Zero();
    for (Eigen::Index k = 0; k < n; ++k) x += w[k] * of[static_cast<std::size_t>(k)];
    if (x.squaredNorm() < least) least = x.squaredNorm(), best = x, kept = of;
  }
  points = kept;
  return best;
}

}  // namespace

Vec3 support(const RobotShape& shape, const Pose& pose, const Vec3& direction) {
  return pose * farthest(shape, pose.q.conjugate() * direction);
}

bool overlap(const RobotShape& a, const Pose& pose_a, const RobotShape& b, const Pose& pose_b) {
  const Vec3 centre_a = a.kind == ShapeKind::hull ? Vec3(pose_a * a.moments.centre) : pose_a.p;
  const Vec3 centre_b = b.kind == ShapeKind::hull ? Vec3(pose_b * b.moments.centre) : pose_b.p;
  constexpr double shrunk = 1 - 1e-7;
  const auto far = [&](const Vec3& d) -> Vec3 {
    return centre_a + shrunk * (support(a, pose_a, d) - centre_a) - centre_b -
           shrunk * (support(b, pose_b, -d) - centre_b);
  };
  Vec3 v = far(centre_b - centre_a);
  const double size = v.norm() + (far(Vec3::UnitX()) - far(-Vec3::UnitX())).norm();
  std::vector<Vec3> points = {v};
  for (int k = 0; k < 200; ++k) {
    if (!(v.norm() > 1e-12 * size)) return true;
    const Vec3 w = far(-v);
    if (v.dot(w) > 0) return false;
    points.push_back(w);
    const Vec3 next = nearest(points);
    if (points.size() == 4 || !(next.norm() < v.norm())) return true;
    v = next;
  }
  return true;
}

}  // namespace carom::robots
