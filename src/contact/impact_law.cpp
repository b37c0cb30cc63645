#include "carom/contact/impact_law.hpp"

#include <algorithm>
#include <vector>

#include "carom/flow/modified_law.hpp"
#include "carom/numerics/gauss_table.hpp"

namespace carom {

ImpactLaw continuous_energy() { return {.name = "continuous-energy"}; }

ImpactLaw discrete_energy() { return {.name = "discrete-energy", .at = ImpactLaw::At::leg}; }

ImpactLaw shadow_law(int order, ImpactLaw::Part part) {
  return {.name = "shadow", .at = ImpactLaw::At::node, .part = part, .order = order, .anchored = true};
}

ImpactLaw modified_energy(const ModifiedHamiltonian& modified, bool plain) {
  const auto value = [modified](double, const ImpactLaw::Z& z) { return modified.value(z.q, z.p); };
  ImpactLaw law{.name = "modified-energy", .before = value, .after = value, .noise = 4e-15};
  law.of_part = [modified, plain](const System& part) {
    return modified_energy(modified.of(part.over_nilpotents()), plain);
  };
  if (plain) return law;
  law.part = ImpactLaw::Part::field;
  law.field = [modified, &table = gauss_table((modified.order() + 1) / 2)](double tau, ImpactLaw::Z& z) {
    return advance_by_hamiltonian(modified, table, tau, z.q, z.p);
  };
  return law;
}

namespace {

// The median of an energy over the iterates of one direction.
class Median {
 public:
  Median(const System& system, const SteadyFlow& f, int nodes, std::function<double(const ImpactLaw::Z&)> e)
      : flow(f),
        energy(std::move(e)),
        free(make_free_flow(system)),
        values(static_cast<std::size_t>(nodes)) {}

  double operator()(const Flow& direction, double t, const ImpactLaw::Z& start) {
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
  std::function<double(const ImpactLaw::Z&)> energy;
  std::unique_ptr<FreeFlow> free;
  ImpactLaw::Z z;
  std::vector<double> values;
};

}  // namespace

ImpactLaw stable_energy(const System& system, const SteadyFlow& flow, int window,
                        std::function<double(const ImpactLaw::Z&)> energy) {
  const auto median = std::make_shared<Median>(system, flow, window, std::move(energy));
  return {
      .name = "stable-energy",
      .at = ImpactLaw::At::node,
      .before = [median](double t, const ImpactLaw::Z& z) { return (*median)(median->flow.backward, t, z); },
      .after = [median](double t, const ImpactLaw::Z& z) { return (*median)(median->flow.forward, t, z); }};
}

ImpactLaw stable_energy(const System& system, const SteadyFlow& flow, int window,
                        const ModifiedHamiltonian& modified) {
  ImpactLaw law = stable_energy(system, flow, window,
                                [modified](const ImpactLaw::Z& z) { return modified.value(z.q, z.p); });
  law.of_part = [flow, window, modified](const System& part) {
    return stable_energy(part, flow, window, modified.of(part.over_nilpotents()));
  };
  return law;
}

}  // namespace carom
