#include "model/space_world.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <set>

#include "carom/numerics/differentiate.hpp"
#include "carom/system/validate.hpp"
#include "formula/program.hpp"

namespace carom {
namespace {

class BodiesOfSpace {
 public:
  BodiesOfSpace(SceneNumbers& numbers, SpaceSceneWorld& into) : read(numbers), r(into) {}

  void add(const BodySpec& spec, const std::string& body_key) {
    key = body_key;
    if (!spec.name) read.refuse(key, "", "must have a name");
    const int count = spec.repeat.value_or(1);
    if (spec.offset && !spec.repeat) read.refuse(key + ".offset", "", "is for a body with repeat");
    if (spec.angle)
      read.refuse(key + ".angle", "", "is for a scene in the plane; in space it is rotation or quaternion");
    const Point3 step =
        spec.offset ? point_in_space(read, key + ".offset", *spec.offset) : Point3(Point3::Zero());
    const SpaceBody made = body(spec);
    for (int k = 0; k < count; ++k) {
      SpaceBody one = made;
      one.name = spec.repeat ? fmt::format("{}{}", *spec.name, k + 1) : *spec.name;
      check_name(one.name);
      one.start.at += k * step;
      r.world.bodies.push_back(one), r.velocity.push_back(speed);
    }
    constexpr std::size_t most = 20'000;
    if (r.world.bodies.size() > most)
      read.refuse(key, "", fmt::format("a scene has at most {} bodies", most));
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

  SpaceBody body(const BodySpec& spec) {
    SpaceBody made;
    if (!(spec.shape == ShapeSpec{}) || !spec.mass || !spec.inertia)
      made.shape = space_shape(read, key + ".shape", spec.shape);
    const Point3 at =
        spec.position ? point_in_space(read, key + ".position", *spec.position) : Point3(Point3::Zero());
    made.start = SpacePose::of(at, turn_in_space(read, key, spec.quaternion, spec.rotation));
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
  void weigh(const BodySpec& spec, SpaceBody& made) {
    for (const SpacePart& part : made.shape)
      if (part.is_half_space())
        read.refuse(key + ".mass", "",
                    "a half-space has no end, and no mass: leave it out, so that it does not move");
    if (spec.motion)
      read.refuse(key + ".motion", "", "is for a body without mass: one that is moved, whatever acts on it");
    const SpaceMoments whole = moments_of(made.shape);
    made.mass = spec.mass ? read.positive(key + ".mass", *spec.mass)
                          : whole.volume * read.positive(key + ".density", *spec.density);
    const Point3 centre = spec.centre ? point_in_space(read, key + ".centre", *spec.centre) : whole.centre;
    const Point3 off = centre - whole.centre;
    if (spec.inertia)
      made.inertia = inertia(*spec.inertia);
    else
      made.inertia = made.mass * (whole.inertia / whole.volume +
                                  off.squaredNorm() * Eigen::Matrix3d::Identity() - off * off.transpose());
    for (SpacePart& part : made.shape) part = placed(part, -centre, {1, 0, 0, 0});
    made.start.at += made.start.turned(centre);
    const Point3 v =
        spec.velocity ? point_in_space(read, key + ".velocity", *spec.velocity) : Point3(Point3::Zero());
    const Point3 spin =
        spec.spin ? point_in_space(read, key + ".spin", spec.spin->list) : Point3(Point3::Zero());
    const Turn rate = SpaceScene::turning(made.start.q, spin);
    speed = {v.x(), v.y(), v.z(), rate[0], rate[1], rate[2], rate[3]};
  }

  // Three moments, or six numbers [xx, yy, zz, xy, xz, yz], about the mass centre in the axes of the shape.
  Eigen::Matrix3d inertia(const StatedMany& stated) {
    const std::string at = key + ".inertia";
    if (stated.list.size() != 3 && stated.list.size() != 6)
      read.refuse(at, fmt::format("an array of {}", stated.list.size()),
                  "must be three moments, or [xx, yy, zz, xy, xz, yz]");
    const auto x = read.numbers(at, stated.list, 3, 6);
    Eigen::Matrix3d I = Point3(x[0], x[1], x[2]).asDiagonal();
    if (x.size() == 6) I(0, 1) = I(1, 0) = x[3], I(0, 2) = I(2, 0) = x[4], I(1, 2) = I(2, 1) = x[5];
    const Point3 moments = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(I).eigenvalues();
    const std::string text = fmt::format("[{}]", detail::listed(x));
    if (!(moments[0] > 0)) read.refuse(at, text, "each moment must be greater than 0");
    if (!(moments[2] <= (moments[0] + moments[1]) * (1 + 1e-9)))
      read.refuse(
          at, text,
          fmt::format("no body has moments {}, {} and {}: the largest is at most the sum of the others",
                      detail::to_text(moments[0]), detail::to_text(moments[1]), detail::to_text(moments[2])));
    return I;
  }

  void refuse_of_fixed(const BodySpec& spec) {
    const auto refuse = [&](bool stated, const char* name) {
      if (stated) read.refuse(key + "." + name, "", "is for a body that moves: give it a mass or a density");
    };
    refuse(spec.inertia.has_value(), "inertia"), refuse(spec.centre.has_value(), "centre");
    refuse(spec.velocity.has_value(), "velocity"), refuse(spec.spin.has_value(), "spin");
  }

  // Place and rotation vector as formulas of t, with their derivatives.
  SpaceBody::Motion motion(const BodySpec& spec, SpaceBody& made) {
    const std::string at = key + ".motion";
    if (spec.motion->size() != 6)
      read.refuse(at, fmt::format("an array of {}", spec.motion->size()),
                  "must be six formulas of t: the place, and the rotation as a vector");
    if (spec.repeat)
      read.refuse(key + ".repeat", "",
                  "is for bodies that start beside each other: a motion says where one is");
    for (const auto& [stated, name] : {std::pair{spec.position.has_value(), "position"},
                                       {spec.quaternion.has_value(), "quaternion"},
                                       {spec.rotation.has_value(), "rotation"}})
      if (stated) read.refuse(key + "." + name, "", "must not stand beside motion, which says where it is");
    auto& e = read.names.expressions;
    std::vector<formula::Node> nodes;
    for (std::size_t k = 0; k < 6; ++k) {
      const auto node = read.names.parse(fmt::format("{}.{}", at, k), (*spec.motion)[k]);
      read.names.refuse_jump(fmt::format("{}.{}", at, k), (*spec.motion)[k], node, "a motion");
      nodes.push_back(node);
    }
    for (std::size_t k = 0; k < 12; ++k) nodes.push_back(e.derivative(nodes[k], read.names.t()));
    const auto program = std::make_shared<formula::Program>(formula::compile(e, nodes, read.names.inputs()));
    const auto move = [program](double t, std::array<double, 21>& out) {
      using D = Dual2<double, 1>;
      std::array<double, 18> stated{};
      (*program)(std::span<const double>(&t, 1), std::span<double>(stated));
      std::array<D, 3> turn;
      for (std::size_t k = 0; k < 3; ++k) {
        out[k] = stated[k], out[k + 7] = stated[k + 6], out[k + 14] = stated[k + 12];
        turn[k] = D(stated[k + 3]), turn[k].d[0] = stated[k + 9], turn[k].h[0] = stated[k + 15];
      }
      const auto q = rotation(Arrow<D>{turn[0], turn[1], turn[2]});
      for (std::size_t k = 0; k < 4; ++k)
        out[k + 3] = q[k].a, out[k + 10] = q[k].d[0], out[k + 17] = q[k].h[0];
    };
    std::array<double, 21> now{};
    move(read.scenario.time.start, now);
    for (const double x : now)
      if (!std::isfinite(x))
        read.refuse(at, detail::to_text(x), "must be finite at the start, with two derivatives");
    made.start = SpacePose::of({now[0], now[1], now[2]}, {now[3], now[4], now[5], now[6]});
    return move;
  }

  SceneNumbers& read;
  SpaceSceneWorld& r;
  std::string key;
  std::set<std::string> names;
  std::array<double, 7> speed{};
};

}  // namespace

Start<Eigen::Dynamic> SpaceSceneWorld::start() const {
  std::vector<double> q, v;
  for (std::size_t k = 0; k < world.bodies.size(); ++k) {
    if (!world.bodies[k].is_free()) continue;
    const SpacePose& at = world.bodies[k].start;
    q.insert(q.end(), at.at.begin(), at.at.end()), q.insert(q.end(), at.q.begin(), at.q.end());
    v.insert(v.end(), velocity[k].begin(), velocity[k].end());
  }
  const auto n = static_cast<Eigen::Index>(q.size());
  return {Values(Eigen::Map<const Values>(q.data(), n)), Values(Eigen::Map<const Values>(v.data(), n)),
          std::nullopt};
}

SpaceSceneWorld make_space_world(const Scenario& s) {
  SpaceSceneWorld r;
  SceneNumbers read(s);
  const SceneSpec& scene = s.scene;
  if (scene.world.gravity) r.world.gravity = point_in_space(read, "world.gravity", *scene.world.gravity);
  BodiesOfSpace bodies(read, r);
  for (std::size_t k = 0; k < scene.bodies.size(); ++k)
    bodies.add(scene.bodies[k], fmt::format("body.{}", k));
  if (std::none_of(r.world.bodies.begin(), r.world.bodies.end(),
                   [](const SpaceBody& body) { return body.is_free(); }))
    s.reject("body", "", "no body can move: give one a mass or a density");
  if (scene.contact.corner)
    s.reject("contact.corner", detail::quoted(*scene.contact.corner),
             "is for scenes in the plane: in space a corner that meets an edge or a corner ends the run");
  add_space_joints(read, r.world);
  add_space_pairs(read, r.world);
  add_space_forces(read, r.world);
  return r;
}

}  // namespace carom
