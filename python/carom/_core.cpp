// The module carom._core: systems, and what the package asks of the program beside them.
#include "_core.hpp"

#include <pybind11/stl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "formula/native.hpp"
#include "records/summary.hpp"
#include "report/drawing.hpp"
#include "scenario/prepare.hpp"
#include "scenario/scenario_set.hpp"
#include "scenario/scenario_text.hpp"
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

// Of a run's rows: half of the memory that there is; where the process may have less, an eighth of that,
// since tables that grow take more on their way.
std::size_t most_bytes() {
  const double all =
      static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGE_SIZE));
  rlimit own{};
  const bool limited = ::getrlimit(RLIMIT_AS, &own) == 0 && own.rlim_cur != RLIM_INFINITY;
  return static_cast<std::size_t>(std::min(all / 2, limited ? static_cast<double>(own.rlim_cur) / 8 : all));
}

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
  const std::size_t most = most_bytes();
  const auto full = [&] { return r->records.rows.bytes() > most; };
  RunHooks hooks{.progress = [&](std::int64_t done, std::int64_t all,
                                 const char* unit) { listener.tell(done, all, unit); },
                 .stop = [&] { return asked.raised || full() || listener.asked_to_stop(); },
                 .records = &r->records};
  if (!force.is_none()) hooks.force = std::ref(asked);
  const Outside free;
  const NativeScope scope(native ? NativeUse::automatic : NativeUse::never);
  RunResult result = model_.run(r->scenario, method, hooks);
  if (!scope.warning().empty()) result.warnings.push_back(scope.warning());
  if (result.status == "stopped" && full())
    result.reason =
        "its records fill the memory at t = " + detail::written(result.t) + "; every=1000 keeps fewer";
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

// pybind11 before 2.12 reads arrays of NumPy 2 in the wrong places, and says nothing.
void refuse_other_numpy() {
#if PYBIND11_VERSION_HEX < 0x020C0000
  const auto version = py::module_::import("numpy").attr("__version__").cast<std::string>();
  if (std::stoi(version) > 1)
    throw py::import_error("this carom was built for NumPy 1, as Debian has it, and finds NumPy " + version +
                           ": pip install . builds one for it");
#endif
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
  refuse_other_numpy();
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
