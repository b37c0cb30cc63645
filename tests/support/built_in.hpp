// Adapters of the built-in systems: src/systems/ has compiled them, and no file of tests does it again.
#pragma once

#include "carom/system/autodiff_system.hpp"
#include "carom/systems.hpp"

namespace carom {

extern template class AutodiffSystem<Billiard>;
extern template class AutodiffSystem<CartPendulum>;
extern template class AutodiffSystem<DoublePendulum>;
extern template class AutodiffSystem<Particle>;
extern template class AutodiffSystem<PointMass>;
extern template class AutodiffSystem<Star>;
extern template class LocalSystem<BallColumn>;
extern template class LocalSystem<BoxOfDiscs>;
extern template class LocalSystem<CradleInAngles>;
extern template class LocalSystem<CradleInCoordinates>;
extern template class LocalSystem<LennardJonesChain>;

}  // namespace carom
