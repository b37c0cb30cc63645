#include <fmt/format.h>

#include "import/scene_text.hpp"
#include "scenario/scenario_text.hpp"

namespace carom::robots {
namespace {

std::string quaternion_text(const Quat& q) { return numbers_text({q.w(), q.x(), q.y(), q.z()}); }

bool is_identity(const Pose& pose) { return pose.p.norm() < 1e-15 && pose.q.vec().norm() < 1e-15; }

// Capsules and cylinders lie along x in a scene, along z in MJCF and URDF.
Pose turned_to_z(const Pose& pose) {
  return pose * Pose{Vec3::Zero(), Quat::FromTwoVectors(Vec3::UnitX(), Vec3::UnitZ())};
}

struct Piece {
  std::string shape;  // "ball = 0.5"
  Pose pose;
};

Piece piece_of(const PlacedShape& placed) {
  const RobotShape& s = *placed.shape;
  const auto number = [](double x) { return numbers_text({x}); };
  switch (s.kind) {
    case ShapeKind::plane:
      return {"half-space = [0.0, 0.0, 1.0]", placed.pose};
    case ShapeKind::ball: {
      const std::string radius = number(s.size[0]);
      return {"ball = " + radius.substr(1, radius.size() - 2), {placed.pose.p, Quat::Identity()}};
    }
    case ShapeKind::capsule:
      return {"capsule = " + numbers_text({2 * s.size[1], s.size[0]}), turned_to_z(placed.pose)};
    case ShapeKind::cylinder:
      return {"cylinder = " + numbers_text({2 * s.size[1], s.size[0]}), turned_to_z(placed.pose)};
    case ShapeKind::box:
      return {"box = " + vector_text(2 * s.size), placed.pose};
    case ShapeKind::ellipsoid:
      return {"ellipsoid = " + vector_text(s.size), placed.pose};
    case ShapeKind::hull: {
      std::string points;
      for (const Vec3& x : s.points) points += (points.empty() ? "" : ", ") + vector_text(x);
      return {"polyhedron = [" + points + "]", placed.pose};
    }
  }
  return {};
}

// A body that nothing is said of but its mass is drawn as the box that has its inertia.
std::string box_of(const Part& part) {
  const Moments& m = part.moments;
  const Eigen::SelfAdjointEigenSolver<Mat3> own(m.inertia);
  const Vec3 i = own.eigenvalues();
  Vec3 edges;
  for (int k = 0; k < 3; ++k)
    edges[k] = std::sqrt(std::max(6 / m.mass * (i.sum() - 2 * i[k]), 1e-4 * 6 / m.mass * i.sum()));
  Mat3 turn = own.eigenvectors();
  if (turn.determinant() < 0) turn.col(0) = -turn.col(0);
  return fmt::format("{{ compound = [{{ box = {}, position = {}, quaternion = {} }}] }}", vector_text(edges),
                     vector_text(m.centre), quaternion_text(Quat(turn)));
}

std::string shape_text(const Part& part) {
  if (part.shapes.empty()) return box_of(part);
  if (part.shapes.size() == 1) {
    const Piece only = piece_of(part.shapes[0]);
    if (is_identity(only.pose)) return "{ " + only.shape + " }";
  }
  std::string r;
  for (const PlacedShape& shape : part.shapes) {
    const Piece piece = piece_of(shape);
    r += fmt::format("{}{{ {}, position = {}, quaternion = {} }}", r.empty() ? "" : ", ", piece.shape,
                     vector_text(piece.pose.p), quaternion_text(piece.pose.q));
  }
  return "{ compound = [" + r + "] }";
}

std::string body_text(const Part& part) {
  Pose pose = part.pose;
  std::string shape = shape_text(part);
  if (!part.moves) {  // one shape, whose own place is the body's
    const Piece only = piece_of(part.shapes[0]);
    shape = "{ " + only.shape + " }", pose = part.pose * only.pose;
  }
  std::string r = fmt::format("\n[[body]]\nname = {}\nshape = {}\n", detail::quoted(part.name), shape);
  const Moments& m = part.moments;
  if (part.moves) {
    const Mat3& i = m.inertia;
    r += fmt::format("mass = {}\ninertia = {}\ncentre = {}\n", detail::written(m.mass),
                     numbers_text({i(0, 0), i(1, 1), i(2, 2), i(0, 1), i(0, 2), i(1, 2)}),
                     vector_text(m.centre));
  }
  r += fmt::format("position = {}\n", vector_text(pose.p));
  if (pose.q.vec().norm() > 0) r += fmt::format("quaternion = {}\n", quaternion_text(pose.q));
  return r;
}

class SpaceText {
 public:
  SpaceText(Robot& from, const Assembly& parts) : robot(from), assembly(parts) {}

  std::string write() {
    for (const JointChain& chain : assembly.chains)
      for (const PlacedJoint& joint : joints_in_space(assembly, chain)) add(joint);
    for (const PlacedJoint& tie : assembly.ties) add(tie);
    const auto driven = driven_joints(robot, assembly);
    for (const DrivenJoint& d : driven) drive(d);
    for (const Part& part : assembly.parts)
      if (part.moves && part.lift != 0) lift(part);
    std::string bodies;
    for (const Part& part : assembly.parts) bodies += body_text(part);
    return parameter_lines(driven) +
           fmt::format("\n[world]\ndimension = 3\ngravity = {}\n", vector_text(robot.gravity)) + bodies +
           joints + contact_lines(assembly, assembly.touching, joined) + forces + last_lines(robot);
  }

 private:
  std::string both(int a, int b) const {
    return fmt::format("[{}, {}]", detail::quoted(name_of_part(assembly, a)),
                       detail::quoted(name_of_part(assembly, b)));
  }

  void add(const PlacedJoint& j) {
    static const std::map<SceneJoint, std::string> words = {
        {SceneJoint::hinge, "hinge"}, {SceneJoint::slider, "slider"},
        {SceneJoint::ball, "ball"},   {SceneJoint::universal, "universal"},
        {SceneJoint::fixed, "fixed"}, {SceneJoint::distance, "distance"}};
    joints += fmt::format("\n[[joint]]\n{} = {}\n", words.at(j.kind), both(j.a, j.b));
    if (!j.name.empty()) joints += fmt::format("name = {}\n", detail::quoted(j.name));
    if (j.kind == SceneJoint::distance)
      joints += fmt::format("at = [{}, {}]\n", vector_text(j.at), vector_text(j.at_b));
    else if (j.kind != SceneJoint::fixed && j.kind != SceneJoint::slider)
      joints += fmt::format("at = {}\n", vector_text(j.at));
    if (j.kind == SceneJoint::hinge || j.kind == SceneJoint::slider)
      joints += fmt::format("axis = {}\n", vector_text(j.axis));
    if (j.kind == SceneJoint::universal)
      joints += fmt::format("axis = [{}, {}]\n", vector_text(j.axis), vector_text(j.second));
    if (j.limits) joints += fmt::format("limits = {}\n", numbers_text({(*j.limits)[0], (*j.limits)[1]}));
    if (j.stiffness > 0) joints += fmt::format("stiffness = {}\n", detail::written(j.stiffness));
    if (j.damping > 0) joints += fmt::format("damping = {}\n", detail::written(j.damping));
    if (j.kind != SceneJoint::distance) joined.push_back({j.a, j.b});
    // A spring of a joint rests at the start; another rest is a constant torque beside it.
    if (j.stiffness > 0 && j.rest != 0)
      push(j, detail::written(j.stiffness * j.rest), j.place, "the spring's rest");
  }

  void push(const PlacedJoint& j, const std::string& formula, const std::string& place,
            const std::string& what) {
    if (j.kind == SceneJoint::hinge) {
      forces += fmt::format("\n[[force]]\nmotor = {}\naxis = {}\ntorque = {}\n", both(j.a, j.b),
                            vector_text(j.axis), detail::quoted(formula));
      return;
    }
    if (j.a >= 0) {
      robot.notes.warn(place, what + " of a slide between bodies that both move is left out");
      return;
    }
    std::string parts;
    for (int k = 0; k < 3; ++k) {
      const std::string factor = numbers_text({j.axis[k]});
      parts += fmt::format("{}\"{}*({})\"", k > 0 ? ", " : "", factor.substr(1, factor.size() - 2), formula);
    }
    forces += fmt::format("\n[[force]]\non = {}\nforce = [{}]\n", detail::quoted(name_of_part(assembly, j.b)),
                          parts);
  }

  void drive(const DrivenJoint& d) {
    const auto made = joints_in_space(assembly, *d.chain);
    if (made.size() != 1 || d.chain->items.size() != 1)
      robot.notes.warn(d.chain->place, "motors of joints that became one are left out");
    else
      push(made[0], d.formula, d.chain->items[0].joint.place, "the motor");
  }

  void lift(const Part& part) {
    const Vec3 up = -robot.gravity.normalized() * part.lift;
    forces += fmt::format("\n[[force]]\non = {}\nat = {}\nforce = [\"{}\", \"{}\", \"{}\"]\n",
                          detail::quoted(part.name), vector_text(part.pose * part.moments.centre), up.x(),
                          up.y(), up.z());
  }

  Robot& robot;
  const Assembly& assembly;
  std::string joints, forces;
  std::vector<std::array<int, 2>> joined;
};

}  // namespace

std::string text_in_space(Robot& robot, const Assembly& assembly) {
  return SpaceText(robot, assembly).write();
}

}  // namespace carom::robots
