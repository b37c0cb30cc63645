// Boost.odeint: its controlled steppers, as its tutorial has them. An event is found where a step ends behind
// the floor, and its time by Newton's method on steps of the same formula from the same point: the
// interpolant of dense output is of lower order than the step.
#include <boost/numeric/odeint/stepper/bulirsch_stoer.hpp>
#include <boost/numeric/odeint/stepper/generation.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_dopri5.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_fehlberg78.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "peers/cart_by_hand.hpp"
#include "peers/peers.hpp"

namespace carom::bench {
namespace {

namespace odeint = boost::numeric::odeint;
using X = std::array<double, 4>;

struct Rates {
  CartByHand cart;
  void operator()(const X& x, X& dxdt, double) const { cart.rates(x.data(), dxdt.data()); }
};

// A Runge-Kutta pair under odeint's own control of the step.
template <class Pair>
struct Controlled {
  explicit Controlled(double tolerance) : control(odeint::make_controlled<Pair>(tolerance, tolerance)) {}
  bool attempt(const Rates& rates, X& x, double& t, double& dt) {
    return control.try_step(rates, x, t, dt) == odeint::success;
  }
  X partial(const Rates& rates, const X& x, double t, double dt) {
    X to;
    forget(plain);
    plain.do_step(rates, x, t, to, dt);
    return to;
  }
  void forget() { forget(control); }
  // dopri5 keeps the slope at the end of its last step for the next, which here begins elsewhere.
  static void forget(auto& stepper) {
    if constexpr (requires { stepper.reset(); }) stepper.reset();
  }
  odeint::controlled_runge_kutta<Pair> control;
  Pair plain;
};

// Bulirsch-Stoer chooses order and step itself, so that a part of a step may become several.
struct Extrapolated {
  explicit Extrapolated(double tolerance) : control(tolerance, tolerance), again(control) {}
  bool attempt(const Rates& rates, X& x, double& t, double& dt) {
    return control.try_step(rates, x, t, dt) == odeint::success;
  }
  X partial(const Rates& rates, const X& from, double t, double dt) {
    X x = from;
    again.reset();
    double part = dt;
    for (double now = t; now < t + dt; part = std::min(part, t + dt - now))
      again.try_step(rates, x, now, part);
    return x;
  }
  void forget() { control.reset(); }
  odeint::bulirsch_stoer<X> control, again;
};

template <class Stepper>
class Cart final : public Contestant {
 public:
  Cart(const std::string& formula, const Setup& s)
      : Contestant("odeint", fmt::format("{}, tolerance {:.0e}", formula, s.tolerance)), setup(s) {}

  void run() override {
    Stepper stepper(setup.tolerance);
    rates.cart.start(setup.beta, x.data());
    H0 = rates.cart.energy(x.data());
    result = {};
    double t = 0, dt = 0.01;
    while (t < setup.end) {
      const X before = x;
      const double from = t;
      dt = std::min(dt, setup.end - t);
      ++result.steps;
      if (!stepper.attempt(rates, x, t, dt)) continue;
      if (x[0] < 0) bounce(stepper, before, from, t);
    }
    note_energy();
  }

  Outcome outcome() const override {
    Outcome r = result;
    r.end = rates.cart.phase(x.data());
    return r;
  }

 private:
  void bounce(Stepper& stepper, const X& before, double from, double& t) {
    double tau = t - from;
    for (int i = 0; i < 20; ++i) {
      const double change = x[0] / x[2];
      tau = std::clamp(tau - change, 0.0, t - from);
      x = stepper.partial(rates, before, from, tau);
      if (std::abs(change) < 1e-15) break;
    }
    rates.cart.bounce(x.data());
    t = from + tau;
    ++result.impacts;
    note_energy();
    stepper.forget();
  }
  void note_energy() {
    result.energy_error = std::max(result.energy_error, std::abs(rates.cart.energy(x.data()) / H0 - 1));
  }

  Setup setup;
  Rates rates;
  X x{};
  double H0 = 0;
  Outcome result;
};

using Dopri5 = Controlled<odeint::runge_kutta_dopri5<X>>;
using Fehlberg78 = Controlled<odeint::runge_kutta_fehlberg78<X>>;

const Entry dopri5{"odeint", "cart-pendulum, dopri5", [](const Setup& s) -> std::unique_ptr<Contestant> {
                     return std::make_unique<Cart<Dopri5>>("dopri5", s);
                   }};
const Entry fehlberg78{"odeint", "cart-pendulum, fehlberg78",
                       [](const Setup& s) -> std::unique_ptr<Contestant> {
                         return std::make_unique<Cart<Fehlberg78>>("fehlberg78", s);
                       }};
const Entry extrapolated{"odeint", "cart-pendulum, bulirsch-stoer",
                         [](const Setup& s) -> std::unique_ptr<Contestant> {
                           return std::make_unique<Cart<Extrapolated>>("bulirsch-stoer", s);
                         }};

}  // namespace
}  // namespace carom::bench
