#include "run/reference_run.hpp"

#include <algorithm>
#include <cmath>

#include "records/run_records.hpp"

namespace carom {
namespace {

constexpr double near = 0.05;  // of a coordinate's range

MemoryRecords reference_by(Scenario scenario, const MethodSpec& method, const Model& model, double end) {
  scenario.method = method;
  scenario.time.end = end, scenario.time.impacts.reset(), scenario.time.until.reset();
  scenario.output.every = 1;
  MemoryRecords records;
  RunHooks hooks;
  hooks.records = &records;
  model.check(scenario);
  const auto result = model.run(scenario, make_method(scenario), hooks);
  if (result.status != "completed") records.t.clear(), records.q.clear();
  return records;
}

// The same scenario until `end` by Gauss collocation, or with joints by kahan-li8, or where contacts last by
// the contact stepper; no rows where it cannot be computed.
MemoryRecords reference_until(const Scenario& scenario, const Model& model, double end) {
  MethodSpec gauss, joined, lasting;
  gauss.flow = "gauss", gauss.stages = 6;
  joined.flow = "kahan-li8", joined.impact = "continuous-energy";
  lasting = joined, lasting.stepper = "contact";
  gauss.restitution = joined.restitution = lasting.restitution = scenario.method.restitution;
  for (const MethodSpec& method : {gauss, joined, lasting}) {
    try {
      MemoryRecords records = reference_by(scenario, method, model, end);
      if (!records.t.empty()) return records;
    } catch (const ScenarioError&) {  // the system has joints, or takes no such stepper
    }
  }
  return {};
}

// The range of each coordinate over the first rows of the reference, growing with time.
class Ranges {
 public:
  explicit Ranges(const MemoryRecords& reference)
      : rows(reference), low(rows.dim, HUGE_VAL), high(rows.dim, -HUGE_VAL) {
    grow_to(50);  // at rest there is none
  }
  void grow_to(std::size_t row) {
    for (; next <= row && next < rows.t.size(); ++next)
      for (std::size_t i = 0; i < rows.dim; ++i) {
        low[i] = std::fmin(low[i], rows.q[next * rows.dim + i]);
        high[i] = std::fmax(high[i], rows.q[next * rows.dim + i]);
      }
  }
  double operator[](std::size_t i) const { return std::fmax(high[i] - low[i], 1e-12); }

 private:
  const MemoryRecords& rows;
  std::vector<double> low, high;
  std::size_t next = 0;
};

// The first time at which a coordinate is not near the reference, linearly between its rows; or its end.
double parting(TableSource& run, const MemoryRecords& reference) {
  Ranges range(reference);
  double parted = reference.t.back(), last = reference.t.front();
  const std::size_t width = run.layout().row_width();
  std::size_t k = 0;
  bool over = false;
  for_each_block(run, [&](std::uint64_t, std::uint64_t count, std::span<const double> rows) {
    for (std::uint64_t n = 0; n < count && !over; ++n) {
      const double* row = &rows[n * width];
      while (k + 2 < reference.t.size() && reference.t[k + 1] < row[0]) ++k;
      range.grow_to(k + 1);
      if (row[0] > reference.t.back() || reference.t.size() < 2) {
        over = true;
        return;
      }
      const double s = (row[0] - reference.t[k]) / (reference.t[k + 1] - reference.t[k]);
      for (std::size_t i = 0; i < reference.dim; ++i) {
        const double* q = &reference.q[k * reference.dim + i];
        const double expected = q[0] + s * (q[reference.dim] - q[0]);
        if (!(std::abs(row[1 + i] - expected) <= near * range[i])) {
          parted = last, over = true;
          return;
        }
      }
      last = row[0];
    }
  });
  return over && parted < reference.t.back() ? parted : std::fmin(parted, last);
}

double end_of(TableSource& run) {
  std::vector<double> row(run.layout().row_width());
  if (run.rows() == 0) return 0;
  run.read(run.rows() - 1, 1, row);
  return row[0];
}

}  // namespace

std::vector<std::optional<double>> followed_until(const Scenario& scenario, const Model& model,
                                                  const std::vector<std::filesystem::path>& folders) {
  std::vector<std::optional<double>> r(folders.size());
  std::vector<std::unique_ptr<TableSource>> runs;
  double end = scenario.time.start;
  for (const auto& folder : folders) {
    runs.push_back(open_trajectory(folder));
    end = std::fmax(end, end_of(*runs.back()));
  }
  // The motion is soon lost where it is chaotic: a short reference is tried first.
  for (double part = 1.0 / 64; part <= 1; part *= 4) {
    const double until = scenario.time.start + part * (end - scenario.time.start);
    const auto reference = reference_until(scenario, model, until);
    if (reference.t.size() < 2) return r;
    bool all_parted = true;
    for (std::size_t i = 0; i < runs.size(); ++i) {
      r[i] = parting(*runs[i], reference);
      all_parted =
          all_parted && *r[i] < std::fmin(end_of(*runs[i]), reference.t.back()) - 2 * scenario.time.step;
    }
    if (all_parted) break;
  }
  return r;
}

}  // namespace carom
