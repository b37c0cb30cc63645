#include "run/start.hpp"

#include <fmt/format.h>

#include "carom/dae/dae_system.hpp"
#include "carom/dae/dae_touching.hpp"
#include "carom/system/validated_start.hpp"

namespace carom {
namespace {

using detail::to_text;

void refuse_behind(const Scenario& s, const Values& q, const std::string& contact, double gap) {
  s.reject("initial.q", brief(q),
           fmt::format("lies behind the contact \"{}\": its gap is {}", contact, to_text(gap)));
}
void refuse_off(const Scenario& s, const Values& q, const std::string& joint, double f,
                const Values& nearest) {
  s.reject("initial.q", brief(q),
           fmt::format("is off the joint \"{}\", which is {} and must be 0; {} is near and on the joints; "
                       "initial.project = true takes it",
                       joint, to_text(f), brief(nearest)));
}
void refuse_leaving(const Scenario& s, const char* key, const Values& x, const std::string& joint,
                    double rate) {
  s.reject(key, brief(x),
           fmt::format("leaves the joint \"{}\" at the rate {}, which must be 0; initial.project = true "
                       "takes what is along the joints",
                       joint, to_text(rate)));
}

struct Stated {
  Values y, z;
  const char* z_key;  // where z comes from
};

Stated stated_start(const Dae& dae, const Scenario& s) {
  const DaeSizes size = dae.sizes();
  const auto y = stated_numbers(s, "initial.q", s.initial.q, size.y, "coordinate"),
             z = stated_numbers(s, "initial.v", s.initial.v, size.z, "velocity"),
             p = stated_numbers(s, "initial.p", s.initial.p, size.z, "momentum");
  if (!y) s.reject("initial.q", "", "must be given: a system in formulas has no default start");
  Stated r{*y, z.value_or(Values::Zero(size.z)), z ? "initial.v" : "initial.p"};
  if (p && !dae.z_of(*y, *p, r.z)) s.reject("initial.p", to_text(*p), "no z has this p(y, z)");
  return r;
}

// On the two-sided constraints and along them, and not behind a one-sided one.
void check_manifold(const Dae& dae, const Scenario& s, const Stated& start, const Values& nearest) {
  DaeConstraint at;
  DaeMotion motion;
  dae.constraint(start.y, start.z, at), dae.motion(s.time.start, start.y, start.z, motion);
  for (int i = 0; i < at.g.size(); ++i) {
    const double close = 1e-9 * gap_scale(dae, at, motion, start.y, s.time.step, i);
    const std::string name = dae.constraint_name(i);
    if (dae.one_sided(i)) {
      if (!(at.g[i] >= -close)) refuse_behind(s, start.y, name, at.g[i]);
      continue;
    }
    if (!(std::abs(at.g[i]) <= close)) refuse_off(s, start.y, name, at.g[i], nearest);
    if (!(std::abs(at.c[i]) <= 1e-9 * rate_scale(dae, at, motion, i)))
      refuse_leaving(s, start.z_key, start.z, name, at.c[i]);
  }
}

// The multipliers that the start needs exist and are unique, and friction takes energy.
void check_multipliers(const Dae& dae, const Scenario& s, const Stated& start) {
  DaeTouching touching(dae, s.time.step);
  if (const auto psi = stated_psi(s)) touching.consistent.psi = *psi;
  std::vector<int> held;
  touching.find(s.time.start, start.y, start.z, held);
  const bool moves = !start.z.isZero(0);
  touching.choose_lasting(s.time.start, start.y, start.z, held, moves);
  const Outcome& out = touching.outcome;
  if (out.status == Status::singular || touching.consistent.condition() < 1e-13)
    s.reject("system", '"' + s.system.name + '"',
             fmt::format("g_y v_z r_psi is singular at the start (its least singular value is {} of its "
                         "largest), so no unique multipliers keep the constraints",
                         to_text(touching.consistent.condition())));
  if (!out.ok())
    s.reject("initial.psi", s.initial.psi ? to_text(*stated_psi(s)) : "",
             fmt::format("no multipliers near it keep the constraints at the start (residual {})",
                         to_text(out.residual)));
  if (!moves || !dae.has_friction()) return;
  const double power = dae.friction_power(start.y, start.z, touching.consistent.psi);
  if (!(power <= 0))
    s.reject("system.friction", "",
             fmt::format("its power is {} at the start, and friction must not be driving", to_text(power)));
}

}  // namespace

std::optional<Values> stated_numbers(const Scenario& s, const char* key,
                                     const std::optional<std::vector<double>>& numbers, int count,
                                     const char* what) {
  if (!numbers) return std::nullopt;
  const Values r = Eigen::Map<const Values>(numbers->data(), static_cast<Eigen::Index>(numbers->size()));
  if (r.size() != count)
    s.reject(key, brief(r),
             count == 1 ? "must have 1 entry" : fmt::format("must have {} entries, one per {}", count, what));
  if (!r.allFinite()) s.reject(key, brief(r), "must be finite");
  return r;
}

std::optional<Values> stated_psi(const Scenario& s) {
  if (!s.initial.psi) return std::nullopt;
  return Eigen::Map<const Values>(s.initial.psi->data(), static_cast<Eigen::Index>(s.initial.psi->size()));
}

ReadyDae ready_dae(std::shared_ptr<const Dae> dae, const Scenario& s,
                   std::map<std::string, double> parameters) {
  stated_numbers(s, "initial.psi", s.initial.psi, dae->sizes().g, "constraint");
  Stated start = stated_start(*dae, s), nearest = start;
  const bool project = s.initial.project.value_or(false);
  DaeTouching touching(*dae, s.time.step);
  if (const auto psi = stated_psi(s)) touching.consistent.psi = *psi;
  const bool found = touching.project(nearest.y, nearest.z);
  if (project && !found) s.reject("initial.q", to_text(start.y), "no point near it is on all joints");
  if (project) start = nearest;
  check_manifold(*dae, s, start, nearest.y);
  check_multipliers(*dae, s, start);
  DaeMotion motion;
  dae->motion(s.time.start, start.y, start.z, motion);
  if (!motion.f.allFinite() || !motion.v.allFinite())
    s.reject("initial", "", "v or f is not finite at the start");
  return {dae, {start.y, motion.p}, std::move(parameters)};
}

}  // namespace carom
