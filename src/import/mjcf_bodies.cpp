// <worldbody> and all within: bodies, joints, masses.
#include <fmt/format.h>

#include "import/mjcf_parts.hpp"
#include "scenario/scenario_text.hpp"

namespace carom::robots {

void MjcfReader::claim(const std::string& kind, const Fields& f) {
  const std::string name = f.text("name");
  if (name.empty()) return;
  const auto [known, is_new] = names.try_emplace(kind + " " + name, f.place());
  if (!is_new) f.refuse("name", fmt::format("is taken already, at {}", known->second));
}

void MjcfReader::children(const XmlElement& e, const Around& around) {
  for (const XmlElement& child : e.children) {
    const std::string& tag = child.tag;
    if (tag == "body")
      body(child, around);
    else if (tag == "frame")
      frame(child, around);
    else if (tag == "geom")
      shape(child, around);
    else if (tag == "joint" || tag == "freejoint")
      joint(child, around);
    else if (tag == "inertial")
      inertial(child, around);
    else if (tag == "site")
      site(child, around);
    else if (tag == "camera" || tag == "light")
      robot.notes.ignore(child.place, "cameras and lights are");
    else
      refuse(child.place, fmt::format("<{}> is not supported", detail::clipped(tag)));
  }
}

void MjcfReader::frame(const XmlElement& e, const Around& around) {
  const Fields f(e);
  f.only({"name", "childclass", "pos", "quat", "axisangle", "xyaxes", "zaxis", "euler"});
  Around inside = around;
  inside.frame = around.frame * mjcf_pose(f, settings);
  inside.kind = f.text("childclass", around.kind);
  children(e, inside);
}

void MjcfReader::body(const XmlElement& e, const Around& around) {
  const Fields f(e);
  f.only({"name", "childclass", "pos", "quat", "axisangle", "xyaxes", "zaxis", "euler", "mocap", "gravcomp",
          "user", "sleep"});
  claim("body", f);
  if (f.truth("mocap", false)) f.refuse("mocap", "is not supported: the file does not say how it moves");
  RobotBody r;
  r.name = f.text("name"), r.place = e.place, r.parent = around.body;
  r.pose = around.frame * mjcf_pose(f, settings);
  r.lift = f.number("gravcomp", 0);
  const int number = static_cast<int>(robot.bodies.size());
  if (!r.name.empty()) bodies[r.name] = number;
  robot.bodies.push_back(std::move(r));
  const bool has_inertial = std::any_of(e.children.begin(), e.children.end(),
                                        [](const XmlElement& child) { return child.tag == "inertial"; });
  Around inside{number, {}, f.text("childclass", around.kind), !settings.never_from_shapes};
  inside.weighed = inside.weighed && (settings.from_shapes || !has_inertial);
  children(e, inside);
}

void MjcfReader::site(const XmlElement& e, const Around& around) {
  const Fields f = defaults.fields(e, around.kind);
  robot.notes.ignore(e.place, "sites are");
  if (!f.has("name") || f.has("fromto")) return;
  sites[f.text("name")] = {around.body, (around.frame * mjcf_pose(f, settings)).p};
}

void MjcfReader::inertial(const XmlElement& e, const Around& around) {
  const Fields f(e);
  f.only({"pos", "quat", "axisangle", "xyaxes", "zaxis", "euler", "mass", "diaginertia", "fullinertia"});
  if (around.body == 0) refuse(e.place, "the world has no mass");
  if (around.weighed) return;  // inertiafromgeom = "true"
  if (!f.has("mass")) f.refuse("mass", "must be given");
  Moments r;
  r.mass = f.not_negative("mass", 0);
  const auto diagonal = f.numbers("diaginertia", 3, 3), full = f.numbers("fullinertia", 6, 6);
  if (diagonal.empty() == full.empty()) f.refuse("diaginertia", "must be given, or fullinertia");
  if (!diagonal.empty()) r.inertia = Vec3(diagonal[0], diagonal[1], diagonal[2]).asDiagonal();
  if (!full.empty())
    r.inertia << full[0], full[3], full[4], full[3], full[1], full[5], full[4], full[5], full[2];
  at(around.body).moments = seen_from(around.frame * mjcf_pose(f, settings), r);
}

void MjcfReader::set_range(const Fields& f, RobotJoint& r) const {
  const auto range = f.numbers("range", 2, 2);
  const std::string limited = f.word("limited", {"true", "false", "auto"}, "auto");
  const bool is =
      settings.limits && (limited == "true" || (limited == "auto" && settings.autolimits && !range.empty()));
  if (!is) return;
  if (range.empty()) f.refuse("limited", "needs a range");
  const auto in = [&](double x) { return r.kind == JointKind::slide ? x : settings.angle(x); };
  if (!(range[0] < range[1])) f.refuse("range", "must be two numbers, the smaller first");
  r.range = {in(range[0]), in(range[1])};
}

void MjcfReader::joint(const XmlElement& e, const Around& around) {
  const bool free = e.tag == "freejoint";
  const Fields f = free ? Fields(e) : defaults.fields(e, around.kind);
  if (free)
    f.only({"name", "group", "align"});
  else
    f.only({"name",
            "class",
            "type",
            "group",
            "pos",
            "axis",
            "springdamper",
            "limited",
            "actuatorfrclimited",
            "solreflimit",
            "solimplimit",
            "solreffriction",
            "solimpfriction",
            "stiffness",
            "range",
            "actuatorfrcrange",
            "actuatorgravcomp",
            "margin",
            "ref",
            "springref",
            "armature",
            "damping",
            "frictionloss",
            "user"});
  claim("joint", f);
  if (around.body == 0) refuse(e.place, f.title() + ": the world does not move");
  RobotBody& body = at(around.body);
  RobotJoint r;
  r.name = f.text("name"), r.place = e.place;
  const std::string type = free ? "free" : f.word("type", {"hinge", "slide", "ball", "free"}, "hinge");
  r.kind = type == "hinge"   ? JointKind::hinge
           : type == "slide" ? JointKind::slide
           : type == "ball"  ? JointKind::ball
                             : JointKind::free;
  if (r.kind == JointKind::free && (body.parent != 0 || !body.joints.empty()))
    refuse(e.place, f.title() + ": a free joint must be the one joint of a body of the world");
  if (!body.joints.empty() && body.joints[0].kind == JointKind::free)
    refuse(e.place, f.title() + ": stands beside a free joint");
  if (r.kind != JointKind::free) {
    r.at = around.frame * f.vector("pos", Vec3::Zero());
    const Vec3 axis = around.frame.q * f.vector("axis", Vec3::UnitZ());
    if (!(axis.norm() > 1e-12)) f.refuse("axis", "is no direction");
    r.axis = axis.normalized();
    set_range(f, r);
    r.stiffness = f.not_negative("stiffness", 0), r.damping = f.not_negative("damping", 0);
    if (!settings.springs) r.stiffness = 0;
    if (!settings.dampers) r.damping = 0;
    r.friction = f.not_negative("frictionloss", 0);
    const auto angle = [&](double x) { return r.kind == JointKind::hinge ? settings.angle(x) : x; };
    r.reference = angle(f.number("ref", 0)), r.rest = angle(f.number("springref", 0));
    for (const double x : f.numbers("springdamper", 2, 2))
      if (x > 0) f.refuse("springdamper", "is not supported; stiffness and damping are");
  }
  r.armature = free ? 0 : f.not_negative("armature", 0);
  for (const char* name : {"solreflimit", "solimplimit", "solreffriction", "solimpfriction", "margin"})
    if (!free && f.has(name))
      robot.notes.remark(e.place, "limits of joints are hard, whatever solref and solimp say");
  body.joints.push_back(std::move(r));
}

}  // namespace carom::robots
