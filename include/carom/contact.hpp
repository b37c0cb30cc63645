// Contact and joints, in reading order: mechanisms of run-time size, the linear algebra of their constraints,
// steps along them, reflections, and the steppers contact, gvi and direct. The core comes first: carom.hpp.
// clang-format off
#pragma once

#include "carom/carom.hpp"

#include "carom/contact/sparse_rows.hpp"
#include "carom/contact/envelope.hpp"
#include "carom/contact/kkt_matrix.hpp"
#include "carom/contact/mechanism.hpp"
#include "carom/contact/local_mechanism.hpp"
#include "carom/contact/dense_mechanism.hpp"
#include "carom/contact/mechanism_system.hpp"
#include "carom/contact/discrete_slopes.hpp"
#include "carom/contact/tangent.hpp"
#include "carom/contact/smooth_step.hpp"
#include "carom/contact/held_flow.hpp"
#include "carom/contact/contact_rates.hpp"
#include "carom/contact/nonnegative.hpp"
#include "carom/contact/contact_problem.hpp"
#include "carom/contact/reflections.hpp"
#include "carom/contact/contact_forces.hpp"
#include "carom/contact/touching.hpp"
#include "carom/contact/partial_motion.hpp"
#include "carom/contact/event_search.hpp"
#include "carom/contact/open_contacts.hpp"
#include "carom/contact/kept_energy.hpp"
#include "carom/contact/contact_stepper.hpp"
#include "carom/contact/gvi.hpp"
#include "carom/contact/direct.hpp"

#include "carom/systems/box_of_discs.hpp"
#include "carom/systems/column.hpp"
#include "carom/systems/lennard_jones_chain.hpp"
#include "carom/systems/newton_cradle.hpp"
