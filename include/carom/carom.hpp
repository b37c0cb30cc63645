// carom: mechanical systems with impacts, contact and joints, by integrators that keep the structure of
// mechanics. What a user includes, in reading order: a system, a start, a flow, an impact law, a stepper, the loop,
// and what stayed constant. DAEs come on top: dae.hpp.
#pragma once

// clang-format off
#include "carom/vector.hpp"                   // vectors, states
#include "carom/system.hpp"                   // what a system is: a struct that says its physics once
#include "carom/contact/dense_mechanism.hpp"  //   made ready by make_system(), derivatives by dual numbers;
#include "carom/contact/local_mechanism.hpp"  //   or a sum of terms of few coordinates each, of any size
#include "carom/contact/mechanism.hpp"        //   what methods see of either
#include "carom/validated_start.hpp"          // a start, checked

#include "carom/rule.hpp"                     // quadrature rules,
#include "carom/flow.hpp"                     //   lists of them: flows, their inverses,
#include "carom/flows.hpp"                    //   and the flows by name
#include "carom/free_flow.hpp"                // steps of a flow, one by one
#include "carom/shadow_window.hpp"            // what a flow conserves, along a run,
#include "carom/modified.hpp"                 //   and as a series

#include "carom/contact/law.hpp"              // what an impact conserves
#include "carom/flow_stepper.hpp"             // one full step of a run: smooth motion,
#include "carom/contact/contact_stepper.hpp"  //   impacts by any law and contacts that last,
#include "carom/collocation.hpp"              //   the same by collocation, fast,
#include "carom/contact/gvi.hpp"              //   one reflection after the other at nodes,
#include "carom/contact/direct.hpp"           //   or by a complementarity problem per step

#include "carom/grid.hpp"                     // the times of a run
#include "carom/simulate.hpp"                 // the loop
#include "carom/ledger.hpp"                   // what stayed constant, and how well
#include "carom/systems.hpp"                  // built-in systems
