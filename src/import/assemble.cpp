#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "import/assembly.hpp"
#include "scenario/scenario_text.hpp"

namespace carom::robots {

void Notes::add(Note note) {
  const auto [found, is_new] = known.try_emplace(note.text, list.size());
  if (is_new)
    list.push_back(std::move(note));
  else
    ++list[found->second].more;
}

std::string scene_name(const std::string& name, const std::string& otherwise,
                       std::vector<std::string>& taken) {
  std::string r;
  for (const char c : name.empty() ? otherwise : name)
    r += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  if (std::isalpha(static_cast<unsigned char>(r[0])) == 0) r = "b" + r;
  const std::string first = r == "ground" ? "ground_body" : r;
  r = first;
  for (int k = 2; std::find(taken.begin(), taken.end(), r) != taken.end(); ++k)
    r = fmt::format("{}_{}", first, k);
  taken.push_back(r);
  return r;
}

namespace {

class Assembler {
 public:
  explicit Assembler(Robot& from) : robot(from) {}

  Assembly run() {
    weigh();
    group();
    take_out_massless();
    place();
    make_parts();
    for (const RobotTie& tie : robot.ties) add_tie(tie);
    add_contacts(robot, r, parent);
    return std::move(r);
  }

 private:
  RobotBody& body(int b) { return robot.bodies[static_cast<std::size_t>(b)]; }
  template <class T>
  static T& of(std::vector<T>& list, int k) {
    return list[static_cast<std::size_t>(k)];
  }
  std::string named(int b) {
    return body(b).name.empty() ? "a body without a name"
                                : "body " + detail::clipped(detail::quoted(body(b).name));
  }

  // Each body's own mass, in its axes.
  void weigh() {
    double total = 0;
    for (RobotBody& b : robot.bodies) {
      Moments m = b.moments.value_or(Moments{});
      if (!b.moments)
        for (const RobotShape& shape : b.shapes) m = sum(m, seen_from(shape.pose, shape.moments));
      if (&b != &robot.bodies[0]) m.mass = std::max(m.mass, robot.least_mass);
      if (&b != &robot.bodies[0] && robot.least_inertia > 0)
        m.inertia = at_least(m.inertia, robot.least_inertia);
      weights.push_back(m);
      total += m.mass;
    }
    if (robot.total_mass && total > 0)
      for (Moments& m : weights) m.mass *= *robot.total_mass / total, m.inertia *= *robot.total_mass / total;
  }
  static Mat3 at_least(const Mat3& inertia, double least) {
    const Eigen::SelfAdjointEigenSolver<Mat3> own(inertia);
    return own.eigenvectors() * own.eigenvalues().cwiseMax(least).asDiagonal() *
           own.eigenvectors().transpose();
  }

  // Bodies without joints move as their parents do.
  void group() {
    const auto n = robot.bodies.size();
    head.assign(n, 0), within.assign(n, Pose{});
    for (int b = 1; b < static_cast<int>(n); ++b) {
      const bool own = !body(b).joints.empty();
      of(head, b) = own ? b : of(head, body(b).parent);
      of(within, b) = own ? Pose{} : of(within, body(b).parent) * body(b).pose;
    }
    parent.assign(n, 0), outer.assign(n, Pose{});
    for (int b = 1; b < static_cast<int>(n); ++b) {
      if (of(head, b) != b) continue;
      of(parent, b) = of(head, body(b).parent);
      of(outer, b) = of(within, body(b).parent) * body(b).pose;
    }
    mass.assign(n, 0);
    for (int b = 1; b < static_cast<int>(n); ++b) of(mass, of(head, b)) += of(weights, b).mass;
    gone.assign(n, false);
  }

  // A link of no mass between two joints leaves both joints to what hangs on it; one at an end of the tree
  // does nothing.
  void take_out_massless() {
    const int n = static_cast<int>(robot.bodies.size());
    for (int g = n - 1; g > 0; --g) {
      if (of(head, g) != g || of(mass, g) > 0) continue;
      std::vector<int> below;
      for (int c = 1; c < n; ++c)
        if (of(head, c) == c && of(parent, c) == g && !of(gone, c)) below.push_back(c);
      const bool shaped = std::any_of(robot.bodies.begin(), robot.bodies.end(), [&](const RobotBody& b) {
        const auto k = &b - robot.bodies.data();
        return head[static_cast<std::size_t>(k)] == g && !b.shapes.empty();
      });
      if (shaped || below.size() > 1)
        refuse(body(g).place, fmt::format("{} moves and has no mass", named(g)));
      of(gone, g) = true;
      if (below.empty())
        robot.notes.ignore(body(g).place, "links without mass and shape at the ends of the tree are");
      else
        hand_down(g, below[0]);
    }
  }
  void hand_down(int g, int c) {
    const Pose inner = of(outer, c);
    std::vector<RobotJoint> both;
    for (RobotJoint joint : body(g).joints) {
      joint.at = inner.inverse() * joint.at, joint.axis = inner.q.conjugate() * joint.axis;
      both.push_back(joint);
    }
    auto& own = body(c).joints;
    own.insert(own.begin(), both.begin(), both.end());
    of(outer, c) = of(outer, g) * inner, of(parent, c) = of(parent, g);
  }

  // Where all is at the start.
  void place() {
    const int n = static_cast<int>(robot.bodies.size());
    pose.assign(robot.bodies.size(), Pose{});
    for (int g = 1; g < n; ++g) {
      if (of(head, g) != g || of(gone, g)) continue;
      Pose now = of(pose, of(parent, g)) * of(outer, g);
      JointChain chain{g, of(parent, g), named(g), body(g).place};
      for (const RobotJoint& joint : body(g).joints) chain.items.push_back(moved(joint, now));
      of(pose, g) = now;
      r.chains.push_back(std::move(chain));
    }
  }
  JointChain::Item moved(const RobotJoint& joint, Pose& now) {
    JointChain::Item item{joint, now * joint.at, now.q * joint.axis, joint.reference};
    const auto& start = joint.start;
    if (joint.kind == JointKind::free) {
      if (start.size() == 7)
        now = {Vec3(start[0], start[1], start[2]), Quat(start[3], start[4], start[5], start[6]).normalized()};
      return item;
    }
    if (joint.kind == JointKind::ball) {
      if (start.size() == 4) turn(now, joint.at, Quat(start[0], start[1], start[2], start[3]).normalized());
      item.axis = now.q * joint.axis;
      return item;
    }
    if (start.size() == 1) item.value = start[0];
    if (joint.range) {
      // Not quite to its end, where it would begin as a closed contact.
      const auto [low, high] = *joint.range;
      const double slack = 1e-3 * (high - low);
      const bool out = item.value < low || item.value > high;
      const double inside = out ? std::clamp(item.value, low + slack, high - slack) : item.value;
      if (out)
        robot.notes.warn(joint.place,
                         fmt::format("joint {} starts at {:.6g}, which is out of its range; {:.6g} is taken",
                                     detail::clipped(detail::quoted(joint.name)), item.value, inside));
      item.value = inside;
    }
    const double by = item.value - joint.reference;
    if (joint.kind == JointKind::slide)
      now.p += by * item.axis;
    else
      turn(now, joint.at, Quat(Eigen::AngleAxisd(by, joint.axis)));
    item.at = now * joint.at;
    return item;
  }
  static void turn(Pose& now, const Vec3& about, const Quat& by) {
    const Vec3 fixed = now * about;
    now.q = (now.q * by).normalized();
    now.p = fixed - now.q * about;
  }

  void make_parts() {
    const int n = static_cast<int>(robot.bodies.size());
    r.part_of_group.assign(robot.bodies.size(), -1);
    for (int g = 1; g < n; ++g)
      if (of(head, g) == g && !of(gone, g)) add_moving(g);
    for (int b = 0; b < n; ++b)
      if (of(head, b) == 0)
        for (const RobotShape& shape : body(b).shapes) add_fixed(b, shape);
  }
  void add_moving(int g) {
    Part part;
    part.name = scene_name(body(g).name, fmt::format("body{}", g), names);
    part.place = body(g).place, part.pose = of(pose, g), part.group = g;
    for (int b = g; b < static_cast<int>(robot.bodies.size()); ++b) {
      if (of(head, b) != g) continue;
      part.moments = sum(part.moments, seen_from(of(within, b), of(weights, b)));
      part.lift += body(b).lift * of(weights, b).mass * robot.gravity.norm();
      if (body(b).lift != 0 && b != g)
        refuse(body(b).place, "gravcomp of a body without joints is not supported");
      for (const RobotShape& shape : body(b).shapes)
        part.shapes.push_back({&shape, of(within, b) * shape.pose, b});
    }
    add_rotors(g, part);
    check_inertia(g, part.moments);
    of(r.part_of_group, g) = static_cast<int>(r.parts.size());
    r.parts.push_back(std::move(part));
  }
  // A rotor on the axis of a body that turns about an axis of the world adds to its inertia, and nothing
  // else.
  void add_rotors(int g, Part& part) {
    for (const RobotJoint& joint : body(g).joints) {
      if (joint.armature > 0 && joint.kind == JointKind::hinge && body(g).joints.size() == 1 &&
          of(parent, g) == 0)
        part.moments.inertia += joint.armature * Mat3::Identity();
      else if (joint.armature > 0)
        robot.notes.warn(joint.place,
                         "armature, the inertia of rotors, is left out where the rotor's housing moves");
      if (joint.friction > 0)
        robot.notes.warn(joint.place, "dry friction in joints (frictionloss, dynamics friction) is left out");
    }
  }
  void check_inertia(int g, Moments& m) {
    if (!(m.mass > 0)) refuse(body(g).place, fmt::format("{} moves and has no mass", named(g)));
    Eigen::SelfAdjointEigenSolver<Mat3> own(m.inertia);
    const Vec3 principal = own.eigenvalues();
    if (!(principal[0] > 0))
      refuse(body(g).place, fmt::format("{}: the inertia has {} as a principal moment; they must be above 0",
                                        named(g), detail::written(principal[0])));
    if (principal[2] <= (principal[0] + principal[1]) * (1 + 1e-9)) return;
    if (robot.balances_inertia) {
      m.inertia = principal.mean() * Mat3::Identity();
      return;
    }
    refuse(body(g).place, fmt::format("{}: no body has the inertia {:.6g}, {:.6g}, {:.6g}: one moment is "
                                      "larger than the sum of the others",
                                      named(g), principal[0], principal[1], principal[2]));
  }
  void add_fixed(int b, const RobotShape& shape) {
    Part part;
    part.moves = false, part.place = shape.place;
    const std::string& own = shape.name.empty() ? body(b).name : shape.name;
    part.name =
        scene_name(own == "world" ? "" : own, shape.kind == ShapeKind::plane ? "floor" : "fixed", names);
    part.pose = of(within, b) * shape.pose;
    part.shapes.push_back({&shape, Pose{}, b});
    r.parts.push_back(std::move(part));
  }

  void add_tie(const RobotTie& tie) {
    const int a = of(head, tie.a), b = of(head, tie.b);
    if (of(gone, a) || of(gone, b)) refuse(tie.place, "ties a body without mass");
    if (a == b) refuse(tie.place, "ties bodies that cannot move against each other");
    const auto at = [&](int robot_body, const Vec3& x) {
      return of(pose, of(head, robot_body)) * (of(within, robot_body) * x);
    };
    const Vec3 one = at(tie.a, tie.at), two = tie.at_b ? at(tie.b, *tie.at_b) : one;
    const bool rope = tie.kind == RobotTie::Kind::rope;
    const double apart = (one - two).norm(), scale = 1e-6 * (1 + one.norm() + two.norm());
    if (!rope && apart > scale)
      refuse(tie.place, fmt::format("the two places are {:.3g} apart at the start", apart));
    if (rope && (apart > tie.limits[1] + scale || apart < tie.limits[0] - scale))
      refuse(tie.place,
             fmt::format("the two places are {:.6g} apart at the start, which is out of the range", apart));
    const SceneJoint kind = rope                                ? SceneJoint::distance
                            : tie.kind == RobotTie::Kind::fixed ? SceneJoint::fixed
                                                                : SceneJoint::ball;
    PlacedJoint joint{kind, tie.name,        tie.place, of(r.part_of_group, a), of(r.part_of_group, b),
                      one,  rope ? two : one};
    if (rope) joint.limits = {tie.limits[0], std::max(tie.limits[1], apart)};
    r.ties.push_back(joint);
  }

  Robot& robot;
  Assembly r;
  std::vector<Moments> weights;
  std::vector<int> head, parent;  // of bodies, and of groups
  std::vector<Pose> within, outer,
      pose;  // in its group; of a group in its parent's, with all joints at 0; in space
  std::vector<double> mass;
  std::vector<char> gone;
  std::vector<std::string> names;
};

}  // namespace

Assembly assemble(Robot& robot) { return Assembler(robot).run(); }

}  // namespace carom::robots
