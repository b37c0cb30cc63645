// The other packages. Each has a source file here, compiled where the package is installed, that enters what
// it can solve; rows ask for a contestant by package and problem, and learn by its absence that there is
// none.
#pragma once

#include <memory>
#include <string>

#include "compare/contest.hpp"

namespace carom::bench {

// The numbers of a problem; each uses those that it has.
struct Setup {
  double step = 0;
  double end = 0;
  double tolerance = 0;  // of steppers that choose their steps
  int bodies = 1;
  double beta = 4.2;  // of the cart-pendulum's family of starts
};

using Maker = std::unique_ptr<Contestant> (*)(const Setup&);

// At namespace scope in a peer's source file: `const Entry ball{"Siconos", "bouncing ball, Moreau-Jean",
// ...}`.
struct Entry {
  Entry(const std::string& package, const std::string& problem, Maker make);
};

bool has_package(const std::string& package);

// Null where the package is not installed.
std::unique_ptr<Contestant> make_peer(const std::string& package, const std::string& problem,
                                      const Setup& setup);

}  // namespace carom::bench
