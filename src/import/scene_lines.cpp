#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "import/scene_text.hpp"
#include "scenario/scenario_text.hpp"

namespace carom::robots {

namespace {

// What rounding leaves of a 0 or of another short number beside 1 is not written.
double tidied(double x) {
  const double near = std::round(x * 1e12) / 1e12;
  return std::abs(x - near) <= 4e-16 * std::fmax(1, std::abs(x)) ? near + 0.0 : x;
}

}  // namespace

std::string numbers_text(const std::vector<double>& numbers) {
  std::string r;
  for (const double x : numbers) r += (r.empty() ? "" : ", ") + detail::written(tidied(x));
  return "[" + r + "]";
}

std::string vector_text(const Vec3& x) { return numbers_text({x.x(), x.y(), x.z()}); }

const std::string& name_of_part(const Assembly& assembly, int part) {
  static const std::string ground = "ground";
  return part < 0 ? ground : assembly.parts[static_cast<std::size_t>(part)].name;
}

std::string first_lines(const Robot& robot, const std::string& origin) {
  std::string r = fmt::format("# Imported from {} by carom import.\n", detail::clipped(origin));
  for (const Note& note : robot.notes.all()) {
    const std::string more = note.more > 0 ? fmt::format(" (and {} more)", note.more) : "";
    r += fmt::format("# {}{}: {}{}\n", note.changes ? "changed, " : "", detail::printable(note.place),
                     detail::printable(note.text), more);
  }
  return r + fmt::format("title = {}\n", detail::quoted(robot.title.empty() ? "A robot" : robot.title));
}

std::string last_lines(const Robot& robot) {
  return fmt::format("\n[time]\nstep = {}\nend = 5.0\n", detail::written(robot.step));
}

std::string contact_lines(const Assembly& assembly, const std::vector<Touching>& pairs,
                          const std::vector<std::array<int, 2>>& joined) {
  const auto n = static_cast<int>(assembly.parts.size());
  std::set<std::pair<int, int>> touching, usual;
  std::map<double, int> counts;
  for (const Touching& pair : pairs) touching.insert(std::minmax(pair.a, pair.b)), ++counts[pair.mu];
  for (int b = 0; b < n; ++b)
    for (int a = 0; a < b; ++a)
      if (assembly.parts[static_cast<std::size_t>(a)].moves ||
          assembly.parts[static_cast<std::size_t>(b)].moves)
        usual.insert({a, b});
  const auto all = usual;
  for (const auto& pair : joined) usual.erase(std::minmax(pair[0], pair[1]));
  std::string r = "\n[contact]\nrestitution = 0.0\n";
  const auto most = std::max_element(counts.begin(), counts.end(),
                                     [](const auto& x, const auto& y) { return x.second < y.second; });
  const double mu = counts.empty() ? 0 : most->first;
  if (mu > 0) r += fmt::format("mu = {}\n", detail::written(mu));
  const auto name = [&](int part) { return detail::quoted(name_of_part(assembly, part)); };
  if (touching != usual) {
    std::string between;
    auto left = touching;
    for (int p = 0; p < n; ++p) {  // who touches all that it can
      std::vector<std::pair<int, int>> own;
      for (const auto& pair : all)
        if (pair.first == p || pair.second == p) own.push_back(pair);
      const bool whole = own.size() > 1 && std::all_of(own.begin(), own.end(),
                                                       [&](const auto& x) { return touching.contains(x); });
      if (!whole || std::none_of(own.begin(), own.end(), [&](const auto& x) { return left.contains(x); }))
        continue;
      for (const auto& pair : own) left.erase(pair);
      between += fmt::format("{}[{}, \"*\"]", between.empty() ? "" : ", ", name(p));
    }
    for (const auto& [a, b] : left)
      between += fmt::format("{}[{}, {}]", between.empty() ? "" : ", ", name(a), name(b));
    if (touching.empty() && n > 0)
      between = fmt::format("[{0}, {0}]", name(0));  // a body does not touch itself: no pair
    r += fmt::format("between = [{}]\n", between);
  }
  for (const Touching& pair : pairs)
    if (pair.mu != mu)
      r += fmt::format("\n[[contact.pair]]\nof = [{}, {}]\nmu = {}\n", name(pair.a), name(pair.b),
                       detail::written(pair.mu));
  return r;
}

std::vector<DrivenJoint> driven_joints(Robot& robot, const Assembly& assembly) {
  std::vector<DrivenJoint> r;
  std::vector<std::string> taken;
  for (const RobotMotor& motor : robot.motors)
    for (const JointChain& chain : assembly.chains)
      for (std::size_t k = 0; k < chain.items.size(); ++k) {
        const RobotJoint& joint = chain.items[k].joint;
        if (joint.name != motor.joint) continue;
        if (joint.kind == JointKind::ball || joint.kind == JointKind::free) {
          robot.notes.warn(motor.place, "motors of ball and free joints are left out");
          continue;
        }
        DrivenJoint driven{scene_name("u_" + motor.name, "", taken), "", &chain, k};
        driven.formula = driven.parameter;
        if (motor.range)
          driven.formula =
              fmt::format("min(max({}, {}), {})", driven.parameter, (*motor.range)[0], (*motor.range)[1]);
        if (motor.gear != 1) driven.formula = fmt::format("{}*{}", motor.gear, driven.formula);
        r.push_back(driven);
      }
  return r;
}

std::string parameter_lines(const std::vector<DrivenJoint>& driven) {
  if (driven.empty()) return "";
  std::string r = "\n[system.parameters]  # of the motors\n";
  for (const DrivenJoint& d : driven) r += d.parameter + " = 0.0\n";
  return r;
}

}  // namespace carom::robots
