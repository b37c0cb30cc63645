// Steps that Python takes one by one, and forces that it gives.
#include <pybind11/stl.h>

#include "_core.hpp"
#include "records/npz.hpp"
#include "run/stepping.hpp"

namespace carom::python {

namespace {

[[noreturn]] void refuse_force(py::handle given, const std::string& why) {
  std::string value;
  try {
    const py::object text = py::repr(given);
    value = py::reinterpret_steal<py::str>(PySequence_GetSlice(text.ptr(), 0, 60)).cast<std::string>();
  } catch (const std::exception&) {  // it has no text
    value = py::repr(py::type::handle_of(given)).cast<std::string>();
  }
  ScenarioError error("force = " + value + ": " + why);
  error.key = "force", error.value = value, error.why = why;
  throw error;
}

}  // namespace

void take_force(py::handle given, std::span<double> force) {
  if (force.size() == 1 && PyFloat_Check(given.ptr())) {
    force[0] = PyFloat_AS_DOUBLE(given.ptr());
    if (!std::isfinite(force[0])) refuse_force(given, "must be finite");
    return;
  }
  const std::string wanted = "a function of (t, q, v) gives a number, or one for each of the " +
                             std::to_string(force.size()) + " coordinates";
  using Numbers = py::array_t<double, py::array::c_style | py::array::forcecast>;
  const py::array any = py::array::ensure(given);
  if (!any) PyErr_Clear();
  if (!any || std::string_view("biuf").find(any.dtype().kind()) == std::string_view::npos)
    refuse_force(given, wanted);
  const Numbers numbers = Numbers::ensure(any);
  if (!numbers || numbers.ndim() > 1 || static_cast<std::size_t>(numbers.size()) != force.size()) {
    PyErr_Clear();
    refuse_force(given, wanted);
  }
  std::copy_n(numbers.data(), force.size(), force.begin());
  if (!std::ranges::all_of(force, [](double x) { return std::isfinite(x); }))
    refuse_force(given, "must be finite");
}

namespace {

py::array_t<double> read_only(int n) {
  py::array_t<double> r(n);
  py::detail::array_proxy(r.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return r;
}

// The array's own memory, which nobody else writes to.
double* inside(const py::array_t<double>& x) { return const_cast<double*>(x.data()); }

py::array_t<double> array_of(const Values& x) { return py::array_t<double>(x.size(), x.data()); }

}  // namespace

ForceOf::ForceOf(py::object f, int n)
    : function(std::move(f)), q_array(read_only(n)), v_array(read_only(n)) {}

bool ForceOf::operator()(double t, std::span<const double> q, std::span<const double> v,
                         std::span<double> force) {
  if (raised) return false;
  const py::gil_scoped_acquire held;
  std::ranges::copy(q, inside(q_array)), std::ranges::copy(v, inside(v_array));
  try {
    const auto time = py::float_(t);
    PyObject* arguments[] = {time.ptr(), q_array.ptr(), v_array.ptr()};
    const auto given =
        py::reinterpret_steal<py::object>(PyObject_Vectorcall(function.ptr(), arguments, 3, nullptr));
    if (!given) throw py::error_already_set();
    take_force(given, force);
    return true;
  } catch (const py::error_already_set& error) {
    if (!error.matches(PyExc_KeyboardInterrupt)) raised = std::current_exception();
  } catch (...) {
    raised = std::current_exception();
  }
  return false;
}

namespace {

// A stepper, and what its last step met.
class BoundStepper {
 public:
  BoundStepper(const BoundSystem& s, const Tables& changes, bool steered)
      : system(s), scenario(s.changed(changes, "stepper()", true)), forced(steered) {
    make();
  }

  void step(const py::object& force) {
    if (!force.is_none()) {
      if (!stepping->force()) refuse_force(force, "stepper(forced=True) takes one");
      Values given = *stepping->force();  // one that is refused leaves the one before
      take_force(force, {given.data(), given.data() + given.size()});
      *stepping->force() = given;
    }
    impacts.clear();
    const Stepped& stepped = stepping->step();
    if (stepped.failure) {
      const std::string where =
          stepped.failure->contact.empty() ? "" : " (contact \"" + stepped.failure->contact + "\")";
      const py::object type = py::module_::import("carom.errors").attr("RunFailed");
      PyErr_SetString(type.ptr(), (stepped.failure->reason + where).c_str());
      throw py::error_already_set();
    }
    for (const Impact& impact : stepped.impacts) impacts.push_back(told(impact));
  }

  void restart(const Tables& changes) {
    scenario = system.changed(changes, "reset()", true);
    make();
  }

  Stepping& on() { return *stepping; }
  // What belongs to another system or method, or was changed, is not taken: the last number is a checksum of
  // it all.
  std::vector<double> state() {
    std::vector<double> numbers = stepping->kept();
    numbers.push_back(checksum(numbers));
    return numbers;
  }
  void set_state(std::vector<double> numbers) {
    const double said = numbers.empty() ? std::nan("") : numbers.back();
    if (!numbers.empty()) numbers.pop_back();
    if (said != checksum(numbers))
      throw RecordError("state", "is none of this system, method and step, or was changed");
    stepping->go_back(numbers);
    impacts.clear();
  }
  py::list met() const {
    py::list r;
    for (const py::object& impact : impacts) r.append(impact);
    return r;
  }

 private:
  double checksum(const std::vector<double>& numbers) const {
    Scenario same = scenario;
    same.initial = {};
    std::string all = to_toml(same);
    all.append(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(double));
    return detail::crc32(std::as_bytes(std::span(all)));
  }
  void make() {
    const Method method = make_method(scenario);
    system.model().check(scenario);
    if (!system.model().by_hand)
      scenario.reject("system.name", '"' + scenario.system.name + '"',
                      "is a DAE, which takes no steps by hand");
    stepping = system.model().by_hand(scenario, method, forced);
    impacts.clear();
  }

  py::object told(const Impact& impact) {
    py::list contacts;
    for (const int i : impact.contacts) contacts.append(stepping->system().contact_name(i));
    return py::make_tuple(impact.t, contacts, array_of(impact.q), array_of(impact.p_before),
                          array_of(impact.p_after));
  }

  BoundSystem system;
  Scenario scenario;
  bool forced;
  std::unique_ptr<Stepping> stepping;
  std::vector<py::object> impacts;
};

}  // namespace

void bind_steppers(py::module_& m) {
  py::class_<BoundStepper>(m, "Stepper")
      .def(py::init<const BoundSystem&, const Tables&, bool>(), py::arg("system"), py::arg("changes"),
           py::arg("forced"))
      .def("step", &BoundStepper::step, py::arg("force"))
      .def("restart", &BoundStepper::restart, py::arg("changes"))
      .def_property_readonly("t", [](BoundStepper& s) { return s.on().t(); })
      .def_property_readonly("steps", [](BoundStepper& s) { return s.on().steps(); })
      .def_property_readonly("q", [](BoundStepper& s) { return array_of(s.on().state().q); })
      .def_property_readonly("p", [](BoundStepper& s) { return array_of(s.on().state().p); })
      .def_property_readonly("v", [](BoundStepper& s) { return array_of(s.on().look().v); })
      .def_property_readonly("energy", [](BoundStepper& s) { return s.on().look().H; })
      .def_property_readonly("gaps", [](BoundStepper& s) { return array_of(s.on().look().gaps); })
      .def_property_readonly("impacts", &BoundStepper::met)
      .def("kept", &BoundStepper::state)
      .def("go_back", &BoundStepper::set_state, py::arg("numbers"));
}

}  // namespace carom::python
