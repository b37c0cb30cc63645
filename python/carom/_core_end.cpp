// The end of the interpreter, while other threads are inside the core (see Busy).
#include <pthread.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "_core.hpp"

namespace carom::python {
namespace {

std::atomic<int> at_work = 0;
std::atomic<bool> ending = false;

// Called by atexit, with the interpreter, which the others need to come back.
void wait_for_all() {
  constexpr std::chrono::seconds longest{60};  // a function of Python's that a run calls may hang
  ending = true;
  const py::gil_scoped_release free;
  const auto begin = std::chrono::steady_clock::now();
  while (at_work > 0 && std::chrono::steady_clock::now() - begin < longest)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

}  // namespace

Busy::Busy() {
  if (ending) throw std::runtime_error("the interpreter is ending");
  ++at_work;
}
Busy::~Busy() { --at_work; }
bool Busy::must_end() { return ending; }

void bind_end(py::module_&) {
  ::pthread_atfork(nullptr, nullptr, [] { at_work = 0; });  // a child has none of its parent's threads
  py::module_::import("atexit").attr("register")(py::cpp_function(&wait_for_all));
}

}  // namespace carom::python
