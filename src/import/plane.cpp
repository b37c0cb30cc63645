// Whether a robot stays in a plane, and its shapes seen along the normal. Bodies are as far apart in the
// plane as in space if there is a height at which both are as wide as they look; a half-space that stands
// upright on the plane sees outlines alone.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "import/scene_text.hpp"
#include "scenario/scenario_text.hpp"

namespace carom::robots {
namespace {

constexpr double close = 1e-9;

bool along(const Vec3& a, const Vec3& b) { return a.cross(b).norm() < close; }
bool across(const Vec3& a, const Vec3& b) { return std::abs(a.dot(b)) < close; }

using Corners = std::vector<Eigen::Vector2d>;

// Andrew's chain, without corners that are in line.
Corners outline_of(Corners points) {
  std::sort(points.begin(), points.end(),
            [](const auto& a, const auto& b) { return a.x() != b.x() ? a.x() < b.x() : a.y() < b.y(); });
  double size = 0;
  for (const auto& p : points) size = std::max(size, (p - points[0]).squaredNorm());
  const auto turns = [&](const Eigen::Vector2d& a, const Eigen::Vector2d& b, const Eigen::Vector2d& c) {
    return (b - a).x() * (c - b).y() - (b - a).y() * (c - b).x() > 1e-9 * size;
  };
  Corners r;
  const auto chain = [&](auto begin, auto end) {
    const std::size_t first = r.size();
    for (auto p = begin; p != end; ++p) {
      while (r.size() > first + 1 && !turns(r[r.size() - 2], r.back(), *p)) r.pop_back();
      r.push_back(*p);
    }
    r.pop_back();
  };
  chain(points.begin(), points.end());
  chain(points.rbegin(), points.rend());
  return r;
}

std::string corners_text(const Corners& corners) {
  std::string r;
  for (const auto& c : corners) r += (r.empty() ? "" : ", ") + numbers_text({c.x(), c.y()});
  return "{ polygon = [" + r + "] }";
}

struct Seen {  // a shape with its axes in space
  const RobotShape& s;
  Pose pose;
  Seen(const PlacedShape& placed, const Part& part) : s(*placed.shape), pose(part.pose * placed.pose) {}
  Vec3 axis(int k) const { return pose.q * Vec3(Vec3::Unit(k)); }
};

const RobotJoint* out_of_plane(const JointChain& chain, const Vec3& normal) {
  for (const auto& item : chain.items) {
    const bool fits = item.joint.kind == JointKind::hinge   ? along(item.axis, normal)
                      : item.joint.kind == JointKind::slide ? across(item.axis, normal)
                                                            : false;
    if (!fits) return &item.joint;
  }
  return nullptr;
}

bool is_free_in_plane(const JointChain& chain) {
  int hinges = 0;
  std::vector<Vec3> slides;
  for (const auto& item : chain.items) {
    if (item.joint.range || item.joint.stiffness != 0 || item.joint.damping != 0) return false;
    if (item.joint.kind == JointKind::hinge) ++hinges;
    if (item.joint.kind == JointKind::slide) slides.push_back(item.axis);
  }
  return hinges == 1 && slides.size() == 2 && !along(slides[0], slides[1]);
}

// A direction that all hinges have, or all slides are at right angles to.
Vec3 normal_of(const Robot& robot, const Assembly& assembly) {
  std::vector<Vec3> slides;
  for (const JointChain& chain : assembly.chains)
    for (const auto& item : chain.items) {
      if (item.joint.kind == JointKind::hinge) return item.axis;
      if (item.joint.kind == JointKind::slide) slides.push_back(item.axis);
    }
  if (slides.empty()) return Vec3::Zero();
  for (const Vec3& other : slides)
    if (!along(other, slides[0])) return slides[0].cross(other).normalized();
  const Vec3 normal = slides[0].cross(robot.gravity);
  return normal.norm() > close ? Vec3(normal.normalized()) : slides[0].unitOrthogonal();
}

Plane axes_of(const Robot& robot, Vec3 normal) {
  Vec3 up = -robot.gravity + robot.gravity.dot(normal) * normal;
  if (!(up.norm() > close * (1 + robot.gravity.norm())))
    up = std::abs(normal.y()) < 0.9 ? Vec3::UnitY() : Vec3::UnitZ();
  up = (up - up.dot(normal) * normal).normalized();
  Vec3 x = up.cross(normal);
  Eigen::Index largest = 0;
  x.cwiseAbs().maxCoeff(&largest);
  if (x[largest] < 0) x = -x, normal = -normal;
  return {x, up, normal};
}

enum class Meeting { never, in_plane, otherwise };

Meeting meeting(const PlacedShape& a, const Part& part_a, const PlacedShape& b, const Part& part_b,
                const Plane& plane) {
  if (b.shape->kind == ShapeKind::plane) return meeting(b, part_b, a, part_a, plane);
  const Reach reach = reach_along(b, part_b, plane.normal);
  if (a.shape->kind == ShapeKind::plane) {
    const Seen floor(a, part_a);
    const Vec3 up = floor.axis(2);
    const double height = plane.normal.dot(floor.pose.p);
    if (across(up, plane.normal))
      return has_outline(b, part_b, plane) ? Meeting::in_plane : Meeting::otherwise;
    if (!along(up, plane.normal)) return Meeting::otherwise;
    const bool apart = up.dot(plane.normal) > 0 ? reach.low > height + close : reach.high < height - close;
    return apart ? Meeting::never : Meeting::otherwise;
  }
  const Reach other = reach_along(a, part_a, plane.normal);
  if (other.high <= reach.low + close || reach.high <= other.low + close) return Meeting::never;
  const bool level =
      std::max(reach.full_low, other.full_low) <= std::min(reach.full_high, other.full_high) + close;
  return level && has_outline(a, part_a, plane) && has_outline(b, part_b, plane) ? Meeting::in_plane
                                                                                 : Meeting::otherwise;
}

}  // namespace

Reach reach_along(const PlacedShape& placed, const Part& part, const Vec3& normal) {
  const Seen seen(placed, part);
  const double centre = normal.dot(seen.pose.p);
  const Vec3& size = seen.s.size;
  Reach r{normal.dot(support(seen.s, seen.pose, -normal)), normal.dot(support(seen.s, seen.pose, normal)), 1,
          -1};
  const auto full = [&](double half) { r.full_low = centre - half, r.full_high = centre + half; };
  const bool lies = across(seen.axis(2), normal), stands = along(seen.axis(2), normal);
  switch (seen.s.kind) {
    case ShapeKind::ball:
      full(0);
      break;
    case ShapeKind::capsule:
    case ShapeKind::cylinder:
      if (lies || stands) full(stands ? size[1] : 0);
      break;
    case ShapeKind::box:
      for (int k = 0; k < 3; ++k)
        if (along(seen.axis(k), normal)) full(size[k]);
      break;
    case ShapeKind::ellipsoid:
      for (int k = 0; k < 3; ++k)
        if (along(seen.axis(k), normal)) full(0);
      break;
    default:
      break;
  }
  return r;
}

bool has_outline(const PlacedShape& placed, const Part& part, const Plane& plane) {
  const Seen seen(placed, part);
  const Vec3& size = seen.s.size;
  const auto stands = [&](int k) { return along(seen.axis(k), plane.normal); };
  switch (seen.s.kind) {
    case ShapeKind::cylinder:
      return stands(2) || across(seen.axis(2), plane.normal);
    case ShapeKind::ellipsoid:
      return (stands(0) && size[1] == size[2]) || (stands(1) && size[0] == size[2]) ||
             (stands(2) && size[0] == size[1]);
    default:
      return seen.s.kind != ShapeKind::plane;
  }
}

std::string shape_in_plane(const PlacedShape& placed, const Part& part, const Plane& plane) {
  const Seen seen(placed, part);
  const Vec3& size = seen.s.size;
  const auto flat = [&](const Vec3& d) { return Eigen::Vector2d(plane.x.dot(d), plane.y.dot(d)); };
  const Eigen::Vector2d place = flat(seen.pose.p - part.pose.p);
  const std::string at = place.norm() < 1e-15 ? "" : ", position = " + numbers_text({place.x(), place.y()});
  const auto turned = [&](const Eigen::Vector2d& x) {
    const double angle = std::atan2(x.y(), x.x());
    const std::string text = numbers_text({angle});
    return angle == 0 ? "" : ", angle = " + text.substr(1, text.size() - 2);
  };
  const auto ball = [&](double radius) {
    const std::string text = numbers_text({radius});
    return "{ ball = " + text.substr(1, text.size() - 2) + at + " }";
  };
  const Eigen::Vector2d axis = flat(seen.axis(2));
  const double wide = axis.norm();
  if (seen.s.kind == ShapeKind::ball) return ball(size[0]);
  if (seen.s.kind == ShapeKind::capsule)
    return wide * size[1] < close * size[0]
               ? ball(size[0])
               : "{ capsule = " + numbers_text({2 * size[1] * wide, size[0]}) + at + turned(axis) + " }";
  if (seen.s.kind == ShapeKind::cylinder && wide < close) return ball(size[0]);
  if (seen.s.kind == ShapeKind::cylinder && wide > 1 - close)
    return "{ box = " + numbers_text({2 * size[1], 2 * size[0]}) + at + turned(axis) + " }";
  if (seen.s.kind == ShapeKind::box)
    for (int k = 0; k < 3; ++k)
      if (along(seen.axis(k), plane.normal))
        return "{ box = " + numbers_text({2 * size[(k + 1) % 3], 2 * size[(k + 2) % 3]}) + at +
               turned(flat(seen.axis((k + 1) % 3))) + " }";
  if (seen.s.kind == ShapeKind::ellipsoid && has_outline(placed, part, plane))
    for (int k = 0; k < 3; ++k)
      if (along(seen.axis(k), plane.normal)) return ball(size[(k + 1) % 3]);
  Corners corners;
  const int around = seen.s.kind == ShapeKind::hull ? 0 : seen.s.kind == ShapeKind::box ? 4 : 24;
  for (const Vec3& x : seen.s.points) corners.push_back(flat(seen.pose * x - part.pose.p));
  if (seen.s.kind == ShapeKind::box)
    for (int k = 0; k < 8; ++k)
      corners.push_back(flat(seen.pose * Vec3(k & 1 ? size[0] : -size[0], k & 2 ? size[1] : -size[1],
                                              k & 4 ? size[2] : -size[2]) -
                             part.pose.p));
  else
    for (int k = 0; k < around; ++k) {
      const double angle = 2 * M_PI * k / around;
      corners.push_back(flat(
          support(seen.s, seen.pose, std::cos(angle) * plane.x + std::sin(angle) * plane.y) - part.pose.p));
    }
  return corners_text(outline_of(corners));
}

PlaneFound find_plane(const Robot& robot, const Assembly& assembly) {
  PlaneFound r;
  const Vec3 normal = normal_of(robot, assembly);
  const auto none = [&](const std::string& place, const std::string& why) {
    r.plane.reset(), r.place = place, r.why = why;
    return r;
  };
  if (normal.isZero())
    return none(assembly.chains.empty() ? "" : assembly.chains[0].place, "no joint says which plane");
  r.plane = axes_of(robot, normal);
  for (const JointChain& chain : assembly.chains) {
    if (const RobotJoint* joint = out_of_plane(chain, normal))
      return none(joint->place, fmt::format("joint {} leads out of the plane of the others",
                                            detail::clipped(detail::quoted(joint->name))));
    if (chain.items.size() > 1 && !is_free_in_plane(chain))
      return none(chain.place,
                  fmt::format("{} has several joints that are no free motion in the plane", chain.name));
    const RobotJoint& joint = chain.items[0].joint;
    const bool pushed = joint.stiffness != 0 || joint.damping != 0;
    if (chain.items.size() == 1 && joint.kind == JointKind::slide && pushed && chain.parent != 0)
      return none(joint.place, "a spring or damper of a slide between bodies that both move");
  }
  for (const PlacedJoint& tie : assembly.ties)
    if (tie.kind == SceneJoint::distance && std::abs(normal.dot(tie.at - tie.at_b)) > close)
      return none(tie.place, "a rope leads out of the plane");
  for (const Touching& pair : assembly.touching) {
    const Part &a = assembly.parts[static_cast<std::size_t>(pair.a)],
               &b = assembly.parts[static_cast<std::size_t>(pair.b)];
    std::array<int, 3> count{};
    for (const PlacedShape& s : a.shapes)
      for (const PlacedShape& t : b.shapes) ++count[static_cast<std::size_t>(meeting(s, a, t, b, *r.plane))];
    if (count[2] > 0 || (count[0] > 0 && count[1] > 0))
      return none(a.place,
                  fmt::format("{} and {} meet otherwise in the plane than in space", a.name, b.name));
    if (count[1] > 0) r.touching.push_back(pair);
  }
  return r;
}

}  // namespace carom::robots
