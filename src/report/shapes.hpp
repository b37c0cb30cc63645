// The shapes of a drawing at one time, all of one kind: a segment with a radius around it. A disc is one
// whose ends are the same; the edges of boxes and polygons, rods, walls and the pieces of curves have no
// radius.
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "report/drawing.hpp"

namespace carom {

using Vector2 = Eigen::Vector2d;

struct Shape {
  Vector2 a, b;                    // ends
  int point_a = -1, point_b = -1;  // the points of the drawing that they move with; -1: they do not
  double radius = 0;
};

// Where two shapes are nearest to each other.
struct Nearest {
  Vector2 on_a = Vector2::Zero(), on_b = Vector2::Zero();  // on their middle lines
  double along_a = 0, along_b = 0;                         // where there, from one end (0) to the other (1)
  double distance = 0;                                     // of the surfaces; negative where they overlap
  Vector2 normal = Vector2::Zero();  // from b to a, of length 1; zero where two ends meet
};
// What is closer than `tiny` touches.
Nearest nearest(const Shape& a, const Shape& b, double tiny);

// The point between the surfaces of two discs; on a wall or a rod the point of it that is touched, as a disc
// may be drawn around a body that is a point.
Vector2 between(const Shape& a, const Shape& b, const Nearest& at);

// A disc or a box around a point.
struct Solid {
  int point;
  bool round;
  Vector2 half = Vector2::Zero();                // of its width and height
  double reach(const Vector2& direction) const;  // from the point to its edge
};

class ShapeList {
 public:
  explicit ShapeList(const Drawing& drawing);

  void move(std::span<const double> geometry);  // the values of Drawing::geometry
  const std::vector<Shape>& shapes() const { return shapes_; }
  std::size_t walls() const { return walls_; }  // the first ones, which never move
  const std::vector<Solid>& solids() const { return solids_; }

 private:
  void add_segment(int a, int b);
  void add_box(const Solid& box);

  std::vector<std::vector<int>> chains_;  // points of rods and polygons, each joined to the next
  std::vector<Solid> solids_;
  std::vector<Shape> shapes_;
  std::size_t walls_ = 0;
  std::vector<Vector2> points_;
};

}  // namespace carom
