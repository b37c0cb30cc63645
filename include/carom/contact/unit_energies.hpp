// The energies that impacts keep, unit by unit (part_of_system.hpp): what nothing couples to a contact has no
// say in what happens there. For the laws whose energies are differences of numbers as large as those of all
// that moves; others and systems of one unit know one energy, that of the whole. Tested in
// tests/laws/units_test.cpp.
#pragma once

#include "carom/contact/impact_energy.hpp"
#include "carom/run/stepper.hpp"
#include "carom/system/part_of_system.hpp"

namespace carom {

class UnitEnergies {
 public:
  using Z = Phase;

  UnitEnergies(const System& m, HeldFlow& held, const SteadyFlow& f, const ImpactLaw& l, double restitution);

  using Push = std::function<void(const Values& impulse, Values& p)>;  // the momentum after it

  // As those of ImpactEnergy.
  void begin(double t, const Z& z, const std::vector<int>& lasting);
  void start(double t, const Z& z, const std::vector<int>& lasting);
  // p+ in place of the momentum that the whole of J leaves.
  void scale(const ImpactEnergy::Impact& impact, const Push& push, Values& p);

  void forget();
  // What was counted before a step, and there again.
  void keep_counts();
  void recount();

  // A part of the step, from z on, that ends with an event.
  void add_leg(double t, const Z& z, const std::vector<int>& lasting, PartialMotion::Kind kind, double tau,
               double work);
  double work() const { return whole.work; }

  void numbers(KeptNumbers& f);
  std::int64_t solves() const { return sum(&ImpactEnergy::solves); }
  std::int64_t fallbacks() const { return sum(&ImpactEnergy::fallbacks); }
  std::int64_t drowned() const { return sum(&ImpactEnergy::drowned); }
  std::int64_t found() const { return sum(&ImpactEnergy::found); }
  double uncertainty() const;

 private:
  struct Unit {
    Unit(const DenseSystem& m, std::vector<int> which, const Values& q, double t, const SteadyFlow& f,
         const ImpactLaw& l, double restitution)
        : part(m, std::move(which), q, t),
          own(l.of_part ? l.of_part(part) : l),
          held(part),
          energy(part, held, f, own, restitution),
          motion(part, held, f, own) {}
    PartOfSystem part;
    ImpactLaw own;
    HeldFlow held;
    ImpactEnergy energy;
    PartialMotion motion;
    Z leaving, leg_end;
    Values p_before, J;
    std::vector<int> lasting, leg_lasting;
    ImpactEnergy::Counts counts;
  };
  std::int64_t sum(std::int64_t ImpactEnergy::*count) const;
  void make_units(double t, const Values& q);
  void put(const Unit& unit, double s);
  Spent along_leg(Unit& unit);
  double scale_unit(Unit& unit, const ImpactEnergy::Impact& impact, const Push& push);

  const System& system;
  const SteadyFlow& flow;
  const ImpactLaw& law;
  double restitution;
  bool apart;  // whether units have energies of their own
  ImpactEnergy whole;
  ImpactEnergy::Counts counts;
  std::vector<std::unique_ptr<Unit>> units;
  std::vector<double> reference;  // of the parts: q when they were made, and t
  struct {
    double t, tau;
    Z z;
    std::vector<int> lasting;
    PartialMotion::Kind kind;
  } leg{};
  Values J, p_all;
  Z own;
};

}  // namespace carom
