// Who touches whom. MuJoCo says it of shapes, a scene of bodies: where two shapes of a body differ in it, or
// in their friction, the body becomes several that a fixed joint holds, each with its share of mass and
// inertia about the same centre, so that together they move as the one did.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "import/assembly.hpp"
#include "scenario/scenario_text.hpp"

namespace carom::robots {
namespace {

constexpr double no_contact = -1;
constexpr std::size_t most_shapes = 4000;

class Contacts {
 public:
  Contacts(Robot& from, Assembly& into, const std::vector<int>& parent_of_group)
      : robot(from), r(into), parent(parent_of_group) {}

  void run() {
    collect();
    friction.assign(shapes.size() * shapes.size(), no_contact);
    if (robot.contacts)
      for (std::size_t i = 0; i < shapes.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) mu(i, j) = mu(j, i) = between(shapes[i], shapes[j]);
    take_out_overlaps();
    divide();
  }

 private:
  struct Shape {
    const RobotShape* shape;
    int part, body, group;
    bool moves;
    Pose pose;  // in space
    std::size_t of_part;
    Vec3 low, high;  // of the box around it
  };
  double& mu(std::size_t i, std::size_t j) { return friction[i * shapes.size() + j]; }

  void collect() {
    for (std::size_t p = 0; p < r.parts.size(); ++p)
      for (std::size_t k = 0; k < r.parts[p].shapes.size(); ++k) {
        const PlacedShape& s = r.parts[p].shapes[k];
        shapes.push_back({s.shape, static_cast<int>(p), s.body, r.parts[p].group, r.parts[p].moves,
                          r.parts[p].pose * s.pose, k, Vec3::Zero(), Vec3::Zero()});
        Shape& made = shapes.back();
        for (int d = 0; d < 3 && s.shape->kind != ShapeKind::plane; ++d)
          made.low[d] = support(*s.shape, made.pose, -Vec3::Unit(d))[d],
          made.high[d] = support(*s.shape, made.pose, Vec3::Unit(d))[d];
      }
    if (shapes.size() > most_shapes)
      refuse(shapes[most_shapes].shape->place, fmt::format("more than {} shapes", most_shapes));
    for (const auto& pair : robot.excluded) excluded.insert(std::minmax(pair[0], pair[1]));
    for (const RobotPair& pair : robot.pairs) stated[std::minmax(pair.a, pair.b)] = &pair;
  }

  double between(const Shape& a, const Shape& b) const {
    if (a.part == b.part || (!a.moves && !b.moves)) return no_contact;
    const RobotShape &s = *a.shape, &t = *b.shape;
    const bool s_first = s.priority > t.priority, t_first = t.priority > s.priority;
    const int dimensions = s_first   ? s.dimensions
                           : t_first ? t.dimensions
                                     : std::max(s.dimensions, t.dimensions);
    double usual = s_first ? s.mu : t_first ? t.mu : std::max(s.mu, t.mu);
    if (dimensions == 1) usual = 0;
    if (!s.name.empty() && !t.name.empty())
      if (const auto found = stated.find(std::minmax(s.name, t.name)); found != stated.end())
        return found->second->mu.value_or(usual);
    if (excluded.contains(std::minmax(a.body, b.body))) return no_contact;
    const auto below = [&](const Shape& x, const Shape& y) {
      return x.moves && y.moves && parent[static_cast<std::size_t>(x.group)] == y.group;
    };
    if (below(a, b) || below(b, a)) return no_contact;
    const bool meet = (s.groups & t.reaches) != 0 || (t.groups & s.reaches) != 0;
    return meet ? usual : no_contact;
  }

  // Bodies that begin inside each other would be thrown apart by soft contacts; hard ones have no answer to
  // it.
  void take_out_overlaps() {
    std::set<std::pair<int, int>> inside;
    for (std::size_t i = 0; i < shapes.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        const auto parts = std::minmax(shapes[i].part, shapes[j].part);
        if (mu(i, j) == no_contact || inside.contains(parts)) continue;
        const bool plane =
            shapes[i].shape->kind == ShapeKind::plane || shapes[j].shape->kind == ShapeKind::plane;
        if (plane)
          look_at_plane(shapes[i].shape->kind == ShapeKind::plane ? i : j,
                        shapes[i].shape->kind == ShapeKind::plane ? j : i);
        else if (boxes_meet(shapes[i], shapes[j]) &&
                 overlap(*shapes[i].shape, shapes[i].pose, *shapes[j].shape, shapes[j].pose))
          inside.insert(parts);
      }
    for (const auto& [a, b] : inside)
      robot.notes.warn(part(a).place,
                       fmt::format("{} and {} overlap at the start, so they are taken not to touch",
                                   part(a).name, part(b).name));
    for (std::size_t i = 0; i < shapes.size(); ++i)
      for (std::size_t j = 0; j < shapes.size(); ++j)
        if (inside.contains(std::minmax(shapes[i].part, shapes[j].part))) mu(i, j) = no_contact;
  }
  static bool boxes_meet(const Shape& a, const Shape& b) {
    return (a.low.array() < b.high.array()).all() && (b.low.array() < a.high.array()).all();
  }
  void look_at_plane(std::size_t plane, std::size_t other) {
    const Vec3 normal = shapes[plane].pose.q * Vec3::UnitZ();
    const double gap =
        normal.dot(support(*shapes[other].shape, shapes[other].pose, -normal) - shapes[plane].pose.p);
    if (gap < -1e-9 && warned.insert({shapes[plane].part, shapes[other].part}).second)
      robot.notes.warn(shapes[other].shape->place,
                       fmt::format("{} begins {:.3g} inside {}: a run needs another position",
                                   part(shapes[other].part).name, -gap, part(shapes[plane].part).name));
  }
  Part& part(int k) { return r.parts[static_cast<std::size_t>(k)]; }

  bool same(std::size_t i, std::size_t j) {
    for (std::size_t k = 0; k < shapes.size(); ++k)
      if (mu(i, k) != mu(j, k)) return false;
    return true;
  }

  // The parts again, each with shapes that touch the same others with the same friction; shapes that touch
  // nothing stay where no other does, to be drawn.
  void divide() {
    std::vector<Part> made;
    std::vector<std::string> names;
    for (const Part& old : r.parts) names.push_back(old.name);
    std::vector<std::size_t> speaker;  // a shape of each new part, or none
    std::vector<int> first_of(r.parts.size());
    for (std::size_t p = 0; p < r.parts.size(); ++p) {
      std::vector<std::vector<std::size_t>> kinds;
      for (std::size_t i = 0; i < shapes.size(); ++i) {
        if (shapes[i].part != static_cast<int>(p) || !touches(i)) continue;
        const auto like =
            std::find_if(kinds.begin(), kinds.end(), [&](const auto& kind) { return same(kind[0], i); });
        if (like == kinds.end())
          kinds.push_back({i});
        else
          like->push_back(i);
      }
      first_of[p] = static_cast<int>(made.size());
      if (kinds.empty() && !r.parts[p].moves) {
        robot.notes.ignore(r.parts[p].place, "fixed shapes that touch nothing are");
        continue;
      }
      if (kinds.empty()) made.push_back(r.parts[p]), speaker.push_back(shapes.size());
      for (std::size_t k = 0; k < kinds.size(); ++k) {
        Part piece = r.parts[p];
        piece.shapes.clear();
        for (const std::size_t i : kinds[k]) piece.shapes.push_back(r.parts[p].shapes[shapes[i].of_part]);
        const auto share = static_cast<double>(kinds.size());
        piece.moments.mass /= share, piece.moments.inertia /= share, piece.lift /= share;
        if (k > 0) hold(piece, first_of[p], static_cast<int>(made.size()), names);
        made.push_back(piece), speaker.push_back(kinds[k][0]);
      }
    }
    for (int& part : r.part_of_group)
      if (part >= 0) part = first_of[static_cast<std::size_t>(part)];
    for (PlacedJoint& tie : r.ties) {
      if (std::find(held.begin(), held.end(), &tie - r.ties.data()) != held.end()) continue;
      if (tie.a >= 0) tie.a = first_of[static_cast<std::size_t>(tie.a)];
      if (tie.b >= 0) tie.b = first_of[static_cast<std::size_t>(tie.b)];
    }
    r.parts = std::move(made);
    for (std::size_t a = 0; a < speaker.size(); ++a)
      for (std::size_t b = 0; b < a; ++b)
        if (speaker[a] < shapes.size() && speaker[b] < shapes.size() &&
            mu(speaker[a], speaker[b]) != no_contact)
          r.touching.push_back({static_cast<int>(b), static_cast<int>(a), mu(speaker[a], speaker[b])});
  }
  bool touches(std::size_t i) {
    for (std::size_t k = 0; k < shapes.size(); ++k)
      if (mu(i, k) != no_contact) return true;
    return false;
  }
  void hold(Part& piece, int first, int number, std::vector<std::string>& names) {
    piece.name = scene_name(piece.name, "", names);
    held.push_back(static_cast<std::ptrdiff_t>(r.ties.size()));
    r.ties.push_back({SceneJoint::fixed, "", piece.place, first, number, piece.pose.p, piece.pose.p});
    robot.notes.remark(
        piece.place,
        "bodies whose shapes differ in friction or in what they touch are two or more, fixed to each other");
  }

  Robot& robot;
  Assembly& r;
  const std::vector<int>& parent;
  std::vector<Shape> shapes;
  std::vector<double> friction;
  std::set<std::pair<int, int>> excluded, warned;
  std::map<std::pair<std::string, std::string>, const RobotPair*> stated;
  std::vector<std::ptrdiff_t> held;
};

}  // namespace

void add_contacts(Robot& robot, Assembly& assembly, const std::vector<int>& parent_of_group) {
  Contacts(robot, assembly, parent_of_group).run();
}

}  // namespace carom::robots
