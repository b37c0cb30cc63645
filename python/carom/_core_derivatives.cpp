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
  Listener listener;
  {
    const Outside free;
    Differentiated run(prepared, varied_of(by, prepared.scenario), [&] { return listener.asked_to_stop(); });
    if (!run.failure) r = of.empty() ? run.jacobian() : run.gradient(of);
    failure = run.failure, slowest = run.slowest;
    for (const Impact& impact : run.tape.impacts)
      impacts.emplace_back(impact.t, run.system().contact_name(impact.contacts[0]));
  }
  if (failure) listener.rethrow_all();
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
  Listener listener;
  std::optional<std::string> text;
  {
    const Outside free;
    OrbitSearch search(scenario, along, period);
    search.stop = [&] { return listener.asked_to_stop(); };
    try {
      text = orbit_json(search.follow({along, to, step}), along, "");
    } catch (const std::runtime_error&) {  // stopped before there was an orbit?
      if (!listener.asked_to_stop()) throw;
    }
  }
  if (!text) listener.rethrow_all();
  listener.rethrow();
  return *text;
}

std::string spectrum_of(const BoundSystem& system, const Tables& changes, int every, double skip) {
  const PreparedRun prepared = prepared_of(system, changes);
  Listener listener;
  SpectrumRun found;
  {
    const Outside free;
    found = SpectrumSearch(prepared, every, skip).run([&] { return listener.asked_to_stop(); });
  }
  listener.rethrow();
  return spectrum_json(found, "");
}

// The plan as JSON, and the scenario that moves by it.
std::pair<std::string, std::string> optimise(const std::string& text, const std::string& name,
                                             const std::string& folder, int iterations) {
  Listener listener;
  std::pair<std::string, std::string> r;
  {
    const Outside free;
    OptimalControl control(parse_problem(text, name), folder);
    const Plan plan = control.solve(
        open_solver(), {.most_iterations = iterations, .stop = [&] { return listener.asked_to_stop(); }});
    r = {plan_json(plan, control.problem, "", nullptr), to_toml(control.replay(plan))};
  }
  listener.rethrow();
  return r;
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
