// <contact>, <equality>, <tendon>, <actuator>, <keyframe>, and the order in which all is read.
#include <fmt/format.h>

#include "import/mjcf_parts.hpp"
#include "scenario/scenario_text.hpp"
#include "scenario/suggest.hpp"

namespace carom::robots {

int MjcfReader::body_named(const Fields& f, const std::string& attribute) const {
  const auto found = bodies.find(f.text(attribute));
  if (found != bodies.end()) return found->second;
  std::vector<std::string> known;
  for (const auto& [name, number] : bodies) known.push_back(name);
  f.refuse(attribute, "names no body" + suggestion(f.text(attribute), known));
}

const MjcfSite& MjcfReader::site_named(const Fields& f, const std::string& attribute) const {
  const auto found = sites.find(f.text(attribute));
  if (found == sites.end()) f.refuse(attribute, "names no site");
  return found->second;
}

void MjcfReader::contact(const XmlElement& e) {
  for (const XmlElement& child : e.children) {
    const Fields f = defaults.fields(child, "main");
    if (child.tag == "exclude") {
      robot.excluded.push_back({body_named(f, "body1"), body_named(f, "body2")});
    } else if (child.tag == "pair") {
      RobotPair r{child.place, f.text("geom1"), f.text("geom2")};
      for (const char* name : {"geom1", "geom2"})
        if (!names.contains("geom " + f.text(name))) f.refuse(name, "names no geom");
      const auto friction = f.numbers("friction", 1, 5);
      if (!friction.empty()) r.mu = friction[0];
      if (f.has("condim") && f.whole("condim", 3) == 1) r.mu = 0;
      robot.pairs.push_back(r);
    } else {
      refuse(child.place, fmt::format("<{}> is not supported", detail::clipped(child.tag)));
    }
  }
}

void MjcfReader::equality(const XmlElement& e) {
  for (const XmlElement& child : e.children) {
    const Fields f(child);
    claim("equality", f);
    if (!f.truth("active", true) || !settings.ties)
      robot.notes.ignore(child.place, "equalities that are not active are");
    else if (child.tag == "connect" || child.tag == "weld")
      tie(f);
    else
      refuse(child.place,
             fmt::format("{}: an equality of kind <{}> is not supported; <connect> and <weld> are", f.title(),
                         detail::clipped(child.tag)));
  }
}

void MjcfReader::tie(const Fields& f) {
  f.only({"name", "class", "active", "solref", "solimp", "body1", "body2", "anchor", "site1", "site2",
          "relpose", "torquescale"});
  RobotTie r;
  r.kind = f.element().tag == "weld" ? RobotTie::Kind::fixed : RobotTie::Kind::ball;
  r.name = f.text("name"), r.place = f.place();
  if (const auto pose = f.numbers("relpose", 7, 7);
      !pose.empty() && Eigen::Map<const Eigen::Vector4d>(&pose[3]).norm() > 0)
    f.refuse("relpose", "is not supported: a weld holds what it finds at the start");
  if (f.has("site1")) {
    const MjcfSite &one = site_named(f, "site1"), &two = site_named(f, "site2");
    r.a = one.body, r.b = two.body, r.at = one.at, r.at_b = two.at;
  } else {
    r.a = body_named(f, "body1"), r.b = f.has("body2") ? body_named(f, "body2") : 0;
    if (r.kind == RobotTie::Kind::ball && !f.has("anchor")) f.refuse("anchor", "must be given");
    r.at = f.vector("anchor", Vec3::Zero());
  }
  if (f.has("solref") || f.has("solimp"))
    robot.notes.remark(f.place(), "equalities are hard, whatever solref and solimp say");
  robot.ties.push_back(std::move(r));
}

void MjcfReader::tendon(const XmlElement& e) {
  for (const XmlElement& child : e.children) {
    if (child.tag != "fixed" && child.tag != "spatial")
      refuse(child.place, fmt::format("<{}> is not supported", detail::clipped(child.tag)));
    const std::string tag = "tendon";  // both kinds share their defaults
    XmlElement as_default = child;
    as_default.tag = tag;
    const Fields f = defaults.fields(as_default, "main");
    for (const char* name : {"stiffness", "damping", "frictionloss", "armature"})
      for (const double x : f.numbers(name, 1, 3))
        if (x != 0) refuse(child.place, fmt::format("{}: {} of a tendon is not supported", f.title(), name));
    const bool limited = f.word("limited", {"true", "false", "auto"}, "auto") == "true" ||
                         (f.text("limited", "auto") == "auto" && settings.autolimits && f.has("range"));
    if (!limited)
      robot.notes.ignore(child.place, "tendons that exert no force are");
    else if (child.tag == "spatial")
      rope(f);
    else
      refuse(child.place, f.title() + ": limits of a fixed tendon are not supported");
  }
}

void MjcfReader::rope(const Fields& f) {
  const auto& through = f.element().children;
  const bool straight = through.size() == 2 && through[0].tag == "site" && through[1].tag == "site";
  if (!straight)
    refuse(f.place(), f.title() + ": limits of a tendon that is not between two sites are not supported");
  const MjcfSite &one = site_named(Fields(through[0]), "site"), &two = site_named(Fields(through[1]), "site");
  const auto range = f.numbers("range", 2, 2);
  if (range.empty() || !(range[0] < range[1]) || range[0] < 0)
    f.refuse("range", "must be two lengths, the smaller first");
  robot.ties.push_back({RobotTie::Kind::rope,
                        f.text("name"),
                        f.place(),
                        one.body,
                        two.body,
                        one.at,
                        two.at,
                        {range[0], range[1]}});
}

void MjcfReader::actuator(const XmlElement& e) {
  for (const XmlElement& child : e.children) {
    if (!is_actuator(child.tag))
      refuse(child.place, fmt::format("<{}> is not supported", detail::clipped(child.tag)));
    const Fields f = defaults.fields(child, "main");
    claim("actuator", f);
    const auto is = [&](const char* name, const char* plain) { return f.text(name, plain) == plain; };
    const bool plain = child.tag == "motor" || (child.tag == "general" && is("dyntype", "none") &&
                                                is("gaintype", "fixed") && is("biastype", "none"));
    if (!plain) {
      robot.notes.warn(child.place,
                       "actuators other than motors (position, velocity, general and others) are left out");
    } else if (!f.has("joint") && !f.has("jointinparent")) {
      robot.notes.warn(child.place, "motors of tendons and sites are left out");
    } else {
      RobotMotor r;
      r.place = child.place, r.joint = f.text("joint", f.text("jointinparent"));
      r.name = f.text("name", r.joint);
      if (!names.contains("joint " + r.joint)) f.refuse("joint", "names no joint");
      const auto gear = f.numbers("gear", 1, 6), gain = f.numbers("gainprm", 1, 10);
      r.gear = (gear.empty() ? 1 : gear[0]) * (child.tag == "general" && !gain.empty() ? gain[0] : 1);
      const auto range = f.numbers("ctrlrange", 2, 2);
      const std::string limited = f.word("ctrllimited", {"true", "false", "auto"}, "auto");
      if (!range.empty() && (limited == "true" || (limited == "auto" && settings.autolimits)))
        r.range = {range[0], range[1]};
      robot.motors.push_back(r);
    }
  }
}

void MjcfReader::keyframes(const XmlElement& e, const std::string& key) {
  for (const XmlElement& child : e.children) {
    const Fields f(child);
    const std::string name = f.text("name");
    if (key.empty()) robot.notes.remark(child.place, "there are keyframes: --key NAME starts from one");
    if (key.empty() || name != key) continue;
    std::size_t size = 0;
    for (const RobotBody& body : robot.bodies)
      for (const RobotJoint& joint : body.joints)
        size += joint.kind == JointKind::free ? 7 : joint.kind == JointKind::ball ? 4 : 1;
    const auto q = f.numbers("qpos", size, size);
    for (const double v : f.numbers("qvel", 1, 100'000))
      if (v != 0) f.refuse("qvel", "is not supported: a start from a keyframe is at rest");
    std::size_t k = 0;
    for (RobotBody& body : robot.bodies)
      for (RobotJoint& joint : body.joints) {
        const std::size_t n = joint.kind == JointKind::free ? 7 : joint.kind == JointKind::ball ? 4 : 1;
        if (!q.empty())
          joint.start.assign(q.begin() + static_cast<std::ptrdiff_t>(k),
                             q.begin() + static_cast<std::ptrdiff_t>(k + n));
        k += n;
      }
  }
}

Robot MjcfReader::read(const XmlElement& root, const std::string& key) {
  robot.title = root.find("model") ? *root.find("model") : "";
  robot.bodies.push_back({"world", root.place});
  const auto each = [&](const char* tag, const auto& what) {
    for (const XmlElement& e : root.children)
      if (e.tag == tag) what(e);
  };
  for (const XmlElement& e : root.children) {
    static const std::set<std::string> drawn = {"visual", "statistic", "size", "custom", "sensor"};
    static const std::set<std::string> read = {"compiler", "option",   "default", "asset",    "worldbody",
                                               "contact",  "equality", "tendon",  "actuator", "keyframe"};
    if (drawn.contains(e.tag))
      robot.notes.ignore(e.place,
                         e.tag == "sensor" ? "sensors are" : "visual, statistic, size and custom are");
    else if (e.tag == "deformable" && std::all_of(e.children.begin(), e.children.end(),
                                                  [](const XmlElement& c) { return c.tag == "skin"; }))
      robot.notes.ignore(e.place, "textures, materials and skins are");
    else if (!read.contains(e.tag))
      refuse(e.place, fmt::format("<{}> is not supported", detail::clipped(e.tag)));
  }
  each("compiler", [&](const XmlElement& e) { compiler(e); });
  each("option", [&](const XmlElement& e) { option(e); });
  each("default", [&](const XmlElement& e) { defaults.read(e); });
  each("asset", [&](const XmlElement& e) { assets(e); });
  each("worldbody", [&](const XmlElement& e) { children(e, {}); });
  each("contact", [&](const XmlElement& e) { contact(e); });
  each("equality", [&](const XmlElement& e) { equality(e); });
  each("tendon", [&](const XmlElement& e) { tendon(e); });
  each("actuator", [&](const XmlElement& e) { actuator(e); });
  if (!key.empty()) {
    bool there = false;
    each("keyframe", [&](const XmlElement& e) {
      for (const XmlElement& child : e.children)
        there = there || (child.find("name") && *child.find("name") == key);
    });
    if (!there) refuse(root.place, fmt::format("--key {}: no keyframe has this name", detail::clipped(key)));
  }
  each("keyframe", [&](const XmlElement& e) { keyframes(e, key); });
  return std::move(robot);
}

Robot read_mjcf(const std::string& path, XmlElement root, const std::string& key) {
  return MjcfReader(path).read(root, key);
}

}  // namespace carom::robots
