#include "carom/systems/lennard_jones_chain.hpp"

#include <fmt/format.h>

#include <cmath>

#include "model/local_built_in.hpp"

namespace carom {

template class LocalSystem<LennardJonesChain>;
namespace {

// Seen along z.
DrawSpec drawing(int balls) {
  DrawSpec r;
  r.curves = {{"radius*cos(s)", "radius*sin(s)", "0", "2*pi"}};
  r.points = {{"low", {"-radius", "-radius"}}, {"high", {"radius", "radius"}}};
  for (int i = 1; i <= balls; ++i) {
    r.points.push_back({fmt::format("ball {}", i), {fmt::format("x{}", i), fmt::format("y{}", i)}});
    r.circles.push_back({fmt::format("ball {}", i), "r"});
    if (i > 1) r.lines.push_back({fmt::format("ball {}", i - 1), fmt::format("ball {}", i)});
  }
  return r;
}

// Momenta without a pattern, the same on every machine.
Values stirred(int n, double speed, double m) {
  Values p(n);
  for (int i = 0; i < n; ++i) p[i] = m * speed * std::sin(1.0 + 2.4 * i + 0.37 * i * i);
  return p;
}

BuiltSystem build(const LocalParameters& p, const Scenario& s) {
  const int n = p.whole("balls");
  const auto chain =
      std::make_shared<LennardJonesChain>(n, p["m"], p["epsilon"], p["sigma"], p["r"], p["radius"], p["l"]);
  if (!(2 * p["r"] <= p["l"]))
    s.reject("system.parameters.r", fmt::format("{}", p["r"]),
             "spheres on one rod overlap: 2 r must not exceed l");
  const Values start = chain->zigzag();
  double reach = 0;
  for (int i = 0; i < n; ++i) reach = std::fmax(reach, start.segment(3 * i, 3).norm() + p["r"]);
  if (!s.initial.q && !(reach <= p["radius"]))
    s.reject("system.parameters.radius", fmt::format("{}", p["radius"]),
             fmt::format("the start of {} balls reaches to {:.4g}", n, reach));
  return {chain, start, stirred(3 * n, p["speed"], p["m"]), drawing(n)};
}

}  // namespace

Model lennard_jones_chain_model() {
  return local_built_in({"lennard-jones-chain",
                         "hard spheres on a chain of rods, attracting each other, inside a sphere",
                         {{"balls", 6, "1, 2, ..."},
                          {"m", 1, "> 0"},
                          {"epsilon", 1, ">= 0"},
                          {"sigma", 0.6, "> 0"},
                          {"r", 0.3, "> 0"},
                          {"radius", 5, "> 0"},
                          {"l", 1, "> 0"},
                          {"speed", 1, "any"}},
                         build});
}

}  // namespace carom
