#include <algorithm>

#include "model/scene_pairs.hpp"

namespace carom {
namespace {

using detail::to_text;

PlanePose start_of(const PlaneWorld& world, int body) {
  if (body < 0) return {};
  const auto& at = world.bodies[static_cast<std::size_t>(body)].start;
  return PlanePose::at(at[0], at[1], at[2]);
}

// The points of two bodies in space: one for both, one for each, or their centres.
std::array<Point, 2> points_of(SceneNumbers& read, const PlaneWorld& world, const std::string& key,
                               const std::optional<StatedRows>& at, const TwoBodies& of, const Point& shift) {
  if (!at) return {start_of(world, of.a).origin(), start_of(world, of.b).origin()};
  if (at->size() > 2)
    read.refuse(key, fmt::format("an array of {}", at->size()), "must be a point, or one for each body");
  const Point first = read.point(key, (*at)[0]) + shift;
  return {first, at->size() == 2 ? Point(read.point(key, (*at)[1]) + shift) : first};
}

class JointsOfScene {
 public:
  JointsOfScene(SceneNumbers& numbers, PlaneWorld& into, const JointSpec& joint, std::string at)
      : read(numbers), world(into), spec(joint), key(std::move(at)) {}

  void add() {
    using Kind = PlaneJoint::Kind;
    const std::pair<const char*, const std::optional<StatedWords>*> kinds[] = {{"hinge", &spec.hinge},
                                                                               {"slider", &spec.slider},
                                                                               {"fixed", &spec.fixed},
                                                                               {"distance", &spec.distance}};
    int stated = 0;
    for (int k = 0; k < 4; ++k)
      if (kinds[k].second->has_value())
        ++stated, kind = static_cast<Kind>(k), word = kinds[k].first, names = &**kinds[k].second;
    if (stated != 1)
      read.refuse(key, fmt::format("{} kinds", stated),
                  "must be one of hinge, slider, fixed, distance = [\"a\", \"b\"]");
    refuse_others();
    const Point step = spec.offset ? read.point(key + ".offset", *spec.offset) : Point(0, 0);
    if (spec.offset && !spec.repeat) read.refuse(key + ".offset", "", "is for a joint with repeat");
    for (int k = 0; k < spec.repeat.value_or(1); ++k) add_one(k, k * step);
  }

 private:
  void refuse_others() const {
    using Kind = PlaneJoint::Kind;
    if (spec.axis && kind != Kind::slider) read.refuse(key + ".axis", "", "is for a slider");
    if (!spec.axis && kind == Kind::slider)
      read.refuse(key + ".axis", "", "must be given: the direction of a slider");
    if (spec.length && kind != Kind::distance) read.refuse(key + ".length", "", "is for a distance");
    if (spec.limits && kind == Kind::fixed) read.refuse(key + ".limits", "", "a fixed joint does not move");
    if (!spec.at && kind == Kind::hinge)
      read.refuse(key + ".at", "", "must be given: where the hinge is at the start");
  }

  void add_one(int number, const Point& shift) {
    const TwoBodies of = bodies_of(read, world, key + "." + word, *names, number);
    PlaneJoint r;
    r.kind = kind, r.a = of.a, r.b = of.b;
    r.name =
        spec.name ? *spec.name : fmt::format("{} {}-{}", word, name_of(world, of.a), name_of(world, of.b));
    if (spec.name && spec.repeat) r.name += std::to_string(number + 1);
    if (r.name.find(" + ") != std::string::npos)
      read.refuse(key + ".name", detail::quoted(r.name), "must not have \" + \" in it");
    for (const PlaneJoint& other : world.joints)
      if (other.name == r.name)
        read.refuse(key + ".name", detail::quoted(r.name),
                    "another joint has this name; give one of its own");
    const auto points = points_of(read, world, key + ".at", spec.at, of, shift);
    const PlanePose a = start_of(world, of.a), b = start_of(world, of.b);
    using Kind = PlaneJoint::Kind;
    if (kind != Kind::distance && (points[0] - points[1]).norm() > 0 && spec.at)
      read.refuse(key + ".at", "two points", fmt::format("a {} joins both bodies at one point", word));
    r.at_a = a.own(points[0]), r.at_b = b.own(kind == Kind::distance ? points[1] : points[0]);
    r.angle = b.angle - a.angle;
    if (kind == Kind::slider) {
      if (spec.axis->size() != 1) read.refuse(key + ".axis", "several rows", "must be a direction, [x, y]");
      const Point axis = read.point(key + ".axis", (*spec.axis)[0]);
      if (!(axis.norm() > 0)) read.refuse(key + ".axis", "[0, 0]", "must be a direction");
      r.axis = a.unturned(axis.normalized());
    }
    const double apart = (points[0] - points[1]).norm();
    r.length = spec.length ? read.positive(key + ".length", *spec.length) : apart;
    limit(r, apart);
    if (kind == Kind::distance && !r.is_rope() && !(apart > 0))
      read.refuse(key + ".at", "", "the two points are the same: a distance of 0 is a hinge");
    if (spec.length && std::abs(r.length - apart) > 1e-9 * (r.length + a.origin().norm() + b.origin().norm()))
      read.refuse(key + ".length", to_text(r.length),
                  fmt::format("the two points are {} apart at the start", to_text(apart)));
    world.joints.push_back(r);
  }

  void limit(PlaneJoint& r, double apart) {
    if (!spec.limits) return;
    const auto limits = read.numbers(key + ".limits", *spec.limits, 2, 2);
    const std::string both = fmt::format("[{}]", detail::listed(limits));
    if (!(limits[0] < limits[1]))
      read.refuse(key + ".limits", both, "must be two numbers, the smaller first");
    const bool rope = kind == PlaneJoint::Kind::distance;
    const double now = rope ? apart : 0, close = 1e-9 * (std::abs(limits[0]) + std::abs(limits[1]));
    if (rope && spec.length)
      read.refuse(key + ".length", "", "must not stand beside limits: between them a distance is free");
    if (!(limits[0] <= now + close && now - close <= limits[1]))
      read.refuse(key + ".limits", both, fmt::format("the joint is at {} at the start", to_text(now)));
    if (!rope || limits[0] > 0) r.low = limits[0];
    r.high = limits[1];
  }

  SceneNumbers& read;
  PlaneWorld& world;
  const JointSpec& spec;
  std::string key;
  PlaneJoint::Kind kind{};
  const char* word = "";
  const StatedWords* names = nullptr;
};

class ForcesOfScene {
 public:
  ForcesOfScene(SceneNumbers& numbers, PlaneWorld& into) : read(numbers), world(into) {
    std::vector<std::string> coordinates;
    for (const PlaneBody& body : world.bodies)
      if (body.is_free())
        for (const char* end : {"_x", "_y", "_angle"}) coordinates.push_back(body.name + end);
    names.emplace(read.scenario, coordinates, number_parameters(read.scenario));
  }

  void add(const ForceSpec& spec, const std::string& key) {
    const int kinds = spec.spring.has_value() + spec.motor.has_value() + spec.on.has_value();
    if (kinds != 1)
      read.refuse(key, fmt::format("{} kinds", kinds),
                  "must be one of spring, motor = [\"a\", \"b\"], on = \"a\"");
    const Point step = spec.offset ? read.point(key + ".offset", *spec.offset) : Point(0, 0);
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
  void spring(const ForceSpec& spec, const std::string& key, int number, const Point& shift) {
    if (spec.force || spec.torque)
      read.refuse(key + (spec.force ? ".force" : ".torque"), "", "is for on = \"a\", or a motor");
    const TwoBodies of = bodies_of(read, world, key + ".spring", *spec.spring, number);
    const auto points = points_of(read, world, key + ".at", spec.at, of, shift);
    if (!spec.stiffness && !spec.damping) read.refuse(key + ".stiffness", "", "must be given, or damping");
    PlaneSpring r{of.a, of.b, start_of(world, of.a).own(points[0]), start_of(world, of.b).own(points[1]), 0,
                  0,    0};
    if (spec.stiffness) r.stiffness = read.not_negative(key + ".stiffness", *spec.stiffness);
    if (spec.damping) r.damping = read.not_negative(key + ".damping", *spec.damping);
    r.length =
        spec.length ? read.not_negative(key + ".length", *spec.length) : (points[0] - points[1]).norm();
    world.springs.push_back(r);
  }
  void motor(const ForceSpec& spec, const std::string& key, int number) {
    if (spec.force || spec.at)
      read.refuse(key + (spec.force ? ".force" : ".at"), "", "a motor has a torque alone");
    refuse_of_spring(spec, key);
    if (!spec.torque) read.refuse(key + ".torque", "", "must be given: a formula");
    const TwoBodies of = bodies_of(read, world, key + ".motor", *spec.motor, number);
    act({of.a, of.b, Point(0, 0)}, spec, key);
  }
  void formula(const ForceSpec& spec, const std::string& key, int number, const Point& shift) {
    refuse_of_spring(spec, key);
    if (!spec.force && !spec.torque) read.refuse(key + ".force", "", "must be given, or torque");
    if (spec.force && spec.force->size() != 2)
      read.refuse(key + ".force", fmt::format("an array of {}", spec.force->size()),
                  "must be two formulas, [x, y]");
    const TwoBodies of = bodies_of(read, world, key + ".on", {"ground", *spec.on}, number);
    if (spec.at && spec.at->size() != 1) read.refuse(key + ".at", "several points", "must be one point");
    const Point at =
        spec.at ? Point(read.point(key + ".at", (*spec.at)[0]) + shift) : start_of(world, of.b).origin();
    act({-1, of.b, start_of(world, of.b).own(at)}, spec, key);
  }
  void refuse_of_spring(const ForceSpec& spec, const std::string& key) const {
    for (const auto& [stated, name] : {std::pair{spec.stiffness.has_value(), "stiffness"},
                                       {spec.length.has_value(), "length"},
                                       {spec.damping.has_value(), "damping"}})
      if (stated) read.refuse(key + "." + name, "", "is for a spring");
  }
  void act(const PlaneActuator& actuator, const ForceSpec& spec, const std::string& key) {
    world.actuators.push_back(actuator);
    for (std::size_t k = 0; k < 2; ++k)
      nodes.push_back(spec.force ? names->parse(fmt::format("{}.force.{}", key, k), (*spec.force)[k])
                                 : names->expressions.number(0));
    nodes.push_back(spec.torque ? names->parse(key + ".torque", *spec.torque) : names->expressions.number(0));
  }

  SceneNumbers& read;
  PlaneWorld& world;
  std::optional<FormulaNames> names;
  std::vector<carom::formula::Node> nodes;
};

}  // namespace

void add_scene_joints(SceneNumbers& read, PlaneWorld& world) {
  const auto& joints = read.scenario.scene.joints;
  for (std::size_t k = 0; k < joints.size(); ++k)
    JointsOfScene(read, world, joints[k], fmt::format("joint.{}", k)).add();
}

void add_scene_forces(SceneNumbers& read, PlaneWorld& world) {
  const auto& stated = read.scenario.scene.forces;
  if (stated.empty()) return;
  ForcesOfScene forces(read, world);
  for (std::size_t k = 0; k < stated.size(); ++k) forces.add(stated[k], fmt::format("force.{}", k));
  forces.finish();
}

void add_scene_pairs(SceneNumbers& read, PlaneWorld& world) { PairsOfScene<PlaneWorld>(read, world).add(); }

}  // namespace carom
