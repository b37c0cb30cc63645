#include "report/reduce.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace carom {
namespace {

// Where the columns of a table begin in its rows.
struct Places {
  explicit Places(const Layout& layout) {
    std::size_t at = 0;
    for (const Column& column : layout.columns) {
      if (column.name == "t") t = at;
      if (column.name == "q") q = at, dim = column.width;
      if (column.name == "p") p = at;
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
  std::size_t friction = 0, multipliers = 0;  // 0, where t is: there is none
};

class Reducer {
 public:
  Reducer(const Layout& layout, std::uint64_t stretch) : at(layout), every(stretch) {
    r.q.resize(at.dim), r.p.resize(at.dim);
    r.momentum_error.resize(at.momentum_count), r.gaps.resize(at.gap_count), r.gap_low.resize(at.gap_count);
    r.multipliers.resize(at.multiplier_count);
  }

  void add(std::uint64_t n, std::span<const double> row, bool last) {
    if (n == 0) first.assign(row.begin(), row.end());
    if (n == 0 || (std::isnan(first_discrete) && std::isfinite(row[at.discrete])))
      first_discrete = row[at.discrete];
    if (n % every == 0 || last) begin_point(row);
    const double error = row[at.H] - first[at.H];
    r.H_low.back() = std::fmin(r.H_low.back(), error), r.H_high.back() = std::fmax(r.H_high.back(), error);
    for (std::size_t i = 0; i < at.gap_count; ++i)
      r.gap_low[i].back() = std::fmin(r.gap_low[i].back(), row[at.gaps + i]);
  }
  RunSeries take() { return std::move(r); }

 private:
  void begin_point(std::span<const double> row) {
    const double error = row[at.H] - first[at.H];
    r.t.push_back(row[at.t]);
    for (std::size_t i = 0; i < at.dim; ++i) r.q[i].push_back(row[at.q + i]), r.p[i].push_back(row[at.p + i]);
    r.H_error.push_back(error), r.H_low.push_back(error), r.H_high.push_back(error);
    r.shadow_error.push_back(row[at.shadow] - first[at.shadow]);
    r.discrete_error.push_back(row[at.discrete] - first_discrete);
    r.work.push_back(row[at.work]), r.loss.push_back(row[at.loss]);
    if (at.friction != 0) r.friction.push_back(row[at.friction]);
    for (std::size_t i = 0; i < at.multiplier_count; ++i) r.multipliers[i].push_back(row[at.multipliers + i]);
    for (std::size_t i = 0; i < at.momentum_count; ++i)
      r.momentum_error[i].push_back(row[at.momenta + i] - first[at.momenta + i]);
    for (std::size_t i = 0; i < at.gap_count; ++i)
      r.gaps[i].push_back(row[at.gaps + i]), r.gap_low[i].push_back(row[at.gaps + i]);
  }

  Places at;
  std::uint64_t every;
  std::vector<double> first;
  double first_discrete = std::nan("");  // there is none before the first step
  RunSeries r;
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

RunSeries reduce(TableSource& source, std::size_t points) {
  const std::uint64_t rows = source.rows();
  Reducer reducer(source.layout(), std::max<std::uint64_t>(1, (rows + points - 1) / points));
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
