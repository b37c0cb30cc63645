// Whether contacts that touch and neither open nor close are pressed together: with u the velocity, the gaps
// accelerate by
//
//   a = W μ + b,   b_k = G_k·q''_free + u'g_k''u,        0 <= μ ⟂ a >= 0
//
// where q''_free is the acceleration under all forces and joints without the contacts. A contact lasts where
// a_k = 0; it is released where a_k > 0. Accelerations are unclear below 1e-9 of the terms that they are the
// sum of, and of what rounding may leave of the forces on all that touches. Tested in
// tests/laws/contact_forces_test.cpp.
#pragma once

#include "carom/contact/contact_problem.hpp"

namespace carom {

class ContactForces {
 public:
  static constexpr double tolerance = 1e-9;  // of an acceleration

  explicit ContactForces(const System& m);

  // The forces at (t, q, v), and how they accelerate the bare masses.
  bool look(double t, const Values& q, const Values& v);

  // b and its scale for all contacts prepared in `contacts` at q, which are `which`; after look().
  void prepare(double t, const Values& q, ContactRates& contacts, std::span<const int> which);

  // μ and a for the chosen places among the contacts; false where no forces keep them from closing.
  bool solve(ContactRates& contacts, const std::vector<int>& chosen);
  // Of the chosen place i: whether the contact opens.
  bool opens(const std::vector<int>& chosen, int i) const { return acceleration[i] > unclear[chosen[i]]; }

  // Of any contact, under the forces found.
  double acceleration_of(const ContactRates& contacts, int k) const {
    return bias[k] + contacts.gradients()[k].dot(x);
  }

  const Values& accelerations() const { return bare; }

  ChangingValues bias, scale;          // per contact: b, and how large it may well be
  ChangingValues acceleration, force;  // per chosen one

 private:
  const System& system;
  ContactProblem problem;
  Values drive, bare, free, change, Lv, x, bend_of_joints;
  ChangingValues unclear, shared, b;  // shared: the largest among contacts that push each other
};

}  // namespace carom
