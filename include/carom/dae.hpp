// Overdetermined DAEs and DAEs with inequalities, in reading order: what one is, how a mechanical system is
// one, one step of symplectic Euler, compositions, and the stepper that lands and takes off. The core comes
// first: carom.hpp.
// clang-format off
#pragma once

#include "carom/carom.hpp"

#include "carom/dae/dae.hpp"             // what a DAE is, to its user and to methods
#include "carom/dae/dense_dae.hpp"       // from one to the other, by exact derivatives
#include "carom/dae/mechanical_dae.hpp"  // a mechanical system as a DAE
#include "carom/dae/consistent.hpp"      // multipliers from the hidden constraint
#include "carom/dae/euler_step.hpp"      // one step: natural, true and their conjugates, and adjoints
#include "carom/dae/dae_flow.hpp"        // compositions of them
#include "carom/dae/dae_touching.hpp"    // impacts, what lasts, rest
#include "carom/dae/dae_system.hpp"      // a DAE for simulate() and the ledger
#include "carom/dae/dae_events.hpp"      // what happens first
#include "carom/dae/dae_stepper.hpp"     // one full step through it
