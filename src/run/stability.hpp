// How far a step is from where its flow turns unstable, and what a run has to say of its energy when it is
// over: by what it showed itself (energy_watch.hpp), never by absolute numbers.
// Tested in tests/unit/stability_test.cpp and tests/cli/energy_words_test.py.
#pragma once

#include "model/model.hpp"
#include "run/watched.hpp"

namespace carom {

// The largest omega h for which every smaller one leaves an oscillator of frequency omega bounded; infinite
// where all do. From the trace of the flow's matrix: |tr| <= 2.
double stability_limit(const Flow& flow);

// The largest frequency of small motions at (t, z), the root of the largest eigenvalue of M^-1 V'', by power
// iteration; 0 where nothing oscillates, or joints hold part of it.
double fastest_frequency(const System& system, double t, const RunState& z);

struct Frequencies {
  double at_start = 0, at_end = 0;
};
// Of a run that is over; none where the system is not known.
Frequencies frequencies(const System* system, const RunState& start, const RunResult& r);

// What else is known of a run for the judgement below.
struct RunCircumstances {
  Frequencies frequency = {};
  bool explained_by_loss = false;  // what impacts take is no error
  bool may_have_tolerance = false;
};

// Warns where H has changed without a cause, with the step or tolerance that would do better; says why a run
// failed where its step was beyond the limit.
void judge_energy(RunResult& r, const Method& method, const RunCircumstances& c);

}  // namespace carom
