#include <numbers>

#include "carom/system/validate.hpp"
#include "formula/program.hpp"
#include "model/scene_pairs.hpp"
#include "model/space_world.hpp"

namespace carom {
namespace {

SpacePose start_of(const SpaceWorld& world, int body) {
  return body < 0 ? SpacePose{} : world.bodies[static_cast<std::size_t>(body)].start;
}

// The points of two bodies: one for both, one for each, or their centres.
std::array<Point3, 2> points_of(SceneNumbers& read, const SpaceWorld& world, const std::string& key,
                                const std::optional<StatedRows>& at, const TwoBodies& of,
                                const Point3& shift) {
  if (!at) return {start_of(world, of.a).at, start_of(world, of.b).at};
  if (at->size() > 2)
    read.refuse(key, fmt::format("an array of {}", at->size()), "must be a point, or one for each body");
  const Point3 first = point_in_space(read, key, (*at)[0]) + shift;
  return {first, at->size() == 2 ? Point3(point_in_space(read, key, (*at)[1]) + shift) : first};
}

// An axis as the third column, two others at right angles before it.
Eigen::Matrix3d axes_along(const Point3& axis) {
  Eigen::Matrix3d r;
  r.col(2) = axis.normalized();
  r.col(0) = r.col(2).unitOrthogonal(), r.col(1) = r.col(2).cross(r.col(0));
  return r;
}

class JointsOfSpace {
 public:
  JointsOfSpace(SceneNumbers& numbers, SpaceWorld& into, const JointSpec& joint, std::string at)
      : read(numbers), world(into), spec(joint), key(std::move(at)) {}

  void add() {
    const std::pair<const char*, const std::optional<StatedWords>*> kinds[] = {
        {"ball", &spec.ball},   {"hinge", &spec.hinge},       {"slider", &spec.slider},
        {"fixed", &spec.fixed}, {"distance", &spec.distance}, {"universal", &spec.universal}};
    int stated = 0;
    for (int k = 0; k < 6; ++k)
      if (kinds[k].second->has_value())
        ++stated, kind = static_cast<Kind>(k), word = kinds[k].first, names = &**kinds[k].second;
    if (stated != 1)
      read.refuse(key, fmt::format("{} kinds", stated),
                  "must be one of ball, hinge, slider, fixed, distance, universal = [\"a\", \"b\"]");
    refuse_others();
    const Point3 step =
        spec.offset ? point_in_space(read, key + ".offset", *spec.offset) : Point3(Point3::Zero());
    if (spec.offset && !spec.repeat) read.refuse(key + ".offset", "", "is for a joint with repeat");
    for (int k = 0; k < spec.repeat.value_or(1); ++k) add_one(k, k * step);
  }

 private:
  using Kind = SpaceJoint::Kind;

  void refuse_others() const {
    const bool along = kind == Kind::hinge || kind == Kind::slider;
    const std::size_t axes = along ? 1 : kind == Kind::universal ? 2 : 0;
    if (spec.axis && axes == 0)
      read.refuse(key + ".axis", "", "is for a hinge, a slider or a universal joint");
    if (axes > 0 && (!spec.axis || spec.axis->size() != axes))
      read.refuse(key + ".axis", spec.axis ? fmt::format("an array of {}", spec.axis->size()) : "",
                  axes == 1 ? "must be the direction of the joint, [x, y, z]"
                            : "must be two directions, one for each body, at right angles");
    if (spec.length && kind != Kind::distance) read.refuse(key + ".length", "", "is for a distance");
    if (spec.limits && !along && kind != Kind::distance)
      read.refuse(key + ".limits", "", "are for a hinge, a slider or a distance");
    if ((spec.stiffness || spec.damping) && !along)
      read.refuse(key + (spec.stiffness ? ".stiffness" : ".damping"), "", "is for a hinge or a slider");
    if (!spec.at && (kind == Kind::hinge || kind == Kind::ball || kind == Kind::universal))
      read.refuse(key + ".at", "", "must be given: where the joint is at the start");
  }

  Point3 direction(std::size_t k) const {
    const Point3 axis = point_in_space(read, key + ".axis", (*spec.axis)[k]);
    if (!(axis.norm() > 0)) read.refuse(key + ".axis", "[0, 0, 0]", "must be a direction");
    return axis.normalized();
  }

  void add_one(int number, const Point3& shift) {
    const TwoBodies of = bodies_of(read, world, key + "." + word, *names, number);
    SpaceJoint r;
    r.kind = kind, r.a = of.a, r.b = of.b;
    r.name =
        spec.name ? *spec.name : fmt::format("{} {}-{}", word, name_of(world, of.a), name_of(world, of.b));
    if (spec.name && spec.repeat) r.name += std::to_string(number + 1);
    if (r.name.find(" + ") != std::string::npos)
      read.refuse(key + ".name", detail::quoted(r.name), "must not have \" + \" in it");
    for (const SpaceJoint& other : world.joints)
      if (other.name == r.name)
        read.refuse(key + ".name", detail::quoted(r.name),
                    "another joint has this name; give one of its own");
    const auto points = points_of(read, world, key + ".at", spec.at, of, shift);
    const SpacePose a = start_of(world, of.a), b = start_of(world, of.b);
    if (kind != Kind::distance && (points[0] - points[1]).norm() > 0 && spec.at)
      read.refuse(key + ".at", "two points", fmt::format("a {} joint has both bodies at one point", word));
    r.at_a = a.own(points[0]), r.at_b = b.own(kind == Kind::distance ? points[1] : points[0]);
    turn(r, a, b);
    const double apart = (points[0] - points[1]).norm();
    r.length = spec.length ? read.positive(key + ".length", *spec.length) : apart;
    limit(r, apart);
    if (kind == Kind::distance && !r.is_rope() && !(apart > 0))
      read.refuse(key + ".at", "", "the two points are the same: a distance of 0 is a ball joint");
    if (spec.length && std::abs(r.length - apart) > 1e-9 * (r.length + a.at.norm() + b.at.norm()))
      read.refuse(key + ".length", detail::to_text(r.length),
                  fmt::format("the two points are {} apart at the start", detail::to_text(apart)));
    if (spec.stiffness) r.stiffness = read.not_negative(key + ".stiffness", *spec.stiffness);
    if (spec.damping) r.damping = read.not_negative(key + ".damping", *spec.damping);
    world.joints.push_back(r);
  }

  void turn(SpaceJoint& r, const SpacePose& a, const SpacePose& b) const {
    Eigen::Matrix3d axes = Eigen::Matrix3d::Identity(), others = axes;
    if (kind == Kind::hinge || kind == Kind::slider) axes = others = axes_along(direction(0));
    if (kind == Kind::universal) {
      const Point3 first = direction(0), second = direction(1);
      if (std::abs(first.dot(second)) > 1e-9)
        read.refuse(key + ".axis", "two directions", "must be at right angles");
      axes = axes_along(first), others = axes_along(second - second.dot(first) * first);
    }
    r.axes_a = a.R.transpose() * axes, r.axes_b = b.R.transpose() * others;
  }

  void limit(SpaceJoint& r, double apart) const {
    if (!spec.limits) return;
    const auto limits = read.numbers(key + ".limits", *spec.limits, 2, 2);
    const std::string both = fmt::format("[{}]", detail::listed(limits));
    if (!(limits[0] < limits[1]))
      read.refuse(key + ".limits", both, "must be two numbers, the smaller first");
    constexpr double half_turn = std::numbers::pi;
    if (kind == Kind::hinge && !(limits[0] > -half_turn && limits[1] < half_turn))
      read.refuse(key + ".limits", both, "those of a hinge lie between -pi and pi of the start");
    const bool rope = kind == Kind::distance;
    const double now = rope ? apart : 0, close = 1e-9 * (std::abs(limits[0]) + std::abs(limits[1]));
    if (rope && spec.length)
      read.refuse(key + ".length", "", "must not stand beside limits: between them a distance is free");
    if (!(limits[0] <= now + close && now - close <= limits[1]))
      read.refuse(key + ".limits", both,
                  fmt::format("the joint is at {} at the start", detail::to_text(now)));
    if (!rope || limits[0] > 0) r.low = limits[0];
    r.high = limits[1];
  }

  SceneNumbers& read;
  SpaceWorld& world;
  const JointSpec& spec;
  std::string key;
  Kind kind{};
  const char* word = "";
  const StatedWords* names = nullptr;
};

class ForcesOfSpace {
 public:
  ForcesOfSpace(SceneNumbers& numbers, SpaceWorld& into) : read(numbers), world(into) {
    std::vector<std::string> coordinates;
    for (const SpaceBody& body : world.bodies)
      if (body.is_free())
        for (const char* end : {"_x", "_y", "_z", "_q0", "_q1", "_q2", "_q3"})
          coordinates.push_back(body.name + end);
    names.emplace(read.scenario, coordinates, number_parameters(read.scenario));
  }

  void add(const ForceSpec& spec, const std::string& key) {
    const int kinds = spec.spring.has_value() + spec.motor.has_value() + spec.on.has_value();
    if (kinds != 1)
      read.refuse(key, fmt::format("{} kinds", kinds),
                  "must be one of spring, motor = [\"a\", \"b\"], on = \"a\"");
    const Point3 step =
        spec.offset ? point_in_space(read, key + ".offset", *spec.offset) : Point3(Point3::Zero());
    if (spec.offset && !spec.repeat) read.refuse(key + ".offset", "", "is for a force with repeat");
    for (int k = 0; k < spec.repeat.value_or(1); ++k) {
      if (spec.spring) spring(spec, key, k, k * step);
      if (spec.motor) motor(spec, key, k);
      if (spec.on) formula(spec, key, k, k * step);
    }
  }

  void finish() {
    if (world.actuators.empty()) return;
    const auto program =
        std::make_shared<formula::Program>(formula::compile(names->expressions, nodes, names->inputs()));
    world.drive = [program](double t, const Values& q, const Values& v, std::vector<double>& out) {
      thread_local std::vector<double> in;
      in.assign(q.begin(), q.end()), in.insert(in.end(), v.begin(), v.end()), in.push_back(t);
      (*program)(std::span<const double>(in), std::span<double>(out));
    };
  }

 private:
  void spring(const ForceSpec& spec, const std::string& key, int number, const Point3& shift) {
    for (const auto& [stated, name] : {std::pair{spec.force.has_value(), "force"},
                                       {spec.torque.has_value(), "torque"},
                                       {spec.axis.has_value(), "axis"}})
      if (stated) read.refuse(key + "." + name, "", "is for on = \"a\", or a motor");
    const TwoBodies of = bodies_of(read, world, key + ".spring", *spec.spring, number);
    const auto points = points_of(read, world, key + ".at", spec.at, of, shift);
    if (!spec.stiffness && !spec.damping) read.refuse(key + ".stiffness", "", "must be given, or damping");
    SpaceSpring r{of.a, of.b, start_of(world, of.a).own(points[0]), start_of(world, of.b).own(points[1]), 0,
                  0,    0};
    if (spec.stiffness) r.stiffness = read.not_negative(key + ".stiffness", *spec.stiffness);
    if (spec.damping) r.damping = read.not_negative(key + ".damping", *spec.damping);
    r.length =
        spec.length ? read.not_negative(key + ".length", *spec.length) : (points[0] - points[1]).norm();
    world.springs.push_back(r);
  }
  // The direction of a torque, in space at the start.
  Point3 axis(const ForceSpec& spec, const std::string& key) const {
    if (!spec.axis) read.refuse(key + ".axis", "", "must be given: the direction of the torque");
    const Point3 stated = point_in_space(read, key + ".axis", *spec.axis);
    if (!(stated.norm() > 0)) read.refuse(key + ".axis", "[0, 0, 0]", "must be a direction");
    return stated.normalized();
  }
  void motor(const ForceSpec& spec, const std::string& key, int number) {
    if (spec.force || spec.at)
      read.refuse(key + (spec.force ? ".force" : ".at"), "", "a motor has a torque alone");
    refuse_of_spring(spec, key);
    if (!spec.torque) read.refuse(key + ".torque", "", "must be given: a formula");
    const TwoBodies of = bodies_of(read, world, key + ".motor", *spec.motor, number);
    act({of.a, of.b, Point3::Zero(), start_of(world, of.a).unturned(axis(spec, key))}, spec, key);
  }
  void formula(const ForceSpec& spec, const std::string& key, int number, const Point3& shift) {
    refuse_of_spring(spec, key);
    if (!spec.force && !spec.torque) read.refuse(key + ".force", "", "must be given, or torque");
    if (spec.axis && !spec.torque) read.refuse(key + ".axis", "", "is for a torque");
    if (spec.force && spec.force->size() != 3)
      read.refuse(key + ".force", fmt::format("an array of {}", spec.force->size()),
                  "must be three formulas, [x, y, z]");
    const TwoBodies of = bodies_of(read, world, key + ".on", {"ground", *spec.on}, number);
    if (spec.at && spec.at->size() != 1) read.refuse(key + ".at", "several points", "must be one point");
    const Point3 at =
        spec.at ? Point3(point_in_space(read, key + ".at", (*spec.at)[0]) + shift) : start_of(world, of.b).at;
    std::optional<Point3> along;
    if (spec.torque) along = axis(spec, key);
    act({-1, of.b, start_of(world, of.b).own(at), along}, spec, key);
  }
  void refuse_of_spring(const ForceSpec& spec, const std::string& key) const {
    for (const auto& [stated, name] : {std::pair{spec.stiffness.has_value(), "stiffness"},
                                       {spec.length.has_value(), "length"},
                                       {spec.damping.has_value(), "damping"}})
      if (stated) read.refuse(key + "." + name, "", "is for a spring");
  }
  void act(const SpaceActuator& actuator, const ForceSpec& spec, const std::string& key) {
    world.actuators.push_back(actuator);
    for (std::size_t k = 0; k < 3; ++k)
      nodes.push_back(spec.force ? names->parse(fmt::format("{}.force.{}", key, k), (*spec.force)[k])
                                 : names->expressions.number(0));
    nodes.push_back(spec.torque ? names->parse(key + ".torque", *spec.torque) : names->expressions.number(0));
    for (int k = 0; k < 2; ++k) nodes.push_back(names->expressions.number(0));
  }

  SceneNumbers& read;
  SpaceWorld& world;
  std::optional<FormulaNames> names;
  std::vector<carom::formula::Node> nodes;
};

}  // namespace

void add_space_joints(SceneNumbers& read, SpaceWorld& world) {
  const auto& joints = read.scenario.scene.joints;
  for (std::size_t k = 0; k < joints.size(); ++k)
    JointsOfSpace(read, world, joints[k], fmt::format("joint.{}", k)).add();
}

void add_space_forces(SceneNumbers& read, SpaceWorld& world) {
  const auto& stated = read.scenario.scene.forces;
  if (stated.empty()) return;
  ForcesOfSpace forces(read, world);
  for (std::size_t k = 0; k < stated.size(); ++k) forces.add(stated[k], fmt::format("force.{}", k));
  forces.finish();
}

void add_space_pairs(SceneNumbers& read, SpaceWorld& world) {
  PairsOfScene<SpaceWorld>(read, world).add();
  for (const SpacePair& pair : world.pairs) {
    const auto &a = world.bodies[static_cast<std::size_t>(pair.a)],
               &b = world.bodies[static_cast<std::size_t>(pair.b)];
    for (const SpacePart& p : a.shape)
      for (const SpacePart& q : b.shape)
        if (const char* why = SpaceContacts::cannot_touch(p, q))
          read.refuse("contact.between", detail::quoted(a.name) + " and " + detail::quoted(b.name), why);
  }
}

}  // namespace carom
