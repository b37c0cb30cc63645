// Rigid bodies in space as a System: of each body that is free the place of its mass centre and a quaternion
// q = (w, x, y, z), body to space, held at |q|² = 1 by a joint. With y = q* q', of which y_1..3 are half the
// angular velocity in the body, I the inertia there and I_0 a third of its trace,
//
//   L = ½ m x'·x' + 2 (y_v·I y_v + I_0 y_0²) - V        p_q = 4 q (I_0 y_0, I y_v),   ∂L/∂q = 4 q' (I_0 y_0,
//   -I y_v)
//
// I_0 makes the mass regular and acts on nothing that |q|² = 1 allows. The midpoint rule with this joint is
// discrete Moser-Veselov: it keeps H of a free top. What is measured between bodies depends on R(q) alone
// (space_math.hpp). Bodies may be fixed, or moved as functions of time.
//
//   joint       rows, with A and B the points of the two bodies, u of a's and w of b's axes
//   ball        A - B
//   hinge       A - B, u_1·w_3, u_2·w_3         w_3 along the axis, u_1 and u_2 at right angles to it
//   universal   A - B, u_3·w_3                  two axes at right angles, one of each
//   fixed       A - B, u_1·w_2, u_2·w_3, u_3·w_1
//   slider      u_1·(B - A), u_2·(B - A), and the last three of fixed
//   distance    |A - B| - length
//
// Limits of a joint, of its angle, its travel or its length, are contacts behind all others; a spring of a
// hinge or a slider adds ½ k (angle or travel)². Tested in tests/unit/space_scene_test.cpp and
// tests/cli/space_test.py.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "carom/bodies/space_contacts.hpp"
#include "carom/system/system.hpp"

namespace carom {

struct SpaceBody {
  using Motion = std::function<void(double t, std::array<double, 21>& out)>;
  std::string name;
  std::vector<SpacePart> shape;  // in axes through the mass centre
  double mass = 0;               // none: it does not move by itself
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();
  SpacePose start = {};
  Motion motion = {};  // of a moved one: place and quaternion, with two derivatives
  bool is_free() const { return mass > 0; }
};

// Bodies of joints, springs and forces; -1 is the ground. Points and axes in those of their bodies.
struct SpaceJoint {
  enum class Kind { ball, hinge, slider, fixed, distance, universal };
  Kind kind;
  std::string name;
  int a, b;
  Point3 at_a = Point3::Zero(), at_b = Point3::Zero();
  Eigen::Matrix3d axes_a = Eigen::Matrix3d::Identity(), axes_b = Eigen::Matrix3d::Identity();  // columns
  double length = 0;
  std::optional<double> low = {}, high = {};  // limits; a distance that has some is free between them
  double stiffness = 0, damping = 0;          // of its angle or travel
  bool is_rope() const { return kind == Kind::distance && (low || high); }
  int rows() const;
};

struct SpaceSpring {
  int a, b;
  Point3 at_a, at_b;
  double stiffness, length, damping;
};

// Six numbers of `drive` each: a force at a point of b, and a torque, in space; both act on a, the other way
// round. With an axis of a, the torque is the fourth number along it.
struct SpaceActuator {
  int a, b;
  Point3 at;
  std::optional<Point3> axis = {};  // of a
};

struct SpacePair {
  int a, b;
  double restitution = std::numeric_limits<double>::quiet_NaN();  // the method's
  double mu = 0;
};

struct SpaceWorld {
  Point3 gravity = Point3::Zero();
  std::vector<SpaceBody> bodies;
  std::vector<SpacePair> pairs;  // that may touch
  std::vector<SpaceJoint> joints;
  std::vector<SpaceSpring> springs;
  std::vector<SpaceActuator> actuators;
  std::function<void(double t, const Values& q, const Values& v, std::vector<double>& out)> drive = {};
  double limit_restitution = std::numeric_limits<double>::quiet_NaN();  // of joints at their limits
};

class SpaceScene final : public System {
 public:
  static constexpr int each = 7;  // coordinates of a body
  explicit SpaceScene(SpaceWorld w);

  const SpaceWorld& world() const { return *world_; }
  int coordinate_of(int body) const {
    return body < 0 ? -1 : first[static_cast<std::size_t>(body)];
  }  // -1: not free
  const SpaceContacts& contacts() const { return touch; }
  SpacePose pose(int body, double t, const Values& q) const;
  // The velocity of a quaternion whose body turns by `spin`, in its own axes.
  static Turn turning(const Turn& q, const Point3& spin) { return 0.5 * product(q, pure(spin)); }

  int size() const override { return count; }
  int contact_count() const override { return touch.size() + static_cast<int>(limits.size()); }
  int joint_count() const override { return static_cast<int>(free_bodies.size() + rows.size()); }
  std::string coordinate_name(int i) const override;
  std::string contact_name(int i) const override;
  std::string joint_name(int i) const override;
  bool constant_mass() const override { return false; }
  bool timed() const override { return is_timed; }
  bool forced() const override { return is_forced; }

  double slopes(double t, const Values& q, const Values& v, Values& Lq, Values& Lv) const override;
  void curvature(double t, const Values& q, const Values& v, const Weights& w,
                 KktMatrix& into) const override;
  void stiffness(double t, const Values& q, const Values& u, Values& Vqq_u) const override;
  using System::drift;
  double drift(double t, const Values& q, const Values& v, Values& Ltv) const override;
  void couplings(Pairs& pairs) const override;
  void mass_couplings(Pairs& pairs) const override;
  std::vector<int> units() const override { return joined(true); }
  std::vector<int> units_in_motion() const override { return joined(false); }
  bool velocity(double t, const Values& q, const Values& p, Values& v) const override;
  void momentum_bend(double t, const Values& q, const Values& u, Values& change) const override;

  void gaps(double t, const Values& q, Values& g) const override;
  void gap_slopes(double t, const Values& q, std::span<const int> which, SparseRows& into) const override;
  void gap_bends(double t, const Values& q, const Values& u, std::span<const int> which,
                 Eigen::Ref<Values> bend) const override;
  double gap_constant(int i) const override { return i < touch.size() ? touch.size_of(i) : 0; }
  void joints(double t, const Values& q, Values& f) const override;
  void joint_slopes(double t, const Values& q, SparseRows& into) const override;
  void joint_bends(double t, const Values& q, const Values& u, Values& bend) const override;

  double restitution(int contact) const override;
  double mu(int contact) const override;
  int slips_each() const override { return 2; }
  void slip_slopes(double t, const Values& q, std::span<const int> which, SparseRows& into) const override;
  void slip_bends(double t, const Values& q, const Values& v, std::span<const int> which,
                  Eigen::Ref<Values> bend) const override;
  bool has_slide(int contact) const override { return contact < touch.size() && touch.has_slide(contact); }
  void slides(double t, const Values& q, Values& s) const override;
  const char* unclear_contact(double t, const Values& q, int contact) const override;

  int branch_count() const override { return static_cast<int>(branched.size()); }
  int branch_contact(int k) const override { return branched[static_cast<std::size_t>(k)]; }
  void branches(double t, const Values& q, Values& sides) const override;
  std::shared_ptr<System> with_own_branches() const override;
  void hold_branches(const Values& sides) override;

  using System::force;
  void force(double t, const Values& q, const Values& v, Values& f) const override;
  void momenta(double t, const Values& q, const Values& p, const Tell& tell) const override;

  bool has_corners(int contact) const override {
    return contact < touch.size() && touch.has_branches(contact);
  }
  bool contact_place(double t, const Values& q, int contact, double* x_y) const override;
  // The same in space, with the normal from b to a.
  bool contact_place_in_space(double t, const Values& q, int contact, Point3& place, Point3& normal) const;
  // The first pair that overlaps at (t, q), and by how much; none where all are apart by rounding.
  struct Overlap {
    int a, b;
    double depth;
  };
  std::optional<Overlap> overlap(double t, const Values& q) const;

 private:
  struct Row {
    int joint, part;
  };
  struct Limit {
    int joint;
    double sign, at;  // sign·(x - at) >= 0
  };

  template <class F>
  auto gradient_of(int a, int b, double t, const Values& q, const F& f) const;
  template <class F>
  void append_gradient(int a, int b, double t, const Values& q, const F& f, SparseRows& into) const;
  template <class F>
  double bend_of(int a, int b, double t, const Values& q, const Values& u, const F& f) const;
  template <class Add>
  void each_second_derivative(double t, const Values& q, const Add& add) const;
  template <class Each>
  void each_energy(const Each& use) const;  // of springs and of joints that have one
  std::span<const SpacePose> poses(double t, const Values& q) const;
  std::array<double, 21> state(int body, double t, const Values& q, const Values& v) const;
  void append(const Wrench& a, const Wrench& b, int body_a, int body_b, double t,
              std::span<const SpacePose> at, SparseRows& into) const;
  void push(const Wrench& by, int body, const Values& q, Values& f) const;
  std::vector<int> joined(bool by_contacts) const;
  bool moves(int body) const;  // as a function of time
  void find_momenta();
  int held_feature(int contact) const { return held.empty() ? -1 : held[static_cast<std::size_t>(contact)]; }

  std::shared_ptr<const SpaceWorld> world_;
  SpaceContacts touch;
  std::vector<int> first, free_bodies;   // coordinate of each body
  std::vector<Eigen::Matrix4d> kinetic;  // 4 diag(I_0, I) of each body that is free
  std::vector<Row> rows;                 // of joints
  std::vector<Limit> limits;
  std::vector<int> branched, held;
  int count = 0;
  bool is_timed = false, is_forced = false, alone = false;
  std::array<bool, 3> keeps{}, keeps_angular{};
};

}  // namespace carom
