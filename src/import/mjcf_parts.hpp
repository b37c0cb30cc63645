// What the files of the MJCF reader share.
#pragma once

#include <map>
#include <set>

#include "import/fields.hpp"
#include "import/mesh_file.hpp"
#include "import/mjcf.hpp"

namespace carom::robots {

// Classes of defaults, each with all that it has from those around it, by tag; actuators of all kinds share
// one.
class MjcfDefaults {
 public:
  void read(const XmlElement& section, const std::string& around = "main");
  // `element` with its own class behind it, or with this one.
  Fields fields(const XmlElement& element, const std::string& class_around) const;

 private:
  using Class = std::map<std::string, XmlElement>;
  std::map<std::string, Class> classes = {{"main", {}}};
};

bool is_actuator(const std::string& tag);

struct MjcfSettings {  // <compiler>
  bool degrees = true, autolimits = true, from_shapes = false, never_from_shapes = false;
  std::string euler = "xyz", meshes;
  bool limits = true, ties = true, springs = true, dampers = true;  // <flag>
  double angle(double x) const;
};

// Where an element is in its parent: pos, and one of quat, axisangle, euler, xyaxes, zaxis.
Pose mjcf_pose(const Fields& f, const MjcfSettings& settings);

struct MjcfMesh {
  std::string name, place, file;
  Vec3 scale = Vec3::Ones();
  Pose reference = {};
  std::vector<Vec3> points = {};  // instead of a file
  bool weighs_as_hull = false, weighs_exactly = false;
};

struct MjcfSite {
  int body = 0;
  Vec3 at = Vec3::Zero();
};

class MjcfReader {
 public:
  explicit MjcfReader(std::string file) : path(std::move(file)) {}
  Robot read(const XmlElement& root, const std::string& key);

 private:
  // mjcf_settings.cpp
  void compiler(const XmlElement& e);
  void option(const XmlElement& e);
  void flag(const XmlElement& e);
  void assets(const XmlElement& e);
  void mesh(const XmlElement& e);
  // mjcf_bodies.cpp
  struct Around {  // what is true of what stands inside of a body
    int body = 0;
    Pose frame = {};
    std::string kind = "main";
    bool weighed = false;  // by shapes
  };
  void children(const XmlElement& e, const Around& around);
  void body(const XmlElement& e, const Around& around);
  void frame(const XmlElement& e, const Around& around);
  void site(const XmlElement& e, const Around& around);
  void inertial(const XmlElement& e, const Around& around);
  void joint(const XmlElement& e, const Around& around);
  void set_range(const Fields& f, RobotJoint& r) const;
  // mjcf_shapes.cpp
  void shape(const XmlElement& e, const Around& around);
  void dimensions(const Fields& f, RobotShape& r);
  bool mesh_shape(const Fields& f, RobotShape& r, bool needed);
  // mjcf_ties.cpp
  void contact(const XmlElement& e);
  void equality(const XmlElement& e);
  void tie(const Fields& f);
  void tendon(const XmlElement& e);
  void rope(const Fields& f);
  void actuator(const XmlElement& e);
  void keyframes(const XmlElement& e, const std::string& key);
  int body_named(const Fields& f, const std::string& attribute) const;
  const MjcfSite& site_named(const Fields& f, const std::string& attribute) const;

  RobotBody& at(int body) { return robot.bodies[static_cast<std::size_t>(body)]; }
  void claim(const std::string& kind, const Fields& f);  // the name, which no other of its kind may have

  std::string path;
  Robot robot;
  MjcfDefaults defaults;
  MjcfSettings settings;
  std::map<std::string, MjcfMesh> meshes;
  std::map<std::string, MjcfSite> sites;
  std::map<std::string, int> bodies = {{"world", 0}};
  std::map<std::string, std::string> names;  // "geom foot" -> where
};

}  // namespace carom::robots
