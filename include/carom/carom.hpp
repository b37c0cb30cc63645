// carom: mechanical systems with impacts, contact and joints, by integrators that keep the structure of
// mechanics. Everything, in reading order; each file says what it is for and which test executes it.
#pragma once

// clang-format off: the order is for the reader
#include "carom/collocation.hpp"                      // fast Gauss collocation, from impact to impact
#include "carom/constancy.hpp"                        // how constant a number stayed
#include "carom/constrained_step.hpp"                 // one step of a rule with joints,
#include "carom/differentiate.hpp"                    //   gradient, Hessian, Jacobian
#include "carom/discrete_lagrangian.hpp"              // L_d and its derivatives
#include "carom/dual.hpp"                             //   the arithmetic,
#include "carom/dual_math.hpp"                        //   the functions,
#include "carom/dual_types.hpp"                       // exact derivatives: the types,
#include "carom/event_driven.hpp"                     //   and the step through it
#include "carom/flow.hpp"                             // lists of them: flows, their inverses,
#include "carom/flow_step.hpp"                        //   one step of a flow,
#include "carom/flows.hpp"                            //   and the flows by name
#include "carom/gap_search.hpp"                       //   when it happens,
#include "carom/gauss.hpp"                            //   and one step
#include "carom/gauss_table.hpp"                      // Gauss collocation: its table,
#include "carom/grid.hpp"                             // the times of a run
#include "carom/impact_law.hpp"                       //   what an impact conserves,
#include "carom/joints.hpp"                           // what joints f(q) = 0 mean at a point
#include "carom/lagrangian.hpp"                       // derivatives of L
#include "carom/ledger.hpp"                           // what stayed constant, and how well
#include "carom/linear.hpp"                           // small linear solves
#include "carom/mechanics.hpp"                        // energy, Legendre transform, Hamilton's equations
#include "carom/modified.hpp"                         //   and as a series
#include "carom/modified_law.hpp"                     //   or that, to a given order,
#include "carom/open_gaps.hpp"                        //   and when it does not,
#include "carom/outcome.hpp"                          // how a solve ended
#include "carom/pack.hpp"                             //   several doubles at once,
#include "carom/pack_sin_cos.hpp"                     //   (sine and cosine of)
#include "carom/reflection.hpp"                       //   where it sends the system,
#include "carom/rule.hpp"                             // quadrature rules
#include "carom/shadow.hpp"                           // what a flow conserves, from its iterates,
#include "carom/shadow_window.hpp"                    //   along a run,
#include "carom/simulate.hpp"                         // the loop
#include "carom/stage_slopes.hpp"                     //   Hamilton's equations at several stages of it
#include "carom/step_result.hpp"                      // what a step yields
#include "carom/stepper.hpp"                          // one full step of a run: smooth motion,
#include "carom/system.hpp"                           // what a system is
#include "carom/systems.hpp"                          // built-in systems
#include "carom/validate.hpp"                         // bad input, by name and value
#include "carom/variational_step.hpp"                 //   and without
#include "carom/vector.hpp"                           // vectors, states
