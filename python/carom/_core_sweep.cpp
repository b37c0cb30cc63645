// Many runs of one system: the program's own sweeps, with values that Python gives.
#include <pybind11/stl.h>

#include <atomic>
#include <thread>

#include "_core.hpp"
#include "sweep/conduct.hpp"

namespace carom::python {
namespace {

constexpr auto in_sweep = "sweep()";

struct Alone : Team {
  int rank() const override { return 0; }
  int size() const override { return 1; }
  void send(int, const std::string&) override {}
  std::optional<Message> receive() override { return std::nullopt; }
};

// Other processes, by an object of Python's with rank, size, send(to, bytes) and receive() -> (from, bytes)
// or None.
class PythonTeam : public Team {
 public:
  explicit PythonTeam(const py::object& other)
      : team_(other), rank_(other.attr("rank").cast<int>()), size_(other.attr("size").cast<int>()) {}
  int rank() const override { return rank_; }
  int size() const override { return size_; }
  void send(int to, const std::string& bytes) override {
    const py::gil_scoped_acquire held;
    team_.attr("send")(to, py::bytes(bytes));
  }
  std::optional<Message> receive() override {
    const py::gil_scoped_acquire held;
    const py::object came = team_.attr("receive")();
    if (came.is_none()) return std::nullopt;
    const auto [from, bytes] = came.cast<std::pair<int, std::string>>();
    return Message{from, bytes};
  }

 private:
  const py::object& team_;
  int rank_, size_;
};

std::unique_ptr<Team> team_of(const py::object& other) {
  if (other.is_none()) return std::make_unique<Alone>();
  return std::make_unique<PythonTeam>(other);
}

using Grid = std::vector<std::pair<std::string, py::sequence>>;

Sweep stated(const Grid& grid, const std::vector<std::string>& fields) {
  Sweep r;
  r.source.file = in_sweep, r.fields = fields;
  for (const auto& [key, values] : grid) {
    Varied varied{key, {}, ""};
    for (const py::handle x : values) varied.values.push_back(value_of(key, x, in_sweep));
    if (varied.values.empty()) r.reject("grid." + key, "[]", "must have one value at least");
    r.source.places["grid." + key] = in_sweep;
    r.grid.push_back({{std::move(varied)}});
  }
  if (grid.empty()) r.reject("grid", "", "must have one key at least");
  return r;
}

// Looks for signals and tells progress, in the thread that called; the others only see `stopped`.
struct Watch {
  const py::object& progress;
  std::size_t all;
  std::atomic<bool> stopped = false;
  std::exception_ptr raised = nullptr;

  void operator()(std::size_t done) {
    const py::gil_scoped_acquire held;
    try {
      if (PyErr_CheckSignals() != 0) {
        stopped = true;
        if (!PyErr_ExceptionMatches(PyExc_KeyboardInterrupt)) throw py::error_already_set();
        PyErr_Clear();
      } else if (!progress.is_none()) {
        progress(done, all, "runs");
      }
    } catch (const py::error_already_set& error) {
      stopped = true;
      if (!error.matches(PyExc_KeyboardInterrupt)) raised = std::current_exception();
    }
  }
};

py::tuple results(const Members& members, const Store& store, bool stopped) {
  const auto count = static_cast<py::ssize_t>(store.members());
  py::array_t<std::int64_t> status(count);
  py::dict fields;
  for (py::ssize_t i = 0; i < count; ++i) {
    const auto known = store.status(static_cast<std::size_t>(i));
    status.mutable_at(i) = static_cast<std::int64_t>(known.value_or(MemberStatus::stopped));
  }
  for (std::size_t k = 0; k < members.fields().size(); ++k) {
    py::array_t<double> column(count);
    for (py::ssize_t i = 0; i < count; ++i) {
      const bool known = store.status(static_cast<std::size_t>(i)).has_value();
      column.mutable_at(i) = known ? store.row(static_cast<std::size_t>(i))[k] : std::nan("");
    }
    fields[py::str(members.fields()[k].name)] = column;
  }
  return py::make_tuple(members.shape(), status, fields, store.reasons(), stopped);
}

// Rank 0 has the results, the others None.
py::object sweep(const BoundSystem& system, const Tables& changes, const Grid& grid,
                 const std::vector<std::string>& fields, int threads, const std::string& folder,
                 const py::object& progress, const py::object& others) {
  const Members members(stated(grid, fields), system.changed(changes, in_sweep));
  const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  if (threads < 0 || threads > 1024)
    throw py::value_error("threads = " + std::to_string(threads) + ": must be from 0 to 1024");
  Watch watch{progress, members.size()};
  const auto team = team_of(others);
  const ConductOptions options{threads > 0 ? threads : std::max(1, cores / team->size()),
                               [&watch] { return watch.stopped || Busy::must_end(); }, std::ref(watch)};
  std::optional<Store> store;
  if (team->rank() > 0) {
    const Outside free;
    assist(members, *team, options);
    return py::none();
  }
  {
    const Outside free;
    store.emplace(folder, 0, members.size(), members.row_width());
    conduct(members, *store, *team, options);
  }
  if (watch.raised) std::rethrow_exception(watch.raised);
  return results(members, *store, watch.stopped);
}

}  // namespace

void bind_sweeps(py::module_& m) {
  m.def("sweep", &sweep, py::arg("system"), py::arg("changes"), py::arg("grid"), py::arg("fields"),
        py::arg("threads"), py::arg("folder"), py::arg("progress"), py::arg("others"));
}

}  // namespace carom::python
