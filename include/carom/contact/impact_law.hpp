// An impact law is data: how the system moves over a part of a step, and which energy an impact keeps,
// measured where. The stepper does the rest; a law of your own is one of these with other functions in it
// (examples/03_your_own_impact_law.cpp).
//
//   at       energy before = energy after                                     laws
//   impact   before(q, p-) = after(q, p+)                                     continuous-energy,
//   modified-energy leg      -D3 L_d of the part before = -D3 L_d of the part after           discrete-energy
//   (002, (56)) node     before(z_j) = after(z_(j+1)), from grid node to grid node        stable-energy,
//   shadow
//
// Tested in tests/laws/impact_laws_test.cpp.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "carom/flow/free_flow.hpp"
#include "carom/flow/modified.hpp"
#include "carom/flow/shadow.hpp"

namespace carom {

struct ImpactLaw {
  using Z = Phase;
  enum class At { impact, leg, node };
  // Parts of a step: Φ_tau itself; three substeps of Φ, or the polynomial through its iterates, which follow
  // the modified flow; or a field of its own.
  enum class Part { flow, composition, polynomial, field };

  std::string name;
  At at = At::impact;
  Part part = Part::flow;
  // Of impact and node. None at a node: the shadow energy of this order, with the contacts held that last.
  // None at an impact: H, which a reflection keeps by itself.
  std::function<double(double t, const Z&z)> before = {}, after = {};
  int order = 8;
  std::function<Outcome(double tau, Z& z)> field = {};
  double noise =
      4e-16;  // how well `after` is known, relative to the energies involved (shadow energies tell it)
  // The energy is taken once, at the start of the run, and kept through all conservative impacts: taken
  // afresh at each it would walk.
  bool anchored = false;
  // The same law for a part of the system that nothing couples to the rest; none where the law needs no
  // system.
  std::function<ImpactLaw(const System& part)> of_part = {};

  bool keeps_H() const { return at == At::impact && !after; }
  bool by_shadow() const { return at == At::node && !after; }
};

// CVA of 000, 4.1, on any flow; CTEC of 001.
ImpactLaw continuous_energy();
// VCI of 002 and 000, 4.2; DTEC of 001.
ImpactLaw discrete_energy();
// Ours: the shadow energy from node to node, and fractional steps of the modified flow.
ImpactLaw shadow_law(int order = 8, ImpactLaw::Part part = ImpactLaw::Part::composition);
// MCVA of 000, 4.3 and 4.4: a truncated modified Hamiltonian H~, and parts of steps along its Hamilton
// equations by Gauss collocation of sufficient order. With `plain` parts Φ_tau instead it is the reset (28)
// of 001; so it is for systems with forces, of which H~ knows nothing.
ImpactLaw modified_energy(const ModifiedHamiltonian& modified, bool plain = false);
// MHC of 001, III-E: the stable value of an energy, its median over `window` nodes before and after. The
// windows follow the flow as if there were no walls, so that they are smooth and need no history.
ImpactLaw stable_energy(const System& system, const SteadyFlow& flow, int window,
                        std::function<double(const ImpactLaw::Z&)> energy);
ImpactLaw stable_energy(const System& system, const SteadyFlow& flow, int window,
                        const ModifiedHamiltonian& modified);

}  // namespace carom
