// The state that a start means, after every check that a run needs: sizes, a positive mass, the joints, the
// gaps, the energy. What does not fit is refused by name and value. Tested in tests/unit/validate_test.cpp.
#pragma once

#include <initializer_list>

#include "carom/system/system.hpp"
#include "carom/system/validate.hpp"

namespace carom {

// From these coordinates with these velocities.
Start<Eigen::Dynamic> start_at(std::initializer_list<double> q, std::initializer_list<double> v);

// `project` takes a start that is off its joints onto them; within 1e-9 of the terms that a joint adds up it
// is taken there in any case. A gap may be below zero by 1e-9 of what it is made of, or of what it moves by
// within `h` (gap_scales.hpp). Throws InvalidInput.
Phase validated_state(const System& system, const Start<Eigen::Dynamic>& start, bool project = false,
                      double t = 0, double h = 0);

// A vector as a message can show it: its first entries, and how many more.
std::string brief(const Values& x);

}  // namespace carom
