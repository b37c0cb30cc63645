// A part of a step along the contacts that are held (impact_law.hpp): Φ_tau itself, or a curve that follows
// the modified flow of the whole step. Φ and its substeps keep momenta of symmetries, joints and held
// contacts; a polynomial and a field are for systems where nothing is held.
#pragma once

#include "carom/contact/impact_law.hpp"
#include "carom/flow/held_flow.hpp"

namespace carom {

class PartialMotion {
 public:
  using Z = Phase;
  using Kind = ImpactLaw::Part;

  PartialMotion(const System& m, HeldFlow& h, const SteadyFlow& f, const ImpactLaw& l)
      : system(m), held(h), flow(f), law(l), v(m.size()), Lq(m.size()), Lv(m.size()) {}

  // Where it starts, and what is held from there on.
  void begin(double start_time, const Z& z, std::span<const int> held_contacts, Kind k);

  Spent operator()(double tau, Z& z);

  double time() const { return t; }
  const Z& from() const { return start; }
  const std::vector<int>& held_contacts() const { return contacts; }
  Kind kind = Kind::flow;

 private:
  Spent none();
  Spent by_composition(double tau, Z& z);
  Spent by_polynomial(double tau, Z& z) const;
  bool iterate_nodes(int from, int to);

  const System& system;
  HeldFlow& held;
  const SteadyFlow& flow;
  const ImpactLaw& law;
  double t = 0;
  Z start, walker;
  std::vector<int> contacts;
  std::vector<Z> nodes;  // of the polynomial, the iterates first_node, first_node + 1, ... of the start
  int first_node = 0;
  bool has_nodes = false;
  Values v, Lq, Lv;
};

}  // namespace carom
