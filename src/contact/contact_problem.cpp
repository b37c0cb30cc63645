#include "carom/contact/contact_problem.hpp"

#include <algorithm>

namespace carom {

bool ContactProblem::solve(ContactRates& contacts, const std::vector<int>& chosen, const ChangingValues& b,
                           ChangingValues& y, double noise, NonnegativeSolver::Guess guess) {
  place.resize(std::max(place.size(), static_cast<std::size_t>(contacts.size())), -1);
  shape(contacts, chosen);
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    contacts.scatter(chosen[i]);
    contacts.neighbours(chosen[i], [&](int k) {
      if (place[k] < static_cast<int>(i) || seen[place[k]] == static_cast<int>(i)) return;
      seen[place[k]] = static_cast<int>(i);
      problem.add(place[k], static_cast<int>(i), contacts.coupling(k));
    });
    contacts.wipe(chosen[i]);
  }
  for (const int k : chosen) place[k] = -1;
  return problem.solve(b, y, noise, guess);
}

void ContactProblem::shape(const ContactRates& contacts, const std::vector<int>& chosen) {
  const int n = static_cast<int>(chosen.size());
  first.resize(n), seen.assign(n, -1);
  for (int i = 0; i < n; ++i) first[i] = i, place[chosen[i]] = i;
  for (int i = 0; i < n; ++i)
    contacts.neighbours(chosen[i], [&](int k) {
      if (place[k] > i) first[place[k]] = std::min(first[place[k]], i);
      if (place[k] >= 0 && place[k] < i) first[i] = std::min(first[i], place[k]);
    });
  problem.shape(first);
}

}  // namespace carom
