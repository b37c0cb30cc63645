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

// Gauss collocation and impacts that keep H, by the stepper that takes its own steps inside of those of the
// grid.
class CaromCart final : public Contestant {
 public:
  CaromCart(const Setup& s, const CollocationOptions& o)
      : Contestant("carom", describe(o)),
        setup(s),
        options(o),
        start(validated_state(*cart, CartPendulum::family(s.beta))) {
    options.measures = false;
  }

  void run() override {
    const auto stepper = make_collocation_stepper(*cart, setup.step, options);
    z = start;
    const double H0 = cart->hamiltonian(0, z.q, z.p);
    result = {};
    const auto steps = static_cast<std::int64_t>(std::floor(setup.end / setup.step + 1e-9));
    for (; result.steps < steps; ++result.steps) {
      const auto& next = stepper->step(static_cast<double>(result.steps) * setup.step, z);
      if (next.failure) return fail(next.failure->reason);
      z = next.step.z;
      result.impacts += static_cast<std::int64_t>(next.impacts.size());
      result.energy_error = std::fmax(result.energy_error, std::abs(cart->hamiltonian(0, z.q, z.p) / H0 - 1));
    }
  }

  Outcome outcome() const override {
    Outcome r = result;
    r.end = {z.q[0], z.q[1], z.p[0], z.p[1]};
    return r;
  }

 private:
  static std::string describe(const CollocationOptions& o) {
    if (o.tolerance > 0) return fmt::format("gauss, tolerance {:.0e}", o.tolerance);
    return fmt::format("gauss, {} stages, steps up to {:.3g}, solved to {:.0e}", o.stages, o.longest_step,
                       o.accuracy_of_slopes);
  }
  void fail(const std::string& reason) { result.bounded = false, result.remark = reason; }

  Setup setup;
  CollocationOptions options;
  std::shared_ptr<const System> cart = make_system(CartPendulum{});
  Phase start, z;
  Outcome result;
};

}  // namespace carom::bench
