// carom's side of the cart-pendulum of 000, and what its end is compared with.
#pragma once

#include <fmt/format.h>
#include <array>

#include "carom/carom.hpp"
#include "compare/contest.hpp"
#include "peers/peers.hpp"

namespace carom::bench {

// (q, p) at t = 5 from β = 4.2: tests/golden/cart_pendulum.json, which is exact to all digits of a double.
inline constexpr std::array<double, 4> cart_end{2.356001234602085, -3.4312149777935255, 0.5957639028074264,
                                                -5.147169365660555};

inline double distance(const std::vector<double>& a, std::span<const double> b) {
  double r = 0;
  for (std::size_t i = 0; i < b.size(); ++i) r = std::fmax(r, std::abs(a[i] - b[i]));
  return r;
}

// Gauss collocation with a fixed step, and impacts that keep H.
class CaromCart final : public Contestant {
 public:
  CaromCart(int stages, const Setup& s)
      : Contestant("carom", fmt::format("gauss, {} stages, h = {:.3g}", stages, s.step)),
        setup(s),
        flow(gauss(stages), s.step) {}

  void run() override {
    EventDrivenStepper<CartPendulum> stepper(cart, flow, continuous_energy(cart, flow));
    z = validated_state(cart, CartPendulum::family(setup.beta));
    const double H0 = hamiltonian(cart, z);
    result = {};
    const auto steps = static_cast<std::int64_t>(std::floor(setup.end / setup.step + 1e-9));
    for (; result.steps < steps; ++result.steps) {
      const auto next = stepper.step(static_cast<double>(result.steps) * setup.step, z);
      if (next.failure) return fail(next.failure->reason);
      z = next.step.z;
      if (next.impacts.empty()) continue;
      result.impacts += static_cast<std::int64_t>(next.impacts.size());
      note_energy(H0);
    }
    note_energy(H0);
  }

  Outcome outcome() const override {
    Outcome r = result;
    r.end = {z.q[0], z.q[1], z.p[0], z.p[1]};
    return r;
  }

 private:
  void note_energy(double H0) {
    result.energy_error = std::fmax(result.energy_error, std::abs(hamiltonian(cart, z) / H0 - 1));
  }
  void fail(const std::string& reason) { result.bounded = false, result.remark = reason; }

  Setup setup;
  CartPendulum cart;
  SteadyFlow flow;
  State<double, 2> z;
  Outcome result;
};

}  // namespace carom::bench
