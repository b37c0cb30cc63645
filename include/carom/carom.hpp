// carom: mechanical systems with impacts, contact and joints, by integrators that keep the structure of
// mechanics. What a user includes, in reading order: a system, a start, a flow, an impact law, a stepper, the
// loop, and what stayed constant. DAEs come on top: dae.hpp.
#pragma once

// clang-format off
#include "carom/numerics/vector.hpp"                   // vectors, states
#include "carom/system/system_struct.hpp"                   // what a system is: a struct that says its physics once
#include "carom/system/autodiff_system.hpp"  //   made ready by make_system(), derivatives by dual numbers;
#include "carom/system/local_system.hpp"  //   or a sum of terms of few coordinates each, of any size
#include "carom/system/system.hpp"        //   what methods see of either
#include "carom/system/validated_start.hpp"          // a start, checked

#include "carom/flow/rule.hpp"                     // quadrature rules,
#include "carom/flow/flow.hpp"                     //   lists of them: flows, their inverses,
#include "carom/flow/flows.hpp"                    //   and the flows by name
#include "carom/flow/free_flow.hpp"                // steps of a flow, one by one
#include "carom/flow/shadow_window.hpp"            // what a flow conserves, along a run,
#include "carom/flow/modified.hpp"                 //   and as a series

#include "carom/contact/impact_law.hpp"              // what an impact conserves
#include "carom/flow/flow_stepper.hpp"             // one full step of a run: smooth motion,
#include "carom/contact/contact_stepper.hpp"  //   impacts by any law and contacts that last,
#include "carom/flow/collocation.hpp"              //   the same by collocation, fast,
#include "carom/contact/gvi.hpp"              //   one reflection after the other at nodes,
#include "carom/contact/direct.hpp"           //   or by a complementarity problem per step

#include "carom/run/grid.hpp"                     // the times of a run
#include "carom/run/simulate.hpp"                 // the loop
#include "carom/run/ledger.hpp"                   // what stayed constant, and how well
#include "carom/systems.hpp"                  // built-in systems
