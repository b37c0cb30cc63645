// A stepper takes a state over one full step through whatever happens in it: what that yields, and how a run
// sees any of them (Stepper).
#pragma once

#include <array>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "carom/flow/flow_step.hpp"
#include "carom/system/validate.hpp"

namespace carom {

// Why a run could not go on; the driver words it with the step and the time.
struct Failure {
  std::string reason;
  double residual = 0;
  std::string contact;          // empty where none is concerned
  const char* measure = "gap";  // what `residual` is of a contact
};

// The contacts that close at one instant: a handful without allocation, more on the heap.
class ContactList {
 public:
  void push_back(int contact) {
    if (count < few.size()) few[count] = contact;
    if (count == few.size()) many.assign(few.begin(), few.end());
    if (count >= few.size()) many.push_back(contact);
    ++count;
  }
  void clear() { count = 0; }
  std::size_t size() const { return count; }
  int operator[](int i) const { return begin()[i]; }
  const int* begin() const { return count <= few.size() ? few.data() : many.data(); }
  const int* end() const { return begin() + count; }

 private:
  std::array<int, 16> few{};
  std::vector<int> many;
  std::size_t count = 0;
};

// One impact: the configuration stays, the momentum jumps.
struct Impact {
  double t;
  ContactList contacts;
  Values q, p_before, p_after;
  double impulse;                  // |p_after - p_before|
  double rate_before, rate_after;  // of the gap of the first contact
  double work = 0;                 // of walls that move
  double loss = std::nan("");      // by restitution; NaN: all that H loses
  bool by_law_energy = false;      // p_after has the energy that its law keeps; else that of H

  double taken(double H_before, double H_after) const {
    return std::isnan(loss) ? H_before - H_after + work : loss;
  }
};

// The impacts of a step, in memory that stays for those of the next ones.
class ImpactList {
 public:
  void clear() { count = 0; }
  Impact& add() {
    if (count == memory.size()) memory.emplace_back();
    memory[count].contacts.clear(), memory[count].work = 0, memory[count].loss = std::nan(""),
                                    memory[count].by_law_energy = false;
    return memory[count++];
  }
  std::span<const Impact> all() const { return {memory.data(), count}; }

 private:
  std::vector<Impact> memory;
  std::size_t count = 0;
};

// A contact that begins to last, or no longer does; or one with friction that lasts, and from now on sticks
// or slides.
struct ContactChange {
  enum Mode { none, sticks, forward, backward, slides };  // forward: its slip is positive; slides: in space
  double t;
  int contact;
  bool begins;
  double settled;  // where it begins: when its last bounces, too short to be followed, have died out; else t
  Mode mode = none;  // of a change of mode; `begins` is true then
};

struct Stepped {
  StepResult<double, Eigen::Dynamic> step;
  std::optional<Failure> failure;
  std::span<const Impact> impacts = {};
  std::span<const ContactChange> changes = {};
  bool stopped = false;  // on request, before its end: the step is as if it had not been begun
};

// Each number that a run must keep to go on later as if it had never stopped is given to one of these, which
// writes it down or replaces it by what was written.
class KeptNumbers {
 public:
  virtual ~KeptNumbers() = default;
  virtual void operator()(double& x) = 0;
  virtual void operator()(std::int64_t& x) = 0;
};

// Any stepper, over states of run-time size: runs are compiled once for all of them.
class Stepper {
 public:
  virtual ~Stepper() = default;
  // Good until the next step.
  virtual const Stepped& step(double t, const Phase& z) = 0;
  virtual void numbers(KeptNumbers& f) = 0;
  // An energy of the run that was taken at its start: steps of another length conserve another one.
  virtual void forget_energy() {}
  virtual std::int64_t solves() const { return 0; }     // for the energy of impacts
  virtual std::int64_t fallbacks() const { return 0; }  // those that were in vain
  virtual double unfollowed() const {
    return 0;
  }  // largest share of an energy in bounces too short for a step

  const std::function<bool()>* stop = nullptr;  // asked within steps that may take long

 protected:
  bool is_to_stop() const { return stop && *stop && (*stop)(); }
};

}  // namespace carom
