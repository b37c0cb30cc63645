#include "carom/systems/star.hpp"

#include "make_model.hpp"

namespace carom {

Model star_model() { return make_model<Star>("star", "a rotating four-point star over a floor (002, 4.3)"); }

}  // namespace carom
