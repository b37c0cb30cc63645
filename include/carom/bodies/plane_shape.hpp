// Shapes in the plane: parts, each a convex core (a point, a segment, a polygon, a half-plane) with a radius
// around it, in the axes of its body. Faces and corners of a core are its features: the distance of a point
// from the core is that from one of them. With n the outward normal of a face and d its distance from the
// origin
//
//   face    n·p - d        corner    |p - c|
//
// Tested in tests/unit/plane_scene_test.cpp.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace carom {

using Point = Eigen::Vector2d;

inline double cross(const Point& a, const Point& b) { return a.x() * b.y() - a.y() * b.x(); }
inline Point turned(const Point& a) { return {-a.y(), a.x()}; }  // by a quarter to the left

struct PlanePart {
  struct Face {
    Point normal;
    double offset;
  };
  std::vector<Point> corners;  // one, two ends, or those of a polygon counterclockwise; none of a half-plane
  std::vector<Face> faces;     // of a segment its two sides
  double radius = 0;

  bool is_half_plane() const { return corners.empty(); }
  bool is_polygon() const { return corners.size() > 2; }
  int features() const { return static_cast<int>(faces.size() + corners.size()); }  // faces first

  // The feature that is nearest to p; inside of a polygon the face that is.
  int nearest_feature(const Point& p) const;
  int highest_face(const Point& p) const;  // above which p is highest
  // How far its farthest corner is from the origin; of a half-plane only the edge counts.
  double extent() const;
};

PlanePart disc(const Point& centre, double radius);
PlanePart capsule(const Point& a, const Point& b, double radius);
PlanePart polygon(std::vector<Point> counterclockwise);
PlanePart half_plane(const Point& point, const Point& outward);

// The same part where its origin is put at `at` and turned by `angle`.
PlanePart placed(const PlanePart& part, const Point& at, double angle);

// Area, its centre, and its second moment about that centre, of parts that do not overlap.
struct PlaneMoments {
  double area = 0;
  Point centre = Point::Zero();
  double inertia = 0;
};
PlaneMoments moments_of(const std::vector<PlanePart>& parts);

// How far two parts are apart, both in the same axes; negative where they overlap. A lower bound where two
// corners are nearest and both are sharp.
double separation(const PlanePart& a, const PlanePart& b);

}  // namespace carom
