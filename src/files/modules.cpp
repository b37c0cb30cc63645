#include "files/modules.hpp"

#include <dlfcn.h>

#include <filesystem>
#include <vector>

namespace carom {

namespace {

namespace fs = std::filesystem;

// Of the program; and of the file with this code in it, which is another where Python has opened it.
std::vector<fs::path> folders_of_modules() {
  std::error_code error;
  const auto program = fs::read_symlink("/proc/self/exe", error).parent_path();
  std::vector<fs::path> r = {program, program.parent_path() / "lib/carom"};
  ::Dl_info own;
  if (::dladdr(reinterpret_cast<void*>(&open_module), &own) != 0 && own.dli_fname != nullptr)
    r.push_back(fs::path(own.dli_fname).parent_path() / "modules");
  return r;
}

}  // namespace

Opened open_module(const std::string& name, const char* function) {
  std::error_code error;
  const std::string file = name + ".so";
  for (const fs::path& folder : folders_of_modules()) {
    const fs::path place = folder / file;
    if (!fs::exists(place, error)) continue;
    void* module = ::dlopen(place.c_str(), RTLD_NOW | RTLD_GLOBAL);
    void* found = module ? ::dlsym(module, function) : nullptr;
    return found ? Opened{found} : Opened{nullptr, ::dlerror()};
  }
  return {nullptr, file + " is not there"};
}

}  // namespace carom
