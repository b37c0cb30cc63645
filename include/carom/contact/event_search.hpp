// The first event on a part of a step: a gap that closes, or a held contact that is no longer pressed. Gaps
// are searched by their values along the very curve that is followed; rates come from momenta and only say
// where to look. A search never starts at tau = 0, where a gap is zero to rounding after every impact, and it
// looks inside the part and not only at its end, so that grazes are found. Tested in
// tests/laws/contact_edge_cases_test.cpp.
#pragma once

#include "carom/contact/partial_motion.hpp"
#include "carom/system/gap_scales.hpp"

namespace carom {

// A point of the curve, with the gaps that are watched.
struct CurvePoint {
  double tau = 0;
  Phase z;
  ChangingValues gap, rate, slow;  // slow: rates that are rounding
  Spent spent;
  bool ok() const { return spent.outcome.ok(); }
};

class EventSearch {
 public:
  using Z = Phase;
  using Pressed = std::function<bool(double t, const Z& z)>;
  enum class Kind {
    clear,    // nothing happens
    impact,   // contact `contact` closes
    release,  // a held contact is no longer pressed
    stuck,    // contact `contact` touches at the start, and the curve does not leave it
    kink,     // held contact `contact` passes a kink of its gap, or a jump in its curvature
    flat,     // the gap of `contact` has no slope where it is zero
    failed,   // the motion itself could not be computed
  };
  struct Event {
    Kind kind = Kind::clear;
    int contact = -1;
    double rate = 0;  // of its gap
    CurvePoint at;
  };

  EventSearch(const System& m, PartialMotion& p, double step)
      : system(m), motion(p), scales(m, step), v(m.size()) {}

  static constexpr int usual_samples = 4;

  // From where the motion begins to `length`; `pressed(t, z)` says whether all held contacts are. Contacts of
  // `spent` touch at the start, and no impulse takes what is left of their approach.
  const Event& first(double length, const std::vector<int>& contacts, const std::vector<int>& spent,
                     int samples, const Pressed& pressed);

 private:
  enum class Bracket { none, found, stuck, flat };

  double touching(std::size_t i) const { return scales.touching(watched[i]); }
  double rounding(std::size_t i) const { return scales.rounding(watched[i]); }
  double time(const CurvePoint& point) const { return motion.time() + point.tau; }

  bool sample(double tau, CurvePoint& point) { return step_to(tau, point) && add_rates(point); }
  bool add_rates(CurvePoint& point);
  bool step_to(double tau, CurvePoint& point);  // without the rates

  const Event& tell(Kind kind, std::size_t i, const CurvePoint& at);
  const Event& fail(const CurvePoint& at);
  void make_room();
  void mark_leaving(const std::vector<int>& spent);
  bool closes_at_once();
  bool find_last_good();
  bool goes_astray();
  void look_between(const Pressed& pressed);
  std::size_t first_closed(const CurvePoint& point) const;
  Bracket closing(std::size_t i);
  bool keeps_leaving(std::size_t i) const;
  bool find_dip_after_rise(std::size_t i, double length);
  bool find_beyond(std::size_t i, double sign, CurvePoint& point);
  bool search_beyond(std::size_t i, double sign, CurvePoint& point);
  void refine(std::size_t i);
  void find_release(const Pressed& pressed);
  bool find_kink();
  bool is_flat(std::size_t i, const CurvePoint& at);
  bool touches_without_slope(std::size_t i);

  const System& system;
  PartialMotion& motion;
  std::vector<int> watched;
  std::vector<char> leaves;  // per watched one: whether it counts as leaving at the start
  GapScales scales;
  double rest = 0;
  CurvePoint from, to, open, closed, trial, failed_end;
  Event found;
  SparseRows slopes;
  Values all;
  Values v;
  Values sides, sides_there;  // System::branches
  CurvePoint lowest;          // of a gap that turns without closing
};

}  // namespace carom
