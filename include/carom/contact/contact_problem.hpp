// The complementarity problem of some contacts, 0 <= y ⟂ W y + b >= 0 with W_ik = G_i·u_k: how the rate of
// gap i answers to an impulse at contact k. Impulses of a reflection and forces of lasting contacts solve it
// with different b. Tested in tests/laws/reflections_test.cpp.
#pragma once

#include "carom/contact/contact_rates.hpp"
#include "carom/numerics/nonnegative.hpp"

namespace carom {

class ContactProblem {
 public:
  // `chosen` are places among the contacts, ascending; y and b go with them. `noise` is how wrong b may be.
  bool solve(ContactRates& contacts, const std::vector<int>& chosen, const ChangingValues& b,
             ChangingValues& y, double noise,
             NonnegativeSolver::Guess guess = NonnegativeSolver::Guess::where_b_asks);

 private:
  void shape(const ContactRates& contacts, const std::vector<int>& chosen);

  NonnegativeSolver problem;
  std::vector<int> place, first, seen;
};

}  // namespace carom
