#include "carom/systems/newton_cradle.hpp"

#include <fmt/format.h>

#include "model/local_built_in.hpp"

namespace carom {

template class LocalSystem<CradleInAngles>;
template class LocalSystem<CradleInCoordinates>;
namespace {

DrawSpec drawing(const CradleShape& shape, bool angles) {
  constexpr int most_drawn = 60;
  DrawSpec r;
  r.ground = {{fmt::format("{}*(2*r + gap) + r", shape.balls - 1), "0", "-r", "0"}};  // where the rods hang
  for (int i = 1; i <= std::min(shape.balls, most_drawn); ++i) {
    const std::string pivot = fmt::format("{}*(2*r + gap)", i - 1), ball = fmt::format("ball {}", i),
                      hook = fmt::format("pivot {}", i);
    r.points.push_back({hook, {pivot, "0"}});
    if (angles)
      r.points.push_back(
          {ball, {fmt::format("{} + l*sin(theta{})", pivot, i), fmt::format("-l*cos(theta{})", i)}});
    else
      r.points.push_back({ball, {fmt::format("x{}", i), fmt::format("y{}", i)}});
    r.lines.push_back({hook, ball});
    r.circles.push_back({ball, "r"});
  }
  return r;
}

BuiltSystem build(const LocalParameters& p, const Scenario& s) {
  const CradleShape shape{p.whole("balls"), p["m"], p["r"], p["l"], p["g"], p["gap"]};
  const int drawn = p.whole("drawn");
  if (drawn > shape.balls)
    s.reject("system.parameters.drawn", std::to_string(drawn),
             fmt::format("must not exceed balls = {}", shape.balls));
  Values angles = Values::Zero(shape.balls);
  if (p["angle"] <= 0)
    angles.head(drawn).setConstant(p["angle"]);
  else
    angles.tail(drawn).setConstant(p["angle"]);
  if (p.words.at("coordinates") == "angles")
    return {std::make_shared<CradleInAngles>(shape), angles, Values::Zero(shape.balls), drawing(shape, true)};
  const auto cradle = std::make_shared<CradleInCoordinates>(shape);
  return {cradle, cradle->at(angles), Values::Zero(2 * shape.balls), drawing(shape, false)};
}

}  // namespace

Model newton_cradle_model() {
  return local_built_in({"newton-cradle",
                         "balls on rods in a row; `drawn` of them start at `angle`",
                         {{"balls", 5, "1, 2, ..."},
                          {"drawn", 2, "1, 2, ..."},
                          {"angle", -0.6283185307179586, "any"},
                          {"coordinates", 0, "\"angles\" or \"cartesian\"", "angles"},
                          {"m", 1, "> 0"},
                          {"r", 0.25, "> 0"},
                          {"l", 1, "> 0"},
                          {"g", 9.8, "any"},
                          {"gap", 0, ">= 0"}},
                         build});
}

}  // namespace carom
