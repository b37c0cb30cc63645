#include "sweep/team.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "scenario.hpp"

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
  std::error_code error;
  const auto folder = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  void* module = nullptr;
  for (const auto& place : {folder / "carom_mpi.so", folder.parent_path() / "lib/carom/carom_mpi.so"})
    if (!module && std::filesystem::exists(place, error))
      module = ::dlopen(place.c_str(), RTLD_NOW | RTLD_GLOBAL);
  const auto make = module ? reinterpret_cast<MakeTeam>(::dlsym(module, "carom_make_team")) : nullptr;
  if (!make) {
    const char* why = ::dlerror();
    throw ScenarioError(fmt::format(
        "mpirun started a carom that was built without MPI: install libopenmpi-dev and build it again ({})",
        why ? why : "carom_mpi.so is not there"));
  }
  return std::unique_ptr<Team>(make());
}

}  // namespace carom
