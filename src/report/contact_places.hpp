// Where contacts are in a drawing. A gap is a function of coordinates and a drawing is made of shapes;
// neither names the other. Two shapes are a contact's own if their nearest points part as the gap opens: with
// J the derivative of these points by q and n the normal between them, J'n is parallel to ∇g. Of all such
// pairs the one that is nearest to touching is taken. Where the drawing has no such pair (a floor that is not
// drawn, spheres that are seen from above), it is the point, or the two points, whose motion explains most of
// ∇g. A system that knows where its contacts are says so itself. Tested in
// tests/unit/contact_places_test.cpp.
#pragma once

#include <map>
#include <memory>

#include "carom/system/system.hpp"
#include "report/shapes.hpp"

namespace carom {

class ContactPlaces {
 public:
  // `reach` is how far each coordinate gets in the run, so that metres and radians can be compared, and
  // `size` that of the view. Without a system contacts are known by the impulses of impacts only, which have
  // the direction of ∇g.
  ContactPlaces(Drawing drawing, std::shared_ptr<const System> system, std::vector<double> reach,
                double size);

  // Of an impact with this change of the momenta, on contacts whose names are joined by " + ".
  std::vector<Vector2> of(double t, const std::vector<double>& q, const std::vector<double>& impulse,
                          const std::string& contacts);

  // The force of a contact that lasts, in the drawing.
  struct Push {
    Vector2 place, force;
  };
  std::optional<Push> push(double t, const std::vector<double>& q, int contact, double normal,
                           std::span<const double> friction);

 private:
  struct Slopes {
    std::vector<int> at;          // the coordinates that are looked at
    Eigen::VectorXd gap;          // slopes of the gap along them, times their reach
    Eigen::MatrixXd points = {};  // those of x and y of every point, a row each
  };
  struct Pair {
    std::size_t a, b;  // shapes
  };

  void look(double t, const std::vector<double>& q);
  Slopes slopes_along(const std::vector<double>& dense) const;
  Slopes slopes_of(double t, const std::vector<double>& q, int contact) const;
  void differentiate(Slopes& slopes);
  Eigen::MatrixXd parting(const Slopes& slopes, const Pair& pair, const Nearest& at) const;
  std::optional<Pair> touching(const Slopes& slopes) const;
  std::optional<Vector2> explaining(const Slopes& slopes, Eigen::MatrixXd* of = nullptr) const;
  std::optional<Vector2> place(Slopes slopes, int contact);
  std::optional<Vector2> known_place(int contact) const;
  std::vector<int> numbers_of(const std::string& contacts) const;

  Drawing drawing_;
  std::shared_ptr<const System> system_;
  std::vector<double> reach_;
  double size_;
  std::map<std::string, int> numbers_;  // of contacts, by name
  std::map<int, Pair> known_;           // pairs found before, by contact
  std::vector<double> in_, out_;        // of the drawing's formulas
  ShapeList shapes_;
};

}  // namespace carom
