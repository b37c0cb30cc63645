#include "carom/systems/column.hpp"

#include <fmt/format.h>

#include "model/local_built_in.hpp"

namespace carom {

template class LocalSystem<BallColumn>;
namespace {

DrawSpec drawing(int balls) {
  constexpr int most_drawn = 60;
  DrawSpec r;
  r.ground = {{"-3*r", "0", "3*r", "0"}};
  for (int i = 1; i <= std::min(balls, most_drawn); ++i) {
    r.points.push_back({fmt::format("ball {}", i), {"0", fmt::format("y{}", i)}});
    r.circles.push_back({fmt::format("ball {}", i), "r"});
  }
  return r;
}

}  // namespace

Model column_model() {
  return local_built_in({"column",
                         "balls at rest on each other",
                         {{"balls", 10, "1, 2, ..."}, {"m", 1, "> 0"}, {"r", 0.5, "> 0"}, {"g", 9.81, "any"}},
                         [](const LocalParameters& p, const Scenario&) -> BuiltSystem {
                           const int n = p.whole("balls");
                           const auto column = std::make_shared<BallColumn>(n, p["m"], p["r"], p["g"]);
                           return {column, column->rest(), Values::Zero(n), drawing(n)};
                         }});
}

}  // namespace carom
