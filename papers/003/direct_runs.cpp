#include "direct_runs.hpp"

#include <fmt/format.h>

#include <cmath>

namespace carom::papers::p003 {
namespace {

constexpr double g = 9.8;
constexpr int clear_after = 4;  // steps: a constraint in the middle of steps acts in two of them

}  // namespace

double kept_speed(const Lab& lab, std::string_view scenario, const std::vector<std::string>& method, double h,
                  double phase) {
  const double q0 = 1 + phase * h * std::sqrt(2 * g), hits = std::sqrt(2 * q0 / g);
  std::vector<std::string> set = method;
  set.push_back(fmt::format("time.step={}", h));
  set.push_back(fmt::format("time.end={}", (std::ceil(hits / h) + clear_after + 2) * h));
  set.push_back(fmt::format("initial.q=[{}]", q0));
  const Recorded r = lab.record(scenario, set);
  const auto& H = r.trajectory["H"];
  const auto hit = static_cast<std::size_t>(std::lround(r.impacts["t"].at(0) / h));
  return std::sqrt(H.at(hit + clear_after) / H[0]);
}

std::vector<double> kept_speeds(const Lab& lab, std::string_view scenario,
                                const std::vector<std::string>& method, double h, int phases) {
  std::vector<double> r;
  for (int i = 0; i < phases; ++i) r.push_back(kept_speed(lab, scenario, method, h, double(i) / phases));
  return r;
}

}  // namespace carom::papers::p003
