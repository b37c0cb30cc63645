// Which of the contacts that touch last, and whether they stick or slide: what the event loop
// (contact_stepper.hpp) asks where contacts have friction. Modes hold along the motion as long as
//
//   λ_n >= 0,    |λ_t| <= mu λ_n where a contact sticks,    sign·u >= 0 where it slides
//
// with forces of modes.hpp at (t, q, v), not of the step. Behind an event they are decided by the
// accelerations a little further along the motion as it was: at the event itself two modes have the same.
// Slips count as zero against what speeds and accelerations would make of them in a step. Tested in
// tests/laws/friction_laws_test.cpp.
#pragma once

#include "carom/contact/friction/contact_space.hpp"
#include "carom/contact/friction/friction_step.hpp"
#include "carom/contact/friction/frictional_impact.hpp"
#include "carom/contact/friction/slip_end.hpp"
#include "carom/run/stepper.hpp"

namespace carom {

class Friction {
 public:
  Friction(const System& m, double step);

  static constexpr double crisp = 1e-12;  // how sharply modes end
  static constexpr double ahead = 1e-3;   // of a step: where modes behind an event are decided

  // Whether the modes of `lasting` hold; those of `late` may be pulled.
  bool stay(double t, const Phase& z, const std::vector<int>& lasting, const std::vector<int>& late);

  int broken = -1;  // the contact whose mode did not, if it is one

  // Where no modes hold, slips that would end within `ahead` of a step have ended.
  // Modes at (t, z) for those of `candidates` that last, with accelerations there or at `further`. Momenta
  // are made tangent to what they hold.
  std::optional<Failure> choose(double t, Phase& z, const std::vector<int>& candidates, const Phase* further,
                                double t_further, std::vector<int>& lasting);
  // Holds a contact that nothing presses, and that does not leave either.
  void hold(double t, Phase& z, int contact, const std::vector<int>& lasting);

  // p+ by the contacts `touched` with e for each.
  std::optional<Failure> hit(double t, Phase& z, const std::vector<int>& touched, const ChangingValues& e);

  // Where choose() has found no modes: an impact without collision of its candidates. False where there is
  // none either.
  bool jammed = false;
  bool jolt(double t, Phase& z, const std::vector<int>& candidates, const ChangingValues& e);

  // By how much a contact of those chosen last is pressed: the acceleration that its force takes up.
  double push_of(int contact) const;

  // For how long the flow may follow slips in space that end; one piece of `ending` does beyond that, which
  // closes what lasts again.
  double time_left(double t, const Phase& z, const std::vector<int>& lasting);
  bool follow_end(double t, const Phase& z, double rest, const std::vector<int>& lasting);

  void numbers(KeptNumbers& f, const std::vector<int>& lasting);

  FrictionModes modes;  // of all contacts
  ContactSpace space;
  FrictionalImpact impact;
  std::unique_ptr<SlipEnd> ending;  // in space

 private:
  void look_at_slips();
  void set_slips();
  double kick(int i) const;
  bool is_standing(int k) const;
  bool keeps_direction(int k);
  void begin_directions(double t, const Phase& z, const std::vector<int>& candidates);
  bool settle(double t, const Phase& z, const std::vector<int>& candidates, double none);
  std::optional<Failure> choose(double t, Phase& z, const std::vector<int>& candidates, const Phase* further,
                                double t_further, std::vector<int>& lasting, double none);
  double blurred(int i) const;
  bool begin_sticks(double t, const Phase& z, const std::vector<int>& lasting);
  Failure about(const char* reason, double value, const char* measure) const;

  const System& system;
  double h;
  int each;
  ModeSolver solver;
  FrictionStep along;
  FrictionModes smooth;  // what is held, as if nothing slid
  std::vector<signed char> slip;
  std::vector<int> among;
  std::vector<Mode> present, next, chosen, held_modes;
  std::vector<double> aims, held_forces;
  std::vector<double> e, pressed, slow;
  ChangingValues bias, force;
  NonnegativeSolver nonnegative;
  std::vector<int> first;
  Values slides, settled, closed;
  struct {
    std::vector<int> lasting;
    std::vector<Mode> mode;
    Phase z;
  } kept;  // where modes were seen to hold
};

}  // namespace carom
