// Rigid bodies in the plane as a System: coordinates (x, y, angle) of each body that is free, with x and y
// those of its mass centre, so that the mass diag(m, m, I) is constant; bodies that are fixed, or moved as
// functions of time; joints, springs, forces; and for each pair that may touch the gaps of
// plane_contacts.hpp.
//
//   joint       rows, with A and B the points of the two bodies that it joins
//   hinge       A - B
//   slider      n·(B - A), angle_b - angle_a - angle        n across the axis, in the axes of a
//   fixed       A - B, angle_b - angle_a - angle
//   distance    |A - B| - length
//
// Limits of a joint, of its angle, its travel or its length, are contacts behind all others. A spring adds
// ½ k (|A - B| - length)² to the potential. Tested in tests/unit/plane_scene_test.cpp and
// tests/cli/bodies_test.py.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>

#include "carom/bodies/plane_contacts.hpp"
#include "carom/system/system.hpp"

namespace carom {

struct PlaneBody {
  std::string name;
  std::vector<PlanePart> shape;   // in axes through the mass centre
  double mass = 0, inertia = 0;   // none: it does not move by itself
  std::array<double, 3> start{};  // x, y and angle
  std::function<void(double t, std::array<double, 9>& out)> motion =
      {};  // of a moved one: these, with two derivatives
  bool is_free() const { return mass > 0; }
};

// Bodies of joints, springs and forces; -1 is the ground. Points in the axes of their bodies.
struct PlaneJoint {
  enum class Kind { hinge, slider, fixed, distance };
  Kind kind;
  std::string name;
  int a, b;
  Point at_a, at_b;
  Point axis = Point::Zero();  // of a slider, in a
  double angle = 0, length = 0;
  std::optional<double> low = {}, high = {};  // limits; a distance that has some is free between them
  bool is_rope() const { return kind == Kind::distance && (low || high); }
};

struct PlaneSpring {
  int a, b;
  Point at_a, at_b;
  double stiffness, length, damping;
};

// Three numbers of `drive` each: a force at a point of b, and a torque; both act on a, the other way round.
struct PlaneActuator {
  int a, b;
  Point at;
};

struct PlanePair {
  int a, b;
  double restitution = std::numeric_limits<double>::quiet_NaN();  // the method's
  double mu = 0;
};

struct PlaneWorld {
  Point gravity = Point::Zero();
  std::vector<PlaneBody> bodies;
  std::vector<PlanePair> pairs;  // that may touch
  std::vector<PlaneJoint> joints;
  std::vector<PlaneSpring> springs;
  std::vector<PlaneActuator> actuators;
  std::function<void(double t, const Values& q, const Values& v, std::vector<double>& out)> drive = {};
  double limit_restitution = std::numeric_limits<double>::quiet_NaN();  // of joints at their limits
  bool bisector = false;  // what corners on corners do; false: they end a run by name
};

class PlaneScene final : public System {
 public:
  explicit PlaneScene(PlaneWorld w);

  const PlaneWorld& world() const { return *world_; }
  int coordinate_of(int body) const {
    return body < 0 ? -1 : first[static_cast<std::size_t>(body)];
  }  // -1: not free
  const PlaneContacts& contacts() const { return touch; }

  int size() const override { return static_cast<int>(masses.size()); }
  int contact_count() const override { return touch.size() + static_cast<int>(limits.size()); }
  int joint_count() const override { return static_cast<int>(rows.size()); }
  std::string coordinate_name(int i) const override;
  std::string contact_name(int i) const override;
  std::string joint_name(int i) const override;
  bool timed() const override { return is_timed; }
  bool forced() const override { return is_forced; }

  double slopes(double t, const Values& q, const Values& v, Values& Lq, Values& Lv) const override;
  void curvature(double t, const Values& q, const Values& v, const Weights& w,
                 KktMatrix& into) const override;
  void stiffness(double t, const Values& q, const Values& u, Values& Vqq_u) const override;
  using System::drift;
  double drift(double t, const Values& q, const Values& v, Values& Ltv) const override;
  void couplings(Pairs& pairs) const override;
  void mass_couplings(Pairs&) const override {}
  std::vector<int> units() const override { return joined(true); }
  std::vector<int> units_in_motion() const override { return joined(false); }
  bool velocity(double t, const Values& q, const Values& p, Values& v) const override;

  void gaps(double t, const Values& q, Values& g) const override;
  void moving_gaps(double t, const Values& q, const Values& v, Values& g, Values& rate) const override;
  void gap_slopes(double t, const Values& q, std::span<const int> which, SparseRows& into) const override;
  void gap_bends(double t, const Values& q, const Values& u, std::span<const int> which,
                 Eigen::Ref<Values> bend) const override;
  double gap_constant(int i) const override { return i < touch.size() ? touch.size_of(i) : 0; }
  void joints(double t, const Values& q, Values& f) const override;
  void joint_slopes(double t, const Values& q, SparseRows& into) const override;
  void joint_bends(double t, const Values& q, const Values& u, Values& bend) const override;

  double restitution(int contact) const override;
  double mu(int contact) const override;
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

  bool has_corners(int contact) const override { return contact < touch.size() && touch.is_sharp(contact); }
  bool contact_place(double t, const Values& q, int contact, double* x_y) const override;
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
  std::span<const PlanePose> poses(double t, const Values& q) const;
  PlanePose pose(int body, double t, const Values& q) const;
  std::array<double, 3> rate(int body, double t) const;  // of what does not move by itself
  std::array<double, 3> velocity_of(int body, double t, const Values& v) const;
  void append(const PlaneRow& row, int a, int b, double t, SparseRows& into) const;
  std::vector<int> joined(bool by_contacts) const;
  bool moves(int body) const;  // as a function of time
  void find_momenta();
  int held_feature(int contact) const { return held.empty() ? -1 : held[static_cast<std::size_t>(contact)]; }

  std::shared_ptr<const PlaneWorld> world_;
  PlaneContacts touch;
  std::vector<int> first;  // coordinate of each body
  std::vector<Row> rows;   // of joints
  std::vector<Limit> limits;
  std::vector<int> branched, held;
  Values masses;
  bool is_timed = false, is_forced = false, keeps_x = false, keeps_y = false, keeps_angular = false;
};

}  // namespace carom
