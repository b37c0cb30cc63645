// Whether contacts that touch and neither open nor close are pressed together: with u the velocity, the gaps
// accelerate by
//
//   a = W μ + b,   b_k = G_k·q''_free + u'g_k''u,        0 <= μ ⟂ a >= 0
//
// where q''_free is the acceleration under all forces and joints without the contacts. A contact lasts where
// a_k = 0; it is released where a_k > 0. Second derivatives along u are differences of gradients, good to
// 1e-11 of the terms that they are a sum of. Tested in tests/laws/contact_forces_test.cpp.
#pragma once

#include "carom/contact/contact_problem.hpp"

namespace carom {

class ContactForces {
 public:
  static constexpr double tolerance = 1e-9;  // of an acceleration, relative to scale

  explicit ContactForces(const Mechanism& m)
      : mechanism(m), drive(m.size()), u(m.size()), x(m.size()), Lv(m.size()), free(m.size()) {}

  // The forces at (t, q, v), and their size in the norm of M^-1.
  bool look(double t, const Values& q, const Values& v) {
    mechanism.slopes(q, v, drive, Lv);
    if (mechanism.forced()) {
      mechanism.force(t, q, v, Lv);
      drive += Lv;
    }
    if (!mechanism.velocity(q, drive, free)) return false;
    size = std::sqrt(std::fmax(drive.dot(free), 0.0));
    if (!mechanism.quadratic()) size = drive.norm();  // velocity(q, drive) is no norm there
    return std::isfinite(size);
  }

  // b and its scale for all contacts prepared in `contacts` at q, which are `which`; after look().
  void prepare(const Values& q, ContactRates& contacts, std::span<const int> which) {
    u = contacts.v;
    const double speed = u.lpNorm<Eigen::Infinity>();
    step = speed > 0 ? 1e-4 * std::fmax(1.0, q.lpNorm<Eigen::Infinity>()) / speed : 0;
    free = drive;
    if (!mechanism.constant_mass()) subtract_change_of_momentum(q);
    bend_of_joints.setZero(mechanism.joint_count());
    if (step > 0 && bend_of_joints.size() > 0) {
      const auto gradients = [this](const Values& at, SparseRows& rows) { mechanism.joint_slopes(at, rows); };
      bends(q, gradients, bend_of_joints, roughness);
    }
    contacts.accelerate(free, bend_of_joints);
    bias.setZero(contacts.size()), scale.setZero(contacts.size());
    if (step > 0) {
      const auto gradients = [&](const Values& at, SparseRows& rows) {
        mechanism.gap_slopes(at, which, rows);
      };
      bends(q, gradients, bias, scale);
    }
    for (int k = 0; k < contacts.size(); ++k) {
      bias[k] += contacts.gradients()[k].dot(free);
      scale[k] += contacts.strength_of(k) * size;
    }
  }

  // μ and a for the chosen places among the contacts; false where no forces keep them from closing.
  bool solve(ContactRates& contacts, const std::vector<int>& chosen) {
    const auto n = static_cast<Eigen::Index>(chosen.size());
    b.resize(n), acceleration.resize(n), force.resize(n);
    double largest = 0;
    for (Eigen::Index i = 0; i < n; ++i) b[i] = bias[chosen[i]], largest = std::fmax(largest, scale[chosen[i]]);
    if (!problem.solve(contacts, chosen, b, force, 1e-3 * tolerance * largest)) return false;
    x.setZero();
    for (Eigen::Index i = 0; i < n; ++i) contacts.answer(chosen[i]).add_to(x, force[i]);
    for (Eigen::Index i = 0; i < n; ++i) acceleration[i] = b[i] + contacts.gradients()[chosen[i]].dot(x);
    return true;
  }
  // Of the chosen place i: whether the contact opens.
  bool opens(const std::vector<int>& chosen, int i) const {
    return acceleration[i] > tolerance * scale[chosen[i]];
  }

  double size = 0;             // of the forces
  Values bias, scale;          // per contact
  Values acceleration, force;  // per chosen one

 private:
  // d/ds of the slopes along u at q + s u, row by row; and the sum of the sizes of its terms.
  void bends(const Values& q, const auto& gradients, Values& bend, Values& terms) {
    constexpr double places[] = {1, -1, 2, -2}, weights[] = {8.0 / 12, -8.0 / 12, -1.0 / 12, 1.0 / 12};
    bend.setZero(), terms.setZero(bend.size());
    for (int i = 0; i < 4; ++i) {
      rows[i].clear();
      x = q + (places[i] * step) * u;
      gradients(x, rows[i]);
      for (int k = 0; k < bend.size(); ++k) bend[k] += weights[i] / step * rows[i][k].dot(u);
    }
    for (int k = 0; k < bend.size(); ++k) {
      const auto ahead = rows[0][k], back = rows[1][k];
      if (ahead.at.size() != back.at.size()) continue;
      for (std::size_t i = 0; i < ahead.at.size(); ++i)
        terms[k] += std::abs((ahead.slopes[i] - back.slopes[i]) * u[ahead.at[i]]) / (2 * step);
    }
  }

  // p = ∂L/∂v changes by ∂²L/∂q∂v u where the mass depends on q.
  void subtract_change_of_momentum(const Values& q) {
    constexpr double places[] = {1, -1, 2, -2}, weights[] = {8.0 / 12, -8.0 / 12, -1.0 / 12, 1.0 / 12};
    if (step == 0) return;
    for (int i = 0; i < 4; ++i) {
      x = q + (places[i] * step) * u;
      mechanism.slopes(x, u, momentum, Lv);
      free -= weights[i] / step * Lv;
    }
  }

  const Mechanism& mechanism;
  ContactProblem problem;
  Values drive, u, x, Lv, free, momentum = Values(mechanism.size()), bend_of_joints, roughness, b;
  SparseRows rows[4];
  double step = 0;
};

}  // namespace carom
