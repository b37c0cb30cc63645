#include "model/scene_world.hpp"

#include <algorithm>
#include <set>

#include "formula/program.hpp"
#include "model/scene_names.hpp"

namespace carom {
namespace {

constexpr std::size_t most_scene_bodies = 20'000;

class BodiesOfScene {
 public:
  BodiesOfScene(SceneNumbers& numbers, SceneWorld& into) : read(numbers), r(into) {}

  void add(const BodySpec& spec, const std::string& body_key) {
    key = body_key;
    if (!spec.name) read.refuse(key, "", "must have a name");
    const int count = spec.repeat.value_or(1);
    if (spec.offset && !spec.repeat) read.refuse(key + ".offset", "", "is for a body with repeat");
    const auto step =
        spec.offset ? read.numbers(key + ".offset", *spec.offset, 2, 3) : std::vector<double>{0, 0};
    const PlaneBody made = body(spec);
    for (int k = 0; k < count; ++k) {
      PlaneBody one = made;
      one.name = spec.repeat ? fmt::format("{}{}", *spec.name, k + 1) : *spec.name;
      check_name(one.name);
      one.start[0] += k * step[0], one.start[1] += k * step[1];
      if (step.size() > 2) {
        const Point centre(made.start[0] - origin.x(), made.start[1] - origin.y());
        const double c = std::cos(k * step[2]), s = std::sin(k * step[2]);
        one.start[0] += c * centre.x() - s * centre.y() - centre.x(),
            one.start[1] += s * centre.x() + c * centre.y() - centre.y();
        one.start[2] += k * step[2];
      }
      r.world.bodies.push_back(one), r.velocity.push_back(speed);
    }
    if (r.world.bodies.size() > most_scene_bodies)
      read.refuse(key, "", fmt::format("a scene has at most {} bodies", most_scene_bodies));
  }

 private:
  void check_name(const std::string& name) {
    const std::string at = key + ".name";
    if (!formula::is_identifier(name))
      read.refuse(at, detail::quoted(name), "a name has letters, digits and _, and begins with a letter");
    if (name == "ground") read.refuse(at, "\"ground\"", "is what joints call the world; choose another");
    if (!names.insert(name).second)
      read.refuse(at, detail::quoted(name), "this name is taken already; choose another");
  }

  PlaneBody body(const BodySpec& spec) {
    PlaneBody made;
    made.shape = scene_shape(read, key + ".shape", spec.shape);
    if (spec.position)
      origin = read.point(key + ".position", *spec.position);
    else
      origin = Point(0, 0);
    const double angle = spec.angle ? read.number(key + ".angle", *spec.angle) : 0;
    made.start = {origin.x(), origin.y(), angle};
    speed = {};
    if (spec.mass && spec.density)
      read.refuse(key + ".density", "", "must not stand beside mass; give one of the two");
    if (spec.mass || spec.density)
      weigh(spec, made);
    else
      refuse_of_fixed(spec);
    if (spec.motion) made.motion = motion(spec, made);
    return made;
  }

  // Mass and inertia, and axes through the mass centre.
  void weigh(const BodySpec& spec, PlaneBody& made) {
    for (const PlanePart& part : made.shape)
      if (part.is_half_plane())
        read.refuse(key + ".mass", "",
                    "a half-space has no end, and no mass: leave it out, so that it does not move");
    if (spec.motion)
      read.refuse(key + ".motion", "", "is for a body without mass: one that is moved, whatever acts on it");
    const PlaneMoments whole = moments_of(made.shape);
    made.mass = spec.mass ? read.positive(key + ".mass", *spec.mass)
                          : whole.area * read.positive(key + ".density", *spec.density);
    const Point centre = spec.centre ? read.point(key + ".centre", *spec.centre) : whole.centre;
    made.inertia = spec.inertia
                       ? read.positive(key + ".inertia", read.one(key + ".inertia", *spec.inertia))
                       : made.mass * (whole.inertia / whole.area + (centre - whole.centre).squaredNorm());
    for (PlanePart& part : made.shape) part = placed(part, -centre, 0);
    const double c = std::cos(made.start[2]), s = std::sin(made.start[2]);
    made.start[0] += c * centre.x() - s * centre.y(), made.start[1] += s * centre.x() + c * centre.y();
    const Point v = spec.velocity ? read.point(key + ".velocity", *spec.velocity) : Point(0, 0);
    speed = {v.x(), v.y(), spec.spin ? read.number(key + ".spin", read.one(key + ".spin", *spec.spin)) : 0};
  }

  void refuse_of_fixed(const BodySpec& spec) {
    const auto refuse = [&](bool stated, const char* name) {
      if (stated) read.refuse(key + "." + name, "", "is for a body that moves: give it a mass or a density");
    };
    refuse(spec.inertia.has_value(), "inertia"), refuse(spec.centre.has_value(), "centre");
    refuse(spec.velocity.has_value(), "velocity"), refuse(spec.spin.has_value(), "spin");
  }

  // x, y and angle as formulas of t, with their derivatives.
  std::function<void(double, std::array<double, 9>&)> motion(const BodySpec& spec, PlaneBody& made) {
    const std::string at = key + ".motion";
    if (spec.motion->size() != 3)
      read.refuse(at, fmt::format("an array of {}", spec.motion->size()),
                  "must be [x, y, angle], formulas of t");
    if (spec.repeat)
      read.refuse(key + ".repeat", "",
                  "is for bodies that start beside each other: a motion says where one is");
    for (const auto& [stated, name] :
         {std::pair{spec.position.has_value(), "position"}, {spec.angle.has_value(), "angle"}})
      if (stated) read.refuse(key + "." + name, "", "must not stand beside motion, which says where it is");
    auto& e = read.names.expressions;
    std::vector<formula::Node> nodes;
    for (std::size_t k = 0; k < 3; ++k) {
      const auto node = read.names.parse(fmt::format("{}.{}", at, k), (*spec.motion)[k]);
      read.names.refuse_jump(fmt::format("{}.{}", at, k), (*spec.motion)[k], node, "a motion");
      nodes.push_back(node);
    }
    for (std::size_t k = 0; k < 6; ++k) nodes.push_back(e.derivative(nodes[k], read.names.t()));
    const auto program = std::make_shared<formula::Program>(formula::compile(e, nodes, read.names.inputs()));
    const auto move = [program](double t, std::array<double, 9>& out) {
      (*program)(std::span<const double>(&t, 1), std::span<double>(out));
    };
    std::array<double, 9> now{};
    move(read.scenario.time.start, now);
    for (const double x : now)
      if (!std::isfinite(x))
        read.refuse(at, detail::to_text(x), "must be finite at the start, with two derivatives");
    made.start = {now[0], now[1], now[2]};
    return move;
  }

  SceneNumbers& read;
  SceneWorld& r;
  std::string key;
  std::set<std::string> names;
  Point origin = Point::Zero();
  std::array<double, 3> speed{};
};

// What only scenes in space have.
void refuse_of_space(const ShapeSpec& shape, const std::string& key, const SceneNumbers& read) {
  const auto refuse = [&](bool stated, const char* name) {
    if (stated) read.refuse(key + "." + name, "", "is for a scene in space, with world.dimension = 3");
  };
  refuse(shape.cylinder.has_value(), "cylinder"), refuse(shape.ellipsoid.has_value(), "ellipsoid");
  refuse(shape.polyhedron.has_value(), "polyhedron"), refuse(shape.quaternion.has_value(), "quaternion");
  refuse(shape.rotation.has_value(), "rotation");
  for (std::size_t k = 0; k < shape.compound.size(); ++k)
    refuse_of_space(shape.compound[k], fmt::format("{}.compound.{}", key, k), read);
}
void refuse_of_space(const SceneSpec& scene, const SceneNumbers& read) {
  const auto refuse = [&](bool stated, const std::string& key) {
    if (stated) read.refuse(key, "", "is for a scene in space, with world.dimension = 3");
  };
  for (const auto& [name, shape] : scene.shapes)
    refuse_of_space(shape, "shape." + detail::key_part(name), read);
  for (std::size_t k = 0; k < scene.bodies.size(); ++k) {
    const std::string key = fmt::format("body.{}", k);
    refuse_of_space(scene.bodies[k].shape, key + ".shape", read);
    refuse(scene.bodies[k].quaternion.has_value(), key + ".quaternion");
    refuse(scene.bodies[k].rotation.has_value(), key + ".rotation");
  }
  for (std::size_t k = 0; k < scene.joints.size(); ++k) {
    const std::string key = fmt::format("joint.{}", k);
    refuse(scene.joints[k].ball.has_value(), key + ".ball");
    refuse(scene.joints[k].universal.has_value(), key + ".universal");
    refuse(scene.joints[k].stiffness.has_value(), key + ".stiffness");
    refuse(scene.joints[k].damping.has_value(), key + ".damping");
  }
  for (std::size_t k = 0; k < scene.forces.size(); ++k)
    refuse(scene.forces[k].axis.has_value(), fmt::format("force.{}.axis", k));
}

}  // namespace

Start<Eigen::Dynamic> SceneWorld::start() const {
  std::vector<double> q, v;
  for (std::size_t k = 0; k < world.bodies.size(); ++k) {
    if (!world.bodies[k].is_free()) continue;
    q.insert(q.end(), world.bodies[k].start.begin(), world.bodies[k].start.end());
    v.insert(v.end(), velocity[k].begin(), velocity[k].end());
  }
  const auto n = static_cast<Eigen::Index>(q.size());
  return {Values(Eigen::Map<const Values>(q.data(), n)), Values(Eigen::Map<const Values>(v.data(), n)),
          std::nullopt};
}

SceneWorld make_scene_world(const Scenario& s) {
  SceneWorld r;
  SceneNumbers read(s);
  const SceneSpec& scene = s.scene;
  refuse_of_space(scene, read);
  if (scene.world.gravity) r.world.gravity = read.point("world.gravity", *scene.world.gravity);
  BodiesOfScene bodies(read, r);
  for (std::size_t k = 0; k < scene.bodies.size(); ++k)
    bodies.add(scene.bodies[k], fmt::format("body.{}", k));
  if (std::none_of(r.world.bodies.begin(), r.world.bodies.end(),
                   [](const PlaneBody& body) { return body.is_free(); }))
    s.reject("body", "", "no body can move: give one a mass or a density");
  if (scene.contact.corner && *scene.contact.corner != "bisector")
    s.reject("contact.corner", detail::quoted(*scene.contact.corner),
             "must be \"bisector\", or left out: a corner that meets a corner then ends the run");
  r.world.bisector = scene.contact.corner.has_value();
  add_scene_joints(read, r.world);
  add_scene_pairs(read, r.world);
  add_scene_forces(read, r.world);
  return r;
}

}  // namespace carom
