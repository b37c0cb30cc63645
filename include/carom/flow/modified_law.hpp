// Steps along a modified Hamiltonian, for the law that keeps it (law.hpp: modified_energy): Gauss collocation
// of q' = ∂H~/∂p, p' = -∂H~/∂q. Tested in tests/laws/impact_series_test.cpp.
#pragma once

#include "carom/flow/modified.hpp"
#include "carom/flow/outcome.hpp"
#include "carom/numerics/gauss_table.hpp"

namespace carom {

// Moves (q, p) over tau along H~.
[[nodiscard]] Outcome advance_by_hamiltonian(const ModifiedHamiltonian& modified, const GaussTable& table,
                                             double tau, ModifiedHamiltonian::Out q,
                                             ModifiedHamiltonian::Out p);

}  // namespace carom
