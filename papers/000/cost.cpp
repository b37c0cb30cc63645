#include "cost.hpp"

#include <ctime>

#include <algorithm>

namespace carom::papers::p000 {
namespace {

double processor_milliseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

double timed(const Lab& lab, const Set& set) {
  const double begin = processor_milliseconds();
  lab.complete(cart_pendulum, set);
  return processor_milliseconds() - begin;
}

}  // namespace

Cost cost(const Lab& lab, const Set& set, int repeats) {
  const RunResult run = lab.complete(cart_pendulum, set);
  const Set one_step = set + Set{"time.end=" + std::to_string(run.grid.step)};
  double whole = HUGE_VAL, reading = HUGE_VAL;
  for (int i = 0; i < repeats; ++i) {
    whole = std::min(whole, timed(lab, set));
    reading = std::min(reading, timed(lab, one_step));
  }
  return {whole - reading, static_cast<double>(run.newton_iterations), static_cast<double>(run.impacts),
          static_cast<double>(run.impact_solves)};
}

std::vector<Cost> costs(const Lab& lab, const std::vector<double>& betas, const Set& set, int repeats) {
  std::vector<Cost> r;
  for (const double beta : betas) r.push_back(cost(lab, start(beta) + set, repeats));
  return r;
}

std::vector<double> each(const std::vector<Cost>& costs, double Cost::*field) {
  std::vector<double> r;
  for (const Cost& c : costs) r.push_back(c.*field);
  return r;
}

Set smooth(const std::string& flow) {
  return {"method={stepper = \"smooth\", flow = \"" + flow + "\"}", "initial.q=[200.0, 0.0]"};
}

}  // namespace carom::papers::p000
