// What happens first to a DAE with inequalities on its way from a point: a take-off, a landing, or a stop by
// friction. The way is the flow over any part of the step.
// Tested in tests/laws/dae_contact_test.cpp.
#pragma once

#include <functional>
#include <vector>

#include "carom/dae/dae_flow.hpp"
#include "carom/dae/dae_system.hpp"
#include "carom/dae/dae_touching.hpp"
#include "carom/numerics/function_ref.hpp"

namespace carom {

// Where a run stands, and the inequalities that are held there.
struct DaePoint {
  double t = 0;
  Values y, z;
  std::vector<int> lasting;
};

struct DaeEvent {
  enum class Kind { none, take_off, landing, stop, unknown };  // unknown: the flow failed on the way
  double tau;                                                  // after the point
  Kind kind;
  int contact;  // among the constraints of the DAE
};

class DaeEvents {
 public:
  DaeEvents(const DaeSystem& s, DaeFlow& f, DaeTouching& c, double step);

  // The first event within `reach` of `from`, where the flow comes to (y_end, z_end).
  DaeEvent first(const DaePoint& from, double reach, const Values& y_end, const Values& z_end);

  // Whether friction may act.
  bool rubs(const DaePoint& at_point) const;

  std::int64_t landings = 0;  // located
  const std::function<bool()>* stop =
      nullptr;  // asked before each part of the way: what follows is not known then

 private:
  struct Sample {
    double tau, gap, rate;
  };
  struct End {
    double tau;
    const Values *y, *z;
  };

  bool go(double tau);
  bool take(double tau);
  double turning() const;
  double pressure(int i);
  double gap(int i);
  Sample sample(int i);
  std::optional<double> crossing(double to, FunctionRef<double()> value, double from = 0);
  std::optional<double> landing(int i, double before, double reach);
  std::optional<double> closing(int i, const Sample& from, Sample to, double small);

  const DaeSystem& system;
  const Dae& dae;
  DaeFlow& flow;
  DaeTouching& touching;
  double h;
  const DaePoint* start = nullptr;
  End end = {};
  double at = 0, rounding = 0;
  // Places that were come to since first(): contacts that move alike are looked at in the same ones.
  struct Place {
    double tau;
    bool known;
    Values y, z;
  };
  std::vector<Place> places;
  std::size_t seen = 0;
  Values y, z, gaps;
  DaeMotion motion;
  DaeConstraint constraint;
};

}  // namespace carom
