#include "native.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "files.hpp"
#include "summary.hpp"

extern char** environ;

namespace carom {
namespace fs = std::filesystem;

namespace {

fs::path cache_folder() {
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache && *cache) return fs::path(cache) / "carom";
  if (const char* home = std::getenv("HOME"); home && *home) return fs::path(home) / ".cache" / "carom";
  return fs::temp_directory_path() / fmt::format("carom-{}", getuid());
}

// FNV-1a over the source and over what the program is: another build may lay out its types differently.
std::string key_of(const std::string& source) {
  std::error_code ignored;
  const auto built = fs::last_write_time("/proc/self/exe", ignored).time_since_epoch().count();
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : source + version() + git_revision() + std::to_string(built))
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return fmt::format("{:016x}", hash);
}

std::string compiler() {
  const char* own = std::getenv("CXX");
  return own && *own ? own : "c++";
}

// Runs a command with its output in a file; its exit code, or -1 where it could not be started.
int run_command(const std::vector<std::string>& words, const fs::path& log) {
  std::vector<char*> arguments;
  for (const auto& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  pid_t child = 0;
  const int error = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  if (error != 0 || waitpid(child, &status, 0) < 0) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// Compiles beside the target and renames, so that two programs at once do not meet. "" or what went wrong.
std::string compile_to(const fs::path& library, const std::string& source) {
  const fs::path base = library.parent_path() / fmt::format("{}-{}", library.stem().string(), getpid());
  const fs::path text = base.string() + ".cpp", fresh = base.string() + ".so",
                 log = library.string() + ".log";
  write_text(text, source);
  std::vector<std::string> words = {compiler(), "-std=c++20",        "-O3",
                                    "-DNDEBUG", "-ffp-contract=off", "-fno-math-errno",
                                    "-fPIC",    "-shared",           "-w"};
  for (const char* folder : {CAROM_NATIVE_INCLUDES}) words.push_back(std::string("-I") + folder);
  words.insert(words.end(), {text.string(), "-o", fresh.string()});
  if (isatty(STDERR_FILENO)) fmt::print(stderr, "compiling the formulas, once; this takes half a minute\n");
  const int code = run_command(words, log);
  std::error_code error;
  fs::remove(text, error);
  if (code == 127 || code == -1) return fmt::format("there is no compiler \"{}\"", compiler());
  if (code != 0) return fmt::format("the compiler failed, see {}", log.string());
  fs::rename(fresh, library, error);
  return error ? error.message() : "";
}

// The compiled system in the library, or what went wrong.
std::string load(const fs::path& library, NativeRunner& runner) {
  void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);  // stays open: the model is made of it
  if (!handle) return dlerror();
  auto* fill = reinterpret_cast<void (*)(NativeRunner*)>(dlsym(handle, "carom_native"));
  if (!fill) return dlerror();
  fill(&runner);
  return "";
}

}  // namespace

Model native_model(const Scenario& scenario, const Model& interpreted, std::string& warning) {
  const std::string source = native_source(scenario);
  const fs::path folder = cache_folder(), library = folder / (key_of(source) + ".so");
  NativeRunner runner{};
  std::error_code error;
  fs::create_directories(folder, error);
  warning = error ? fmt::format("{}: {}", folder.string(), error.message()) : "";
  if (warning.empty() && !fs::exists(library)) warning = compile_to(library, source);
  if (warning.empty()) warning = load(library, runner);
  if (!warning.empty()) {
    warning = "--native: " + warning + "; the formulas are run without it";
    return interpreted;
  }
  Model r = interpreted;
  r.check = runner.check, r.run = runner.run, r.run_together = {};
  return r;
}

}  // namespace carom
