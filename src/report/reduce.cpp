#include "report/reduce.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "records/names.hpp"

namespace carom {
namespace {

// Where a quantity stands, by its name or else by its place among the others.
std::optional<std::size_t> place_of_quantity(const Layout& layout, const std::string& name, std::size_t k) {
  const auto by_name = column_of(layout, name);
  return by_name ? by_name : column_of(layout, "quantities." + std::to_string(k));
}

// Where the columns of a table begin in its rows.
struct Places {
  explicit Places(const Layout& layout) {
    std::size_t at = 0;
    for (const Column& column : layout.columns) {
      if (column.name == "t") t = at;
      if (column.name == "q") q = at, dim = column.width;
      if (column.name == "p") p = at;
      if (column.name == "v" && !column.scalar) v = at, velocity_count = column.width;
      if (column.name == "forces" && !column.scalar) forces = at, force_count = column.width;
      if (column.name == "H") H = at;
      if (column.name == "shadow_energy") shadow = at;
      if (column.name == "discrete_energy") discrete = at;
      if (column.name == "work") work = at;
      if (column.name == "loss") loss = at;
      if (column.name == "friction") friction = at;
      if (column.name == "multipliers") multipliers = at, multiplier_count = column.width;
      if (column.name == "momenta") momenta = at, momentum_count = column.width;
      if (column.name == "gaps") gaps = at, gap_count = column.width;
      at += column.width;
    }
    width = at;
  }
  std::size_t t = 0, q = 0, p = 0, H = 0, shadow = 0, discrete = 0, work = 0, loss = 0, momenta = 0, gaps = 0;
  std::size_t dim = 0, momentum_count = 0, gap_count = 0, multiplier_count = 0, width = 0;
  std::size_t v = 0, forces = 0, velocity_count = 0, force_count = 0;
  std::size_t friction = 0, multipliers = 0;  // 0, where t is: there is none
};

class Reducer {
 public:
  Reducer(const Layout& layout, std::uint64_t stretch, const std::vector<std::string>& quantities)
      : at(layout), every(stretch) {
    r.thinned = every > 1;
    follow_change(r.H_error, at.H), follow_change(r.shadow_error, at.shadow);
    follow_change(r.discrete_error, at.discrete);  // there is none before the first step
    follow(r.work, at.work), follow(r.loss, at.loss);
    if (at.friction != 0) follow(r.friction, at.friction);
    follow_all(r.q, at.q, at.dim), follow_all(r.p, at.p, at.dim);
    follow_all(r.v, at.v, at.velocity_count), follow_all(r.forces, at.forces, at.force_count);
    r.quantities.resize(quantities.size());
    for (std::size_t k = 0; k < quantities.size(); ++k)
      if (const auto place = place_of_quantity(layout, quantities[k], k)) follow(r.quantities[k], *place);
    follow_all(r.gaps, at.gaps, at.gap_count), follow_all(r.multipliers, at.multipliers, at.multiplier_count);
    r.momentum_error.resize(at.momentum_count);
    for (std::size_t i = 0; i < at.momentum_count; ++i) follow_change(r.momentum_error[i], at.momenta + i);
  }

  void add(std::uint64_t n, std::span<const double> row, bool last) {
    const bool begins = n % every == 0 || last;
    if (begins) r.t.push_back(row[at.t]);
    for (Followed& one : followed) {
      const double x = row[one.at];
      if (one.change && std::isnan(one.start)) one.start = x;
      put(*one.trace, one.change ? x - one.start : x, begins);
    }
    const double friction = at.friction != 0 ? row[at.friction] : 0;
    put(r.remainder, row[at.H] - followed.front().start - row[at.work] - friction + row[at.loss], begins);
  }
  RunSeries take() { return std::move(r); }

 private:
  struct Followed {
    Trace* trace;
    std::size_t at;
    bool change;  // since the first row that has a number
    double start = std::nan("");
  };

  void follow(Trace& trace, std::size_t place) { followed.push_back({&trace, place, false}); }
  void follow_change(Trace& trace, std::size_t place) { followed.push_back({&trace, place, true}); }
  void follow_all(RunSeries::Traces& traces, std::size_t place, std::size_t count) {
    traces.resize(count);
    for (std::size_t i = 0; i < count; ++i) follow(traces[i], place + i);
  }

  static void put(Trace& trace, double x, bool begins) {
    if (begins) {
      trace.y.push_back(x), trace.low.push_back(x), trace.high.push_back(x);
    } else {
      trace.low.back() = std::fmin(trace.low.back(), x), trace.high.back() = std::fmax(trace.high.back(), x);
    }
  }

  Places at;
  std::uint64_t every;
  RunSeries r;
  std::vector<Followed> followed;  // the change of H first
};

void for_each_row(TableSource& source,
                  const std::function<void(std::uint64_t n, std::span<const double> row)>& use) {
  const std::size_t width = source.layout().row_width();
  for_each_block(source, [&](std::uint64_t first, std::uint64_t count, std::span<const double> numbers) {
    for (std::uint64_t i = 0; i < count; ++i) use(first + i, numbers.subspan(i * width, width));
  });
}

// How many rows may pass between two frames: the median step of the fastest coordinate stays near a fiftieth
// of its range.
std::uint64_t smooth_stride(TableSource& source, const Places& at) {
  const std::uint64_t rows = std::min<std::uint64_t>(source.rows(), 4000);
  std::vector<double> block(rows * at.width), low(at.dim, HUGE_VAL), high(at.dim, -HUGE_VAL), steps;
  source.read(0, rows, block);
  for (std::uint64_t n = 0; n < rows; ++n)
    for (std::size_t i = 0; i < at.dim; ++i) {
      const double x = block[n * at.width + at.q + i];
      low[i] = std::fmin(low[i], x), high[i] = std::fmax(high[i], x);
    }
  for (std::uint64_t n = 0; n + 1 < rows; ++n) {
    double largest = 0;
    for (std::size_t i = 0; i < at.dim; ++i) {
      const double* x = &block[n * at.width + at.q + i];
      if (high[i] > low[i]) largest = std::fmax(largest, std::abs(x[at.width] - x[0]) / (high[i] - low[i]));
    }
    steps.push_back(largest);
  }
  if (steps.empty()) return 1;
  std::nth_element(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2), steps.end());
  const double median = steps[steps.size() / 2];
  return median > 0 ? static_cast<std::uint64_t>(std::clamp(0.02 / median, 1.0, 1e6)) : 1;
}

}  // namespace

RunSeries reduce(TableSource& source, std::size_t points, const std::vector<std::string>& quantities) {
  const std::uint64_t rows = source.rows();
  Reducer reducer(source.layout(), std::max<std::uint64_t>(1, (rows + points - 1) / points), quantities);
  for_each_row(source,
               [&](std::uint64_t n, std::span<const double> row) { reducer.add(n, row, n + 1 == rows); });
  return reducer.take();
}

Motion motion(TableSource& source, std::size_t frames) {
  const Places at(source.layout());
  const std::uint64_t rows = source.rows();
  Motion r;
  if (rows == 0) return r;
  const std::uint64_t enough = std::max<std::uint64_t>(1, rows / 1500);  // short runs keep all their rows
  const std::uint64_t stride = std::min(smooth_stride(source, at), enough);
  const std::uint64_t shown = std::min<std::uint64_t>(frames, (rows - 1) / stride + 1);
  r.whole = shown * stride >= rows;
  r.states.reserve(shown * at.dim);
  std::optional<double> second;
  for_each_row(source, [&](std::uint64_t n, std::span<const double> row) {
    if (n % stride != 0 || n / stride >= shown) return;
    if (n == 0) r.start = row[at.t];
    if (n == stride) second = row[at.t];
    const auto q = row.subspan(at.q, at.dim);
    r.states.insert(r.states.end(), q.begin(), q.end());
  });
  r.step = second ? *second - r.start : 1;
  return r;
}

}  // namespace carom
