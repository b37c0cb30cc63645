#include <fmt/format.h>

#include "model/space_world.hpp"

namespace carom {
namespace {

// Seen along y: x to the right, z up.
class SpaceDrawing {
 public:
  explicit SpaceDrawing(const SpaceWorld& w) : world(w) {}

  DrawSpec make() {
    find_size();
    constexpr std::size_t most_drawn = 200;
    for (std::size_t k = 0; k < std::min(world.bodies.size(), most_drawn); ++k) {
      if (world.bodies[k].motion) continue;
      for (const SpacePart& part : world.bodies[k].shape) add(world.bodies[k], part);
    }
    for (std::size_t k = 0; k < world.joints.size(); ++k)
      if (const SpaceJoint& joint = world.joints[k]; joint.kind == SpaceJoint::Kind::distance)
        link(joint.a, joint.b, joint.at_a, joint.at_b);
    for (const SpaceSpring& spring : world.springs) link(spring.a, spring.b, spring.at_a, spring.at_b);
    return std::move(r);
  }

 private:
  static std::string number(double x) { return fmt::format("({:.17g})", x); }

  void find_size() {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (const SpaceBody& body : world.bodies)
      for (const SpacePart& part : body.shape) {
        if (part.is_half_space()) continue;
        low = std::fmin(low, body.start.at.minCoeff() - part.extent());
        high = std::fmax(high, body.start.at.maxCoeff() + part.extent());
      }
    size = high > low ? 2 * (high - low) : 1;
  }

  std::vector<std::string> at(const SpaceBody& body, const Point3& p) const {
    if (!body.is_free()) {
      const Point3 fixed = body.start.out(p);
      return {number(fixed.x()), number(fixed.z())};
    }
    if (p.isZero(0)) return {body.name + "_x", body.name + "_z"};
    const std::string x = number(p.x()), y = number(p.y()), z = number(p.z());
    return {fmt::format("{0}_x + ({0}_q0^2 + {0}_q1^2 - {0}_q2^2 - {0}_q3^2)*{1} + 2*({0}_q1*{0}_q2 - "
                        "{0}_q0*{0}_q3)*{2} + 2*({0}_q1*{0}_q3 + {0}_q0*{0}_q2)*{3}",
                        body.name, x, y, z),
            fmt::format("{0}_z + 2*({0}_q1*{0}_q3 - {0}_q0*{0}_q2)*{1} + 2*({0}_q2*{0}_q3 + "
                        "{0}_q0*{0}_q1)*{2} + ({0}_q0^2 - {0}_q1^2 - {0}_q2^2 + {0}_q3^2)*{3}",
                        body.name, x, y, z)};
  }
  std::string point(const std::string& name, std::vector<std::string> where) {
    r.points.push_back({fmt::format("{} {}", name, ++count), std::move(where)});
    return r.points.back().first;
  }

  void add(const SpaceBody& body, const SpacePart& part) {
    using Kind = SpacePart::Kind;
    if (part.kind == Kind::half_space) return ground(body, part);
    if (part.kind == Kind::point || part.kind == Kind::segment)
      for (const Point3& c : part.corners)
        r.circles.push_back({point(body.name, at(body, c)), number(part.radius)});
    if (part.is_round()) return round(body, part);
    std::vector<std::string> corners;
    if (!part.edges.empty())
      for (const Point3& c : part.corners) corners.push_back(point(body.name, at(body, c)));
    for (const auto& edge : part.edges)
      r.lines.push_back(
          {corners[static_cast<std::size_t>(edge.from)], corners[static_cast<std::size_t>(edge.to)]});
  }

  // Its circles: of an ellipsoid three, of a cylinder the rims.
  void round(const SpaceBody& body, const SpacePart& part) {
    constexpr int pieces = 16;
    const bool rims = part.kind == SpacePart::Kind::cylinder;
    for (int ring = 0; ring < (rims ? 2 : 3); ++ring) {
      const int u = rims ? 1 : (ring + 1) % 3, v = rims ? 2 : (ring + 2) % 3;
      const double along = !rims ? 0 : ring == 0 ? -part.half[0] : part.half[0];
      std::vector<std::string> names;
      for (int k = 0; k < pieces; ++k) {
        const double angle = 2 * 3.14159265358979323846 * k / pieces;
        Point3 p = along * Point3::UnitX();
        p[u] += part.half[u] * std::cos(angle), p[v] += part.half[v] * std::sin(angle);
        names.push_back(point(body.name, at(body, part.corners[0] + part.axes * p)));
      }
      names.push_back(names[0]);
      r.lines.push_back(names);
    }
  }

  void ground(const SpaceBody& body, const SpacePart& part) {
    const Point3 n = body.start.turned(part.faces[0].normal);
    const Point3 along(n.z(), 0, -n.x());
    if (!(along.norm() > 1e-9)) return;  // seen from above
    const Point3 foot = body.start.out(part.faces[0].offset * part.faces[0].normal),
                 way = size * along.normalized(), a = foot - way, b = foot + way;
    r.ground.push_back({number(a.x()), number(a.z()), number(b.x()), number(b.z())});
  }

  void link(int a, int b, const Point3& at_a, const Point3& at_b) {
    std::vector<std::string> ends;
    for (const auto& [body, p] : {std::pair{a, at_a}, {b, at_b}})
      ends.push_back(point("end", body < 0 ? std::vector<std::string>{number(p.x()), number(p.z())}
                                           : at(world.bodies[static_cast<std::size_t>(body)], p)));
    r.lines.push_back(ends);
  }

  const SpaceWorld& world;
  DrawSpec r;
  double size = 1;
  int count = 0;
};

}  // namespace

DrawSpec space_drawing(const SpaceWorld& world) { return SpaceDrawing(world).make(); }

}  // namespace carom
