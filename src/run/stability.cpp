#include "run/stability.hpp"

#include <fmt/format.h>

#include "carom/numerics/positive.hpp"
#include "carom/system/dense_system.hpp"
#include "carom/system/validate.hpp"

namespace carom {
namespace {

using detail::to_text;
using Matrix2 = Eigen::Matrix2d;

// (q, p) over a step tau by one rule, of L = v^2/2 - q^2/2: p0 = -D1 L_d, p1 = D2 L_d (000, (13), (14)).
Matrix2 step_of(const Rule& rule, double tau) {
  double A = 0, B = 0, C = 0;  // sums of b (1 - c)^2, b c (1 - c) and b c^2
  for (const Node& node : rule) {
    const double c = node.c, b = node.b;
    A += b * (1 - c) * (1 - c), B += b * c * (1 - c), C += b * c * c;
  }
  Matrix2 r;
  const double w = 1 / (1 / tau + tau * B);
  r.row(0) << w * (1 / tau - tau * A), w;
  r.row(1) = (1 / tau - tau * C) * r.row(0) - Eigen::RowVector2d(1 / tau + tau * B, 0);
  return r;
}

// Down to two digits.
double rounded_down(double x) {
  const double unit = std::pow(10, std::floor(std::log10(x)) - 1);
  return std::stod(fmt::format("{:.1e}", std::floor(x / unit * (1 + 1e-12)) * unit));
}

// "time.step = 0.0041 or method.tolerance = 1e-08"
std::string better(double step, const Method& method, bool may_have_tolerance) {
  if (method.tolerance > 0) return fmt::format("method.tolerance = {:.0e}", method.tolerance / 100);
  std::string r = "time.step = " + to_text(rounded_down(step));
  return may_have_tolerance ? r + " or method.tolerance = 1e-8" : r;
}

// Empty where the step is within the limit.
std::string beyond_limit(double frequency, double h, const Method& method) {
  const double limit = stability_limit(method.flow);
  if (!(frequency * h > limit) || method.stepper == "direct" || method.tolerance > 0) return "";
  return fmt::format(
      "the fastest oscillation has omega = {:.4g}, and omega h = {:.4g} is beyond the limit {:.4g} of {}: it "
      "is "
      "stable below time.step = {:.2g}, and time.step = {} would do",
      frequency, frequency * h, limit, method.flow.name, limit / frequency,
      to_text(rounded_down((method.flow.order > 1 ? 0.1 : 0.01) * limit / frequency)));
}

}  // namespace

double stability_limit(const Flow& flow) {
  constexpr double step = 0.01, most = 40;
  for (int k = 1; k * step < most; ++k) {
    Matrix2 all = Matrix2::Identity();
    for (const Substep& substep : flow.substeps) {
      const Rule* rule = std::get_if<Rule>(&substep.block);
      if (!rule) return HUGE_VAL;  // Gauss collocation
      all = step_of(*rule, k * step * substep.fraction) * all;
    }
    if (!(std::abs(all.trace()) <= 2 + 1e-9)) return (k - 1) * step;
  }
  return HUGE_VAL;
}

namespace {

// Small motions M u'' = -K u of a system around a place, for an iteration of M^-1 K.
class SmallMotions {
 public:
  explicit SmallMotions(int n) : unit(RunVector::Ones(n)) {}
  virtual ~SmallMotions() = default;
  virtual bool stiffness(const RunVector& u, RunVector& Ku) = 0;
  virtual bool over_mass(const RunVector& Ku, RunVector& change) = 0;
  RunVector unit;  // so that a mode has no units: 1/√M_ii, and 1 of many coordinates that are alike
};

// By matrices, which are asked for once: their zeros cost nothing.
class DenseMotions final : public SmallMotions {
 public:
  DenseMotions(const DenseSystem& system, double t, const RunVector& q)
      : SmallMotions(system.size()), n(system.size()), first(static_cast<std::size_t>(n)) {
    RunVector rest = RunVector::Zero(n), jet(1 + 2 * n + 3 * n * n);
    PointMemory memory;
    system.look(t, q.data(), Need::all, memory);
    system.jet(t, q.data(), rest.data(), Need::all, memory, jet.data());
    const double *Lvv = jet.data() + 1 + 2 * n + n * n, *Lqq = Lvv + n * n;
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < n; ++k)
        if (Lqq[i * n + k] != 0) K.push_back({i, k, -Lqq[i * n + k]});
    M.assign(Lvv, Lqq);
    for (int i = 0; i < n; ++i) unit[i] = 1 / std::sqrt(M[static_cast<std::size_t>(i * (n + 1))]);
    regular = factor_positive(M.data(), first.data(), n);
  }
  bool stiffness(const RunVector& u, RunVector& Ku) override {
    Ku.setZero();
    for (const Entry& entry : K) Ku[entry.i] += entry.x * u[entry.k];
    return regular;
  }
  bool over_mass(const RunVector& Ku, RunVector& change) override {
    change = Ku;
    solve_factored(M.data(), first.data(), change.data(), n);
    return true;
  }

 private:
  struct Entry {
    int i, k;
    double x;
  };
  int n;
  std::vector<Entry> K;
  std::vector<double> M;  // factored
  std::vector<int> first;
  bool regular;
};

class SparseMotions final : public SmallMotions {
 public:
  SparseMotions(const System& s, double at, const RunVector& place)
      : SmallMotions(s.size()),
        system(s),
        t(at),
        q(place),
        rest(RunVector::Zero(s.size())),
        offset(rest),
        Lq(rest),
        Lv(rest) {
    regular = system.velocity(t, q, rest, offset);
  }
  bool stiffness(const RunVector& u, RunVector& Ku) override {
    if (system.constant_mass()) return system.stiffness(t, q, u, Ku), regular;
    const double size = q.norm(), e = 1e-5 * (size > 0 ? size : 1);
    system.slopes(t, q + e * u, rest, Ku, Lv), system.slopes(t, q - e * u, rest, Lq, Lv);
    Ku = (Lq - Ku) / (2 * e);
    return regular;
  }
  bool over_mass(const RunVector& Ku, RunVector& change) override {
    if (!system.velocity(t, q, Ku, change)) return false;
    change -= offset;
    return true;
  }

 private:
  const System& system;
  double t;
  const RunVector& q;
  RunVector rest, offset, Lq, Lv;
  bool regular;
};

// Its fastest mode, by power iteration.
double fastest_of(SmallMotions& motions) {
  constexpr int iterations = 60;
  const RunVector& unit = motions.unit;
  const auto n = unit.size();
  if (!unit.allFinite()) return 0;
  RunVector u(n), Ku(n), Mu(n), next(n);
  for (int i = 0; i < n; ++i) u[i] = unit[i] * (1 + 0.5 * std::sin(1.0 + 7 * i));  // along no mode of its own
  double square = 0;
  for (int k = 0; k < iterations; ++k) {
    const double most = u.cwiseQuotient(unit).lpNorm<Eigen::Infinity>();
    u /= most, Mu /= most;
    if (!motions.stiffness(u, Ku) || !Ku.allFinite() || !motions.over_mass(Ku, next)) return 0;
    if (k > 0) square = u.dot(Ku) / u.dot(Mu);
    if (!next.allFinite() || next.isZero(0)) return 0;
    u = next, Mu = Ku;
  }
  return square > 0 ? std::sqrt(square) : 0;
}

}  // namespace

double fastest_frequency(const System& system, double t, const RunState& z) {
  if (system.joint_count() > 0) return 0;
  if (system.dense()) {
    DenseMotions motions(static_cast<const DenseSystem&>(system), t, z.q);
    return fastest_of(motions);
  }
  SparseMotions motions(system, t, z.q);
  return fastest_of(motions);
}

Frequencies frequencies(const System* system, const RunState& start, const RunResult& r) {
  if (!system) return {};
  const RunState end{Values::Map(r.q.data(), system->size()), Values::Map(r.p.data(), system->size())};
  return {fastest_frequency(*system, r.grid.start, start), fastest_frequency(*system, r.t, end)};
}

void judge_energy(RunResult& r, const Method& method, const RunCircumstances& c) {
  constexpr double percent = 0.01, bounds = 0.25;
  const double h = r.grid.step, error = c.explained_by_loss ? r.energies.remainder : r.energies.change;
  const double relative = error > r.energies.rounding ? error / r.energies.scale : 0;
  const std::string at_start = beyond_limit(c.frequency.at_start, h, method),
                    beyond = at_start.empty() ? beyond_limit(c.frequency.at_end, h, method) : at_start;
  if (r.status == "failed") {
    if (!beyond.empty()) r.reason += "; " + beyond;
  } else if (relative > bounds && !beyond.empty()) {
    r.warnings.push_back(fmt::format(
        "the energy has left all bounds: H changed by {:.3g} without a cause; {}", error, beyond));
  } else if (relative > percent) {
    const double step = h * std::pow(0.5 * percent / relative, 1.0 / std::max(1, r.order));
    const std::string remedy = method.stepper == "direct" ? "method.stepper = \"contact\""
                                                          : better(step, method, c.may_have_tolerance);
    r.warnings.push_back(fmt::format(
        "the energy errs by {:.2g}% of what the run exchanges: {} would do better", 100 * relative, remedy));
  } else if (!at_start.empty()) {
    r.warnings.push_back("the step is too large where the run starts: " + at_start);
  }
}

}  // namespace carom
