#include <algorithm>

#include "model/scene_names.hpp"
#include "scenario/suggest.hpp"

namespace carom {
namespace {

using detail::to_text;

// "link3" and 2 -> "link5"; a name without a number stays.
std::string stepped_name(const std::string& name, int by) {
  std::size_t digits = name.size();
  while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9' && name.size() - digits < 6)
    --digits;
  if (by == 0 || digits == name.size()) return name;
  return name.substr(0, digits) + std::to_string(std::stoi(name.substr(digits)) + by);
}

PlanePose start_of(const PlaneWorld& world, int body) {
  if (body < 0) return {};
  const auto& at = world.bodies[static_cast<std::size_t>(body)].start;
  return PlanePose::at(at[0], at[1], at[2]);
}

const std::string& name_of(const PlaneWorld& world, int body) {
  static const std::string ground = "ground";
  return body < 0 ? ground : world.bodies[static_cast<std::size_t>(body)].name;
}

struct TwoBodies {
  int a, b;
};

// Of names such as ["ground", "link1"].
TwoBodies bodies_of(SceneNumbers& read, const PlaneWorld& world, const std::string& key,
                    const StatedWords& names, int step) {
  if (names.size() != 2)
    read.refuse(key, fmt::format("an array of {}", names.size()), "must be the names of two bodies");
  std::array<int, 2> r{};
  for (std::size_t k = 0; k < 2; ++k) {
    const std::string name = stepped_name(names[k], step);
    std::vector<std::string> known = {"ground"};
    for (const PlaneBody& body : world.bodies) known.push_back(body.name);
    const auto found = std::find(known.begin(), known.end(), name);
    if (found == known.end())
      read.refuse(key, detail::quoted(name), "no body has this name" + suggestion(name, known));
    r[k] = static_cast<int>(found - known.begin()) - 1;
  }
  const auto is_free = [&](int body) {
    return body >= 0 && world.bodies[static_cast<std::size_t>(body)].is_free();
  };
  const std::string both =
      detail::quoted(name_of(world, r[0])) + " and " + detail::quoted(name_of(world, r[1]));
  if (r[0] == r[1]) read.refuse(key, both, "must be two bodies");
  if (!is_free(r[0]) && !is_free(r[1])) read.refuse(key, both, "neither of them moves by itself");
  return {r[0], r[1]};
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
      const Point axis = read.point(key + ".axis", *spec.axis);
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

// By both numbers of the bodies, the smaller first.
class PairsOfScene {
 public:
  PairsOfScene(SceneNumbers& numbers, PlaneWorld& into)
      : read(numbers), world(into), rules(numbers.scenario.scene.contact) {
    for (const PlaneJoint& joint : world.joints)
      if (joint.kind != PlaneJoint::Kind::distance) joined.push_back(std::minmax(joint.a, joint.b));
    std::sort(joined.begin(), joined.end());
  }

  void add() {
    if (rules.restitution) usual.restitution = read.fraction("contact.restitution", *rules.restitution);
    world.limit_restitution = usual.restitution;
    if (rules.mu) usual.mu = read.not_negative("contact.mu", *rules.mu);
    if (rules.between) check_between();
    const int n = static_cast<int>(world.bodies.size());
    std::vector<PairRule> own;
    for (std::size_t k = 0; k < rules.pairs.size(); ++k) own.push_back(rule(k));
    for (int a = 0; a < n; ++a)
      for (int b = 0; b < a; ++b)
        if (may_touch(a, b)) add(a, b, own);
    for (std::size_t k = 0; k < own.size(); ++k)
      if (!own[k].used)
        read.refuse(fmt::format("contact.pair.{}.of", k), names_text(*rules.pairs[k].of),
                    "no two bodies that may touch have these names");
  }

 private:
  struct PairRule {
    const StatedWords* of;
    std::optional<double> restitution, mu;
    bool used = false;
  };
  static std::string names_text(const StatedWords& names) {
    return names.size() == 2 ? detail::quoted(names[0]) + " and " + detail::quoted(names[1])
                             : fmt::format("an array of {}", names.size());
  }

  PairRule rule(std::size_t k) {
    const PairSpec& spec = rules.pairs[k];
    const std::string key = fmt::format("contact.pair.{}", k);
    if (!spec.of || spec.of->size() != 2)
      read.refuse(key + ".of", spec.of ? names_text(*spec.of) : "",
                  "must be the names of two bodies, in which * stands for any letters");
    PairRule r{&*spec.of, {}, {}};
    if (spec.restitution) r.restitution = read.fraction(key + ".restitution", *spec.restitution);
    if (spec.mu) r.mu = read.not_negative(key + ".mu", *spec.mu);
    return r;
  }
  void check_between() const {
    for (std::size_t k = 0; k < rules.between->size(); ++k) {
      const StatedWords& names = (*rules.between)[k];
      const std::string key = fmt::format("contact.between.{}", k);
      if (names.size() != 2) read.refuse(key, names_text(names), "must be the names of two bodies");
      for (const std::string& pattern : names)
        if (std::none_of(world.bodies.begin(), world.bodies.end(),
                         [&](const PlaneBody& b) { return fits_pattern(b.name, pattern); }))
          read.refuse(key, detail::quoted(pattern), "no body has this name");
    }
  }
  const std::string& name(int body) const { return world.bodies[static_cast<std::size_t>(body)].name; }
  bool fits(int a, int b, const StatedWords& names) const {
    return (fits_pattern(name(a), names[0]) && fits_pattern(name(b), names[1])) ||
           (fits_pattern(name(b), names[0]) && fits_pattern(name(a), names[1]));
  }
  bool may_touch(int a, int b) const {
    const auto is_free = [this](int body) { return world.bodies[static_cast<std::size_t>(body)].is_free(); };
    if (!is_free(a) && !is_free(b)) return false;
    if (rules.between)
      return std::any_of(rules.between->begin(), rules.between->end(),
                         [&](const StatedWords& names) { return fits(a, b, names); });
    return !std::binary_search(joined.begin(), joined.end(), std::pair<int, int>(std::minmax(a, b)));
  }
  void add(int a, int b, std::vector<PairRule>& own) {
    PlanePair r{a, b, usual.restitution, usual.mu};
    for (PairRule& rule : own)
      if (fits(a, b, *rule.of)) {
        rule.used = true;
        if (rule.restitution) r.restitution = *rule.restitution;
        if (rule.mu) r.mu = *rule.mu;
      }
    world.pairs.push_back(r);
    constexpr std::size_t most = 20'000;
    if (world.pairs.size() > most)
      read.refuse(
          "contact.between", "",
          fmt::format("more than {} pairs of bodies may touch; say which, or take fewer bodies", most));
  }

  SceneNumbers& read;
  PlaneWorld& world;
  const TouchSpec& rules;
  PlanePair usual{-1, -1};
  std::vector<std::pair<int, int>> joined;
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

void add_scene_pairs(SceneNumbers& read, PlaneWorld& world) { PairsOfScene(read, world).add(); }

}  // namespace carom
