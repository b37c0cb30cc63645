#include "point_mass.hpp"

#include <fmt/format.h>

#include <cmath>

namespace carom::papers::p001 {

std::vector<StepWithImpact> steps_with_one_impact(const Recorded& run, double h) {
  const auto &t = run.trajectory["t"], &q = run.trajectory["q1"];
  const auto &times = run.impacts["t"], &steps = run.impacts["step"], &p = run.impacts["p_before1"];
  std::vector<StepWithImpact> r;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const bool alone =
        (i == 0 || steps[i - 1] != steps[i]) && (i + 1 == steps.size() || steps[i + 1] != steps[i]);
    const auto end = static_cast<std::size_t>(steps[i]);
    if (alone && end < q.size()) r.push_back({h, (times[i] - t[end - 1]) / h, q[end - 1], p[i], q[end]});
  }
  return r;
}

double dtec_formula(const StepWithImpact& s) {
  const double before = s.alpha * s.h, after = (1 - s.alpha) * s.h;
  const double energy = 0.5 * std::pow(s.q_before / before, 2) + 0.5 * s.q_before;  // -D3 L_d(q_j, 0, αh)
  return after * after * (-0.5 + std::sqrt(0.25 + 2 * energy / (after * after)));
}

double ctec_formula(const StepWithImpact& s) {
  const double after = (1 - s.alpha) * s.h, H = 0.5 * s.p_impact * s.p_impact;
  return after * std::sqrt(2 * H) - 0.5 * after * after;
}

double farthest_from(double (*formula)(const StepWithImpact&), const std::vector<StepWithImpact>& steps) {
  double r = 0;
  for (const auto& s : steps) r = std::fmax(r, std::abs(s.q_after - formula(s)));
  return r;
}

StepWithImpact before_impact(double h, double alpha, double H) {
  const double tau = alpha * h, speed = std::sqrt(2 * H);
  return {h, alpha, tau * speed - 0.5 * tau * tau, -speed, std::nan("")};
}

OneStep one_step(const Lab& lab, std::string_view method, double h, double alpha, double H) {
  const StepWithImpact s = before_impact(h, alpha, H);
  const Recorded r = lab.record(
      point_mass, {fmt::format("method.name={}", method), fmt::format("initial.q=[{:.17e}]", s.q_before),
                   fmt::format("initial.p=[{:.17e}]", s.p_impact + alpha * h), setting("time.step", h),
                   setting("time.end", h)});
  if (r.result.status != "completed") return {std::nan(""), 0};
  return {r.trajectory["q1"].back(), r.impacts.rows()};
}

double exact_end(double h, double alpha, double H) {
  const double flight = 2 * std::sqrt(2 * H), since = std::fmod((1 - alpha) * h, flight);
  return since * std::sqrt(2 * H) - 0.5 * since * since;
}

}  // namespace carom::papers::p001
