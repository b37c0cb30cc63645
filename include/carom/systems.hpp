// The built-in systems, with the parameters of the papers as defaults.
#pragma once

#include "carom/systems/billiard.hpp"
#include "carom/systems/box_of_discs.hpp"
#include "carom/systems/cart_pendulum.hpp"
#include "carom/systems/column.hpp"
#include "carom/systems/double_pendulum.hpp"
#include "carom/systems/lennard_jones_chain.hpp"
#include "carom/systems/newton_cradle.hpp"
#include "carom/systems/particle.hpp"
#include "carom/systems/point_mass.hpp"
#include "carom/systems/star.hpp"
