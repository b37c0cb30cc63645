#include "run/orbit.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include "formula/formula_names.hpp"
#include "formula/program.hpp"
#include "scenario/scenario_text.hpp"

namespace carom {

bool Orbit::stable() const { return multipliers.empty() || std::abs(multipliers.front()) <= 1 + 1e-9; }

OrbitSearch::OrbitSearch(const Scenario& scenario, const std::string& name, const std::string& formula)
    : base(scenario), parameter(name), period(formula) {
  if (!parameter.empty()) {
    const auto found = base.system.parameters.find(parameter);
    if (found == base.system.parameters.end() || !std::holds_alternative<double>(found->second))
      base.reject("system.parameters." + detail::key_part(parameter), "",
                  "is no parameter that the scenario states as a number");
    value = std::get<double>(found->second);
  }
  if (!period.empty()) base.time.end = base.time.start + period_of(value)[0];
  const Prepared prepared = prepare(base);
  base = prepared.scenario;
  const double T = base.time.end ? *base.time.end - base.time.start : 0;
  steps = period.empty() ? base.time.steps() : std::max<std::int64_t>(1, std::llround(T / base.time.step));
  if (!period.empty()) base.time.step = T / static_cast<double>(steps);
  const Prepared whole = prepare(base);
  const Differentiable set(whole, {});
  start = set.ready.start;
  if (set.dense->joint_count() > 0)
    base.reject("system.joints", "", "orbits are of systems without joints, in coordinates that are free");
  const bool anchored = set.law.by_shadow() && set.dense->contact_count() > 0 && !set.dense->timed();
  if (anchored && !period.empty() && !parameter.empty())
    base.reject("method.impact", "\"shadow\"",
                "has no slope by the step, which a period that changes changes; take continuous-energy");
}

Values OrbitSearch::period_of(double at) const {
  if (period.empty()) return Values{{*base.time.end - base.time.start, 0.0}};
  auto numbers = number_parameters(base);
  std::vector<std::string> varied;
  if (!parameter.empty()) numbers[parameter] = at, varied.push_back(parameter);
  FormulaNames names(base, base.system.coordinates, numbers, varied);
  const auto T = names.parse("--period", period);
  std::vector<formula::Node> nodes{T, names.expressions.number(0)};
  if (!varied.empty()) nodes[1] = names.expressions.derivative(T, names.varied(0));
  const auto program = formula::compile(names.expressions, nodes, names.all_inputs());
  std::vector<double> in(static_cast<std::size_t>(program.inputs()), std::nan("")), out(2);
  if (!varied.empty()) in.back() = at;
  program(std::span<const double>(in), std::span<double>(out));
  if (!(out[0] > 0) || !std::isfinite(out[0]))
    throw ScenarioError(fmt::format(
        "--period {}: is {}, and must be a number above 0, of the parameters alone", period, out[0]));
  return Values{{out[0], out[1]}};
}

Values OrbitSearch::point(const Orbit& orbit) const {
  Values x(orbit.z.q.size() + orbit.z.p.size() + 1);
  x << orbit.z.q, orbit.z.p, orbit.parameter;
  return x;
}

// The scenario of one period from z on.
Scenario OrbitSearch::at(const Phase& z, double there) const {
  Scenario s = base;
  const Values T = period_of(there);
  if (!parameter.empty()) s.system.parameters[parameter] = there;
  s.initial = {};
  s.initial.q = std::vector<double>(z.q.begin(), z.q.end());
  s.initial.p = std::vector<double>(z.p.begin(), z.p.end());
  s.time.step = T[0] / static_cast<double>(steps), s.time.end = s.time.start + T[0];
  return s;
}

// Throws std::runtime_error where the run has no end, or no derivative.
OrbitSearch::Seen OrbitSearch::look(const Values& x) const {
  const Eigen::Index n = x.size() / 2;
  const Values T = period_of(x[2 * n]);
  const Prepared prepared = prepare(at({x.head(n), x.segment(n, n)}, x[2 * n]));
  Differentiated run(prepared, parameter.empty() ? std::vector<std::string>() : std::vector{parameter});
  if (run.failure) throw std::runtime_error(*run.failure);
  const auto tangent = run.tangent();
  if (tangent.failure) throw std::runtime_error(run.worded(tangent));
  const Phase end = run.end();
  Seen r{Values(2 * n), Eigen::MatrixXd::Zero(2 * n, 2 * n + 1), tangent.state.leftCols(2 * n), {}};
  r.F << end.q - x.head(n), end.p - x.segment(n, n);
  r.by.leftCols(2 * n) = r.M - Eigen::MatrixXd::Identity(2 * n, 2 * n);
  if (!parameter.empty())
    r.by.col(2 * n) = tangent.state.col(run.columns().parameter(0)) +
                      tangent.state.col(run.columns().length()) * (T[1] / static_cast<double>(steps));
  r.orbit.z = {x.head(n), x.segment(n, n)}, r.orbit.parameter = x[2 * n], r.orbit.period = T[0];
  r.orbit.slowest = tangent.slowest, r.orbit.closest = run.closest_pass();
  for (const Impact& impact : run.tape.impacts)
    r.orbit.impacts.push_back(run.system().contact_name(impact.contacts[0]));
  return r;
}

Orbit OrbitSearch::finished(const Seen& seen, const Values& before, int iterations, double residual) const {
  Orbit r = seen.orbit;
  r.iterations = iterations, r.residual = residual;
  const Eigen::VectorXcd all = seen.M.eigenvalues();
  r.multipliers.assign(all.begin(), all.end());
  std::sort(r.multipliers.begin(), r.multipliers.end(),
            [](const auto& a, const auto& b) { return std::abs(a) > std::abs(b); });
  r.determinant = seen.M.determinant();
  r.doubling = (seen.M + Eigen::MatrixXd::Identity(seen.M.rows(), seen.M.rows())).determinant();
  if (parameter.empty()) return r;
  const Eigen::FullPivLU<Eigen::MatrixXd> lu(seen.by);
  r.direction = lu.kernel().col(0).normalized();
  if (before.size() > 0 ? r.direction.dot(before) < 0 : r.direction[r.direction.size() - 1] < 0)
    r.direction = -r.direction;
  return r;
}

// From x across `direction`, or at a fixed parameter; none where it does not converge within a dozen steps.
std::optional<Orbit> OrbitSearch::corrected(Values x, const Values& direction, bool fixed) const {
  constexpr int most_iterations = 12;
  const Eigen::Index all = x.size();
  double before = HUGE_VAL;
  for (int i = 0; i <= most_iterations; ++i) {
    if (stopped()) return std::nullopt;
    const Seen seen = look(x);
    const double size =
        seen.F.lpNorm<Eigen::Infinity>() / (1e-12 + x.head(all - 1).lpNorm<Eigen::Infinity>());
    if (!std::isfinite(size)) return std::nullopt;
    if (size <= 2e-15 || (size <= 1e-11 && size > 0.25 * before)) return finished(seen, direction, i, size);
    before = size;
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(all, all);
    A.topRows(all - 1) = seen.by;
    if (fixed)
      A(all - 1, all - 1) = 1;
    else
      A.bottomRows(1) = direction.transpose();
    Values right = Values::Zero(all);
    right.head(all - 1) = -seen.F;
    x += A.fullPivLu().solve(right);
    if (!x.allFinite()) return std::nullopt;
  }
  return std::nullopt;
}

Orbit OrbitSearch::find() {
  Values x(start.q.size() + start.p.size() + 1);
  x << start.q, start.p, value;
  const auto r = corrected(x, {}, true);
  if (!r && stopped()) throw std::runtime_error("stopped on request");
  if (!r)
    throw std::runtime_error(
        "Newton's method finds no periodic orbit from this start; a start nearer to one may help");
  return *r;
}

// A zero of `sign` between two points of the branch, by the secant of its bracket along the chord.
std::optional<Orbit> OrbitSearch::locate(const Orbit& from, const Orbit& to,
                                         const std::function<double(const Orbit&)>& sign) const {
  const Values a = point(from), chord = point(to) - a, direction = chord.normalized();
  double low = 0, high = 1, below = sign(from), above = sign(to);
  std::optional<Orbit> best;
  int side = 0;
  for (int i = 0; i < 60; ++i) {
    const double s = low + (high - low) * below / (below - above);
    best = corrected(a + s * chord, direction, false);
    if (!best) return std::nullopt;
    const double here = sign(*best);
    if (std::abs(here) < 1e-13 || high - low < 1e-13) break;
    if ((here < 0) == (below < 0))
      low = s, below = here, above *= side == 1 ? 0.5 : 1, side = 1;
    else
      high = s, above = here, below *= side == -1 ? 0.5 : 1, side = -1;
    if (std::abs(high - low) < 1e-13) break;
  }
  return best;
}

// Where approach or gap vanish on the parabola through three orbits of the branch, of which each has half of
// that of the one before, so that what is left of Newton's method, more and more towards a graze, does not
// count; if that is near.
std::optional<Orbit> OrbitSearch::graze_behind(const std::vector<Orbit>& orbits) const {
  const Values end = point(orbits.back());
  double nearest = 1e-3 * end.norm();
  std::optional<Orbit> r;
  for (const auto which : {&Orbit::slowest, &Orbit::closest}) {
    std::vector<const Orbit*> three;
    for (auto o = orbits.rbegin(); o != orbits.rend() && three.size() < 3 && std::isfinite((*o).*which); ++o)
      if (three.empty() || (*o).*which >= 2 * (three.back()->*which)) three.push_back(&*o);
    if (three.size() < 3) continue;
    Values x = Values::Zero(end.size());
    for (std::size_t i = 0; i < 3; ++i) {
      const double own = three[i]->*which, a = three[(i + 1) % 3]->*which, b = three[(i + 2) % 3]->*which;
      x += a / (a - own) * (b / (b - own)) * point(*three[i]);
    }
    const double far = (x - end).norm();
    if (!(far < nearest)) continue;
    const Eigen::Index n = x.size() / 2;
    nearest = far, r = orbits.back();
    r->z = {x.head(n), x.segment(n, n)}, r->parameter = x[2 * n], r->period = period_of(x[2 * n])[0];
    (*r).*which = 0;
  }
  return r;
}

Branch OrbitSearch::follow(const BranchOptions& o) {
  Branch r;
  r.orbits.push_back(find());
  if (parameter.empty()) return r;
  const double sense = o.to < value ? -1 : 1;
  Orbit& first = r.orbits.front();
  if (first.direction[first.direction.size() - 1] * sense < 0) first.direction = -first.direction;
  double length = std::abs(o.step) / std::fmax(1e-3, std::abs(first.direction[first.direction.size() - 1]));
  const double longest = length, shortest = 1e-7 * length;
  while (static_cast<int>(r.orbits.size()) < o.most_points) {
    if (stopped()) return r.ended = "stopped on request", r;
    const Orbit& now = r.orbits.back();
    std::optional<Orbit> next;
    std::string why = "Newton's method does not converge";
    try {
      next = corrected(point(now) + length * now.direction, now.direction, false);
    } catch (const std::runtime_error& e) {
      why = e.what();
    }
    if (next && next->impacts != now.impacts)
      next.reset(), why = "the sequence of impacts changes, as it does at a graze";
    if (next && next->direction.dot(now.direction) < 0.9) next.reset(), why = "the branch turns too sharply";
    if (!next) {
      length *= 0.5;
      if (length > shortest) continue;
      if (auto at = graze_behind(r.orbits)) r.events.push_back({"graze", *at});
      r.ended = fmt::format("the branch ends at {} = {:.12g}: {} (slowest impact there {:.3g})", parameter,
                            now.parameter, why, now.slowest);
      return r;
    }
    const auto event = [&](const char* kind, const std::function<double(const Orbit&)>& sign) {
      if ((sign(now) < 0) == (sign(*next) < 0)) return;
      if (auto at = locate(now, *next, sign)) r.events.push_back({kind, *at});
    };
    event("fold", [](const Orbit& x) { return x.direction[x.direction.size() - 1]; });
    event("period doubling", [](const Orbit& x) { return x.doubling; });
    r.orbits.push_back(*next);
    length = std::fmin(1.3 * length, longest);
    if ((next->parameter - o.to) * sense >= 0) return r.ended = "up to the value that was asked for", r;
  }
  r.ended = fmt::format("{} points", o.most_points);
  return r;
}

}  // namespace carom
