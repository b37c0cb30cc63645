// The processes that share a sweep: one, or the ranks of mpirun. MPI stands behind a module that is opened
// only where mpirun started the program, so that nobody else waits for its libraries.
#pragma once

#include <memory>
#include <optional>
#include <string>

namespace carom {

struct Message {
  int from = 0;
  std::string bytes;
};

class Team {
 public:
  virtual ~Team() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  virtual void send(int to, const std::string& bytes) = 0;  // returns at once
  virtual std::optional<Message> receive() = 0;             // what has arrived, if anything
};

// Throws ScenarioError where mpirun started the program and the module cannot be opened.
std::unique_ptr<Team> join_team();

// What the module carom_mpi exports, as "carom_make_team".
using MakeTeam = Team* (*)();

}  // namespace carom
