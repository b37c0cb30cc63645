// The binding's own types: a system that is kept between its runs, and what a run has left in memory. All
// that is computed is the core's; here Python's values become a scenario's, and a run's tables numpy's
// arrays.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <chrono>
#include <memory>
#include <optional>

#include "records/run_tables.hpp"
#include "scenario/scenario_document.hpp"

namespace carom::python {
namespace py = pybind11;

// Work that may call Python, or waits for the interpreter in the end. While the interpreter ends there must
// be none: it lets no other thread in any more, and a thread that C++ frames lie below cannot be taken down.
// Runs are stopped and waited for; what would begin then is refused.
class Busy {
 public:
  Busy();
  ~Busy();
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;
  static bool must_end();
};

// The same, while others have the interpreter.
class __attribute__((visibility("hidden"))) Outside {
  Busy busy;
  py::gil_scoped_release free;
};

// Asks Python for signals twenty times a second, and is told progress; what either raises ends the run.
class __attribute__((visibility("hidden"))) Listener {
 public:
  explicit Listener(const py::object& p = py::none()) : progress(p) {}

  // Whether to end; from outside of the interpreter.
  bool asked_to_stop();
  void tell(std::int64_t done, std::int64_t all, const char* unit);
  // What was raised, if it was no KeyboardInterrupt.
  void rethrow() const {
    if (raised) std::rethrow_exception(raised);
  }
  // The KeyboardInterrupt, too, for what has nothing to return.
  void rethrow_all() const;

 private:
  py::object progress;
  std::exception_ptr raised;
  std::chrono::steady_clock::time_point last = std::chrono::steady_clock::now();
  unsigned calls = 0;
  bool stopped = false;
};

// Dictionaries of tables as entries of a scenario, one after the other; None takes a key out. `place` is what
// complaints begin with.
using Tables = std::vector<py::dict>;
detail::Value value_of(const std::string& key, py::handle x, const std::string& place);
void put_all(detail::Document& document, const Tables& tables, const std::string& place);

// What a run has left. The arrays that it gives away point into it.
struct RunData {
  Scenario scenario;
  std::string toml, summary;
  RunTables records;
};

class BoundSystem {
 public:
  // A path or shipped name, or text in TOML, or neither; then what is stated beside it.
  BoundSystem(const std::optional<std::string>& path, const std::optional<std::string>& text,
              const Tables& changes);

  const Model& model() const { return model_; }
  const Scenario& scenario() const { return scenario_; }
  // `by_hand`: for steps that nothing ends.
  Scenario changed(const Tables& changes, const std::string& place, bool by_hand = false) const;
  std::shared_ptr<RunData> run(const Tables& changes, const py::object& progress, const py::object& force,
                               bool native) const;

 private:
  detail::Document document_;
  Scenario scenario_;
  Model model_;
};

// A function of (t, q, v) that gives a force, asked while the interpreter is held by nobody. It gets the same
// two arrays each time, and what it raises is kept.
class __attribute__((visibility("hidden"))) ForceOf {
 public:
  ForceOf(py::object function, int n);
  // False: it was interrupted, or raised something.
  bool operator()(double t, std::span<const double> q, std::span<const double> v, std::span<double> force);
  std::exception_ptr raised;

 private:
  py::object function;
  py::array_t<double> q_array, v_array;
};
// A number, or one for each coordinate. Throws what Python raises, and ValueError for another size.
void take_force(py::handle given, std::span<double> force);

void bind_end(py::module_& m);
void bind_runs(py::module_& m);
void bind_steppers(py::module_& m);
void bind_sweeps(py::module_& m);
void bind_derivatives(py::module_& m);
void bind_errors(py::module_& m);

}  // namespace carom::python
