#include <fmt/format.h>

#include <cmath>
#include <set>

#include "import/scene_text.hpp"
#include "scenario/scenario_text.hpp"

namespace carom::robots {
namespace {

class PlaneText {
 public:
  PlaneText(Robot& from, const Assembly& parts, const PlaneFound& found)
      : robot(from), assembly(parts), plane(*found.plane), touching(found.touching) {}

  std::string write() {
    for (const JointChain& chain : assembly.chains)
      if (chain.items.size() == 1) add(chain);
    for (const PlacedJoint& tie : assembly.ties) add(tie);
    const auto driven = driven_joints(robot, assembly);
    for (const DrivenJoint& d : driven) drive(d);
    std::set<int> used;
    for (const Touching& pair : touching) used.insert(pair.a), used.insert(pair.b);
    std::string bodies;
    Assembly kept = assembly;  // without fixed shapes that nothing reaches in the plane
    kept.parts.clear();
    std::vector<int> number(assembly.parts.size(), -1);
    for (std::size_t k = 0; k < assembly.parts.size(); ++k) {
      const Part& part = assembly.parts[k];
      if (!part.moves && !used.contains(static_cast<int>(k))) continue;
      bodies += body(part);
      number[k] = static_cast<int>(kept.parts.size());
      kept.parts.push_back(part);
    }
    const auto renumber = [&](int& k) {
      if (k >= 0) k = number[static_cast<std::size_t>(k)];
    };
    for (Touching& pair : touching) renumber(pair.a), renumber(pair.b);
    for (auto& pair : joined) renumber(pair[0]), renumber(pair[1]);
    const Eigen::Vector2d g = flat(robot.gravity);
    return fmt::format("# All joints stay in the plane normal to {}: x is {} and y is {} there.\n",
                       vector_text(plane.normal), vector_text(plane.x), vector_text(plane.y)) +
           parameter_lines(driven) +
           fmt::format("\n[world]\ndimension = 2\ngravity = {}\n", numbers_text({g.x(), g.y()})) + bodies +
           joints + contact_lines(kept, touching, joined) + forces + last_lines(robot);
  }

 private:
  Eigen::Vector2d flat(const Vec3& d) const { return {plane.x.dot(d), plane.y.dot(d)}; }
  static std::string text(const Eigen::Vector2d& x) { return numbers_text({x.x(), x.y()}); }
  std::string both(int a, int b) const {
    return fmt::format("[{}, {}]", detail::quoted(name_of_part(assembly, a)),
                       detail::quoted(name_of_part(assembly, b)));
  }

  std::string shape(const Part& part) const {
    if (part.shapes.empty()) {
      const Vec3 n = part.pose.q.conjugate() * plane.normal;
      const double radius = std::sqrt(2 * n.dot(part.moments.inertia * n) / part.moments.mass);
      const Eigen::Vector2d at = flat(part.pose.q * part.moments.centre);
      return fmt::format("{{ compound = [{{ ball = {}, position = {} }}] }}", detail::written(radius),
                         text(at));
    }
    if (part.shapes[0].shape->kind == ShapeKind::plane)
      return "{ half-space = " + text(flat(part.pose.q * part.shapes[0].pose.q * Vec3::UnitZ())) + " }";
    std::string list;
    for (const PlacedShape& each : part.shapes)
      list += (list.empty() ? "" : ", ") + shape_in_plane(each, part, plane);
    const bool alone = part.shapes.size() == 1 && list.find("position") == std::string::npos &&
                       list.find("angle") == std::string::npos;
    return alone ? list : "{ compound = [" + list + "] }";
  }

  std::string body(const Part& part) {
    std::string r =
        fmt::format("\n[[body]]\nname = {}\nshape = {}\n", detail::quoted(part.name), shape(part));
    if (part.moves) {
      const Vec3 n = part.pose.q.conjugate() * plane.normal;
      r += fmt::format("mass = {}\ninertia = {}\n", detail::written(part.moments.mass),
                       detail::written(n.dot(part.moments.inertia * n)));
      r += fmt::format("centre = {}\n", text(flat(part.pose.q * part.moments.centre)));
    }
    if (part.lift != 0) {
      const Eigen::Vector2d up = flat(-robot.gravity.normalized() * part.lift);
      forces += fmt::format("\n[[force]]\non = {}\nforce = [\"{}\", \"{}\"]\n", detail::quoted(part.name),
                            up.x(), up.y());
    }
    return r + fmt::format("position = {}\n", text(flat(part.pose.p)));
  }

  void add(const PlacedJoint& j) {
    const bool hinge = j.kind == SceneJoint::ball || j.kind == SceneJoint::hinge;
    const char* word = hinge ? "hinge" : j.kind == SceneJoint::fixed ? "fixed" : "distance";
    joints += fmt::format("\n[[joint]]\n{} = {}\n", word, both(j.a, j.b));
    if (!j.name.empty()) joints += fmt::format("name = {}\n", detail::quoted(j.name));
    if (j.kind == SceneJoint::distance)
      joints += fmt::format("at = [{}, {}]\n", text(flat(j.at)), text(flat(j.at_b)));
    else if (hinge)
      joints += fmt::format("at = {}\n", text(flat(j.at)));
    if (j.limits) joints += fmt::format("limits = {}\n", numbers_text({(*j.limits)[0], (*j.limits)[1]}));
    if (j.kind != SceneJoint::distance) joined.push_back({j.a, j.b});
  }

  // The angle and what it is measured by turn with the plane's normal, or against it.
  void add(const JointChain& chain) {
    const PlacedJoint j = joints_in_space(assembly, chain)[0];
    const bool hinge = j.kind == SceneJoint::hinge;
    const double sign = hinge ? (j.axis.dot(plane.normal) > 0 ? 1 : -1) : 1;
    joints += fmt::format("\n[[joint]]\n{} = {}\n", hinge ? "hinge" : "slider", both(j.a, j.b));
    if (!j.name.empty()) joints += fmt::format("name = {}\n", detail::quoted(j.name));
    joints +=
        hinge ? fmt::format("at = {}\n", text(flat(j.at))) : fmt::format("axis = {}\n", text(flat(j.axis)));
    if (j.limits) {
      const auto [low, high] = *j.limits;
      joints +=
          fmt::format("limits = {}\n", sign > 0 ? numbers_text({low, high}) : numbers_text({-high, -low}));
    }
    joined.push_back({j.a, j.b});
    if (j.stiffness == 0 && j.damping == 0) return;
    std::string formula;
    if (j.stiffness > 0) formula += fmt::format("-{}*({} - ({}))", j.stiffness, value(j, ""), sign * j.rest);
    if (j.damping > 0)
      formula += fmt::format("{}{}*({})", formula.empty() ? "-" : " - ", j.damping, value(j, "'"));
    push(j, formula);
  }

  // What the joint measures, or its rate, as a formula of the coordinates.
  std::string value(const PlacedJoint& j, const std::string& rate) const {
    const std::string b = name_of_part(assembly, j.b);
    if (j.kind == SceneJoint::hinge)
      return j.a < 0 ? fmt::format("{}_angle{}", b, rate)
                     : fmt::format("({0}_angle{2} - {1}_angle{2})", b, name_of_part(assembly, j.a), rate);
    const Part& part = assembly.parts[static_cast<std::size_t>(j.b)];
    const Eigen::Vector2d axis = flat(j.axis), start = flat(part.pose * part.moments.centre);
    if (!rate.empty()) return fmt::format("({1})*{0}_x' + ({2})*{0}_y'", b, axis.x(), axis.y());
    return fmt::format("(({1})*({0}_x - ({3})) + ({2})*({0}_y - ({4})))", b, axis.x(), axis.y(), start.x(),
                       start.y());
  }

  void push(const PlacedJoint& j, const std::string& formula) {
    if (j.kind == SceneJoint::hinge) {
      forces +=
          fmt::format("\n[[force]]\nmotor = {}\ntorque = {}\n", both(j.a, j.b), detail::quoted(formula));
      return;
    }
    const Eigen::Vector2d axis = flat(j.axis);
    forces += fmt::format("\n[[force]]\non = {}\nforce = [\"({})*({})\", \"({})*({})\"]\n",
                          detail::quoted(name_of_part(assembly, j.b)), axis.x(), formula, axis.y(), formula);
  }

  void drive(const DrivenJoint& d) {
    if (d.chain->items.size() != 1) {
      robot.notes.warn(d.chain->place, "motors of joints that became one are left out");
      return;
    }
    const PlacedJoint j = joints_in_space(assembly, *d.chain)[0];
    if (j.kind == SceneJoint::slider && j.a >= 0)
      robot.notes.warn(j.place, "motors of slides between bodies that both move are left out");
    else if (j.kind == SceneJoint::hinge && j.axis.dot(plane.normal) < 0)
      push(j, fmt::format("-({})", d.formula));
    else
      push(j, d.formula);
  }

  Robot& robot;
  const Assembly& assembly;
  Plane plane;
  std::vector<Touching> touching;
  std::string joints, forces;
  std::vector<std::array<int, 2>> joined;
};

}  // namespace

std::string text_in_plane(Robot& robot, const Assembly& assembly, const PlaneFound& found) {
  return PlaneText(robot, assembly, found).write();
}

}  // namespace carom::robots
