// Where contacts are in what the report draws, and their forces there: of a drawing in the plane by
// contact_places.hpp, of a scene in space by what the scene says. Tested in
// tests/unit/contact_places_test.cpp, tests/unit/space_json_test.cpp and tests/report/real_test.py.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "carom/system/system.hpp"
#include "report/contact_places.hpp"

namespace carom {

struct SpaceView;

class DrawnPlaces {
 public:
  virtual ~DrawnPlaces() = default;
  // Appends the coordinates of each place where an impact changed the momenta by `impulse`.
  virtual void add_impact(double t, const std::vector<double>& q, const std::vector<double>& impulse,
                          const std::string& contacts, std::vector<double>& to) = 0;
  // Appends place and force of a contact that lasts, or nothing.
  virtual void add_push(double t, const std::vector<double>& q, int contact, double normal,
                        std::span<const double> friction, std::vector<double>& to) = 0;
  // Whether forces are shown without friction as well.
  virtual bool shows_normal_forces() const { return false; }
};

std::unique_ptr<DrawnPlaces> places_in_plane(ContactPlaces places);
// The drawing has to outlive it.
std::unique_ptr<DrawnPlaces> places_in_space(const SpaceView& drawing, std::shared_ptr<const System> system);

}  // namespace carom
