// Signals and progress, while the interpreter is left to others.
#include "_core.hpp"

namespace carom::python {

bool Listener::asked_to_stop() {
  if (Busy::must_end()) return stopped = true;
  if (stopped || ++calls % 16 != 0) return stopped;
  const auto now = std::chrono::steady_clock::now();
  if (now - last < std::chrono::milliseconds(50)) return false;
  last = now;
  const py::gil_scoped_acquire held;
  if (PyErr_CheckSignals() == 0) return false;
  if (PyErr_ExceptionMatches(PyExc_KeyboardInterrupt))
    PyErr_Clear();  // what was reached is returned
  else
    raised = std::make_exception_ptr(py::error_already_set());
  return stopped = true;
}

void Listener::tell(std::int64_t done, std::int64_t all, const char* unit) {
  if (progress.is_none() || stopped) return;
  const py::gil_scoped_acquire held;
  try {
    progress(done, all, unit);
  } catch (const py::error_already_set& error) {
    stopped = true;
    if (!error.matches(PyExc_KeyboardInterrupt)) raised = std::current_exception();
  }
}

void Listener::rethrow_all() const {
  rethrow();
  if (!stopped) return;
  PyErr_SetNone(PyExc_KeyboardInterrupt);
  throw py::error_already_set();
}

}  // namespace carom::python
