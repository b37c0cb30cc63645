#include <fmt/format.h>

#include <map>
#include <numbers>
#include <tuple>

#include "model/scene_world.hpp"

namespace carom {
namespace {

class SceneDrawing {
 public:
  SceneDrawing(const PlaneWorld& w, const Scenario& s) : world(w) {
    for (const BodySpec& body : s.scene.bodies)
      if (body.motion) motions[*body.name] = *body.motion;
  }

  DrawSpec make() {
    find_size();
    constexpr std::size_t most_drawn = 400;
    for (std::size_t k = 0; k < std::min(world.bodies.size(), most_drawn); ++k)
      for (const PlanePart& part : world.bodies[k].shape) {
        add(world.bodies[k], part);
        if (part.corners.size() == 1 && part.corners[0].isZero(0))
          centres[static_cast<int>(k)] = r.points.back().first;
      }
    for (std::size_t k = 0; k < world.joints.size(); ++k) {
      const PlaneJoint& joint = world.joints[k];
      if (joint.kind == PlaneJoint::Kind::distance)
        link(fmt::format("joint {}", k + 1), joint.a, joint.b, joint.at_a, joint.at_b);
    }
    for (std::size_t k = 0; k < world.springs.size(); ++k) {
      const PlaneSpring& spring = world.springs[k];
      link(fmt::format("spring {}", k + 1), spring.a, spring.b, spring.at_a, spring.at_b);
    }
    return std::move(r);
  }

 private:
  // Of what moves: walls are drawn as far as that may come.
  void find_size() {
    Point low(HUGE_VAL, HUGE_VAL), high(-HUGE_VAL, -HUGE_VAL);
    for (const PlaneBody& body : world.bodies)
      for (const PlanePart& part : body.shape) {
        const Point at(body.start[0], body.start[1]);
        const double reach = part.is_half_plane() ? 0 : part.extent();
        low = low.cwiseMin(at - Point(reach, reach)), high = high.cwiseMax(at + Point(reach, reach));
      }
    middle = 0.5 * (low + high), size = 4 * std::fmax((high - low).norm(), 1e-6);
  }

  static std::string number(double x) { return fmt::format("({:.17g})", x); }

  // A point of a body as formulas of its coordinates, or of t.
  std::vector<std::string> at(const PlaneBody& body, const Point& p) const {
    const PlanePose start = PlanePose::at(body.start[0], body.start[1], body.start[2]);
    if (const auto moved = motions.find(body.name); moved != motions.end()) {
      const auto& [x, y, angle] = std::tie(moved->second[0], moved->second[1], moved->second[2]);
      return {fmt::format("({0}) + {3}*cos({2}) - {4}*sin({2})", x, y, angle, number(p.x()), number(p.y())),
              fmt::format("({1}) + {3}*sin({2}) + {4}*cos({2})", x, y, angle, number(p.x()), number(p.y()))};
    }
    if (!body.is_free()) {
      const Point fixed = start.out(p);
      return {number(fixed.x()), number(fixed.y())};
    }
    if (p.isZero(0)) return {body.name + "_x", body.name + "_y"};
    return {fmt::format("{0}_x + {1}*cos({0}_angle) - {2}*sin({0}_angle)", body.name, number(p.x()),
                        number(p.y())),
            fmt::format("{0}_y + {1}*sin({0}_angle) + {2}*cos({0}_angle)", body.name, number(p.x()),
                        number(p.y()))};
  }
  std::string point(const PlaneBody& body, const Point& p) {
    const std::string name = fmt::format("{} {}", body.name, ++count);
    r.points.push_back({name, at(body, p)});
    return name;
  }

  void add(const PlaneBody& body, const PlanePart& part) {
    if (part.is_half_plane()) return ground(body, part);
    if (part.corners.size() == 1) {
      r.circles.push_back({point(body, part.corners[0]), number(part.radius)});
      if (body.is_free()) r.circles.back().push_back(body.name + "_angle");
      return;
    }
    std::vector<std::string> names;
    if (part.corners.size() == 2) {
      const Point along = (part.corners[1] - part.corners[0]).normalized();
      constexpr int pieces = 8;
      for (int end = 0; end < 2; ++end)
        for (int k = 0; k <= pieces; ++k) {
          const double angle = std::numbers::pi * (k / static_cast<double>(pieces) - 0.5 + end);
          const Point way = std::cos(angle) * along + std::sin(angle) * turned(along);
          names.push_back(point(body, part.corners[static_cast<std::size_t>(1 - end)] + part.radius * way));
        }
    } else {
      for (const Point& corner : part.corners) names.push_back(point(body, corner));
    }
    r.polygons.push_back(names);
  }

  // The edge nearest to the middle of the scene, long enough.
  void ground(const PlaneBody& body, const PlanePart& part) {
    const PlanePose start = PlanePose::at(body.start[0], body.start[1], body.start[2]);
    if (body.motion) {
      const Point foot = part.faces[0].offset * part.faces[0].normal,
                  along = size * turned(part.faces[0].normal);
      r.lines.push_back({point(body, foot + along), point(body, foot - along)});
      return;
    }
    const Point n = start.turned(part.faces[0].normal), along = -turned(n);
    const Point foot = start.out(part.faces[0].offset * part.faces[0].normal);
    const Point centre = foot + along * (middle - foot).dot(along), a = centre - size * along,
                b = centre + size * along;
    r.ground.push_back({number(a.x()), number(a.y()), number(b.x()), number(b.y())});
  }

  void link(const std::string& name, int a, int b, const Point& at_a, const Point& at_b) {
    std::vector<std::string> ends;
    for (const auto& [body, p] : {std::pair{a, at_a}, {b, at_b}}) {
      if (body >= 0 && p.norm() <= 1e-12 * size &&
          centres.contains(body)) {  // the rod of a ball is of its colour
        ends.push_back(centres[body]);
        continue;
      }
      const std::string end = fmt::format("{} {}", name, ends.size() + 1);
      r.points.push_back({end, body < 0 ? std::vector<std::string>{number(p.x()), number(p.y())}
                                        : at(world.bodies[static_cast<std::size_t>(body)], p)});
      ends.push_back(end);
    }
    r.lines.push_back(ends);
  }

  const PlaneWorld& world;
  std::map<std::string, StatedWords> motions;
  std::map<int, std::string> centres;  // of discs, by body
  DrawSpec r;
  Point middle = Point::Zero();
  double size = 1;
  int count = 0;
};

}  // namespace

DrawSpec scene_drawing(const PlaneWorld& world, const Scenario& scenario) {
  return SceneDrawing(world, scenario).make();
}

}  // namespace carom
