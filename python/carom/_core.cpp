// The module carom._core: systems, and what the package asks of the program beside them.
#include "_core.hpp"

#include <pybind11/stl.h>

#include <chrono>

#include "formula/native.hpp"
#include "records/summary.hpp"
#include "report/drawing.hpp"
#include "scenario/prepare.hpp"
#include "scenario/scenario_set.hpp"
#include "scenario/shipped.hpp"

namespace carom::python {
namespace {

constexpr auto in_system = "System()", in_run = "simulate()";

detail::Document document_of(const std::optional<std::string>& path, const std::optional<std::string>& text) {
  if (path) {
    const std::string found = locate_scenario(*path);
    return detail::read_document(detail::read_file(found), found, {});
  }
  detail::Document none;
  none.source.file = in_system;
  return text ? detail::read_document(*text, "toml", {}) : none;
}

// What is checked where no run is asked for yet.
Scenario with_one_step(Scenario s) {
  s.time.end = s.time.start + s.time.step, s.time.impacts.reset(), s.time.until.reset();
  return s;
}

// What a run would refuse of the system, and not of a start, which need not be there yet.
void check_parameters(const Scenario& scenario, const Model& model) {
  if (scenario.system.parameters.empty()) return;
  try {
    model.check(scenario);
  } catch (const ScenarioError& e) {
    if (e.key.starts_with("system.parameters")) throw;
  } catch (const std::exception&) {  // of the start
  }
}

// Asks Python for signals twenty times a second, and is told progress; what either raises ends the run.
class Listener {
 public:
  explicit Listener(const py::object& p) : progress(p.is_none() ? nullptr : &p) {}

  bool asked_to_stop() {
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
  void tell(std::int64_t done, std::int64_t all, const char* unit) {
    if (progress == nullptr || stopped) return;
    const py::gil_scoped_acquire held;
    try {
      (*progress)(done, all, unit);
    } catch (const py::error_already_set& error) {
      stopped = true;
      if (!error.matches(PyExc_KeyboardInterrupt)) raised = std::current_exception();
    }
  }
  void rethrow() const {
    if (raised) std::rethrow_exception(raised);
  }

 private:
  const py::object* progress;
  std::exception_ptr raised;
  std::chrono::steady_clock::time_point last = std::chrono::steady_clock::now();
  unsigned calls = 0;
  bool stopped = false;
};

std::vector<double> impact_times(const MemoryTable& impacts) {
  std::vector<double> times;
  for (std::size_t i = 0; i < std::min<std::size_t>(impacts.rows(), most_impact_times); ++i)
    times.push_back(impacts.numbers(i)[0]);
  return times;
}

}  // namespace

BoundSystem::BoundSystem(const std::optional<std::string>& path, const std::optional<std::string>& text,
                         const Tables& changes)
    : document_(document_of(path, text)) {
  put_all(document_, changes, in_system);
  scenario_ = detail::filled(document_);
  refuse_held_force(scenario_);
  const Scenario one_step = with_one_step(scenario_);
  detail::check_together(one_step);
  model_ = find_model(one_step);
  check_parameters(one_step, model_);
  make_drawing(one_step, model_);
}

Scenario BoundSystem::changed(const Tables& changes, const std::string& place, bool by_hand) const {
  detail::Document document = document_;
  if (document.source.file == in_system) document.source.file = place;
  put_all(document, changes, place);
  Scenario r = detail::filled(document);
  if (r.system != scenario_.system)
    throw py::value_error(
        "a run has the system that it was made for: System() takes parameters and formulas");
  if (by_hand) r = with_one_step(std::move(r));
  detail::check_together(r);
  drop_keys_of_other_steppers(r);
  choose_stepper(r, model_);
  return r;
}

std::shared_ptr<RunData> BoundSystem::run(const Tables& changes, const py::object& progress,
                                          const py::object& force, bool native) const {
  auto r = std::make_shared<RunData>();
  r->scenario = changed(changes, in_run);
  const Method method = make_method(r->scenario);
  model_.check(r->scenario);
  Listener listener(progress);
  ForceOf asked(force, model_.dim);
  RunHooks hooks{.progress = [&](std::int64_t done, std::int64_t all,
                                 const char* unit) { listener.tell(done, all, unit); },
                 .stop = [&] { return asked.raised || listener.asked_to_stop(); },
                 .records = &r->records};
  if (!force.is_none()) hooks.force = std::ref(asked);
  const Outside free;
  const NativeScope scope(native ? NativeUse::automatic : NativeUse::never);
  RunResult result = model_.run(r->scenario, method, hooks);
  if (!scope.warning().empty()) result.warnings.push_back(scope.warning());
  if (!force.is_none()) r->scenario.system.held_force = "a function in Python";
  r->toml = to_toml(r->scenario);
  r->summary = summary_json(r->scenario, result, scope.formulas(), impact_times(r->records.impacts));
  if (!force.is_none()) r->records.last.reset();  // without the force there is no going on
  const py::gil_scoped_acquire held;
  if (asked.raised) std::rethrow_exception(asked.raised);
  listener.rethrow();
  return r;
}

namespace {

void bind_systems(py::module_& m) {
  py::class_<BoundSystem>(m, "System")
      .def(py::init<const std::optional<std::string>&, const std::optional<std::string>&, const Tables&>(),
           py::arg("path"), py::arg("text"), py::arg("changes"))
      .def_property_readonly("name", [](const BoundSystem& s) { return s.scenario().system.name; })
      .def_property_readonly("title", [](const BoundSystem& s) { return s.scenario().title; })
      .def_property_readonly("step", [](const BoundSystem& s) { return s.scenario().time.step; })
      .def_property_readonly("coordinates", [](const BoundSystem& s) { return s.model().coordinates; })
      .def_property_readonly("contacts", [](const BoundSystem& s) { return s.model().contacts; })
      .def_property_readonly("parameters",
                             [](const BoundSystem& s) {
                               std::map<std::string, ParameterValue> r;
                               for (const ParameterInfo& p : s.model().parameters)
                                 r[p.name] =
                                     p.word.empty() ? ParameterValue(p.value) : ParameterValue(p.word);
                               for (const auto& [name, value] : s.scenario().system.parameters)
                                 r[name] = value;
                               return r;
                             })
      .def("to_toml", [](const BoundSystem& s) { return to_toml(s.scenario()); })
      .def("run", &BoundSystem::run, py::arg("changes"), py::arg("progress"), py::arg("force"),
           py::arg("native"));
}

std::string kind_of(const std::string& method) {
  for (const MethodInfo& known : known_methods())
    if (known.name == method) return known.kind;
  return "";
}

std::vector<std::string> system_names() {
  std::vector<std::string> names;
  for (const Model& model : built_in_models()) names.push_back(model.name);
  return names;
}

}  // namespace
}  // namespace carom::python

PYBIND11_MODULE(_core, m) {
  using namespace carom::python;
  m.doc() = "The binding of carom's core; the package carom is what users import.";
  bind_errors(m);
  bind_end(m);
  bind_systems(m);
  bind_runs(m);
  bind_steppers(m);
  bind_sweeps(m);
  bind_derivatives(m);
  m.def("ship_scenarios_in", &carom::ship_scenarios_in, pybind11::arg("folder"));
  m.def("shipped_scenarios", &carom::shipped_scenarios);
  m.def("system_names", &system_names);
  m.def("kind_of_method", &kind_of, pybind11::arg("method"));
  m.def("version", &carom::version);
}
