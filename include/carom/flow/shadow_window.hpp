// The shadow energy along a run: the iterates around a point are those around the next one, shifted, as long
// as no impact comes between. That takes one step of the flow per grid point, ahead of the run, which need
// not take it again. Tested against the energy of one point in tests/laws/shadow_window_test.cpp.
#pragma once

#include <cstdint>

#include "carom/flow/held_flow.hpp"

namespace carom {

struct ShadowValue {
  double energy = 0;
  double uncertainty = 0;  // difference to the energy of two orders less
};

class ShadowWindow {
 public:
  using Z = Phase;

  // Order 2 `half`, from the nodes -half .. half.
  ShadowWindow(const System& system, const SteadyFlow& f, int half);

  ShadowValue at(std::int64_t n, double t, const Z& point);

  // Moves on to the next grid point, by one step of the flow; false where the run has not gone there.
  bool follow(std::int64_t n, double t, const Z& point);

  // The step of the flow from here, if it has been taken.
  struct Taken {
    const Z& z;
    const Spent& spent;
  };
  std::optional<Taken> step_from(const Z& point) const;

  // Calls f with each number that a run must keep to go on later as if it had never stopped.
  void numbers(auto&& f) {
    f(centre), f(valid);
    for (int j = 0; j < count; ++j) {
      for (int i = 0; i < z[j].q.size(); ++i) f(z[j].q[i]), f(z[j].p[i]), f(way[j][i]);
      f(action[j]);
    }
    first_known = count;  // steps are not kept
  }

 private:
  bool rebuild(double t, const Z& point);
  bool shift(double t);
  bool take_step(int j, double t);  // from node j to the next
  double of_order(int k);           // H~ = p·q' - A' from the nodes -k .. k

  HeldFlow held;
  SteadyFlow flow;
  int m, count;
  std::array<Weights, 2> weights;  // of this order and the one below
  std::int64_t centre = -1, valid = 0, followed = -1;
  std::array<Z, most_shadow_nodes> z;
  std::array<double, most_shadow_nodes> action{};  // of the step from node j to j + 1
  std::array<Values, most_shadow_nodes> way;       // likewise, how far it goes
  std::array<Spent, most_shadow_nodes> steps;      // the same, from node `first_known` on
  int first_known = most_shadow_nodes;
  Values ahead, behind;  // from the centre to a node
};

}  // namespace carom
