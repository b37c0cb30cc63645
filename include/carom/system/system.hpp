// A mechanical system of run-time size, as all methods see it: the slopes of L, its second derivatives added
// into a sparse matrix, gaps g(t, q) >= 0 and joints f(t, q) = 0 with sparse gradients, forces. How it is
// stated is behind virtual functions, so that methods compile once and serve them all.
//
//   AutodiffSystem<Struct>   a struct in C++ (autodiff_system.hpp)
//   FormulaSystem            formulas of a scenario (src/model/formula_system.hpp)
//   LocalSystem<Chain>       a sum of terms of few coordinates each: thousands of bodies (local_system.hpp)
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <string>

#include "carom/flow/step_result.hpp"
#include "carom/numerics/kkt_matrix.hpp"
#include "carom/system/lagrangian.hpp"

namespace carom {

class NilpotentLagrangian;  // nilpotent_lagrangian.hpp

// What a dense system works out at a configuration once, for every v that is asked for there; the caller's
// memory, so that nothing is allocated and threads do not meet.
struct PointMemory {
  alignas(32) std::array<double, 400> numbers;
};

// Stages of a step side by side, for Hamilton's equations at all of them: a row of numbers for each
// coordinate, one below the other and aligned to 32 bytes. Behind the last of `count` stages a row repeats
// it, up to `length`.
struct StageRows {
  static constexpr int row = 8;
  int count, length;  // stages; 4 or 8
  int lanes;          // how many at a time, 2 or 4
  const double* t;    // one row
  const double *Q, *P;
  const double* guess;  // of V
  double *V, *F;        // V = v(Q, P), F = ∂L/∂q(Q, V) + force
  double* pivot;        // one row: the smallest of ∂²L/∂v², or another number of its sign
};

// A point of several runs side by side, one in each lane: a row of `lanes` numbers for each coordinate, gap
// and momentum, aligned as a pack of so many.
struct LanePoint {
  int lanes;  // 2 or 4
  const double *q, *p, *v;
  const double* V;  // the potential there
  double *L, *Lv;   // and ∂L/∂v
  double* gap;
  double *moving_gap, *rate;  // gaps with the rates at which they change, unless null
  double* momenta;
};

class System {
 public:
  // How much of each second derivative of L is added: w.qq Lqq + w.qv Lqv + w.vq Lqv' + w.vv Lvv.
  struct Weights {
    double qq = 0, qv = 0, vq = 0, vv = 0;
  };
  using Tell = std::function<void(const char* name, double value)>;

  virtual ~System() = default;
  virtual int size() const = 0;  // coordinates
  virtual int contact_count() const = 0;
  virtual int joint_count() const = 0;
  virtual std::string coordinate_name(int i) const { return "q" + std::to_string(i + 1); }
  virtual std::string contact_name(int i) const { return "contact " + std::to_string(i + 1); }
  virtual std::string joint_name(int i) const { return "joint " + std::to_string(i + 1); }

  // Where q goes with velocity v within h: the one place that knows that coordinates are numbers.
  virtual void move(const Values& q, const Values& v, double h, Values& to) const { to = q + h * v; }

  // L = ½ v'M v - V(t, q) with a constant M; L quadratic in v; L, gaps or joints depend on t.
  virtual bool constant_mass() const { return true; }
  virtual bool quadratic() const { return true; }
  virtual bool timed() const { return false; }

  virtual double slopes(double t, const Values& q, const Values& v, Values& Lq,
                        Values& Lv) const = 0;  // returns L
  virtual void curvature(double t, const Values& q, const Values& v, const Weights& w,
                         KktMatrix& into) const = 0;
  virtual void stiffness(double t, const Values& q, const Values& u,
                         Values& Vqq_u) const = 0;  // where the mass is constant
  // Where timed(): returns ∂L/∂t, which is -dH/dt, and ∂²L/∂t∂v.
  virtual double drift(double /*t*/, const Values& /*q*/, const Values& /*v*/, Values& Ltv) const {
    return Ltv.setZero(), 0;
  }
  // Pairs of coordinates that second derivatives of L couple: all of them, or ∂²L/∂v² alone.
  using Pairs = std::vector<std::array<int, 2>>;
  virtual void couplings(Pairs& pairs) const = 0;
  virtual void mass_couplings(Pairs& pairs) const = 0;
  // The unit of each coordinate, 0, 1, ...: nothing at all couples those of different units. One, unless it
  // is known.
  virtual std::vector<int> units() const { return std::vector<int>(static_cast<std::size_t>(size()), 0); }
  // The same without gaps: what motion couples between impacts.
  virtual std::vector<int> units_in_motion() const { return units(); }
  virtual bool velocity(double t, const Values& q, const Values& p, Values& v) const = 0;  // ∂L/∂v = p

  // All gaps; infinite where a contact is too far away to matter. Slopes come as rows with the drift ∂g/∂t.
  virtual void gaps(double t, const Values& q, Values& g) const = 0;
  virtual void gap_slopes(double t, const Values& q, std::span<const int> which,
                          SparseRows& rows) const = 0;  // ascending
  virtual void joints(double t, const Values& q, Values& f) const = 0;
  virtual void joint_slopes(double t, const Values& q, SparseRows& rows) const = 0;

  // How large the constants are in gap i that its slopes do not show, such as radii.
  virtual double gap_constant(int /*i*/) const { return 0; }

  // All gaps and the rates at which they change with velocity v.
  virtual void moving_gaps(double t, const Values& q, const Values& v, Values& g, Values& rate) const;

  // Second derivatives along u: of the gaps `which` and of all joints at (t + s, q + s u), by s; and what
  // ∂L/∂v changes by on that way, ∂²L/∂q∂v u + ∂²L/∂t∂v. `bend` has its size.
  virtual void gap_bends(double t, const Values& q, const Values& u, std::span<const int> which,
                         Eigen::Ref<Values> bend) const = 0;
  virtual void joint_bends(double t, const Values& q, const Values& u, Values& bend) const = 0;
  virtual void momentum_bend(double /*t*/, const Values& /*q*/, const Values& /*u*/, Values& change) const {
    change.setZero();  // where the mass is constant
  }

  // What contact i gives back of its approach; NaN where the method's restitution holds.
  virtual double restitution(int /*contact*/) const { return std::nan(""); }
  // Gaps with kinks have branches: which side of each kink (t, q) is on, as a number. Contact j's are those
  // with branch_contact(k) = j. Somebody who follows a branch over its kink takes a system with branches of
  // his own, and holds those that are not NaN: its gaps are smooth there.
  virtual int branch_count() const { return 0; }
  virtual int branch_contact(int /*k*/) const { return -1; }
  virtual void branches(double /*t*/, const Values& /*q*/, Values& sides) const { sides.resize(0); }
  virtual std::shared_ptr<System> with_own_branches() const { return nullptr; }  // null: it has none
  virtual void hold_branches(const Values& /*sides*/) {}
  // Contacts that exist only where a condition is positive; +1 for those that always do.
  virtual bool has_conditions() const { return false; }
  virtual void conditions(double /*t*/, const Values& /*q*/, const Values& /*v*/, Values& c) const {
    c.setOnes(contact_count());
  }

  // Coulomb's friction (contact/friction/): mu of a contact, 0 where it has none; the slip u = T v + w of
  // contacts as rows T with the drift w; what u changes by along v, with v as it is; and s(t, q) whose rate
  // it is, where a contact has one. In the plane a slip is one number, in space two, of all contacts:
  // slips_each() rows for each, one behind the other.
  virtual int slips_each() const { return 1; }
  // Sliding at a speed of slip has a mu of its own where it is not that of sticking.
  virtual double mu(int /*contact*/) const { return 0; }
  virtual double sliding_mu(int contact, double /*speed*/) const { return mu(contact); }
  virtual double sliding_mu_slope(int /*contact*/, double /*speed*/) const { return 0; }
  virtual bool mu_is_split(int /*contact*/) const {
    return false;
  }  // whether sliding has another at some speed
  virtual void slip_slopes(double /*t*/, const Values& /*q*/, std::span<const int> which,
                           SparseRows& rows) const {
    const auto count = which.size() * static_cast<std::size_t>(slips_each());
    for (std::size_t k = 0; k < count; ++k) rows.end_row();
  }
  virtual void slip_bends(double /*t*/, const Values& /*q*/, const Values& /*v*/,
                          std::span<const int> /*which*/, Eigen::Ref<Values> bend) const {
    bend.setZero();
  }
  virtual bool has_slide(int /*contact*/) const { return false; }
  virtual void slides(double /*t*/, const Values& /*q*/, Values& s) const {
    s.setZero(slips_each() * contact_count());
  }

  // Whether gap i may come down to zero at a kink and rise again without fault, as that of a corner that
  // passes another.
  virtual bool has_corners(int /*contact*/) const { return false; }
  // Where contact i is in the plane of a drawing; false where the system does not say.
  virtual bool contact_place(double /*t*/, const Values& /*q*/, int /*contact*/, double* /*x_y*/) const {
    return false;
  }
  // Why what is hit at contact i has no normal at (t, q); null where it has one.
  virtual const char* unclear_contact(double /*t*/, const Values& /*q*/, int /*contact*/) const {
    return nullptr;
  }

  // Whether L or the forces have kinks or jumps, as far as is known: what is smooth otherwise is not to be
  // trusted.
  virtual bool has_kinks() const { return false; }

  virtual bool forced() const { return false; }
  virtual void force(double /*t*/, const Values& /*q*/, const Values& /*v*/, Values& f) const { f.setZero(); }
  virtual void momenta(double /*t*/, const Values& /*q*/, const Values& /*p*/, const Tell&) const {}

  // Systems of few coordinates, all of which couple, have their derivatives in one array, for kernels that
  // are compiled by size (flow/free_flow.cpp):  L, Lq, Lv | Lqv, Lvv | Lqq  as far as `need` goes, matrices
  // row by row, Lqv(k, i) = ∂²L/∂q_k∂v_i. look() comes before jet(), with the same
  // t, q and need.
  virtual bool dense() const { return false; }
  virtual bool looks_ahead() const { return false; }  // look() does what takes time: then jet() costs little
  virtual void look(double /*t*/, const double* /*q*/, Need, PointMemory&) const {}
  virtual void jet(double /*t*/, const double* /*q*/, const double* /*v*/, Need, const PointMemory&,
                   double* /*out*/) const {}
  virtual void fibre(double /*t*/, const double* /*q*/, const double* /*v*/, double* /*Lv_Lvv*/) const {}
  virtual void drift(double /*t*/, const double* /*q*/, const double* /*v*/, double* /*Lt_Ltv*/) const {}
  // Where the mass is constant: V and Vq at q, and the mass.
  virtual void potential(double /*t*/, const double* /*q*/, double* /*V_Vq*/) const {}
  virtual void mass(double* /*M*/) const {}
  // Gaps, their slopes row by row, and ∂g/∂t where timed(); and gaps with the rates at which they change with
  // velocity v.
  virtual void gap_jet(double /*t*/, const double* /*q*/, double* /*g_G_gt*/) const {}
  virtual void gap_rates(double /*t*/, const double* /*q*/, const double* /*v*/, double* /*g*/,
                         double* /*rate*/) const {}
  // Where L is not quadratic in v, one Newton step from the guess.
  virtual void stage_slopes(const StageRows&) const {}
  // The forces, and their slopes ∂f/∂q and ∂f/∂v.
  virtual void force(double /*t*/, const double* /*q*/, const double* /*v*/, double* /*f*/) const {}
  virtual void force_slopes(double /*t*/, const double* /*q*/, const double* /*v*/, double* /*fq_fv*/) const {
  }

  // Runs side by side, where the mass is constant and nothing depends on t: rows of V and Vq at q, and what
  // else a run looks at. The bits are those of the functions for one run.
  virtual bool has_lanes() const { return false; }
  virtual void lane_potential(int /*lanes*/, const double* /*q*/, double* /*V_Vq*/) const {}
  virtual void lane_look(const LanePoint&) const {}

  // As modified Hamiltonians see it (modified.hpp); none where there is no such.
  virtual std::shared_ptr<const NilpotentLagrangian> over_nilpotents() const { return nullptr; }

  double hamiltonian(double t, const Values& q, const Values& p) const {
    Values v(size()), Lq(size()), Lv(size());
    return hamiltonian(t, q, p, v, Lq, Lv);
  }
  // The same in memory of the caller's, of one number per coordinate.
  double hamiltonian(double t, const Values& q, const Values& p, Values& v, Values& Lq, Values& Lv) const {
    if (!velocity(t, q, p, v)) return std::nan("");
    const double L = slopes(t, q, v, Lq, Lv);
    return v.dot(Lv) - L;
  }
};

inline void System::moving_gaps(double t, const Values& q, const Values& v, Values& g, Values& rate) const {
  gaps(t, q, g);
  rate.resize(g.size());
  thread_local SparseRows slopes;
  thread_local std::vector<int> all;
  for (int i = static_cast<int>(all.size()); i < g.size(); ++i) all.push_back(i);
  slopes.clear();
  gap_slopes(t, q, {all.data(), static_cast<std::size_t>(g.size())}, slopes);
  for (int i = 0; i < slopes.size(); ++i) rate[i] = slopes[i].rate(v);
}

inline bool has_rough_contacts(const System& system) {
  for (int i = 0; i < system.contact_count(); ++i)
    if (system.mu(i) > 0) return true;
  return false;
}

// "a", "b" and so on, without the outer quotes: the first eight, and how many more.
inline std::string contact_names(const System& system, const std::vector<int>& which) {
  std::string names;
  for (std::size_t k = 0; k < which.size() && k < 8; ++k)
    names += (k ? "\", \"" : "") + system.contact_name(which[k]);
  if (which.size() > 8) names += "\" and \"" + std::to_string(which.size() - 8) + " more";
  return names;
}

}  // namespace carom
