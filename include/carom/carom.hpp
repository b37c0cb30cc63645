// carom: mechanical systems with impacts, contact and joints, by integrators that keep the structure of
// mechanics. Everything, in reading order; each file says what it is for and which test executes it.
#pragma once

// clang-format off: the order is for the reader
#include "carom/vector.hpp"               // vectors, states
#include "carom/dual_types.hpp"           // exact derivatives: the types,
#include "carom/dual.hpp"                 //   the arithmetic,
#include "carom/pack_sin_cos.hpp"         //   (sine and cosine of)
#include "carom/pack.hpp"                 //   several doubles at once,
#include "carom/dual_math.hpp"            //   the functions,
#include "carom/differentiate.hpp"        //   gradient, Hessian, Jacobian
#include "carom/system.hpp"               // what a system is
#include "carom/lagrangian.hpp"           // derivatives of L
#include "carom/linear.hpp"               // small linear solves
#include "carom/mechanics.hpp"            // energy, Legendre transform, Hamilton's equations
#include "carom/joints.hpp"               // what joints f(q) = 0 mean at a point
#include "carom/validate.hpp"             // bad input, by name and value
#include "carom/rule.hpp"                 // quadrature rules
#include "carom/discrete_lagrangian.hpp"  // L_d and its derivatives
#include "carom/outcome.hpp"              // how a solve ended
#include "carom/step_result.hpp"          // what a step yields
#include "carom/constrained_step.hpp"     // one step of a rule with joints,
#include "carom/variational_step.hpp"     //   and without
#include "carom/gauss.hpp"                // one step of Gauss collocation
#include "carom/flow.hpp"                 // lists of them: flows, their inverses
#include "carom/flows.hpp"                // the flows by name
#include "carom/shadow.hpp"               // what a flow conserves, from its iterates,
#include "carom/shadow_window.hpp"        //   along a run,
#include "carom/modified.hpp"             //   and as a series
#include "carom/stepper.hpp"              // one full step of a run: smooth motion,
#include "carom/impact_law.hpp"           //   what an impact conserves,
#include "carom/modified_law.hpp"         //   or that, to a given order,
#include "carom/reflection.hpp"           //   where it sends the system,
#include "carom/gap_search.hpp"           //   when it happens,
#include "carom/open_gaps.hpp"            //   and when it does not,
#include "carom/event_driven.hpp"         //   and the step through it
#include "carom/collocation/stage_table.hpp"          // fast Gauss collocation: its table,
#include "carom/collocation/stage_slopes.hpp"         //   Hamilton's equations at several stages,
#include "carom/collocation/stages.hpp"               //   the iteration of them all,
#include "carom/collocation/collocation.hpp"          //   step after step, or up to a wall,
#include "carom/collocation/step_choice.hpp"          //   of the length that a tolerance asks for,
#include "carom/collocation/gap_watch.hpp"            //   with an eye on the gaps,
#include "carom/collocation/collocation_stepper.hpp"  //   from impact to impact
#include "carom/simulate.hpp"             // the loop
#include "carom/constancy.hpp"            // what stayed constant, and how well:
#include "carom/look.hpp"                 //   each point looked at once,
#include "carom/ledger.hpp"               //   and booked
#include "carom/systems.hpp"              // built-in systems
