#include "report/space_view.hpp"

namespace carom {

// Scenes are in the plane: none is in space.
std::optional<SpaceView> space_view(const Scenario& /*scenario*/) { return std::nullopt; }

}  // namespace carom
