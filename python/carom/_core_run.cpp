// What a run has left: its tables as arrays of numpy that point into it, its folder, and the state in
// between.
#include <pybind11/stl.h>

#include <algorithm>

#include "_core.hpp"
#include "records/dense_output.hpp"
#include "records/layouts.hpp"
#include "records/names.hpp"
#include "records/run_folder.hpp"
#include "report/report.hpp"
#include "scenario/prepare.hpp"

namespace carom::python {
namespace {

namespace fs = std::filesystem;
using Shared = std::shared_ptr<RunData>;

std::size_t stride_of(const MemoryTable& table) { return table.rows() ? table.bytes() / table.rows() : 0; }

// A view that keeps the run alive and cannot be written to.
py::array view(const py::object& run, const MemoryTable& table, std::size_t column, std::size_t width,
               bool scalar) {
  const auto rows = static_cast<py::ssize_t>(table.rows());
  const auto stride = static_cast<py::ssize_t>(stride_of(table));
  std::vector<py::ssize_t> shape{rows}, strides{stride};
  if (!scalar) shape.push_back(static_cast<py::ssize_t>(width)), strides.push_back(sizeof(double));
  const auto* begin = table.rows() ? reinterpret_cast<const double*>(table.data()) + column : nullptr;
  py::array r(py::dtype::of<double>(), shape, strides, begin, run);
  py::detail::array_proxy(r.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return r;
}

py::dict columns_of(const py::object& run, const MemoryTable& table) {
  py::dict r;
  std::size_t at = 0;
  for (const Column& column : table.layout().columns) {
    r[py::str(column.name)] = view(run, table, at, column.width, column.scalar);
    at += column.width;
  }
  return r;
}

py::dict parts_of(const MemoryTable& table) {
  py::dict r;
  for (const Column& column : table.layout().columns)
    if (!column.scalar) r[py::str(column.name)] = py::cast(column.parts);
  return r;
}

std::vector<std::string> texts_of(const MemoryTable& table) {
  std::vector<std::string> r;
  for (std::size_t i = 0; i < table.rows(); ++i) r.emplace_back(table.text(i));
  return r;
}

py::object number_column(const py::object& run, const std::string& name) {
  const MemoryTable& rows = run.cast<Shared>()->records.rows;
  const auto at = column_of(rows.layout(), name);
  return at ? py::object(view(run, rows, *at, 1, true)) : py::none();
}

py::bytes bytes_of(const MemoryTable& table) {
  return {reinterpret_cast<const char*>(table.data()), table.bytes()};
}

void fill(MemoryTable& table, const Layout& layout, const std::string& bytes) {
  table.begin(layout);
  if (!table.assign(std::as_bytes(std::span(bytes))))
    throw py::value_error("the arrays do not fit the scenario");
}

py::tuple state_of(const RunData& run) {
  const std::string last = run.records.last ? checkpoint_text(*run.records.last) : "";
  return py::make_tuple(run.toml, run.summary, bytes_of(run.records.rows), bytes_of(run.records.impacts),
                        bytes_of(run.records.changes), py::bytes(last));
}

Shared restored(const std::string& toml, const std::string& summary, const std::string& rows,
                const std::string& impacts, const std::string& changes, const std::string& last) {
  auto r = std::make_shared<RunData>();
  r->toml = toml, r->summary = summary, r->scenario = parse_scenario(toml, "the run's scenario");
  const Layouts layouts = layouts_of(r->scenario);
  fill(r->records.rows, layouts.rows, rows);
  fill(r->records.impacts, layouts.impacts, impacts);
  fill(r->records.changes, layouts.changes, changes);
  if (!last.empty()) r->records.last = parse_checkpoint(last, "the run's checkpoint");
  return r;
}

Shared load(const std::string& folder) {
  const fs::path path = folder;
  const Outside free;
  if (!fs::exists(path / "scenario.toml")) throw FolderError("'" + folder + "': holds no run");
  auto r = std::make_shared<RunData>();
  r->scenario = read_scenario((path / "scenario.toml").string());
  r->toml = to_toml(r->scenario);
  r->records = read_run(path, r->scenario);
  if (fs::exists(path / "summary.json")) {
    const detail::InputFile file(path / "summary.json");
    r->summary = file.text_at(0, file.size());
  }
  return r;
}

void save(const RunData& run, const std::string& folder, bool force) {
  const Outside free;
  if (run.summary.empty())
    throw FolderError("'" + folder + "': the run was killed and has no summary to save");
  claim_folder(folder, force);
  write_run(folder, run.scenario, run.summary, run.records);
  write_report(folder);
}

std::shared_ptr<DenseOutput> dense(const RunData& run) {
  Scenario own = run.scenario;
  own.system.held_force.reset();
  const Prepared prepared = prepare(std::move(own));
  if (!prepared.model.system)
    run.scenario.reject("system.name", '"' + run.scenario.system.name + '"',
                        "is a DAE, which has no values between its records");
  return std::make_shared<DenseOutput>(prepared.model.system(prepared.scenario), run.records);
}

py::tuple values_at(const DenseOutput& dense,
                    const py::array_t<double, py::array::c_style | py::array::forcecast>& times, bool left,
                    int n) {
  const auto count = times.size();
  py::array_t<double> q({count, static_cast<py::ssize_t>(n)}), v(q.request().shape), p(q.request().shape);
  Values at_q, at_v, at_p;
  for (py::ssize_t i = 0; i < count; ++i) {
    dense.at(times.data()[i], left ? Side::left : Side::right, at_q, at_v, at_p);
    for (int k = 0; k < n; ++k)
      q.mutable_at(i, k) = at_q[k], v.mutable_at(i, k) = at_v[k], p.mutable_at(i, k) = at_p[k];
  }
  return py::make_tuple(q, v, p);
}

// Where a function of (t, y), y being q and then v, is zero or changes sign.
std::vector<double> roots_of(const DenseOutput& dense, const py::object& function, int samples) {
  const Busy busy;
  const auto watch = [&](double t, const Values& q, const Values& v) {
    if (Busy::must_end()) throw std::runtime_error("the interpreter is ending");
    py::array_t<double> y(q.size() + v.size());
    std::copy_n(q.data(), q.size(), y.mutable_data()),
        std::copy_n(v.data(), v.size(), y.mutable_data() + q.size());
    const py::object value = function(t, y);
    return py::float_(value).cast<double>();
  };
  return dense.roots(watch, samples);
}

// `of` is a MemoryTable of the run.
template <auto of>
void bind_table(py::class_<RunData, Shared>& run, const char* name) {
  run.def_property_readonly(name, [](const py::object& self) {
    const RunData& data = *self.cast<Shared>();
    return columns_of(self, data.records.*of);
  });
}

}  // namespace

void bind_runs(py::module_& m) {
  py::class_<RunData, Shared> run(m, "Run");
  bind_table<&RunTables::rows>(run, "rows");
  bind_table<&RunTables::impacts>(run, "impacts");
  bind_table<&RunTables::changes>(run, "changes");
  run.def_property_readonly("names", [](const RunData& r) { return parts_of(r.records.rows); })
      .def_property_readonly("impact_contacts", [](const RunData& r) { return texts_of(r.records.impacts); })
      .def_property_readonly("change_contacts", [](const RunData& r) { return texts_of(r.records.changes); })
      .def_readonly("toml", &RunData::toml)
      .def_property_readonly("forced",
                             [](const RunData& r) { return r.scenario.system.held_force.has_value(); })
      .def_readonly("summary", &RunData::summary)
      .def_property_readonly("state", &state_of)
      .def("save", &save, py::arg("folder"), py::arg("force"))
      .def("dense", &dense);
  run.def("column", &number_column, py::arg("name"));
  py::class_<DenseOutput, std::shared_ptr<DenseOutput>>(m, "Dense")
      .def("at", &values_at, py::arg("times"), py::arg("left"), py::arg("n"))
      .def("roots", &roots_of, py::arg("function"), py::arg("samples"));
  m.def("load", &load, py::arg("folder"));
  m.def("restored", &restored, py::arg("toml"), py::arg("summary"), py::arg("rows"), py::arg("impacts"),
        py::arg("changes"), py::arg("last"));
}

}  // namespace carom::python
