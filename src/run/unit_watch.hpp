// The energies of units, each watched for itself (part_of_system.hpp): what one of them errs by does not show beside another
// that exchanges a million times as much, and is no less wrong for it. For systems of a few coordinates that keep their
// energies: what forces and losses take, nobody knows by units, and such runs are judged as a whole.
// Tested in tests/cli/energy_words_test.py.
#pragma once

#include <memory>

#include "carom/system/part_of_system.hpp"
#include "run/energy_watch.hpp"

namespace carom {

class UnitWatch {
 public:
  // Watches nothing where the system is not known or has one unit.
  UnitWatch(const System* system, double t, const RunState& start);

  void see(const GridPoint& point);
  // What is seen of the unit that errs most beside what it exchanges, or of the whole.
  EnergySeen worst(EnergySeen whole, const Accounts& ledger) const;
  void numbers(KeptNumbers& f);

 private:
  struct Unit {
    Unit(const DenseSystem& whole, std::vector<int> members, double t, const RunState& start);
    PartOfSystem part;
    Accounts account;
    EnergyWatch watch;
    RunState z;
    RunVector v, Lq, Lv;
  };
  std::vector<std::unique_ptr<Unit>> units;
};

}  // namespace carom
