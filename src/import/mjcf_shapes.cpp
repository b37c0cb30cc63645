// <geom>.
#include <fmt/format.h>

#include <filesystem>

#include "import/mjcf_parts.hpp"
#include "import/shapes.hpp"
#include "scenario/scenario_text.hpp"

namespace carom::robots {

namespace {

void positive(const Fields& f, double x) {
  if (!(x > 0)) f.refuse("size", "must be above 0");
}

}  // namespace

// Sizes by type, where fromto is one of the lengths: capsules, cylinders, boxes and ellipsoids lie along z.
void MjcfReader::dimensions(const Fields& f, RobotShape& r) {
  const auto ends = f.numbers("fromto", 6, 6);
  const std::size_t wanted = r.kind == ShapeKind::ball                                       ? 1
                             : r.kind == ShapeKind::capsule || r.kind == ShapeKind::cylinder ? 2
                                                                                             : 3;
  if (ends.empty() || r.kind == ShapeKind::ball) {
    const auto size = f.numbers("size", wanted, 3);
    if (size.empty()) f.refuse("size", "must be given");
    for (std::size_t k = 0; k < wanted; ++k)
      positive(f, size[k]), r.size[static_cast<Eigen::Index>(k)] = size[k];
    return;
  }
  const auto size = f.numbers("size", 1, 3);
  if (size.empty()) f.refuse("size", "must be given");
  positive(f, size[0]);
  const Vec3 from(ends[0], ends[1], ends[2]), to(ends[3], ends[4], ends[5]);
  const double half = 0.5 * (to - from).norm();
  if (!(half > 1e-12)) f.refuse("fromto", "has both ends in one place");
  r.pose.p = 0.5 * (from + to), r.pose.q = turning_z_to(from - to);
  if (wanted == 2)
    r.size = Vec3(size[0], half, 0);
  else
    r.size = Vec3(size[0], size[0], half);
}

// False where the mesh only draws, and is not read.
bool MjcfReader::mesh_shape(const Fields& f, RobotShape& r, bool needed) {
  const std::string name = f.text("mesh");
  const auto found = meshes.find(name);
  if (found == meshes.end()) f.refuse("mesh", "names no mesh of <asset>");
  if (!needed) {
    robot.notes.ignore(f.place(), "meshes that only draw are");
    return false;
  }
  const MjcfMesh& mesh = found->second;
  Mesh read;
  if (mesh.points.empty())
    read = read_mesh(
        (std::filesystem::path(path).parent_path() / settings.meshes / mesh.file).lexically_normal().string(),
        mesh.place);
  else
    read.points = mesh.points;
  for (Vec3& x : read.points) x = mesh.reference.inverse() * Vec3(x.cwiseProduct(mesh.scale));
  if (mesh.scale.prod() < 0)
    for (auto& face : read.faces) std::swap(face[1], face[2]);
  if (mesh.weighs_as_hull) read.faces.clear();
  const RobotShape hull = hull_of(read, name, mesh.place, robot.notes, !mesh.weighs_exactly);
  r.kind = ShapeKind::hull, r.points = hull.points, r.moments = hull.moments;
  return true;
}

void MjcfReader::shape(const XmlElement& e, const Around& around) {
  const Fields f = defaults.fields(e, around.kind);
  f.only({"name",         "class",    "type",       "contype",   "conaffinity", "condim", "group",
          "priority",     "size",     "material",   "rgba",      "friction",    "mass",   "density",
          "shellinertia", "solmix",   "solref",     "solimp",    "margin",      "gap",    "fromto",
          "pos",          "quat",     "axisangle",  "xyaxes",    "zaxis",       "euler",  "hfield",
          "mesh",         "fitscale", "fluidshape", "fluidcoef", "user"});
  claim("geom", f);
  if (f.truth("shellinertia", false)) f.refuse("shellinertia", "is not supported");
  if (f.text("fluidshape", "none") != "none") f.refuse("fluidshape", "is not supported");
  RobotShape r;
  r.name = f.text("name"), r.place = e.place;
  const std::string type =
      f.word("type", {"plane", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh", "hfield", "sdf"},
             "sphere");
  if (type == "hfield" || type == "sdf") f.refuse("type", "is not supported");
  if (type != "mesh" && f.has("mesh"))
    f.refuse("mesh", "is fitted by a " + type + ", which is not supported");
  r.pose = mjcf_pose(f, settings);
  r.groups = static_cast<unsigned>(f.whole("contype", 1)),
  r.reaches = static_cast<unsigned>(f.whole("conaffinity", 1));
  r.touches = r.groups != 0 || r.reaches != 0;
  const double mass = f.not_negative("mass", 0);
  const double density = f.not_negative("density", 1000);
  const bool weighs = around.weighed && around.body != 0 && (f.has("mass") ? mass > 0 : density > 0);
  static const std::map<std::string, ShapeKind> kinds = {
      {"plane", ShapeKind::plane}, {"sphere", ShapeKind::ball},         {"capsule", ShapeKind::capsule},
      {"box", ShapeKind::box},     {"ellipsoid", ShapeKind::ellipsoid}, {"cylinder", ShapeKind::cylinder}};
  if (type == "mesh") {
    if (!mesh_shape(f, r, r.touches || weighs)) return;
  } else {
    r.kind = kinds.at(type);
    if (r.kind == ShapeKind::plane && around.body != 0)
      refuse(e.place, f.title() + ": a plane on a body that may move is not supported");
    if (r.kind != ShapeKind::plane) dimensions(f, r);
  }
  r.pose = around.frame * r.pose;
  const Moments unit = unit_moments(r);
  r.moments = unit;
  if (weighs) {
    const double share = f.has("mass") ? mass / unit.mass : density;
    r.moments.mass *= share, r.moments.inertia *= share;
  } else {
    r.moments = {};
  }
  r.priority = f.whole("priority", 0), r.dimensions = f.whole("condim", 3);
  const auto friction = f.numbers("friction", 1, 3);
  r.mu = friction.empty() ? 1 : friction[0];
  if (r.mu < 0) f.refuse("friction", "must not be negative");
  if (r.dimensions != 1 && r.dimensions != 3 && r.dimensions != 4 && r.dimensions != 6)
    f.refuse("condim", "must be 1, 3, 4 or 6");
  if (r.touches && r.dimensions > 3)
    robot.notes.warn(e.place, "friction against turning and rolling (condim 4 and 6) is left out");
  for (const char* name : {"solref", "solimp", "solmix", "margin", "gap"})
    if (r.touches && f.has(name))
      robot.notes.remark(e.place, "contacts are hard, whatever solref and solimp say");
  at(around.body).shapes.push_back(std::move(r));
}

}  // namespace carom::robots
