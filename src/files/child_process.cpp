#include "files/child_process.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>

#include <chrono>
#include <csignal>
#include <optional>
#include <thread>

extern char** environ;

namespace carom {
namespace {

// In a process group of its own, so that Ctrl-C does not leave half a file and all of it can be ended.
std::optional<pid_t> start(const std::vector<std::string>& command, const std::filesystem::path& log) {
  std::vector<char*> arguments;
  for (const auto& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, 1, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  posix_spawn_file_actions_adddup2(&files, 1, 2);
  posix_spawnattr_t how;
  posix_spawnattr_init(&how);
  posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP);
  pid_t child = 0;
  const int error = posix_spawnp(&child, arguments[0], &files, &how, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&how);
  return error == 0 ? std::optional(child) : std::nullopt;
}

std::atomic<const std::atomic<bool>*> wish_to_end = nullptr;

bool is_wished() {
  const auto* wish = wish_to_end.load();
  return wish && *wish;
}

}  // namespace

void end_children_on(const std::atomic<bool>* wish) { wish_to_end = wish; }

ChildEnd run_child(const std::vector<std::string>& command, const std::filesystem::path& log,
                   double seconds) {
  constexpr int not_found = 127;
  using Clock = std::chrono::steady_clock;
  const auto child = start(command, log);
  if (!child) return ChildEnd::missing;
  const auto limit = Clock::now() + std::chrono::duration<double>(seconds);
  int status = 0;
  while (::waitpid(*child, &status, WNOHANG) == 0) {
    if (Clock::now() > limit || is_wished()) {
      ::kill(-*child, SIGKILL);
      ::waitpid(*child, &status, 0);
      return ChildEnd::late;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  if (!WIFEXITED(status)) return ChildEnd::bad;
  return WEXITSTATUS(status) == 0           ? ChildEnd::good
         : WEXITSTATUS(status) == not_found ? ChildEnd::missing
                                            : ChildEnd::bad;
}

}  // namespace carom
