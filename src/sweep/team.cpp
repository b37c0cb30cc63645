#include "sweep/team.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "files/modules.hpp"
#include "scenario/scenario.hpp"

namespace carom {
namespace {

struct Alone : Team {
  int rank() const override { return 0; }
  int size() const override { return 1; }
  void send(int, const std::string&) override {}
  std::optional<Message> receive() override { return std::nullopt; }
};

// Open MPI, and those that start processes by PMI.
bool started_by_mpirun() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"})
    if (const char* size = std::getenv(name)) return std::atoi(size) > 1;
  return false;
}

}  // namespace

std::unique_ptr<Team> join_team() {
  if (!started_by_mpirun()) return std::make_unique<Alone>();
  const Opened opened = open_module("carom_mpi", "carom_make_team");
  if (!opened.function)
    throw ScenarioError(fmt::format(
        "mpirun started a carom that was built without MPI: install libopenmpi-dev and build it again ({})",
        opened.why));
  return std::unique_ptr<Team>(reinterpret_cast<MakeTeam>(opened.function)());
}

}  // namespace carom
