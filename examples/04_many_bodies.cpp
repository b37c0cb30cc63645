// A chain of beads on a string over a floor, any number of them, as a system: a sum of terms of few
// coordinates each. Joints keep the string's links, contacts last, and the total energy stays.
#include <carom/carom.hpp>

#include <cstdio>

using namespace carom;

struct Beads : LocalSystem<Beads> {
  int n;
  double link, g = 9.81;
  Values mass;
  Beads(int count, double length) : n(count), link(length), mass(Values::Ones(2 * count)) {}

  const Values& masses() const { return mass; }
  int contacts_in_all() const { return n; }
  int joints_in_all() const { return n - 1; }
  void potential(auto&& term) const {
    for (int i = 0; i < n; ++i) term(std::array{2 * i + 1}, [this](const auto& y) { return g * y[0]; });
  }
  void contacts(auto&& gap) const {
    for (int i = 0; i < n; ++i) gap(i, std::array{2 * i + 1}, [](const auto& y) { return y[0]; });
  }
  void each_joint(auto&& joint) const {
    for (int i = 0; i + 1 < n; ++i)
      joint(std::array{2 * i, 2 * i + 1, 2 * i + 2, 2 * i + 3}, [this](const auto& x) {
        const auto dx = x[2] - x[0], dy = x[3] - x[1];
        return (dx * dx + dy * dy - link * link) / (2 * link);
      });
  }
};

int main() {
  const Beads beads(20, 0.1);
  Phase z{Values::Zero(40), Values::Zero(40)};
  for (int i = 0; i < 20; ++i) z.q[2 * i] = 0.1 * i;  // at rest on the floor,
  z.p[39] = 0.5;                                      // its end flicked upwards

  const SteadyFlow flow(svc(), 1e-3);
  GviStepper stepper(beads, flow, {.energy = GviOptions::Energy::shadow});
  Ledger ledger(beads);
  const auto ended = simulate(stepper, z, Grid{0, flow.h, 1000}, ledger);
  if (ended.failure) return std::puts(ended.failure->reason.c_str()), 1;
  const double H0 = ledger.energy.initial, error = std::abs(ledger.energy.final - H0);
  std::printf("energy error %.1e of %.3f, joints within %.1e\n", error, H0, ledger.largest_joint);
  return error < 0.02 * H0 && ledger.largest_joint < 1e-13 ? 0 : 1;
}
