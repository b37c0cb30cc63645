#include "files/modules.hpp"

#include <dlfcn.h>

#include <filesystem>

namespace carom {

Opened open_module(const std::string& name, const char* function) {
  std::error_code error;
  const auto folder = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  const std::string file = name + ".so";
  for (const auto& place : {folder / file, folder.parent_path() / "lib/carom" / file}) {
    if (!std::filesystem::exists(place, error)) continue;
    void* module = ::dlopen(place.c_str(), RTLD_NOW | RTLD_GLOBAL);
    void* found = module ? ::dlsym(module, function) : nullptr;
    return found ? Opened{found} : Opened{nullptr, ::dlerror()};
  }
  return {nullptr, file + " is not there"};
}

}  // namespace carom
