// Steps that Python takes one by one, and forces that it gives.
#include <pybind11/stl.h>

#include "_core.hpp"
#include "run/stepping.hpp"

namespace carom::python {

void take_force(py::handle given, std::span<double> force) {
  if (force.size() == 1 && PyFloat_Check(given.ptr())) {
    force[0] = PyFloat_AS_DOUBLE(given.ptr());
    return;
  }
  using Numbers = py::array_t<double, py::array::c_style | py::array::forcecast>;
  const Numbers numbers = given.is_none() ? py::reinterpret_steal<Numbers>(nullptr) : Numbers::ensure(given);
  if (!numbers) throw py::type_error("a force is a number, or one for each coordinate");
  if (numbers.ndim() > 1 || static_cast<std::size_t>(numbers.size()) != force.size())
    throw py::value_error("a force has a number for each of the " + std::to_string(force.size()) +
                          " coordinates");
  std::copy_n(numbers.data(), force.size(), force.begin());
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

void ForceOf::operator()(double t, std::span<const double> q, std::span<const double> v,
                         std::span<double> force) {
  if (raised) return;
  const py::gil_scoped_acquire held;
  std::ranges::copy(q, inside(q_array)), std::ranges::copy(v, inside(v_array));
  try {
    const auto time = py::float_(t);
    PyObject* arguments[] = {time.ptr(), q_array.ptr(), v_array.ptr()};
    const auto given =
        py::reinterpret_steal<py::object>(PyObject_Vectorcall(function.ptr(), arguments, 3, nullptr));
    if (!given) throw py::error_already_set();
    take_force(given, force);
  } catch (...) {
    raised = std::current_exception();
  }
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
      if (!stepping->force()) throw py::value_error("force: stepper(forced=True) takes one");
      take_force(force, {stepping->force()->data(), stepping->force()->data() + stepping->force()->size()});
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
  py::list met() const {
    py::list r;
    for (const py::object& impact : impacts) r.append(impact);
    return r;
  }

 private:
  void make() {
    const Method method = make_method(scenario);
    system.model().check(scenario);
    if (!system.model().by_hand) throw py::type_error("a DAE takes no steps by hand");
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
      .def("kept", [](BoundStepper& s) { return s.on().kept(); })
      .def(
          "go_back", [](BoundStepper& s, const std::vector<double>& numbers) { s.on().go_back(numbers); },
          py::arg("numbers"));
}

}  // namespace carom::python
