// <default>, <compiler>, <option> and <asset>.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <numbers>

#include "import/mjcf_parts.hpp"
#include "scenario/scenario_text.hpp"

namespace carom::robots {

bool is_actuator(const std::string& tag) {
  static const std::set<std::string> tags = {"motor",    "position", "velocity", "intvelocity",
                                             "general",  "damper",   "cylinder", "muscle",
                                             "adhesion", "plugin",   "dcmotor"};
  return tags.contains(tag);
}

void MjcfDefaults::read(const XmlElement& section, const std::string& around) {
  const std::string* given = section.find("class");
  const std::string name = given ? *given : around;
  if (name != around && classes.contains(name))
    refuse(section.place,
           fmt::format("a default class {} is there already", detail::clipped(detail::quoted(name))));
  Class made = classes.contains(name) ? classes[name] : classes[around];
  for (const XmlElement& e : section.children) {
    if (e.tag == "default") continue;
    const std::string tag = is_actuator(e.tag) ? "actuator" : e.tag;
    XmlElement& kept = made.try_emplace(tag, XmlElement{e.tag, e.place}).first->second;
    kept.place = e.place;
    for (const XmlAttribute& attribute : e.attributes) {
      std::erase_if(kept.attributes, [&](const XmlAttribute& old) { return old.name == attribute.name; });
      kept.attributes.push_back(attribute);
    }
  }
  classes[name] = std::move(made);
  for (const XmlElement& e : section.children)
    if (e.tag == "default") {
      if (e.find("class") == nullptr) refuse(e.place, "a <default> inside of another must have a class");
      read(e, name);
    }
}

Fields MjcfDefaults::fields(const XmlElement& element, const std::string& class_around) const {
  Fields f(element);
  const std::string* own = element.find("class");
  const auto found = classes.find(own ? *own : class_around);
  if (found == classes.end())
    refuse(element.place, fmt::format("{}: no default class is called {}", f.title(),
                                      detail::clipped(detail::quoted(own ? *own : class_around))));
  const auto behind = found->second.find(is_actuator(element.tag) ? "actuator" : element.tag);
  if (behind != found->second.end()) f.add_defaults(&behind->second);
  return f;
}

double MjcfSettings::angle(double x) const { return degrees ? x * std::numbers::pi / 180 : x; }

namespace {

Quat by_euler(const std::vector<double>& angles, const std::string& sequence) {
  Quat r = Quat::Identity();
  for (std::size_t k = 0; k < 3; ++k) {
    const char c = sequence[k];
    const Vec3 axis = c == 'x' || c == 'X'   ? Vec3::UnitX()
                      : c == 'y' || c == 'Y' ? Vec3::UnitY()
                                             : Vec3::UnitZ();
    const Quat turn(Eigen::AngleAxisd(angles[k], axis));
    r = c >= 'a' ? r * turn : turn * r;  // small letters turn with the body
  }
  return r;
}

}  // namespace

Pose mjcf_pose(const Fields& given, const MjcfSettings& settings) {
  const auto ways = {"quat", "axisangle", "euler", "xyaxes", "zaxis"};
  const Fields own(given.element());  // an orientation of its own takes the place of any of its defaults
  const bool turned = std::any_of(ways.begin(), ways.end(), [&](const char* name) { return own.has(name); });
  const Fields& f = turned ? own : given;
  Pose r;
  r.p = given.vector("pos", Vec3::Zero());
  int stated = 0;
  for (const char* name : ways)
    if (f.has(name) && ++stated > 1) f.refuse(name, "is a second orientation");
  if (const auto q = f.numbers("quat", 4, 4); !q.empty()) {
    r.q = Quat(q[0], q[1], q[2], q[3]);
    if (!(r.q.norm() > 1e-12)) f.refuse("quat", "is no rotation");
    r.q.normalize();
  }
  if (const auto a = f.numbers("axisangle", 4, 4); !a.empty()) {
    const Vec3 axis(a[0], a[1], a[2]);
    if (!(axis.norm() > 1e-12)) f.refuse("axisangle", "has no axis");
    r.q = Quat(Eigen::AngleAxisd(settings.angle(a[3]), axis.normalized()));
  }
  if (auto a = f.numbers("euler", 3, 3); !a.empty()) {
    for (double& x : a) x = settings.angle(x);
    r.q = by_euler(a, settings.euler);
  }
  if (const auto a = f.numbers("xyaxes", 6, 6); !a.empty()) {
    const Vec3 x = Vec3(a[0], a[1], a[2]).normalized();
    Vec3 y(a[3], a[4], a[5]);
    y -= y.dot(x) * x;
    if (!(x.norm() > 0.5) || !(y.norm() > 1e-12)) f.refuse("xyaxes", "are no two axes");
    Mat3 turn;
    turn << x, y.normalized(), x.cross(y.normalized());
    r.q = Quat(turn);
  }
  if (const Vec3 z = f.vector("zaxis", Vec3::Zero()); f.has("zaxis")) {
    if (!(z.norm() > 1e-12)) f.refuse("zaxis", "is no direction");
    r.q = turning_z_to(z);
  }
  return r;
}

void MjcfReader::compiler(const XmlElement& e) {
  const Fields f(e);
  f.only({"autolimits", "boundmass",   "boundinertia",    "settotalmass",      "balanceinertia",
          "strippath",  "coordinate",  "angle",           "fitaabb",           "eulerseq",
          "meshdir",    "texturedir",  "assetdir",        "discardvisual",     "usethread",
          "fusestatic", "convexhull",  "inertiafromgeom", "inertiagrouprange", "exactmeshinertia",
          "alignfree",  "saveinertial"});
  if (f.text("coordinate", "local") != "local") f.refuse("coordinate", "is not supported; \"local\" is");
  for (const char* name : {"fitaabb", "strippath"})
    if (f.truth(name, false)) f.refuse(name, "is not supported");
  if (f.has("inertiagrouprange")) f.refuse("inertiagrouprange", "is not supported");
  settings.degrees =
      f.word("angle", {"degree", "radian"}, settings.degrees ? "degree" : "radian") == "degree";
  settings.autolimits = f.truth("autolimits", settings.autolimits);
  settings.euler = f.text("eulerseq", settings.euler);
  if (settings.euler.size() != 3 || settings.euler.find_first_not_of("xyzXYZ") != std::string::npos)
    f.refuse("eulerseq", "must be three of x, y, z, X, Y, Z");
  if (f.has("assetdir")) settings.meshes = f.text("assetdir");
  settings.meshes = f.text("meshdir", settings.meshes);
  if (f.has("inertiafromgeom")) {
    const std::string word = f.word("inertiafromgeom", {"true", "false", "auto"}, "auto");
    settings.from_shapes = word == "true", settings.never_from_shapes = word == "false";
  }
  if (const double mass = f.number("settotalmass", -1); mass > 0) robot.total_mass = mass;
  robot.least_mass = f.not_negative("boundmass", robot.least_mass);
  robot.least_inertia = f.not_negative("boundinertia", robot.least_inertia);
  robot.balances_inertia = f.truth("balanceinertia", robot.balances_inertia);
}

void MjcfReader::option(const XmlElement& e) {
  const Fields f(e);
  f.only({"timestep",       "gravity",        "density",         "viscosity",      "wind",
          "apirate",        "impratio",       "tolerance",       "ls_tolerance",   "noslip_tolerance",
          "mpr_tolerance",  "ccd_tolerance",  "sleep_tolerance", "magnetic",       "o_margin",
          "o_solref",       "o_solimp",       "o_friction",      "integrator",     "cone",
          "jacobian",       "solver",         "iterations",      "ls_iterations",  "noslip_iterations",
          "mpr_iterations", "ccd_iterations", "sdf_iterations",  "sdf_initpoints", "actuatorgroupdisable"});
  robot.step = f.number("timestep", robot.step);
  if (!(robot.step > 0)) f.refuse("timestep", "must be above 0");
  robot.gravity = f.vector("gravity", robot.gravity);
  for (const char* name : {"density", "viscosity"})
    if (f.number(name, 0) != 0) f.refuse(name, "is that of a fluid, which is not supported");
  if (f.vector("wind", Vec3::Zero()).norm() > 0) f.refuse("wind", "is not supported");
  for (const XmlAttribute& a : e.attributes)
    if (a.name != "timestep" && a.name != "gravity" && a.name != "density" && a.name != "viscosity" &&
        a.name != "wind")
      robot.notes.ignore(a.place, "options of MuJoCo's solver are");
  for (const XmlElement& child : e.children)
    if (child.tag == "flag") flag(child);
}

void MjcfReader::flag(const XmlElement& e) {
  const Fields f(e);
  for (const XmlAttribute& a : e.attributes) {
    const bool on = f.truth(a.name, true);
    const std::string& name = a.name;
    const bool all = name == "constraint", passive = name == "passive";
    if (on && name == "override") f.refuse(name, "is not supported");
    if (!on && (name == "filterparent" || name == "actuation")) f.refuse(name, "is not supported");
    if (all || name == "contact") robot.contacts = robot.contacts && on;
    if (all || name == "limit") settings.limits = settings.limits && on;
    if (all || name == "equality") settings.ties = settings.ties && on;
    if (passive || name == "spring") settings.springs = settings.springs && on;
    if (passive || name == "damper") settings.dampers = settings.dampers && on;
    if (name == "gravity" && !on) robot.gravity.setZero();
    robot.notes.ignore(a.place, "options of MuJoCo's solver are");
  }
}

void MjcfReader::assets(const XmlElement& e) {
  for (const XmlElement& child : e.children) {
    if (child.tag == "mesh")
      mesh(child);
    else if (child.tag == "texture" || child.tag == "material" || child.tag == "skin")
      robot.notes.ignore(child.place, "textures, materials and skins are");
    else if (child.tag != "hfield")  // refused where a shape takes it
      refuse(child.place, fmt::format("<{}> is not supported", detail::clipped(child.tag)));
  }
}

void MjcfReader::mesh(const XmlElement& e) {
  const Fields f = defaults.fields(e, "main");
  MjcfMesh r;
  r.place = e.place, r.file = f.text("file");
  r.name = f.text("name", std::filesystem::path(r.file).stem().string());
  r.scale = f.vector("scale", Vec3::Ones());
  r.reference.p = f.vector("refpos", Vec3::Zero());
  if (const auto q = f.numbers("refquat", 4, 4); !q.empty())
    r.reference.q = Quat(q[0], q[1], q[2], q[3]).normalized();
  const std::string inertia = f.word("inertia", {"legacy", "exact", "convex", "shell"}, "legacy");
  if (inertia == "shell") f.refuse("inertia", "is not supported");
  r.weighs_as_hull = inertia == "convex", r.weighs_exactly = inertia == "exact";
  const auto numbers = f.numbers("vertex", 12, 3'000'000);
  if (numbers.size() % 3 != 0) f.refuse("vertex", "must be three numbers for each point");
  for (std::size_t k = 0; k + 2 < numbers.size(); k += 3)
    r.points.emplace_back(numbers[k], numbers[k + 1], numbers[k + 2]);
  if (r.file.empty() && r.points.empty()) f.refuse("file", "must be given, or vertex");
  if (!meshes.emplace(r.name, r).second)
    refuse(e.place, fmt::format("another mesh is called {}", detail::clipped(detail::quoted(r.name))));
}

}  // namespace carom::robots
