// Rows that compare the time of a step: carom and each opponent in one contest.
#pragma once

#include "compare/contest.hpp"
#include "compare/problems.hpp"
#include "peers/peers.hpp"

namespace carom::bench {

struct StepsProblem {
  std::string name;
  int rounds = 5;
  std::string error = "energy error";
  double (*error_of)(const Outcome&) = [](const Outcome& r) { return r.energy_error; };
  std::optional<double> largest_error = {};
};

struct Opponent {
  std::string package, problem;
  std::optional<double> ratio;  // at most, carom's time over its
  std::string target;
};

// carom has to stay bounded in all of them.
void add_steps(Rows& rows, const StepsProblem& problem, Contestant& carom, const Setup& setup,
               const std::vector<Opponent>& opponents);

}  // namespace carom::bench
