// Parts of the program that are files of their own, opened when somebody asks for them: MPI (sweep/team.hpp)
// and the papers (cli/papers.hpp). They lie beside the program, or in lib/carom where it is installed. Tested
// by tests/papers/reproduce_test.py and tests/cli/sweep_many_test.py.
#pragma once

#include <string>

namespace carom {

struct Opened {
  void* function = nullptr;
  std::string why = {};  // there is none
};

// A function of the module NAME.so, which stays open.
Opened open_module(const std::string& name, const char* function);

}  // namespace carom
