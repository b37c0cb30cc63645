#include "import/urdf.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <set>

#include "import/fields.hpp"
#include "import/shapes.hpp"
#include "scenario/scenario_text.hpp"
#include "scenario/suggest.hpp"

namespace carom::robots {
namespace fs = std::filesystem;
namespace {

const XmlElement* child_of(const XmlElement& e, const std::string& tag) {
  const XmlElement* found = nullptr;
  for (const XmlElement& child : e.children) {
    if (child.tag != tag) continue;
    if (found != nullptr) refuse(child.place, fmt::format("<{}> has a second <{}>", e.tag, tag));
    found = &child;
  }
  return found;
}

const XmlElement& need(const XmlElement& e, const std::string& tag) {
  const XmlElement* found = child_of(e, tag);
  if (found == nullptr) refuse(e.place, fmt::format("{} must have a <{}>", Fields(e).title(), tag));
  return *found;
}

Pose origin_of(const XmlElement& e) {
  const XmlElement* origin = child_of(e, "origin");
  if (origin == nullptr) return {};
  const Fields f(*origin);
  const Vec3 rpy = f.vector("rpy", Vec3::Zero());
  return {f.vector("xyz", Vec3::Zero()),
          Quat(Eigen::AngleAxisd(rpy.z(), Vec3::UnitZ()) * Eigen::AngleAxisd(rpy.y(), Vec3::UnitY()) *
               Eigen::AngleAxisd(rpy.x(), Vec3::UnitX()))};
}

struct Link {
  const XmlElement* element;
  const XmlElement* joint = nullptr;  // to its parent
  std::vector<std::string> children = {};
};

class UrdfReader {
 public:
  UrdfReader(std::string file, bool is_floating) : path(std::move(file)), floating(is_floating) {}

  Robot read(const XmlElement& root) {
    robot.title = root.find("name") ? *root.find("name") : "";
    robot.bodies.push_back({"world", root.place});
    collect(root);
    std::vector<std::string> roots;
    for (const std::string& name : order)
      if (links.at(name).joint == nullptr) roots.push_back(name);
    if (order.empty()) refuse(root.place, "has no link");
    if (roots.empty()) refuse(root.place, "no link is the root: the joints go in a circle");
    if (roots.size() > 1)
      refuse(
          links.at(roots[1]).element->place,
          fmt::format("no joint leads to link {}, and {} is the root already",
                      detail::clipped(detail::quoted(roots[1])), detail::clipped(detail::quoted(roots[0]))));
    add(roots[0], 0, 0);
    if (added.size() != order.size())
      for (const std::string& name : order)
        if (!added.contains(name))
          refuse(links.at(name).joint->place,
                 fmt::format("link {} hangs on itself: the joints go in a circle",
                             detail::clipped(detail::quoted(name))));
    robot.notes.remark(root.place,
                       "gravity is 9.81 along -z, contacts neither bounce nor rub: URDF does not say");
    return std::move(robot);
  }

 private:
  void collect(const XmlElement& root) {
    static const std::set<std::string> ignored = {"material", "transmission", "gazebo",
                                                  "sensor",   "ros2_control", "mujoco"};
    for (const XmlElement& e : root.children) {
      if (e.tag == "link")
        link(e);
      else if (e.tag != "joint" && ignored.contains(e.tag))
        robot.notes.ignore(e.place, "materials, transmissions, sensors and what simulators add are");
      else if (e.tag.find(':') != std::string::npos)
        refuse(e.place, fmt::format("<{}> is not URDF yet: xacro makes it", detail::clipped(e.tag)));
      else if (e.tag != "joint")
        refuse(e.place, fmt::format("<{}> is not supported{}", detail::clipped(e.tag),
                                    suggestion(e.tag, {"link", "joint"})));
    }
    for (const XmlElement& e : root.children)
      if (e.tag == "joint") connect(e);
  }

  void link(const XmlElement& e) {
    const Fields f(e);
    if (!f.has("name")) f.refuse("name", "must be given");
    const std::string name = f.text("name");
    const auto [known, is_new] = links.try_emplace(name, Link{&e});
    if (!is_new) f.refuse("name", fmt::format("is taken already, at {}", known->second.element->place));
    order.push_back(name);
  }

  void connect(const XmlElement& e) {
    const Fields f(e);
    if (!f.has("name")) f.refuse("name", "must be given");
    const auto [known, is_new] = joints.try_emplace(f.text("name"), e.place);
    if (!is_new) f.refuse("name", fmt::format("is taken already, at {}", known->second));
    const Fields parent(need(e, "parent")), child(need(e, "child"));
    for (const Fields* end : {&parent, &child})
      if (!links.contains(end->text("link")))
        end->refuse("link", "names no link" + suggestion(end->text("link"), order));
    Link& below = links.at(child.text("link"));
    if (below.joint != nullptr)
      child.refuse("link", fmt::format("has a joint to a parent already, at {}", below.joint->place));
    below.joint = &e;
    links.at(parent.text("link")).children.push_back(child.text("link"));
  }

  void add(const std::string& name, int parent, int depth) {
    const Link& link = links.at(name);
    added.insert(name);
    if (depth > 500) refuse(link.element->place, "links hang on each other more than 500 deep");
    const int number = static_cast<int>(robot.bodies.size());
    RobotBody r;
    r.name = name, r.place = link.element->place, r.parent = parent;
    if (link.joint != nullptr)
      joint(*link.joint, r);
    else if (floating)
      r.joints.push_back({JointKind::free, "root", r.place});
    inertial(*link.element, r);
    for (const XmlElement& e : link.element->children) {
      if (e.tag == "collision")
        collision(e, r);
      else if (e.tag == "visual")
        robot.notes.ignore(e.place, "visual shapes are");
      else if (e.tag == "contact" || e.tag == "sensor" || e.tag == "collision_checking" ||
               e.tag == "self_collision_checking")
        robot.notes.ignore(e.place, "what simulators add to links (contact, sensor) is");
      else if (e.tag != "inertial" && e.tag != "origin")
        robot.notes.ignore(e.place, fmt::format("<{}> of links is", detail::clipped(e.tag)));
    }
    robot.bodies.push_back(std::move(r));
    for (const std::string& child : link.children) add(child, number, depth + 1);
  }

  void joint(const XmlElement& e, RobotBody& body) {
    const Fields f(e);
    body.pose = origin_of(e);
    if (const XmlElement* mimic = child_of(e, "mimic"))
      refuse(mimic->place, f.title() + ": <mimic> is not supported");
    if (!f.has("type")) f.refuse("type", "must be given");
    const std::string type =
        f.word("type", {"revolute", "continuous", "prismatic", "fixed", "floating", "planar"}, "");
    if (type == "planar") f.refuse("type", "is not supported");
    if (type == "fixed") return;
    RobotJoint r;
    r.name = f.text("name"), r.place = e.place;
    r.kind = type == "floating" ? JointKind::free : type == "prismatic" ? JointKind::slide : JointKind::hinge;
    if (r.kind == JointKind::free && body.parent != 0 && !stands_still(body.parent))
      f.refuse("type", "is not supported below a link that moves");
    if (const XmlElement* axis = child_of(e, "axis")) {
      r.axis = Fields(*axis).vector("xyz", Vec3::UnitX());
      if (!(r.axis.norm() > 1e-12)) Fields(*axis).refuse("xyz", "is no direction");
      r.axis.normalize();
    } else {
      r.axis = Vec3::UnitX();
    }
    const XmlElement* limit = child_of(e, "limit");
    if (type == "revolute" || type == "prismatic") {
      if (limit == nullptr)
        refuse(e.place, f.title() + fmt::format(": a {} joint must have a <limit>", type));
      const Fields l(*limit);
      r.range = {l.number("lower", 0), l.number("upper", 0)};
      if (!((*r.range)[0] < (*r.range)[1])) l.refuse("lower", "must be below upper");
    }
    if (const XmlElement* dynamics = child_of(e, "dynamics")) {
      const Fields d(*dynamics);
      r.damping = d.not_negative("damping", 0), r.friction = d.not_negative("friction", 0);
    }
    for (const char* tag : {"safety_controller", "calibration"})
      if (const auto* other = child_of(e, tag))
        robot.notes.ignore(other->place, "safety controllers and calibration are");
    body.joints.push_back(r);
  }

  bool stands_still(int body) const {
    for (; body != 0; body = robot.bodies[static_cast<std::size_t>(body)].parent)
      if (!robot.bodies[static_cast<std::size_t>(body)].joints.empty()) return false;
    return true;
  }

  void inertial(const XmlElement& e, RobotBody& body) {
    const XmlElement* inertial = child_of(e, "inertial");
    body.moments = Moments{};
    if (inertial == nullptr) return;
    Moments r;
    const Fields mass(need(*inertial, "mass")), i(need(*inertial, "inertia"));
    if (!mass.has("value")) mass.refuse("value", "must be given");
    r.mass = mass.not_negative("value", 0);
    for (const char* name : {"ixx", "iyy", "izz"})
      if (!i.has(name)) i.refuse(name, "must be given");
    const double xy = i.number("ixy", 0), xz = i.number("ixz", 0), yz = i.number("iyz", 0);
    r.inertia << i.number("ixx", 0), xy, xz, xy, i.number("iyy", 0), yz, xz, yz, i.number("izz", 0);
    body.moments = seen_from(origin_of(*inertial), r);
  }

  void collision(const XmlElement& e, RobotBody& body) {
    const XmlElement& geometry = need(e, "geometry");
    if (geometry.children.size() != 1) refuse(geometry.place, "<geometry> must have one shape");
    const Fields f(geometry.children[0]);
    const std::string& kind = f.element().tag;
    RobotShape r;
    r.pose = origin_of(e), r.place = f.place();
    r.name = e.find("name") ? *e.find("name") : "";
    const auto size = [&](const char* name) {
      const double x = f.number(name, 0);
      if (!(x > 0)) f.refuse(name, f.has(name) ? "must be above 0" : "must be given");
      return x;
    };
    if (kind == "sphere") {
      r.kind = ShapeKind::ball, r.size[0] = size("radius");
    } else if (kind == "cylinder") {
      r.kind = ShapeKind::cylinder, r.size = Vec3(size("radius"), size("length") / 2, 0);
    } else if (kind == "box") {
      const Vec3 edges = f.vector("size", Vec3::Zero());
      if (!(edges.minCoeff() > 0)) f.refuse("size", "must be three numbers above 0");
      r.kind = ShapeKind::box, r.size = edges / 2;
    } else if (kind == "mesh") {
      mesh(f, r);
    } else {
      refuse(f.place(), fmt::format("<{}> is no shape of URDF: sphere, cylinder, box and mesh are",
                                    detail::clipped(kind)));
    }
    r.dimensions = 1;
    body.shapes.push_back(std::move(r));
  }

  void mesh(const Fields& f, RobotShape& r) {
    const std::string name = f.text("filename");
    const Vec3 scale = f.vector("scale", Vec3::Ones());
    Mesh mesh = read_mesh(found(f, name), f.place());
    for (Vec3& x : mesh.points) x = x.cwiseProduct(scale);
    if (scale.prod() < 0)
      for (auto& face : mesh.faces) std::swap(face[1], face[2]);
    const RobotShape hull = hull_of(mesh, name, f.place(), robot.notes, false);
    r.kind = ShapeKind::hull, r.points = hull.points, r.moments = {};
  }

  // package://NAME/REST is REST in the folder NAME around the file, or beside one of those around it.
  std::string found(const Fields& f, const std::string& name) const {
    const fs::path here = fs::absolute(path).parent_path();
    const std::string package = "package://";
    if (name.starts_with("file://")) return name.substr(7);
    if (!name.starts_with(package)) return (fs::path(path).parent_path() / name).lexically_normal().string();
    const fs::path rest = name.substr(package.size());
    for (fs::path around = here; around != around.root_path(); around = around.parent_path()) {
      std::error_code error;
      if (fs::exists(around / rest, error)) return (around / rest).string();
      if (around.filename() == *rest.begin() && fs::exists(around.parent_path() / rest, error))
        return (around.parent_path() / rest).string();
    }
    f.refuse("filename", "is in no folder around this file");
  }

  std::string path;
  bool floating;
  Robot robot;
  std::map<std::string, Link> links;
  std::map<std::string, std::string> joints;
  std::vector<std::string> order;
  std::set<std::string> added;
};

}  // namespace

Robot read_urdf(const std::string& path, const XmlElement& root, bool floating) {
  return UrdfReader(path, floating).read(root);
}

}  // namespace carom::robots
