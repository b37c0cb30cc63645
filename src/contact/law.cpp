#include "carom/contact/law.hpp"

#include <algorithm>
#include <vector>

#include "carom/gauss_table.hpp"
#include "carom/modified_law.hpp"

namespace carom {

Law continuous_energy() { return {.name = "continuous-energy"}; }

Law discrete_energy() { return {.name = "discrete-energy", .at = Law::At::leg}; }

Law shadow_law(int order, Law::Part part) {
  return {
      .name = "shadow", .at = Law::At::node, .part = part, .order = order, .noise = 1e-14, .anchored = true};
}

Law modified_energy(const ModifiedHamiltonian& modified, bool plain) {
  const auto value = [modified](double, const Law::Z& z) { return modified.value(z.q, z.p); };
  Law law{.name = "modified-energy", .before = value, .after = value, .noise = 4e-15};
  if (plain) return law;
  law.part = Law::Part::field;
  law.field = [modified, &table = gauss_table((modified.order() + 1) / 2)](double tau, Law::Z& z) {
    return advance_by_hamiltonian(modified, table, tau, z.q, z.p);
  };
  return law;
}

namespace {

// The median of an energy over the iterates of one direction.
class Median {
 public:
  Median(const Mechanism& mechanism, const SteadyFlow& f, int nodes, std::function<double(const Law::Z&)> e)
      : flow(f),
        energy(std::move(e)),
        free(make_free_flow(mechanism)),
        values(static_cast<std::size_t>(nodes)) {}

  double operator()(const Flow& direction, double t, const Law::Z& start) {
    z = start;
    for (double& value : values) {
      value = energy(z);
      if (!free || !(*free)(direction, t, flow.h, z).outcome.ok()) return std::nan("");
    }
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    return values.size() % 2 ? values[half] : 0.5 * (values[half - 1] + values[half]);
  }

  SteadyFlow flow;

 private:
  std::function<double(const Law::Z&)> energy;
  std::unique_ptr<FreeFlow> free;
  Law::Z z;
  std::vector<double> values;
};

}  // namespace

Law stable_energy(const Mechanism& mechanism, const SteadyFlow& flow, int window,
                  std::function<double(const Law::Z&)> energy) {
  const auto median = std::make_shared<Median>(mechanism, flow, window, std::move(energy));
  return {.name = "stable-energy",
          .at = Law::At::node,
          .before = [median](double t, const Law::Z& z) { return (*median)(median->flow.backward, t, z); },
          .after = [median](double t, const Law::Z& z) { return (*median)(median->flow.forward, t, z); }};
}

Law stable_energy(const Mechanism& mechanism, const SteadyFlow& flow, int window,
                  const ModifiedHamiltonian& modified) {
  return stable_energy(mechanism, flow, window,
                       [modified](const Law::Z& z) { return modified.value(z.q, z.p); });
}

}  // namespace carom
