// A part of a step along the contacts that are held: Φ_tau itself, or three substeps of Φ that together
// follow the modified flow of the whole step (shadow.hpp). Both keep momenta of symmetries, joints and held
// contacts.
#pragma once

#include "carom/contact/held_flow.hpp"

namespace carom {

class PartialMotion {
 public:
  using Z = State<double, Eigen::Dynamic>;
  enum class Kind { flow, composition };

  PartialMotion(HeldFlow& h, const SteadyFlow& f) : held(h), flow(f) {}

  // Where it starts, and what is held from there on.
  void begin(double start_time, const Z& z, std::span<const int> held_contacts, Kind k) {
    t = start_time, start = z, kind = k;
    contacts.assign(held_contacts.begin(), held_contacts.end());
  }

  Spent operator()(double tau, Z& z) {
    z = start;
    if (tau == 0) return {};
    if (kind == Kind::flow) return held(flow.forward, t, tau, z, contacts, HeldFlow::Hold::bilateral);
    const double alpha = tau / flow.h, b = outer_fraction(alpha, flow.forward.order);
    Spent total;
    double now = t;
    for (const double fraction : {-b, alpha + 2 * b, -b}) {
      const Spent part = held(flow.forward, now, fraction * flow.h, z, contacts, HeldFlow::Hold::bilateral);
      total.action += part.action, total.work += part.work, total.outcome = part.outcome;
      if (!part.outcome.ok()) return total;
      now += fraction * flow.h;
    }
    return total;
  }

  double time() const { return t; }
  const Z& from() const { return start; }
  const std::vector<int>& held_contacts() const { return contacts; }
  Kind kind = Kind::flow;

 private:
  HeldFlow& held;
  const SteadyFlow& flow;
  double t = 0;
  Z start;
  std::vector<int> contacts;
};

}  // namespace carom
