// Shapes in space: parts, each a convex core with a radius around it, in the axes of its body. The core is a
// point, a segment, a polyhedron, a half-space, or one of the round ones: a disc with a height (a cylinder),
// an ellipsoid. A point outside of a polyhedron is nearest to a face, an edge or a corner: its features,
// numbered in this order. With n the outward normal of a face and d its distance from the origin
//
//   face  n·p - d      edge  |(p - c) - e e·(p - c)|      corner  |p - c|
//
// Tested in tests/unit/space_scene_test.cpp.
#pragma once

#include <string>
#include <vector>

#include "carom/bodies/space_math.hpp"

namespace carom {

struct SpacePart {
  enum class Kind { point, segment, polyhedron, half_space, cylinder, ellipsoid };
  struct Face {
    Point3 normal;
    double offset;
    std::vector<int> corners;  // counterclockwise seen from outside
  };
  struct Edge {
    int from, to;
    int left = -1, right = -1;  // faces, of a polyhedron
  };
  Kind kind;
  std::vector<Point3> corners;  // centre, two ends, or those of a polyhedron; none of a half-space
  std::vector<Face> faces = {};
  std::vector<Edge> edges = {};
  double radius = 0;
  // Of round ones: their axes as columns, and half axes; of a cylinder half its length, then its radius.
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();
  Point3 half = Point3::Zero();

  bool is_half_space() const { return kind == Kind::half_space; }
  bool is_polyhedron() const { return kind == Kind::polyhedron; }
  bool is_round() const { return kind == Kind::cylinder || kind == Kind::ellipsoid; }
  int features() const { return static_cast<int>(faces.size() + edges.size() + corners.size()); }

  int nearest_feature(const Point3& p) const;  // inside of a polyhedron the face that is
  int highest_face(const Point3& p) const;
  double extent() const;  // how far it reaches from the origin
  Point3 middle() const;  // of its corners
  double reach() const;   // from there
};

SpacePart ball_part(const Point3& centre, double radius);
SpacePart capsule_part(const Point3& a, const Point3& b, double radius);
SpacePart half_space_part(const Point3& point, const Point3& outward);
SpacePart cylinder_part(double length, double radius);  // along x
SpacePart ellipsoid_part(const Point3& half);
// The convex hull; a part without faces where the points lie in a plane.
SpacePart hull_part(const std::vector<Point3>& points);
SpacePart block_part(const Point3& edges);

// The same part where its origin is put at `at` and turned by q.
SpacePart placed(const SpacePart& part, const Point3& at, const Turn& q);

// Volume, its centre, and its second moments about that centre: the inertia of density 1.
struct SpaceMoments {
  double volume = 0;
  Point3 centre = Point3::Zero();
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();
};
SpaceMoments moments_of(const std::vector<SpacePart>& parts);

// How far two parts are apart, both in the same axes; negative where they overlap. A lower bound where both
// are sharp.
double separation(const SpacePart& a, const SpacePart& b);

}  // namespace carom
