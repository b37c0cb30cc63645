// Parts of the program that are files of their own, opened when somebody asks for them: MPI (sweep/team.hpp),
// the papers (cli/papers.hpp) and Ipopt (optimise/sparse_program.hpp). They lie beside the program, in
// lib/carom where it is installed, or in modules/ of the package for Python. Tested by
// tests/papers/reproduce_test.py, tests/cli/sweep_many_test.py and tests/python/derivatives_test.py.
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
