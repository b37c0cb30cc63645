#include "formula/native_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <vector>

#include "files/child_process.hpp"
#include "files/files.hpp"

namespace carom {
namespace fs = std::filesystem;

namespace {

using Words = std::vector<std::string>;

// The operations as they stand: no contraction, no function replaced by another. -O2 takes half as long again
// and gains nothing; long texts gain nothing from -O1 either.
Words flags_for(const std::string& source) {
  constexpr std::size_t long_text = 100000;
  return {source.size() > long_text ? "-Og" : "-O1",
          "-ffp-contract=off",
          "-fno-math-errno",
          "-fno-builtin",
          "-fno-fast-math",
          "-fPIC",
          "-shared",
          "-s",
          "-w"};
}
constexpr double longest_compilation = 20;  // seconds

std::uint64_t hash_of(std::string_view bytes, std::uint64_t hash = 0xcbf29ce484222325) {
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

Words words_of(const char* variable, const char* otherwise) {
  const char* own = std::getenv(variable);
  std::istringstream text(own && *own ? own : otherwise);
  return {std::istream_iterator<std::string>(text), {}};
}

// In the order in which they are tried.
std::vector<Words> compilers() { return {words_of("CC", "cc"), words_of("CXX", "c++")}; }

fs::path cache_folder() {
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache && *cache) return fs::path(cache) / "carom";
  if (const char* home = std::getenv("HOME"); home && *home) return fs::path(home) / ".cache" / "carom";
  return fs::temp_directory_path() / fmt::format("carom-{}", geteuid());
}

// Made where it is missing; what lies in it is executed, so it must be the user's own. "" or what is wrong.
std::string make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder.parent_path(), error);
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
    return fmt::format("{}: {}", folder.string(), std::strerror(errno));
  struct stat found {};
  if (::stat(folder.c_str(), &found) != 0)
    return fmt::format("{}: {}", folder.string(), std::strerror(errno));
  if (!S_ISDIR(found.st_mode)) return fmt::format("{}: is not a folder", folder.string());
  if (found.st_uid != geteuid() || (found.st_mode & S_IWOTH))
    return fmt::format("{}: others may write there", folder.string());
  return "";
}

// The checksum and a word that says what it is.
std::string seal_of(std::string_view bytes) { return fmt::format("carom-native-{:016x}", hash_of(bytes)); }

std::string contents_of(const fs::path& file) {
  if (!fs::is_regular_file(file)) return "";
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

bool is_whole(const fs::path& library) {
  const std::string all = contents_of(library);
  const std::size_t seal = seal_of("").size();
  if (all.size() <= seal) return false;
  const std::string_view bytes(all.data(), all.size() - seal);
  return std::string_view(all).substr(bytes.size()) == seal_of(bytes);
}

// The table of sections ends the file of a library. One that is cut, by a disk that was full, would bring the
// process down when it is opened.
bool is_uncut(std::string_view bytes) {
  ElfW(Ehdr) head;
  if (bytes.size() < sizeof head) return false;
  std::memcpy(&head, bytes.data(), sizeof head);
  return std::memcmp(head.e_ident, ELFMAG, SELFMAG) == 0 && head.e_shoff > 0 &&
         head.e_shoff + std::size_t{head.e_shentsize} * head.e_shnum <= bytes.size();
}

// Removed at the end, whatever happens.
struct Scratch {
  explicit Scratch(fs::path file) : path(std::move(file)) {}
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    std::error_code ignored;
    fs::remove(path, ignored);
  }
  fs::path path;
};

// "" or what went wrong.
std::string run_compiler(const Words& flags, const fs::path& text, const fs::path& library,
                         const fs::path& log) {
  const auto all = compilers();
  for (const Words& compiler : all) {
    Words command = compiler;
    command.insert(command.end(), flags.begin(), flags.end());
    command.insert(command.end(), {text.string(), "-o", library.string(), "-lm"});
    const ChildEnd end = run_child(command, log, longest_compilation);
    if (end == ChildEnd::missing) continue;
    if (end == ChildEnd::late) return fmt::format("the compiler \"{}\" does not come to an end", compiler[0]);
    if (end == ChildEnd::good) return "";
    return fmt::format("the compiler failed, see {}", log.string());
  }
  return fmt::format("there is no compiler \"{}\"", all[0][0]);
}

// Throws FileError.
std::string compile_to(const fs::path& library, const std::string& source) {
  const std::string base = (library.parent_path() / library.stem()).string();
  const Scratch text(fmt::format("{}-{}.c", base, getpid())), fresh(fmt::format("{}-{}.so", base, getpid()));
  const fs::path log = base + ".log";
  write_text(text.path, source);
  if (std::string trouble = run_compiler(flags_for(source), text.path, fresh.path, log); !trouble.empty())
    return trouble;
  const std::string bytes = contents_of(fresh.path);
  if (!is_uncut(bytes)) return "the compiler wrote no library";
  write_text(library, bytes + seal_of(bytes));
  std::error_code ignored;
  fs::remove(log, ignored);
  return "";
}

NativeLibrary load(const fs::path& library, const std::string& key) {
  void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);  // for good: programs point into it
  if (!handle) return {nullptr, dlerror()};
  const auto* content = static_cast<const char*>(dlsym(handle, "carom_content"));
  const auto* functions = static_cast<const formula::MachineCode*>(dlsym(handle, "carom_functions"));
  if (content && functions && key == content) return {functions};
  dlclose(handle);
  return {nullptr, fmt::format("{}: holds something else", library.string())};
}

std::string with_key(const std::string& source, const std::string& key) {
  return source + fmt::format(R"(#ifdef __cplusplus
extern "C"
#endif
const char carom_content[] = "{}";
)",
                              key);
}

std::string key_of(const std::string& source) {
  std::string all = source;
  for (const auto& flag : flags_for(source)) all += flag;
  for (const auto& compiler : compilers())
    for (const auto& word : compiler) all += ' ' + word;
  return fmt::format("{:016x}{:016x}", hash_of(all), hash_of(all, 0x9e3779b97f4a7c15));
}

NativeLibrary open_or_compile(const std::string& source, bool may_compile) {
  const fs::path folder = cache_folder();
  if (std::string trouble = make_folder(folder); !trouble.empty()) return {nullptr, trouble};
  const std::string key = key_of(source);
  const fs::path library = folder / (key + ".so");
  if (is_whole(library))
    if (NativeLibrary known = load(library, key); known.functions) return known;
  if (!may_compile) return {nullptr, "is not compiled yet"};
  if (std::string trouble = compile_to(library, with_key(source, key)); !trouble.empty())
    return {nullptr, trouble};
  return load(library, key);
}

}  // namespace

NativeLibrary open_native(const std::string& source, bool may_compile) try {
  return open_or_compile(source, may_compile);
} catch (const std::exception& e) {
  return {nullptr, e.what()};
}

}  // namespace carom
