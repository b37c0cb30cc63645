#include "carom/systems/box_of_discs.hpp"

#include <fmt/format.h>

#include "model/local_built_in.hpp"

namespace carom {

template class LocalSystem<BoxOfDiscs>;
namespace {

DrawSpec drawing(int discs) {
  constexpr int most_drawn = 60;
  DrawSpec r;
  r.ground = {{"0", "0", "width", "0"},
              {"width", "0", "width", "height"},
              {"width", "height", "0", "height"},
              {"0", "height", "0", "0"}};
  for (int i = 1; i <= std::min(discs, most_drawn); ++i) {
    r.points.push_back({fmt::format("disc {}", i), {fmt::format("x{}", i), fmt::format("y{}", i)}});
    r.circles.push_back({fmt::format("disc {}", i), "r"});
  }
  return r;
}

// All pairs are looked at, so that the size is bounded.
BuiltSystem build(const LocalParameters& p, const Scenario& s) {
  constexpr int most_discs = 200;
  const int n = p.whole("discs");
  if (n > most_discs)
    s.reject("system.parameters.discs", std::to_string(n), fmt::format("must be at most {}", most_discs));
  const auto box = std::make_shared<BoxOfDiscs>(Values::Constant(n, p["r"]), Values::Constant(n, p["m"]),
                                                p["width"], p["height"], p["g"]);
  const Values q = box->rows(0.5);
  if (!s.initial.q && !(q.tail(1)[0] + p["r"] <= p["height"] && 3 * p["r"] <= p["width"]))
    s.reject("system.parameters.discs", std::to_string(n),
             fmt::format("do not fit into a box of {} by {}", p["width"], p["height"]));
  return {box, q, box->momenta_of(p["speed"]), drawing(n)};
}

}  // namespace

Model box_of_discs_model() {
  return local_built_in({"box-of-discs",
                         "hard discs in a box; a gas without gravity, a heap with losses",
                         {{"discs", 12, "1, 2, ..."},
                          {"m", 1, "> 0"},
                          {"r", 0.06, "> 0"},
                          {"width", 1, "> 0"},
                          {"height", 1, "> 0"},
                          {"g", 9.81, "any"},
                          {"speed", 1, ">= 0"}},
                         build});
}

}  // namespace carom
