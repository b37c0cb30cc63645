// Contestants solve one problem each in their own way and are timed in turns, (a, b, c), (a, b, c), ...: on a
// machine that is shared a slow minute then falls on all of them. What counts is the least CPU time of a run.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace carom::bench {

// What a run led to. Each problem says which of these it compares.
struct Outcome {
  std::vector<double> end;  // q, then p, at the last point
  double energy_error = 0;  // largest |H - H(0)| / |H(0)| that was seen
  std::int64_t steps = 0;   // taken
  std::int64_t impacts = 0;
  bool bounded = true;      // false: it diverged, or could not go on
  std::string remark = {};  // in a few words, where numbers do not tell
};

class Contestant {
 public:
  Contestant(std::string who, std::string how) : name(std::move(who)), settings(std::move(how)) {}
  virtual ~Contestant() = default;

  virtual void prepare() {}  // to the start; not timed
  virtual void run() = 0;    // timed; fails by setting Outcome::bounded
  virtual Outcome outcome() const = 0;

  std::string name, settings;
};

struct Measured {
  std::string name, settings;
  double seconds = 0;  // CPU time of one run()
  Outcome outcome;

  double per_step() const { return seconds / static_cast<double>(outcome.steps); }
};

struct ContestOptions {
  int rounds = 9;
  double block =
      0.01;  // seconds: short runs are repeated until they take that long, so that the clock's grain is small
};

std::vector<Measured> contest(const std::vector<Contestant*>& contestants,
                              const ContestOptions& options = {});

// One run, not repeated: to see where it leads.
Measured try_out(Contestant& contestant);

}  // namespace carom::bench
