#include "run/sensitivity.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <Eigen/QR>

#include "model/varied_system.hpp"
#include "run/make_law.hpp"
#include "run/run_system.hpp"
#include "scenario/scenario_text.hpp"
#include "scenario/suggest.hpp"

namespace carom {
namespace {

ReadySystem ready_of(const Prepared& p, const std::vector<std::string>& by) {
  if (!p.model.ready)
    p.scenario.reject("system.name", '"' + p.scenario.system.name + '"',
                      "a DAE has no derivatives yet; mechanical systems have");
  std::vector<std::string> parameters = by;
  std::erase(parameters, restitution_name);
  return p.model.ready(p.scenario, parameters);
}

const DenseSystem* dense_of(const Prepared& p, const ReadySystem& ready) {
  const auto* dense = dynamic_cast<const DenseSystem*>(ready.system.get());
  if (!dense)
    p.scenario.reject("system.name", '"' + p.scenario.system.name + '"',
                      p.scenario.system.is_scene()
                          ? "derivatives are not for scenes yet; the same system in formulas has them"
                          : "derivatives are for systems of up to 16 coordinates");
  return dense;
}

Grid whole_grid(const Scenario& s) {
  if (!s.time.end) s.reject("time.end", "", "must be given: derivatives are of the state at one time");
  if (s.time.impacts || s.time.until)
    s.reject("time.end", fmt::format("{}", *s.time.end),
             "derivatives are of the state at one time: leave out time.impacts and time.until");
  if (s.time.short_end())
    s.reject("time.step", fmt::format("{}", s.time.step),
             "does not divide the time of the run into whole steps");
  return {s.time.start, s.time.step, s.time.steps()};
}

ImpactLaw law_of(const System& system, const SteadyFlow& flow, const Method& method) {
  if (is_smooth(system, method) || takes_collocation(system, method)) return continuous_energy();
  return make_law(system, flow, method);
}

}  // namespace

Differentiable::Differentiable(const Prepared& p, const std::vector<std::string>& by)
    : scenario(p.scenario),
      method(p.method),
      grid(whole_grid(p.scenario)),
      ready(ready_of(p, by)),
      dense(dense_of(p, ready)),
      flow(p.method.flow, p.scenario.time.step),
      law(law_of(*dense, flow, p.method)),
      how{*dense, flow, law, p.method.restitution,
          std::find(by.begin(), by.end(), restitution_name) != by.end()} {
  refuse();
}

void Differentiable::refuse() const {
  const auto reject = [&](const char* key, const std::string& value, const std::string& why) {
    scenario.reject(key, value, why);
  };
  if (method.stepper == "gvi" || method.stepper == "direct" || method.stepper == "dae-euler")
    reject("method.stepper", '"' + method.stepper + '"',
           "has no derivatives; \"event-driven\" and \"contact\" have");
  if (method.tolerance > 0)
    reject("method.tolerance", detail::to_text(method.tolerance),
           "chooses steps, which have no derivatives; take equal ones");
  const std::string why = RunSlopes::unsupported(how);
  if (!why.empty()) reject("method", "", why);
  if (how.by_restitution && dense->contact_count() == 0)
    reject("system.gaps", "", "there are none: nothing depends on the restitution");
}

std::unique_ptr<Stepper> Differentiable::stepper() const { return make_plain_stepper(ready, method, flow.h); }

std::string Differentiable::worded(const Failure& why, std::int64_t step) const {
  return fmt::format("step {} from t = {:.10g}: {}{}", step + 1, grid.time(step), why.reason,
                     why.contact.empty() ? "" : fmt::format(" (contact \"{}\")", why.contact));
}

Differentiated::Differentiated(const Prepared& p, const std::vector<std::string>& by,
                               const std::function<bool()>& stop)
    : tape({}, 1),
      set(p, by),
      dense(set.dense),
      slopes(set.how),
      from_velocity(!p.scenario.initial.p && (p.scenario.initial.v || p.scenario.initial.q)) {
  tape = RunTape(set.grid, dense->size());
  name_columns();
  slopes.stop = stop;
  const Ended ended = simulate(
      *set.stepper(), set.ready.start, tape.grid, [&](const GridPoint&) { return stop && stop(); }, tape);
  if (ended.failure) failure = set.worded(*ended.failure, ended.steps);
  if (ended.stopped) failure = "stopped on request";
}

void Differentiated::name_columns() {
  const char* second = from_velocity ? "initial.v." : "initial.p.";
  Values v(dense->size());
  dense->velocity(tape.grid.start, set.ready.start.q, set.ready.start.p, v);
  for (int i = 0; i < dense->size(); ++i)
    head.columns.push_back("initial.q." + dense->coordinate_name(i)), head.by.push_back(set.ready.start.q[i]);
  for (int i = 0; i < dense->size(); ++i)
    head.columns.push_back(second + dense->coordinate_name(i)),
        head.by.push_back(from_velocity ? v[i] : set.ready.start.p[i]);
  for (int k = 0; k < dense->parameter_count(); ++k)
    head.columns.push_back(dense->parameter_name(k)),
        head.by.push_back(set.ready.parameters.at(dense->parameter_name(k)));
  if (set.how.by_restitution)
    head.columns.push_back(restitution_name), head.by.push_back(set.method.restitution);
}

// p = ∂L/∂v of what the scenario states, moved onto the joints, and onto contacts that last from the start
// on, by M^-1 G'; so that what leaves them counts for nothing.
Slopes Differentiated::start_slopes() const {
  const DerivativeColumns& c = slopes.columns;
  const int n = c.n, own = dense->parameter_count();
  Slopes r = Slopes::Zero(c.count(), 2 * n + c.parameters);
  r.topLeftCorner(2 * n, 2 * n).setIdentity();
  r.bottomRightCorner(c.parameters, c.parameters).setIdentity();
  ConstraintSlopes along(*dense, c);
  along.hold(tape.held_at_start());
  if (!from_velocity && along.count() == 0) return r;
  Values v(n);
  dense->velocity(tape.grid.start, set.ready.start.q, set.ready.start.p, v);
  PointSlopes at(*dense);
  at.look(tape.grid.start, set.ready.start.q, v);
  auto q = r.topRows(n), p = r.middleRows(n, n), by = r.bottomRows(c.parameters);
  const auto momentum = [&] { return Slopes(at.Lvq * q + at.Lvx.rightCols(own) * by.topRows(own)); };
  if (along.count() > 0) {
    along.look(tape.grid.start, set.ready.start.q);
    const Eigen::MatrixXd lift = at.Lvv.partialPivLu().solve(Eigen::MatrixXd(along.G.transpose()));
    const Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> solver(along.G * lift);
    const Slopes off = along.value(), rate = along.rate(v);
    q -= lift * solver.solve(Slopes(along.G * q + off.rightCols(c.parameters) * by));
    if (from_velocity) p = momentum(), p.middleCols(n, n) += at.Lvv;
    p -= along.G.transpose() * solver.solve(Slopes(lift.transpose() * (p - momentum()) +
                                                   rate.leftCols(n) * q + rate.rightCols(c.parameters) * by));
  } else {
    p = momentum(), p.middleCols(n, n) += at.Lvv;
  }
  return r;
}

// The numbers at the end, by (q, p) there and the parameters; v by dv = Lvv^-1 (dp - Lvq dq - Lvθ dθ).
Jacobian Differentiated::numbers_at_end() const {
  const DerivativeColumns& c = slopes.columns;
  const int n = c.n, own = dense->parameter_count();
  const Phase z = tape.node(tape.steps());
  const double t = tape.grid.time(tape.steps());
  Values v(n);
  dense->velocity(t, z.q, z.p, v);
  PointSlopes at(*dense);
  at.look(t, z.q, v);
  Jacobian r;
  r.slopes = Slopes::Zero(3 * n, c.count());
  r.slopes.topLeftCorner(2 * n, 2 * n).setIdentity();
  auto dv = r.slopes.bottomRows(n);
  dv.leftCols(n) = -at.Lvq, dv.middleCols(n, n).setIdentity();
  dv.middleCols(c.parameter(0), own) = -at.Lvx.rightCols(own);
  dv = at.Lvv.partialPivLu().solve(Slopes(dv)).eval();
  for (const auto& [letter, values] :
       {std::pair{"q.", &z.q}, {"p.", &z.p}, {"v.", static_cast<const Values*>(&v)}})
    for (int i = 0; i < n; ++i)
      r.rows.push_back(letter + dense->coordinate_name(i)), r.values.push_back((*values)[i]);
  add_quantities(t, z.q, v, r);
  return r;
}

void Differentiated::add_quantities(double t, const Values& q, const Values& v, Jacobian& r) const {
  const auto* varied = dynamic_cast<const VariedSystem*>(dense);
  if (!varied || varied->variations().quantity_names.empty()) return;
  const DerivativeColumns& c = slopes.columns;
  const int n = c.n, own = dense->parameter_count(), width = 2 + 2 * n + own;
  const Slopes dv = r.slopes.middleRows(2 * n, n);
  const auto& names = varied->variations().quantity_names;
  std::vector<double> out(names.size() * static_cast<std::size_t>(width));
  varied->quantities(t, q.data(), v.data(), out.data());
  r.slopes.conservativeResize(r.slopes.rows() + static_cast<Eigen::Index>(names.size()), Eigen::NoChange);
  for (std::size_t k = 0; k < names.size(); ++k) {
    const Eigen::Map<const SlopeRow> row(out.data() + k * static_cast<std::size_t>(width), width);
    SlopeRow slope = row.segment(1 + n, n) * dv;
    slope.head(n) += row.segment(1, n), slope.segment(c.parameter(0), own) += row.tail(own);
    r.slopes.row(static_cast<Eigen::Index>(r.rows.size())) = slope;
    r.rows.push_back(names[k]), r.values.push_back(row[0]);
  }
}

Jacobian Differentiated::jacobian() {
  const auto tangent = slopes.tangent(tape);
  slowest = tangent.slowest;
  if (tangent.failure) return failure = set.worded(*tangent.failure, tangent.failed_step), head;
  Jacobian r = numbers_at_end();
  r.columns = head.columns, r.by = head.by;
  const DerivativeColumns& c = slopes.columns;
  Slopes all = r.slopes.leftCols(c.z()) * tangent.state;
  all.rightCols(c.parameters) += r.slopes.rightCols(c.parameters);
  all.conservativeResize(all.rows() + tangent.times.rows(), Eigen::NoChange);
  all.bottomRows(tangent.times.rows()) = tangent.times;
  r.slopes = all * start_slopes();
  for (std::size_t k = 0; k < tape.impacts.size(); ++k)
    r.rows.push_back(fmt::format("impact {}", k + 1)), r.values.push_back(tape.impacts[k].t);
  return r;
}

Jacobian Differentiated::gradient(const std::string& name) {
  const Jacobian end = numbers_at_end();
  const auto place = std::find(end.rows.begin(), end.rows.end(), name) - end.rows.begin();
  if (place == std::ssize(end.rows))
    throw ScenarioError(fmt::format("--of {}: is no number at the end{}", name, suggestion(name, end.rows)));
  const DerivativeColumns& c = slopes.columns;
  const auto adjoint = slopes.adjoint(tape, end.slopes.row(place).head(c.z()));
  slowest = adjoint.slowest;
  if (adjoint.failure) return failure = set.worded(*adjoint.failure, adjoint.failed_step), head;
  SlopeRow total = adjoint.slopes;
  total.tail(c.parameters) += end.slopes.row(place).tail(c.parameters);
  return {
      {name}, head.columns, {end.values[static_cast<std::size_t>(place)]}, head.by, total * start_slopes()};
}

}  // namespace carom
