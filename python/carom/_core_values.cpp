// Python's values as those of a scenario: numbers, texts, lists and tables, and numpy's arrays and numbers as
// lists and numbers. What is none of them is refused by its key and type.
#include <cmath>

#include "_core.hpp"
#include "scenario/scenario_text.hpp"

namespace carom::python {
namespace {

using detail::Entry;
using detail::Table;
using detail::Value;

constexpr int deepest = 8;  // no key of a scenario has lists or tables below that

struct Reader {
  const std::string& place;

  [[noreturn]] void refuse(const std::string& key, py::handle x, const std::string& why) const {
    const std::string value = py::repr(py::type::handle_of(x)).cast<std::string>();
    ScenarioError error(detail::complaint(place, key, value, why));
    error.key = key, error.value = value, error.why = why;
    throw error;
  }

  std::string text(const std::string& key, py::handle x) const {
    py::ssize_t size = 0;
    const char* utf8 = PyUnicode_AsUTF8AndSize(x.ptr(), &size);
    if (utf8 != nullptr) return {utf8, static_cast<std::size_t>(size)};
    PyErr_Clear();
    refuse(key, x, "has characters that are none");
  }

  Value number(const std::string& key, py::handle x) const {
    if (PyLong_Check(x.ptr()) || PyIndex_Check(x.ptr())) {
      const auto whole = py::reinterpret_steal<py::object>(PyNumber_Index(x.ptr()));
      if (!whole) throw py::error_already_set();
      int overflow = 0;
      const std::int64_t value = PyLong_AsLongLongAndOverflow(whole.ptr(), &overflow);
      if (!overflow) return {value};
      return {overflow > 0 ? HUGE_VAL : -HUGE_VAL};  // refused as no finite number
    }
    const double value = PyFloat_AsDouble(x.ptr());
    if (value == -1 && PyErr_Occurred()) {
      PyErr_Clear();
      refuse(key, x, "must be a number, a text, a list or a table");
    }
    return {value};
  }

  Value read(const std::string& key, py::handle x, int depth = 0) const {
    if (depth > deepest) refuse(key, x, "is a list of lists, deeper than any key of a scenario");
    if (PyBool_Check(x.ptr())) return {detail::Other{x.ptr() == Py_True ? "true" : "false"}};
    if (PyUnicode_Check(x.ptr())) return {text(key, x)};
    if (py::hasattr(x, "ndim") && py::hasattr(x, "tolist") && !py::isinstance<py::type>(x))  // numpy's
      return read(key, x.attr("tolist")(), depth + 1);
    if (py::isinstance<py::list>(x) || py::isinstance<py::tuple>(x)) {
      std::vector<Value> list;
      for (const py::handle element : x) list.push_back(read(key, element, depth + 1));
      return {std::move(list)};
    }
    return number(key, x);
  }

  void put(detail::Document& document, std::vector<std::string>& path, py::handle x) const {
    const std::string key = detail::dotted(path);
    if (path.size() > deepest) refuse(key, x, "is a table of tables, deeper than any key of a scenario");
    if (x.is_none()) return detail::forget(document, key);
    if (!py::isinstance<py::dict>(x)) return detail::put(document, {path, key, read(key, x)}, place);
    if (!path.empty() && py::len(x) == 0) return detail::put(document, {path, key, {Table{}}}, place);
    for (const auto& [name, child] : py::reinterpret_borrow<py::dict>(x)) {
      if (!py::isinstance<py::str>(name)) refuse(key, name, "a table has names that are texts");
      path.push_back(text(key, name));
      put(document, path, child);
      path.pop_back();
    }
  }
};

}  // namespace

Value value_of(const std::string& key, py::handle x, const std::string& place) {
  return Reader{place}.read(key, x);
}

void put_all(detail::Document& document, const Tables& tables, const std::string& place) {
  std::vector<std::string> path;
  for (const py::dict& one : tables) Reader{place}.put(document, path, one);
}

}  // namespace carom::python
