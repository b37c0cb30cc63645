#include "pogo_runs.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "measure.hpp"

namespace carom::papers::p003 {
namespace {

constexpr double k = 10, l = 5, g = 9.8;

struct Pogo {
  double q1, q2, p1 = 0, p2 = 0;

  double pull() const { return k * (q1 - q2 - l); }
  double down() const { return g - pull(); }  // dV/dq2
  double H() const {
    const double d = q1 - q2 - l;
    return 0.5 * (p1 * p1 + p2 * p2) + g * (q1 + q2) + 0.5 * k * d * d;
  }
  void kick(double tau) { p1 -= tau * (g + pull()), p2 -= tau * down(); }
  void step(double tau) {
    kick(0.5 * tau);
    q1 += tau * p1, q2 += tau * p2;
    kick(0.5 * tau);
  }
  // E2 = H + h²/12 p'V''p + ...: of p this is ½ p'(1 + h²/6 V'')p. Along (0, 1) both roots of E2 = E2 before.
  void reflect(double h, bool numerical) {
    const double c = numerical ? h * h / 6 * k : 0;
    p2 -= 2 * (p2 - c / (1 + c) * p1);
  }
};

// When the lower mass goes through the floor downwards, along the parabola of Verlet's step.
double event_time(const Pogo& z, double discriminant) {
  const double root = std::sqrt(discriminant);
  return z.p2 >= 0 ? (z.p2 + root) / z.down() : 2 * z.q2 / (root - z.p2);
}

}  // namespace

std::vector<double> pogo_heights() { return evenly(0.25, 4.25, 17); }

std::string dropped_from(double height) { return fmt::format("initial.q=[{}, {}]", height + l, height); }

CarelessRun collide_carelessly(double height, bool numerical, double h, double T) {
  Pogo z{height + l, height};
  CarelessRun r{{0}, {z.H()}, std::numeric_limits<double>::quiet_NaN()};
  const double twice = 2 * z.H();
  for (int n = 1; n <= std::lround(T / h); ++n) {
    Pogo end = z;
    end.step(h);
    if (end.q2 < 0) {
      const double discriminant = z.p2 * z.p2 + 2 * z.down() * z.q2;
      const double tau = discriminant >= 0 ? event_time(z, discriminant) : 0;
      r.outside = r.outside || tau < 0 || tau > h;
      end = z;
      end.step(tau);
      end.reflect(h, numerical);
      end.step(h - tau);
    }
    z = end;
    r.t.push_back(n * h), r.H.push_back(z.H());
    if (z.H() < twice) continue;
    r.doubled = n * h;
    break;
  }
  return r;
}

Careless careless_starts(bool numerical, double T) {
  Careless r;
  for (const double height : pogo_heights()) {
    const CarelessRun run = collide_carelessly(height, numerical, 0.1, T);
    r.outside += run.outside;
    if (!(run.doubled > 0)) continue;
    ++r.doubled;
    r.first = std::fmin(r.first, run.doubled);
  }
  return r;
}

Series energy_of(const Recorded& r, const std::string& label, int colour) {
  return {.label = label, .x = r.trajectory["t"], .y = r.trajectory["H"], .colour = colour};
}

}  // namespace carom::papers::p003
