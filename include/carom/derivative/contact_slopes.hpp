// The derivative of an impact at (t, q) with one contact of gradient n: of its time, and of the momentum
// after it, p+ = p- + λ n.
//
//   time      g(t + τ, q(τ)) = 0 on the part before, with its own rate r = n·∂q/∂τ + ∂g/∂t:   dτ = -(n·dq +
//   g_t dt + g_θ dθ)/r bounce    n·v+ + g_t = -e (n·v- + g_t)         L quadratic in v H         H(q, p+) =
//   H(q, p-)                  any L, walls at rest, e = 1
//
// both with dp+ = dp- + n dλ + λ dn. The slope of an energy of the law's own gives dλ in step_slopes.hpp.
// Joints, and contacts that last before and after, push along: p+ = p- + λ n + G'κ, G v+ + ∂c/∂t = 0.
// Tested in tests/laws/derivative_laws_test.cpp.
#pragma once

#include "carom/derivative/constraint_slopes.hpp"
#include "carom/derivative/point_slopes.hpp"
#include "carom/run/stepper.hpp"

namespace carom {

class ContactSlopes {
 public:
  ContactSlopes(const DenseSystem& m, const DerivativeColumns& c);

  // The joints, and these contacts: they last through the impacts from here on.
  void hold(std::span<const int> contacts) { kept.hold(contacts); }

  // Where the contact closes, with p- and p+; of those that push there it is the one that does not last.
  bool look(const Impact& impact, int contact, double restitution);

  // By the columns of the part before, whose derivative is B: of its length.
  SlopeRow length_of(const Slopes& B) const;

  Values n;           // gradient
  double drift = 0;   // ∂g/∂t
  double lambda = 0;  // p+ - p- along n
  double rate = 0;    // n·v- + ∂g/∂t
  double aside = 0;   // what else pushed than n and G
  // By (q, p-), t and the parameters, as columns; that by the length is zero.
  Slopes dn, turn;  // of n; of p+ - p- at fixed λ
  Values push;      // ∂p+/∂λ
  Slopes reset;     // dp+ by `bounce` or H
  SlopeRow loss;    // of H(q, p-) - H(q, p+), p+ by `reset`
  Phase bounced;    // q and that p+

 private:
  bool look_at_gap(double t, const Values& q, int contact);
  bool turn_along(double t, const Values& p_after);
  bool bounce(double t, const Values& p_before, double e, int contact);
  bool keep_energy(const Values& p_before, const Values& p_after);
  void find_loss();
  Slopes velocity_slopes(const PointSlopes& there) const;  // at fixed p, by all columns but those of p
  SlopeRow energy_slopes(const PointSlopes& there) const;  // of H at fixed p

  const DenseSystem& system;
  DerivativeColumns columns;
  PointSlopes before, after;
  ConstraintSlopes kept;
  Values kappa;
  SlopeRow gap, gap_rate;  // by t and parameters; of ∂g/∂t by q, t and parameters
  Values v_before, v_after, q;
  std::vector<double> jet, bends, by_x;
};

}  // namespace carom
