#include "records/dense_output.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace carom {
namespace {

Values values_at(std::span<const double> row, std::size_t at, int n) {
  return Values::Map(row.data() + at, n);
}

}  // namespace

DenseOutput::DenseOutput(std::shared_ptr<const System> s, const RunTables& records) : system(std::move(s)) {
  const int n = system->size();
  const auto wide = static_cast<std::size_t>(n);
  for (std::size_t i = 0; i < records.rows.rows(); ++i) {
    const auto row = records.rows.numbers(i);
    Knot k{row[0], values_at(row, 1, n), values_at(row, 1 + wide, n), values_at(row, 1 + 2 * wide, n), {},
           {}};
    k.v_left = k.v, k.p_left = k.p;
    knots.push_back(std::move(k));
  }
  if (knots.empty()) throw std::invalid_argument("a run without rows has no values");
  const double first = begin(), last = end();
  for (std::size_t i = 0; i < records.impacts.rows(); ++i) {
    const auto row = records.impacts.numbers(i);
    if (row[0] < first || row[0] > last) continue;
    Knot k{row[0],    values_at(row, 2, n),       Values(n), values_at(row, 2 + 2 * wide, n),
           Values(n), values_at(row, 2 + wide, n)};
    if (system->velocity(k.t, k.q, k.p_left, k.v_left) && system->velocity(k.t, k.q, k.p, k.v))
      knots.push_back(std::move(k));
  }
  std::stable_sort(knots.begin(), knots.end(), [](const Knot& a, const Knot& b) { return a.t < b.t; });
}

void DenseOutput::at(double t, Side side, Values& q, Values& v, Values& p) const {
  if (!(t >= begin() && t <= end()))
    throw std::out_of_range(fmt::format("t = {}: the run goes from {} to {}", t, begin(), end()));
  const auto time_of = [](const Knot& k) { return k.t; };
  const auto after = std::ranges::upper_bound(knots, t, {}, time_of);
  const auto not_before = std::ranges::lower_bound(knots, t, {}, time_of);
  if (not_before != after) {  // a knot, or several impacts and a record at one time
    const Knot& k = side == Side::left ? *not_before : *(after - 1);
    q = k.q, v = side == Side::left ? k.v_left : k.v, p = side == Side::left ? k.p_left : k.p;
    return;
  }
  between(*(after - 1), *after, t, q, v);
  Values Lq(q.size());
  p.resize(q.size());
  system->slopes(t, q, v, Lq, p);
}

void DenseOutput::between(const Knot& a, const Knot& b, double t, Values& q, Values& v) {
  const double w = b.t - a.t, s = (t - a.t) / w, r = 1 - s;
  q = (1 + 2 * s) * r * r * a.q + s * r * r * w * a.v + s * s * (1 + 2 * r) * b.q - s * s * r * w * b.v_left;
  v = 6 * s * r / w * (b.q - a.q) + r * (1 - 3 * s) * a.v + s * (3 * s - 2) * b.v_left;
}

namespace {

using Curve = std::function<double(double)>;
struct Sample {
  double t, f;
};

bool differ(const Sample& a, const Sample& b) { return (a.f < 0 && b.f > 0) || (a.f > 0 && b.f < 0); }

// By the secant of the bracket and its half in turn.
double root_between(const Curve& f, Sample a, Sample b) {
  for (int i = 0; i < 200 && a.f != 0 && b.f != 0; ++i) {
    double t = i % 2 ? 0.5 * (a.t + b.t) : a.t + (b.t - a.t) * (a.f / (a.f - b.f));
    if (!(t > a.t && t < b.t)) t = 0.5 * (a.t + b.t);
    if (t == a.t || t == b.t) break;
    const Sample c{t, f(t)};
    (differ(a, c) || c.f == 0 ? b : a) = c;
  }
  return std::abs(a.f) < std::abs(b.f) ? a.t : b.t;
}

// The lowest |f| between a and b, by the golden section; stops where the sign differs from theirs.
Sample lowest_between(const Curve& f, const Sample& a, const Sample& b) {
  constexpr double golden = 0.3819660112501051;
  double low = a.t, high = b.t;
  Sample x{low + golden * (high - low), 0}, y{high - golden * (high - low), 0};
  x.f = f(x.t), y.f = f(y.t);
  for (int i = 0; i < 80 && !differ(a, x) && !differ(a, y); ++i) {
    if (std::abs(x.f) < std::abs(y.f))
      high = y.t, y = x, x.t = low + golden * (high - low), x.f = f(x.t);
    else
      low = x.t, x = y, y.t = high - golden * (high - low), y.f = f(y.t);
  }
  return differ(a, x) || (!differ(a, y) && std::abs(x.f) < std::abs(y.f)) ? x : y;
}

// Of three samples of one sign, the middle one being the lowest.
void dip(const Curve& f, const Sample& a, const Sample& b, const Sample& c, std::vector<double>& found) {
  if (a.f == 0 || b.f == 0 || c.f == 0 || differ(a, b) || differ(b, c)) return;
  if (std::abs(b.f) > std::abs(a.f) || std::abs(b.f) > std::abs(c.f)) return;
  const Sample low = lowest_between(f, a, c);
  if (differ(a, low))
    found.insert(found.end(), {root_between(f, a, low), root_between(f, low, c)});
  else if (low.f == 0)
    found.push_back(low.t);
}

// Of the first or the last sample of a smooth piece and its neighbour inside, b, which lies higher: what
// leads down from a goes up again before b. Where b lies lower, it is the middle one of three, or comes
// before such a one.
void dip_at_edge(const Curve& f, const Sample& a, const Sample& b, std::vector<double>& found) {
  constexpr double little = 1e-6;
  if (a.f == 0 || b.f == 0 || differ(a, b) || !(std::abs(b.f) > std::abs(a.f))) return;
  const Sample beside{a.t + little * (b.t - a.t), f(a.t + little * (b.t - a.t))};
  if (!differ(a, beside) && std::abs(beside.f) >= std::abs(a.f)) return;
  const Sample low = a.t < b.t ? lowest_between(f, a, b) : lowest_between(f, b, a);
  if (differ(a, low))
    found.insert(found.end(), {root_between(f, a, low), root_between(f, low, b)});
  else if (low.f == 0)
    found.push_back(low.t);
}

void roots_of(const Curve& f, const std::vector<Sample>& samples, std::vector<double>& found) {
  for (std::size_t i = 0; i + 1 < samples.size(); ++i) {
    const Sample &a = samples[i], &b = samples[i + 1];
    if (differ(a, b)) found.push_back(root_between(f, a, b));
    if (b.f == 0) found.push_back(b.t);
    if (i + 2 < samples.size()) dip(f, a, b, samples[i + 2], found);
  }
}

}  // namespace

std::vector<double> DenseOutput::roots(const Watch& watch, int samples) const {
  if (samples < 2) throw std::invalid_argument(fmt::format("samples = {}: must be 2 at least", samples));
  std::vector<double> found;
  std::vector<Sample> before, seen;
  Values q, v;
  const Knot* last = nullptr;  // before the stretch
  for (std::size_t i = 0; i + 1 < knots.size(); ++i) {
    const Knot &a = knots[i], &b = knots[i + 1];
    if (!(b.t > a.t)) continue;
    const Curve f = [&](double t) {
      t < a.t ? between(*last, a, t, q, v) : between(a, b, t, q, v);
      return watch(t, q, v);
    };
    seen.clear();
    for (int k = 0; k <= samples; ++k) {
      const double t = k < samples ? a.t + (b.t - a.t) * k / samples : b.t;
      seen.push_back({t, f(t)});
    }
    if (!last && seen.front().f == 0) found.push_back(a.t);
    if (last && differ(before.back(), seen.front())) found.push_back(a.t);
    const bool goes_on = last && a.v == a.v_left && before.back().f == seen.front().f;
    if (goes_on) dip(f, before[before.size() - 2], seen[0], seen[1], found);
    if (!goes_on) dip_at_edge(f, seen[0], seen[1], found);
    if (last && !goes_on) dip_at_edge(f, before.back(), before[before.size() - 2], found);
    roots_of(f, seen, found);
    last = &a, std::swap(before, seen);
  }
  if (last != nullptr) {
    const Curve f = [&](double t) {
      between(*last, *(last + 1), t, q, v);
      return watch(t, q, v);
    };
    dip_at_edge(f, before.back(), before[before.size() - 2], found);
  }
  std::ranges::sort(found);
  return found;
}

}  // namespace carom
