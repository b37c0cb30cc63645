// The module of the papers, opened when a command needs it; the program works without.
#pragma once

#include <stdexcept>

#include "module.hpp"

namespace carom::cli {

// There is a part of the program that cannot be opened; exit code 4, as for FileError.
struct ModuleError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

const papers::Module* find_papers();  // null where it was not built
const papers::Module& open_papers();  // throws ModuleError

}  // namespace carom::cli
