// Derivatives of runs, periodic orbits, exponents and optimal control: arrays for the first, JSON for the
// others.
#include <pybind11/stl.h>

#include "_core.hpp"
#include "formula/native.hpp"
#include "optimise/control_json.hpp"
#include "run/orbit_json.hpp"

namespace carom::python {
namespace {

constexpr auto in_derivatives = "derivatives";
using PreparedRun = Prepared;

bool interrupted_by_user() {
  const py::gil_scoped_acquire held;
  return PyErr_CheckSignals() != 0;
}

PreparedRun prepared_of(const BoundSystem& system, const Tables& changes) {
  return prepare(system.changed(changes, in_derivatives));
}

// All parameters of a system in formulas, where nothing else is asked for.
std::vector<std::string> varied_of(const std::optional<std::vector<std::string>>& by, const Scenario& s) {
  if (by) return *by;
  std::vector<std::string> names;
  if (s.system.is_expression())
    for (const auto& [name, value] : s.system.parameters) names.push_back(name);
  return names;
}

py::dict slopes_of(const BoundSystem& system, const Tables& changes,
                   const std::optional<std::vector<std::string>>& by, const std::string& of) {
  const PreparedRun prepared = prepared_of(system, changes);
  Jacobian r;
  std::optional<std::string> failure;
  double slowest = HUGE_VAL;
  std::vector<std::pair<double, std::string>> impacts;
  {
    const py::gil_scoped_release free;
    Differentiated run(prepared, varied_of(by, prepared.scenario));
    if (!run.failure) r = of.empty() ? run.jacobian() : run.gradient(of);
    failure = run.failure, slowest = run.slowest;
    for (const Impact& impact : run.tape.impacts)
      impacts.emplace_back(impact.t, run.system().contact_name(impact.contacts[0]));
  }
  py::array_t<double> slopes({r.slopes.rows(), r.slopes.cols()});
  for (Eigen::Index i = 0; i < r.slopes.rows(); ++i)
    for (Eigen::Index k = 0; k < r.slopes.cols(); ++k) slopes.mutable_at(i, k) = r.slopes(i, k);
  py::dict d;
  d["rows"] = r.rows, d["columns"] = r.columns, d["values"] = r.values, d["by"] = r.by;
  d["slopes"] = slopes, d["impacts"] = impacts, d["slowest_approach"] = slowest;
  d["failure"] = failure ? py::object(py::str(*failure)) : py::none();
  return d;
}

std::string orbit_of(const BoundSystem& system, const Tables& changes, const std::string& period,
                     const std::string& along, double to, double step) {
  const Scenario scenario = system.changed(changes, in_derivatives);
  const py::gil_scoped_release free;
  OrbitSearch search(scenario, along, period);
  return orbit_json(search.follow({along, to, step}), along, "");
}

std::string spectrum_of(const BoundSystem& system, const Tables& changes, int every, double skip) {
  const PreparedRun prepared = prepared_of(system, changes);
  const py::gil_scoped_release free;
  const SpectrumSearch search(prepared, every, skip);
  int asked = 0;
  return spectrum_json(search.run([&asked] { return ++asked % 1024 == 0 && interrupted_by_user(); }), "");
}

// The plan as JSON, and the scenario that moves by it.
std::pair<std::string, std::string> optimise(const std::string& text, const std::string& name,
                                             const std::string& folder, int iterations) {
  const py::gil_scoped_release free;
  OptimalControl control(parse_problem(text, name), folder);
  const Plan plan =
      control.solve(open_solver(), {.most_iterations = iterations, .stop = interrupted_by_user});
  return {plan_json(plan, control.problem, "", nullptr), to_toml(control.replay(plan))};
}

}  // namespace

void bind_derivatives(py::module_& m) {
  m.def("slopes", &slopes_of, py::arg("system"), py::arg("changes"), py::arg("by"), py::arg("of"));
  m.def("orbit", &orbit_of, py::arg("system"), py::arg("changes"), py::arg("period"), py::arg("along"),
        py::arg("to"), py::arg("step"));
  m.def("lyapunov", &spectrum_of, py::arg("system"), py::arg("changes"), py::arg("every"), py::arg("skip"));
  m.def("optimise", &optimise, py::arg("text"), py::arg("name"), py::arg("folder"), py::arg("iterations"));
}

}  // namespace carom::python
