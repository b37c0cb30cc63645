#include "model/space_world.hpp"
#include "scenario/suggest.hpp"

namespace carom {
namespace {

std::vector<double> sizes_of(SceneNumbers& read, const std::string& key, const StatedNumbers& stated,
                             std::size_t count) {
  const auto sizes = read.numbers(key, stated, count, count);
  for (const double size : sizes)
    if (!(size > 0))
      read.refuse(key, fmt::format("[{}]", detail::listed(sizes)), "each must be greater than 0");
  return sizes;
}

SpacePart hull_of(SceneNumbers& read, const std::string& key, const StatedRows& rows) {
  std::vector<Point3> points;
  for (std::size_t k = 0; k < rows.size(); ++k)
    points.push_back(point_in_space(read, fmt::format("{}.{}", key, k), rows[k]));
  constexpr std::size_t most = 1000;
  if (points.size() > most)
    read.refuse(key, fmt::format("{} points", points.size()), fmt::format("at most {}", most));
  SpacePart part = hull_part(points);
  if (part.faces.empty())
    read.refuse(key, fmt::format("{} points", points.size()), "lie in a plane: a polyhedron has a volume");
  return part;
}

SpacePart space_part(SceneNumbers& read, const std::string& key, const ShapeSpec& spec) {
  if (spec.ball) return ball_part(Point3::Zero(), read.positive(key + ".ball", *spec.ball));
  if (spec.box) {
    const auto edges = sizes_of(read, key + ".box", *spec.box, 3);
    return block_part({edges[0], edges[1], edges[2]});
  }
  if (spec.capsule) {
    const auto sizes = sizes_of(read, key + ".capsule", *spec.capsule, 2);
    return capsule_part({-0.5 * sizes[0], 0, 0}, {0.5 * sizes[0], 0, 0}, sizes[1]);
  }
  if (spec.cylinder) {
    const auto sizes = sizes_of(read, key + ".cylinder", *spec.cylinder, 2);
    return cylinder_part(sizes[0], sizes[1]);
  }
  if (spec.ellipsoid) {
    const auto half = sizes_of(read, key + ".ellipsoid", *spec.ellipsoid, 3);
    return ellipsoid_part({half[0], half[1], half[2]});
  }
  if (spec.polyhedron) return hull_of(read, key + ".polyhedron", *spec.polyhedron);
  const Point3 normal = point_in_space(read, key + ".half-space", *spec.half_space);
  if (!(normal.norm() > 0))
    read.refuse(key + ".half-space", "[0, 0, 0]", "must be a direction, such as [0, 0, 1]");
  return half_space_part(Point3::Zero(), normal);
}

}  // namespace

Point3 point_in_space(SceneNumbers& read, const std::string& key, const StatedNumbers& stated) {
  const auto xyz = read.numbers(key, stated, 3, 3);
  return {xyz[0], xyz[1], xyz[2]};
}

Turn turn_in_space(SceneNumbers& read, const std::string& key, const std::optional<StatedNumbers>& quaternion,
                   const std::optional<StatedNumbers>& rotation) {
  if (quaternion && rotation)
    read.refuse(key + ".rotation", "", "must not stand beside quaternion; give one of the two");
  if (rotation) return rotation_by(point_in_space(read, key + ".rotation", *rotation));
  if (!quaternion) return {1, 0, 0, 0};
  const auto stated = read.numbers(key + ".quaternion", *quaternion, 4, 4);
  const Turn q(stated[0], stated[1], stated[2], stated[3]);
  if (!(q.norm() > 0) || !std::isfinite(q.norm()))
    read.refuse(key + ".quaternion", fmt::format("[{}]", detail::listed(stated)),
                "must be [w, x, y, z], such as [1, 0, 0, 0]");
  return q.normalized();
}

std::vector<SpacePart> space_shape(SceneNumbers& read, const std::string& key, const ShapeSpec& spec) {
  if (spec.name) {
    std::vector<std::string> known;
    for (const auto& [name, shape] : read.scenario.scene.shapes) {
      if (name == *spec.name && !shape.name)
        return space_shape(read, "shape." + detail::key_part(name), shape);
      known.push_back(name);
    }
    read.refuse(key, detail::quoted(*spec.name), "no shape has this name" + suggestion(*spec.name, known));
  }
  if (spec.polygon)
    read.refuse(key + ".polygon", "", "is for a scene in the plane; in space it is a polyhedron");
  if (spec.angle)
    read.refuse(key + ".angle", "", "is for a scene in the plane; in space it is rotation or quaternion");
  const int kinds = spec.ball.has_value() + spec.box.has_value() + spec.capsule.has_value() +
                    spec.cylinder.has_value() + spec.ellipsoid.has_value() + spec.polyhedron.has_value() +
                    spec.half_space.has_value() + !spec.compound.empty();
  if (kinds != 1)
    read.refuse(key, fmt::format("{} kinds", kinds),
                "must be one of ball, box, capsule, cylinder, ellipsoid, polyhedron, half-space, compound");
  std::vector<SpacePart> parts;
  for (std::size_t k = 0; k < spec.compound.size(); ++k) {
    const std::string own = fmt::format("{}.compound.{}", key, k);
    for (const SpacePart& part : space_shape(read, own, spec.compound[k])) {
      if (part.is_half_space())
        read.refuse(own + ".half-space", "", "is no part of a compound: it has no end");
      parts.push_back(part);
    }
  }
  if (parts.empty()) parts.push_back(space_part(read, key, spec));
  const Point3 at =
      spec.position ? point_in_space(read, key + ".position", *spec.position) : Point3(Point3::Zero());
  const Turn q = turn_in_space(read, key, spec.quaternion, spec.rotation);
  if (!spec.position && !spec.quaternion && !spec.rotation) return parts;
  for (SpacePart& part : parts) part = placed(part, at, q);
  return parts;
}

}  // namespace carom
