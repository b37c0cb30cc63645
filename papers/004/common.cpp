#include "common.hpp"

#include <fmt/format.h>

#include <cmath>

#include "measure.hpp"

namespace carom::papers::p004 {
namespace {

constexpr double m = 1, b = 0.01, g = 9.81, alpha = 0.5;  // of (4.2); alpha of both

// (4.1) with a multiplier for each half of r: psi = e^t in both is the exact solution.
State exponential_rates_with(const State& at, double psi0, double psi1) {
  const auto [y1, y2, z1, z2] = at;
  const double square = alpha * psi0 * psi0 + (1 - alpha) * psi1 * psi1,
               mean = alpha * psi0 + (1 - alpha) * psi1;
  return {2 * z1, -z2, 2 * y1 * y2 * z1 * z2 - y1 * z1 * z2 + y2 * z1 * square,
          z1 - y1 * z2 * z2 * z2 - std::sqrt(y1) * z1 * z2 * z2 * mean};
}

// rest + share * g_y v_z r(psi) = 0, a quadratic equation for psi > 0.
double exponential_multiplier(const State& at, double share, double rest) {
  const auto [y1, y2, z1, z2] = at;
  const double a = share * 2 * y2 * y2 * y2 * z1, half = share * y1 * y2 * std::sqrt(y1) * z1 * z2 * z2;
  return (-half + std::sqrt(half * half - a * rest)) / a;
}

struct Halves {
  double bend, pull;  // g_yy(v, v) and g_y v_z f
};
Halves exponential_halves(const State& at) {
  const auto [y1, y2, z1, z2] = at;
  const double v1 = 2 * z1, v2 = -z2;
  const double f1 = 2 * y1 * y2 * z1 * z2 - y1 * z1 * z2, f2 = z1 - y1 * z2 * z2 * z2;
  return {4 * y2 * v1 * v2 + 2 * y1 * v2 * v2, 2 * y2 * y2 * f1 - 2 * y1 * y2 * f2};
}

double exponential_psi(const State& at) {
  const auto [bend, pull] = exponential_halves(at);
  return exponential_multiplier(at, 1, bend + pull);
}
State exponential_rates(const State& at, const Friction&) {
  const double psi = exponential_psi(at);
  return exponential_rates_with(at, psi, psi);
}
State exponential_inconsistent(const State& at, const Friction&) {
  const auto [bend, pull] = exponential_halves(at);
  return exponential_rates_with(at, exponential_multiplier(at, alpha, 0.5 * bend + pull),
                                exponential_multiplier(at, 1 - alpha, 0.5 * bend));
}

// (4.2) likewise. Friction lies along the curve, so the multipliers are those without it.
State mass_rates_with(const State& at, const Friction& law, double psi0, double psi1) {
  const auto [y1, y2, z1, z2] = at;
  const double steep = 3 * b * y1 * y1, length = std::hypot(1, steep), speed = std::hypot(z1, z2);
  const auto rub = [&](double psi) { return law.c_f * std::pow(length * std::abs(psi), law.r_f) / speed; };
  const double psi = alpha * psi0 + (1 - alpha) * psi1,
               friction = alpha * rub(psi0) + (1 - alpha) * rub(psi1);
  return {z1, z2, (-steep * psi - friction * z1) / m, -g + (psi - friction * z2) / m};
}

double mass_psi(const State& at) {  // the expression after (4.2)
  const double steep = 3 * b * at[0] * at[0];
  return m * (g + 6 * b * at[0] * at[2] * at[2]) / (1 + steep * steep);
}
State mass_rates(const State& at, const Friction& law) {
  const double psi = mass_psi(at);
  return mass_rates_with(at, law, psi, psi);
}
State mass_inconsistent(const State& at, const Friction& law) {
  const double steep = 3 * b * at[0] * at[0], bend = 3 * b * at[0] * at[2] * at[2], all = 1 + steep * steep;
  return mass_rates_with(at, law, m * (g + bend) / (alpha * all), m * bend / ((1 - alpha) * all));
}

State moved(const State& at, double h, const State& rate) {
  State r = at;
  for (std::size_t i = 0; i < r.size(); ++i) r[i] += h * rate[i];
  return r;
}

State runge_kutta(State at, double t, State (*rates)(const State&, const Friction&), const Friction& law) {
  constexpr int steps = 4000;  // good to 1e-13 in both problems
  const double h = t / steps;
  for (int n = 0; n < steps; ++n) {
    const State k1 = rates(at, law), k2 = rates(moved(at, h / 2, k1), law),
                k3 = rates(moved(at, h / 2, k2), law), k4 = rates(moved(at, h, k3), law);
    for (std::size_t i = 0; i < at.size(); ++i) at[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
  }
  return at;
}

double slope_within(const std::vector<double>& h, const std::vector<double>& errors, double low,
                    double high) {
  std::vector<double> x, y;
  for (std::size_t i = 0; i < h.size(); ++i)
    if (h[i] >= 0.999 * low && h[i] <= 1.001 * high) x.push_back(h[i]), y.push_back(errors[i]);
  return log_slope(x, y);
}

}  // namespace

const Problem exponential{"(4.1)",
                          R"([system]
name = "dae"  # (4.1)
coordinates = ["y1", "y2"]
z = ["z1", "z2"]
v = ["2*z1", "-z2"]
f = ["2*y1*y2*z1*z2 - y1*z1*z2", "z1 - y1*z2^3"]
r = ["y2*z1*psi1^2", "-sqrt(y1)*z1*z2^2*psi1"]
joints = { constraint = "y1*y2^2 - 1" }

[initial]
q = [1.0, 1.0]  # y
v = [1.0, 1.0]  # z
psi = [1.0]     # the other solution, -2, is not meant

[method]
stepper = "dae-euler"
flow = "se1"
scheme = "true"
alpha = 0.5

[time]
step = 0.1      # our choice: 1/10, 1/20, 1/40, ...
end = 1.0
)",    {1, 1, 1, 1}, exponential_rates, exponential_inconsistent,
                          exponential_psi};

const Problem mass_on_cubic{"(4.2)",
                            R"([system]
name = "mass-on-cubic"  # (4.2)
parameters = { m = 1.0, b = 0.01, g = 9.81, c_f = 0.1, r_f = 0.85 }

[initial]
q = [10.0, 10.0]   # y
v = [-3.6, -10.8]  # z

[method]
stepper = "dae-euler"
flow = "se1"
scheme = "true"
alpha = 0.5

[time]
step = 0.1         # our choice: 1/10, 1/20, 1/40, ...
end = 1.0
)", {10, 10, -3.6, -10.8}, mass_rates, mass_inconsistent, mass_psi};

double y_distance(const State& a, const State& c) { return std::hypot(a[0] - c[0], a[1] - c[1]); }
double z_distance(const State& a, const State& c) { return std::hypot(a[2] - c[2], a[3] - c[3]); }

State solution(const Problem& problem, double t, const Friction& friction) {
  return runge_kutta(problem.start, t, problem.rates, friction);
}
State inconsistent_solution(const Problem& problem, double t) {
  return runge_kutta(problem.start, t, problem.inconsistent_rates, {});
}

State run(const Lab& lab, const Problem& problem, int steps, std::vector<std::string> set, double end) {
  set.push_back(fmt::format("time.step={}", end / steps));
  set.push_back(fmt::format("time.end={}", end));
  const RunResult r = lab.complete(problem.scenario, set);
  return {r.q[0], r.q[1], r.p[0], r.p[1]};  // p is z: m = 1
}

double Errors::y_slope(double low, double high) const { return slope_within(h, y, low, high); }
double Errors::z_slope(double low, double high) const { return slope_within(h, z, low, high); }

std::vector<int> step_counts(int last) {
  std::vector<int> r;
  for (int n = 10; n <= last; n *= 2) r.push_back(n);
  return r;
}

Errors errors(const Lab& lab, const Problem& problem, const std::vector<std::string>& set, const State& exact,
              const std::vector<int>& steps) {
  Errors r;
  for (const int n : steps) {
    const State end = run(lab, problem, n, set);
    r.h.push_back(1.0 / n);
    r.y.push_back(y_distance(end, exact)), r.z.push_back(z_distance(end, exact));
  }
  return r;
}

Series guide(const Series& curve, double slope, const std::string& label) {
  const double x0 = curve.x.front(), x1 = curve.x.back(), y1 = curve.y.back();
  return {.label = label,
          .x = {x0, x1},
          .y = {y1 * std::pow(x0 / x1, slope), y1},
          .colour = Series::grey,
          .dashed = true};
}

}  // namespace carom::papers::p004
