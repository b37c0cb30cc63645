// What a run looks at in a system while it steps, whatever the type of the system: its size and names, and
// the numbers of a point. The shadow energy is apart, since it belongs to a flow.
//
//   WatchedMechanics   a System    (watched_mechanics.hpp)
//   WatchedDae         a DAE       (run_dae.cpp)
#pragma once

#include <optional>
#include <span>
#include <string>

#include "carom/flow/shadow_window.hpp"
#include "carom/run/stepper.hpp"
#include "carom/system/look.hpp"

namespace carom {

using RunState = Phase;
using RunVector = Vector<double, Eigen::Dynamic>;

class WatchedSystem {
 public:
  virtual ~WatchedSystem() = default;
  virtual const System* mechanics() const { return nullptr; }  // which a DAE may not be
  virtual int size() const = 0;                                // coordinates
  virtual int contact_count() const = 0;
  virtual int joint_count() const = 0;
  virtual std::string coordinate_name(int i) const = 0;
  virtual std::string contact_name(int i) const = 0;
  virtual bool forced() const = 0;
  virtual bool has_friction() const { return false; }
  // Whether a formula may have no value where no step fails.
  virtual bool may_lack_values() const { return false; }

  virtual void look(double t, const RunState& z, Look& look) = 0;
  virtual double hamiltonian(double t, const RunVector& q, const RunVector& p) = 0;
  virtual void gaps(double t, const RunVector& q, RunVector& g) = 0;  // those of Look
  virtual double smallest_gap(double t, const RunVector& q) = 0;
  // At a point that was looked at.
  virtual const RunVector& velocity(const RunState&, const Look& look) { return look.v; }
  // What formulas call velocities: of a DAE its z.
  virtual const RunVector& formula_velocity(const RunState& z, const Look& look) { return velocity(z, look); }

  // The force of every contact (lasting_forces.hpp), where those last that have a 1 in `lasting`; before the
  // first step nobody knows these yet.
  virtual void contact_forces(double t, const RunState&, std::span<const std::int64_t> lasting, bool at_start,
                              RunVector& force) = 0;
  // And of contacts that have friction, each for itself, what they were asked for last.
  virtual bool rubs_at_contacts() const { return false; }
  virtual const RunVector& friction_forces() const { return none; }
  virtual int slips_each() const { return 1; }
  virtual const RunVector& slips() const { return none; }

  // Of a DAE, which can tell its multipliers at any point.
  virtual std::optional<int> multiplier_count() const { return std::nullopt; }
  virtual std::string multiplier_name(int /*i*/) const { return ""; }
  virtual const RunVector& multipliers(double /*t*/, const RunState&) { return none; }

 private:
  RunVector none;
};

// The shadow energy of a flow along a run (carom/flow/shadow_window.hpp).
class WatchedShadow {
 public:
  virtual ~WatchedShadow() = default;
  virtual void follow(std::int64_t n, double t, const RunState& z) = 0;  // as a part of stepping
  virtual ShadowValue at(std::int64_t n, double t, const RunState& z) = 0;
  virtual void numbers(KeptNumbers& f) = 0;
};

}  // namespace carom
