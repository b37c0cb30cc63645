#include "report/space_view.hpp"

#include <memory>

#include "model/space_world.hpp"

namespace carom {
namespace {

SpaceView::Point triple(const Point3& p) { return {p.x(), p.y(), p.z()}; }
SpaceView::Quaternion quadruple(const Turn& q) { return {q[0], q[1], q[2], q[3]}; }
SpaceView::Pose pose_of(const Point3& at, const Turn& q) {
  return {at.x(), at.y(), at.z(), q[0], q[1], q[2], q[3]};
}
Turn turn_of(const Eigen::Matrix3d& axes) {
  const Eigen::Quaterniond q(axes);
  return {q.w(), q.x(), q.y(), q.z()};
}

SpaceView::Part part_of(const SpacePart& part) {
  using Kind = SpacePart::Kind;
  SpaceView::Part r;
  switch (part.kind) {
    case Kind::point:
      return {.shape = "ball", .size = {part.radius}, .at = triple(part.corners[0])};
    case Kind::segment: {
      const Point3 way = part.corners[1] - part.corners[0];
      const auto turn = Eigen::Quaterniond::FromTwoVectors(Point3::UnitX(), way);
      return {.shape = "capsule",
              .size = {way.norm(), part.radius},
              .at = triple(0.5 * (part.corners[0] + part.corners[1])),
              .turn = {turn.w(), turn.x(), turn.y(), turn.z()}};
    }
    case Kind::half_space:
      return {.shape = "half-space",
              .size = {part.faces[0].normal.x(), part.faces[0].normal.y(), part.faces[0].normal.z()},
              .at = triple(part.faces[0].offset * part.faces[0].normal)};
    case Kind::cylinder:
      return {.shape = "cylinder",
              .size = {2 * part.half[0], part.half[1]},
              .at = triple(part.corners[0]),
              .turn = quadruple(turn_of(part.axes))};
    case Kind::ellipsoid:
      return {.shape = "ellipsoid",
              .size = {part.half[0], part.half[1], part.half[2]},
              .at = triple(part.corners[0]),
              .turn = quadruple(turn_of(part.axes))};
    case Kind::polyhedron:
      break;
  }
  r.shape = "polyhedron";
  for (const Point3& corner : part.corners) r.points.push_back(triple(corner));
  for (const SpacePart::Face& face : part.faces) r.faces.push_back(face.corners);
  return r;
}

}  // namespace

std::optional<SpaceView> space_view(const Scenario& scenario) {
  if (scenario.scene.world.dimension != 3) return std::nullopt;
  const auto scene = std::make_shared<const SpaceScene>(make_space_world(scenario).world);
  const SpaceWorld& world = scene->world();
  SpaceView r;
  if (world.gravity.norm() > 0) r.up = triple(-world.gravity.normalized());
  for (std::size_t k = 0; k < world.bodies.size(); ++k) {
    const SpaceBody& body = world.bodies[k];
    SpaceView::Body& drawn = r.bodies.emplace_back();
    drawn.name = body.name, drawn.column = scene->coordinate_of(static_cast<int>(k));
    drawn.pose = pose_of(body.start.at, body.start.q);
    for (const SpacePart& part : body.shape) drawn.parts.push_back(part_of(part));
    if (body.motion)
      drawn.path = [motion = body.motion](double t) {
        std::array<double, 21> state{};
        motion(t, state);
        SpaceView::Pose pose;
        std::copy_n(state.begin(), pose.size(), pose.begin());
        return pose;
      };
  }
  for (const SpaceJoint& joint : world.joints)
    if (joint.kind == SpaceJoint::Kind::distance)
      r.links.push_back({joint.a, joint.b, triple(joint.at_a), triple(joint.at_b)});
  for (const SpaceSpring& spring : world.springs)
    r.links.push_back({spring.a, spring.b, triple(spring.at_a), triple(spring.at_b), true});
  r.place = [scene](double t, const Values& q, int contact, SpaceView::Point& place) {
    Point3 at, normal;
    if (!scene->contact_place_in_space(t, q, contact, at, normal)) return false;
    place = triple(at);
    return true;
  };
  return r;
}

}  // namespace carom
