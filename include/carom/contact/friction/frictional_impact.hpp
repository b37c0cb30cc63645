// Impacts with friction that never gain energy, for contacts in the plane or in space and any W, mu, e. With
// w = J v the rates of gaps and slips and P their impulses, w = w- + W P, a path of P is followed:
//
//   rounds, while some w_n < 0:
//     compression   of the contacts V that approach: rates from the modes (modes.hpp) with b_n = w_n, b_t =
//     0, so that
//                   w_n goes to zero in proportion; pieces end where a slip stops or another contact of V
//                   closes. What ∫ w_n dP takes goes into accounts, A_i += e_i² |work|
//     restitution   normal rates e_i × the impulse of compression, friction for them, while A_i lasts
//
// The normal work returned is at most the accounts, these are at most what was lost, and friction takes
// energy in every piece: T never rises. Where no modes hold (Painlevé), normal rates are those without
// friction. What does not end in so many rounds ends plastically: ½ P'W P + w'P over the cones has a minimum.
// One contact: Darboux and Keller's law with Stronge's energetic restitution; in space along the hodograph of
// its slip (hodograph.cpp). Several in space: pieces end where a slip has turned by a tenth, too. Tested in
// tests/laws/frictional_impact_test.cpp.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>

#include "carom/contact/friction/modes.hpp"
#include "carom/numerics/nonnegative.hpp"

namespace carom {

class FrictionalImpact {
 public:
  enum class Way { none, usual, without_modes, plastic, convex };  // the last that was needed

  // e.b holds the rates w before; e.slip is not asked. Fills P, and w after.
  // Where `pressed` is given, nothing approaches, and the path begins with these normal rates until a slip
  // ends: an impact without collision (Painlevé).
  void operator()(const ContactEquations& e, const std::vector<double>& restitution,
                  const std::vector<double>* pressed = nullptr);

  std::vector<double> P, w;  // row by row, as e.b
  Way way = Way::none;
  int rounds = 0;
  bool squeezed = false;  // contacts still approach

 private:
  void scale(const ContactEquations& e);
  bool choose_approaching(bool all);
  void compress();
  void begin_without_collision(const std::vector<double>& pressed);
  bool begun = false;
  void restitute();
  void limit_accounts();
  bool piece_by_modes();
  void piece_without_modes();
  void friction_for_rates(const std::vector<int>& pushed);
  void answer();
  double until_events(double end, const std::vector<int>& pushed);
  void advance(double s, bool returns);
  void look_at_slips();
  void look_at_rates();
  void end_convex(const std::vector<int>& among);
  void convex_by_roots(const std::vector<int>& among);
  void convex_by_pivots(const std::vector<int>& among);
  void add_edge(int row, const std::vector<int>& among, double by);
  bool approaches(int i) const { return w[N(i)] < -least; }
  int N(int i) const { return q.normal(i); }
  double rounding_of(int row) const;
  double kinetic_change(double s) const;
  double until_spent(int& spends) const;
  int most_pieces() const { return q.tangents == 1 ? 200 + 50 * n : 2000 + 500 * n; }
  // In space (spatial_impact.cpp).
  int slips_now() const { return static_cast<int>(std::count(q.slip.begin(), q.slip.end(), 1)); }
  void look_at_direction(int i);
  void friction_in_space(const std::vector<int>& pushed);
  void friction_again() { friction_for_rates(pushed_now), answer(); }
  double until_turned(double end, const std::vector<int>& pushed);
  double by_middle(double s, double end, const std::function<void()>& rates);
  bool rubs_off(double s) const;
  void convex_in_space(const std::vector<int>& among);
  // Of one contact in space (hodograph.cpp).
  void single_in_space();

  int n = 0;
  ContactEquations q;  // scaled, with the present rates as b
  std::vector<double> units, before, impulse, rate, direction, account, share, given;  // direction: W × rate
  std::vector<int> V, on, pushed_now;
  std::vector<signed char> stops, ended;
  std::vector<double> first_rate, first_direction, first_aim;
  std::shared_ptr<RoundCones> cones;
  ModeSolver solver;
  NonnegativeSolver nonnegative;
  ChangingValues bias, y;
  std::vector<int> first;
  double least = 0, standing = 0;  // approaches and slips that count as none
  double lost = 0, lost_before = 0;
};

}  // namespace carom
