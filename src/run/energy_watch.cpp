#include "run/energy_watch.hpp"

namespace carom {
namespace {

void raise(double& most, double x) { most = std::fmax(most, std::abs(x)); }

}  // namespace

void EnergyWatch::see(const RunVector& momentum, const RunVector& velocity, const Accounts& ledger) {
  p.add(momentum), v.add(velocity);
  double twice_T = 0;
  for (int i = 0; i < power.size(); ++i) {
    const double x = momentum[i] * velocity[i];
    raise(power[i], x), twice_T += x;
  }
  const double V = ledger.H - 0.5 * twice_T, left = ledger.remainder();
  V_low = std::fmin(V_low, V), V_high = std::fmax(V_high, V);
  raise(work, ledger.work), raise(friction, ledger.friction), raise(loss, ledger.loss);
  raise(change, left - ledger.loss), raise(remainder, left);
  raise(largest, ledger.H), raise(largest, twice_T);
}

EnergySeen EnergyWatch::seen() const {
  EnergySeen r{0, change, remainder, 1e-10 * largest};
  for (int i = 0; i < power.size(); ++i)
    r.scale += 0.5 * std::fmin(power[i], (p.high[i] - p.low[i]) * (v.high[i] - v.low[i]));
  if (V_high > V_low) r.scale += V_high - V_low;
  r.scale += work + friction + loss;
  return r;
}

void EnergyWatch::numbers(KeptNumbers& f) {
  for (RunVector* x : {&p.low, &p.high, &v.low, &v.high, &power})
    for (double& number : *x) f(number);
  for (double* x : {&V_low, &V_high, &work, &friction, &loss, &change, &remainder, &largest}) f(*x);
}

}  // namespace carom
