// The forces of contacts that last as arrows in a drawing: where each is, and the force there that does to
// the coordinates what normal force and friction do, as nearly as points of the drawing can tell. Tested in
// tests/unit/contact_places_test.cpp and tests/report/real_test.py.
#pragma once

#include "records/table.hpp"
#include "report/drawn_places.hpp"

namespace carom {

// Up to 800 rows of a run whose contacts have friction, or in space: {"t": [...], "arrows": [[x, y, F_x, F_y,
// ...], ...]}; "null" for others.
std::string pushes_json(TableSource& source, DrawnPlaces* places);

}  // namespace carom
