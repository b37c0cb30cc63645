// The energies of units, each watched for itself (part_of_system.hpp): what one of them errs by does not show
// beside another that exchanges a million times as much, and is no less wrong for it. For systems of a few
// coordinates. What impacts take is known by units; the work of forces and of friction is not, so that all
// units that they act on count as one. Tested in tests/cli/energy_words_test.py.
#pragma once

#include <memory>

#include "carom/system/part_of_system.hpp"
#include "run/energy_watch.hpp"

namespace carom {

class UnitWatch {
 public:
  // Watches nothing where the system is not known or has one unit. `by_losses`: what impacts take is no
  // error.
  UnitWatch(const System* system, double t, const RunState& start, bool by_losses);

  void see(const GridPoint& point, const Accounts& ledger);
  // What is seen of the unit that errs most beside what it exchanges, or of the whole.
  EnergySeen worst(EnergySeen whole) const;
  void numbers(KeptNumbers& f);

 private:
  struct Unit {
    Unit(const DenseSystem& whole, std::vector<int> members, double t, const RunState& start);
    double taken(const Impact& impact);  // by an impact, as H has it
    PartOfSystem part;
    bool driven = false;  // by forces or friction
    double lost = 0;      // at the impact that is looked at
    Accounts account;
    EnergyWatch watch;
    RunState z;
    RunVector v, Lq, Lv;
  };
  void unite_driven(double t, const RunState& start);
  void find_rubbed(double t, const RunVector& q);
  static bool sees(const SparseRows::Row& row, const Unit& unit);
  bool is_driven(const Unit& unit, double t, const RunVector& q, const RunVector& v);
  void add_losses(const Impact& impact);
  double share(const EnergySeen& seen) const;

  const DenseSystem* system = nullptr;
  bool by_losses;
  RunVector force, velocity;
  std::int64_t unknown = 0;  // whether a force turned out to act on a unit that had none
  std::vector<std::unique_ptr<Unit>> units;
};

}  // namespace carom
