// A sweep from its members to full rows: by the threads of this process, and of the others under mpirun. Rank
// 0 keeps the rows and hands out members; the others ask for some more before they run out of them, so that
// nobody waits.
#pragma once

#include <functional>

#include "sweep/store.hpp"
#include "sweep/team.hpp"

namespace carom {

struct ConductOptions {
  int threads = 1;                            // of each process
  std::function<bool()> stop = {};            // when to end early
  std::function<void(std::size_t)> progress;  // about ten times a second: how many members are done
};

// On rank 0: does all members whose rows are missing. Members that are done stay in the store when it ends
// early.
void conduct(const Members& members, Store& store, Team& team, const ConductOptions& options);

// On the other ranks.
void assist(const Members& members, Team& team, const ConductOptions& options);

}  // namespace carom
