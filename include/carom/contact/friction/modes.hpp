// Which contacts stick, slide or open: Coulomb's law for contacts that touch, at one instant.
// In the plane, with rows n_0, t_0, n_1, t_1, ... of normal and tangential accelerations (or of rates, for an
// impact),
//
//   a = W f + b,    0 <= λ_n ⟂ a_n >= 0,    slip u ≠ 0:  λ_t = -mu λ_n sign(u)
//                                           slip u = 0:  |λ_t| <= mu λ_n,  and λ_t = -mu λ_n sign(a_t) where
//                                           a_t ≠ 0
//
// A combination of modes is a system of linear equations for f; where contacts depend on each other, f is not
// unique, and the combination holds if some f does (nonnegative least squares over the edges of the cones).
// Contacts that nothing couples are told apart. Of up to six that do all combinations are tried, so that
// other continuations are known; more are flipped from where they are to one that holds, or found by Lemke's
// method (many_modes.cpp). In space (spatial_modes.cpp) u, λ_t and a_t have two numbers, u/|u| takes the
// place of the sign, and where a slip begins its direction a_t/|a_t| is found with the forces. Sliding may
// have another mu than sticking. Tested in tests/laws/friction_modes_test.cpp.
#pragma once

#include <Eigen/Dense>
#include <memory>
#include <vector>

#include "carom/numerics/complementarity.hpp"
#include "carom/numerics/nonnegative.hpp"

namespace carom {

class RoundCones;  // src/contact/friction/round_cones.hpp

enum class Mode : signed char { open, stick, forward, backward };  // forward: the slip is positive

inline int slip_sign(Mode mode) { return mode == Mode::forward ? 1 : mode == Mode::backward ? -1 : 0; }
inline Mode sliding(int sign) { return sign < 0 ? Mode::backward : Mode::forward; }

// Contacts in their own space, of one normal and one or two tangential rows each. Rows are scaled so that the
// diagonal of W is one; in space both tangential rows alike.
struct ContactEquations {
  int count = 0, tangents = 1, rows = 0;
  std::vector<double> W, b, mu;    // W row by row; the mu of sticking
  std::vector<double> mu_sliding;  // likewise, of sliding
  std::vector<signed char> slip;   // the sign of u, 0 where it vanishes; in space 1 where it does not
  std::vector<double> direction;   // in space: u/|u|, two numbers each, where slip is 1

  void resize(int contacts, int tangents_of_each = 1);
  void set_mu(int i, double x) {
    mu[static_cast<std::size_t>(i)] = mu_sliding[static_cast<std::size_t>(i)] = x;
  }
  int normal(int i) const { return (1 + tangents) * i; }
  double& w(int i, int k) { return W[static_cast<std::size_t>(i * rows + k)]; }
  double w(int i, int k) const { return W[static_cast<std::size_t>(i * rows + k)]; }
};

class ModeSolver {
 public:
  static constexpr int most_enumerated = 6;
  enum class Found { none, one, several };

  // Modes of the contacts `among` (ascending); the others open. `expected`, if given, is tried first, and
  // taken where several hold; or else the one of them whose accelerations are nearest those of the expected
  // modes, as they are where these have only just ceased to hold. Without `all` the first that holds will do.
  // Then `modes`, `f` and `a` are those of the solution, over all contacts and rows; `a` is known for the
  // rows of `among` alone.
  Found solve(const ContactEquations& e, const std::vector<int>& among, bool all,
              const std::vector<Mode>* expected = nullptr);

  // How far these modes are from holding, in terms of the largest force and acceleration; infinite where
  // nothing makes the accelerations of closed contacts vanish. `a_t` of a contact that slips is not looked
  // at.
  double excess(const ContactEquations& e, const std::vector<int>& among, const std::vector<Mode>& of);
  int worst = -1;  // the contact that is farthest off then

  std::vector<Mode> modes;
  std::vector<double> f, a;
  std::vector<double> direction;  // in space: of what slides, or begins to, two numbers each

  static constexpr double tolerance = 1e-9, smooth_change = 1e-2;

 private:
  Found solve_group(const ContactEquations& e, const std::vector<int>& among, bool all,
                    const std::vector<Mode>* expected);
  void find_groups(const ContactEquations& e, const std::vector<int>& among);
  bool try_modes(const ContactEquations& e, const std::vector<int>& among);
  Found restore();
  bool complete(const ContactEquations& e, const std::vector<int>& among);
  bool flip(const ContactEquations& e, const std::vector<int>& among);
  bool first_combination(const ContactEquations& e, const std::vector<int>& among);
  bool next_combination(const ContactEquations& e, const std::vector<int>& among);
  bool solve_forces(const ContactEquations& e, const std::vector<int>& among);
  bool eliminate(int n);
  bool solve_on_edges(const ContactEquations& e);
  bool solve_on_many_edges(const ContactEquations& e);
  bool solve_normal_equations();
  void answer(const ContactEquations& e, const std::vector<int>& among);
  double judge(const ContactEquations& e, const std::vector<int>& among);
  double off(const ContactEquations& e, int contact) const;
  Mode turned(const ContactEquations& e, int contact) const;
  double column(const ContactEquations& e, int row, int unknown) const;
  bool keep(double change);
  // In space (spatial_modes.cpp).
  bool aim_slides(const ContactEquations& e, const std::vector<int>& among);
  bool solve_once(const ContactEquations& e, const std::vector<int>& among);
  bool relax(const ContactEquations& e, const std::vector<int>& among);
  void relax_one(const ContactEquations& e, int contact);
  bool solve_on_rays(const ContactEquations& e);
  double off_in_space(const ContactEquations& e, int contact) const;
  bool begins_to_slide(const ContactEquations& e, int i) const;
  double difference(const ContactEquations& e, const std::vector<int>& among,
                    const std::vector<double>& other) const;

  std::vector<int> group_of, group;
  std::vector<Mode> all_modes;
  std::vector<double> all_f, all_a;
  std::vector<int>
      unknowns;  // rows of the forces that are looked for; those of friction follow those of normals
  std::vector<double> K, x;
  double force_size = 0, size = 0;
  bool existing = false;  // f by existence alone
  std::vector<Mode> best_modes;
  std::vector<double> best_f, best_a, best_direction, followed_a;
  double best_change = 0;  // of accelerations, from those of the expected modes
  struct {                 // of more contacts than are enumerated
    Complementarity lcp;
    NonnegativeSolver nonnegative;
    std::vector<int> edge, first;  // an edge: twice the contact, and odd for the second of its two
    ChangingValues bias, y;
    Eigen::MatrixXd edges, normal, chosen;
    Eigen::VectorXd aim;
  } many;
  std::shared_ptr<RoundCones> cones;
  std::vector<Mode> kept_modes;
  std::vector<double> relaxed;
};

}  // namespace carom
