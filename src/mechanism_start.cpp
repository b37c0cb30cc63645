#include "mechanism_start.hpp"

#include <fmt/format.h>

#include "carom/contact/smooth_step.hpp"
#include "carom/validate.hpp"

namespace carom {
namespace {

using Z = State<double, Eigen::Dynamic>;

// A vector as a message can show it.
std::string brief(const Values& x) {
  constexpr Eigen::Index most = 8;
  std::string r = detail::to_text(x.head(std::min(x.size(), most)));
  if (x.size() > most) r.insert(r.size() - 1, fmt::format(", ... {} more", x.size() - most));
  return r;
}

std::optional<Values> stated(const Scenario& s, const char* key, const std::optional<std::vector<double>>& x,
                             int n) {
  if (!x) return std::nullopt;
  const Values r = Eigen::Map<const Values>(x->data(), static_cast<Eigen::Index>(x->size()));
  if (r.size() != n) s.reject(key, brief(r), fmt::format("must have {} entries, one per coordinate", n));
  if (!r.allFinite()) s.reject(key, brief(r), "must be finite");
  return r;
}

void check_gaps(const Mechanism& mechanism, const Scenario& s, const Values& q) {
  Values gaps;
  mechanism.gaps(q, gaps);
  for (int i = 0; i < gaps.size(); ++i)
    if (!(gaps[i] >= -gap_tolerance(gap_scale(q))))
      s.reject("initial.q", brief(q),
               fmt::format("lies behind the contact \"{}\": its gap is {}", mechanism.contact_name(i),
                           detail::to_text(gaps[i])));
}

// A stated start is on the joints and moves along them, as far as a user can type; `nearest` is.
void check_joints(const Mechanism& mechanism, const Scenario& s, const Z& z, const Z& nearest) {
  Values f, v(mechanism.size());
  mechanism.joints(z.q, f);
  for (int i = 0; i < f.size(); ++i)
    if (!(std::abs(f[i]) <= gap_tolerance(gap_scale(z.q))))
      s.reject(
          "initial.q", brief(z.q),
          fmt::format("is off the joint \"{}\", which is {} and must be 0; {} is near and on the joints; "
                      "initial.project = true takes it",
                      mechanism.joint_name(i), detail::to_text(f[i]), brief(nearest.q)));
  SparseRows F;
  mechanism.joint_slopes(z.q, F);
  mechanism.velocity(z.q, z.p, v);
  for (int i = 0; i < f.size(); ++i) {
    const double rate = F[i].dot(v);
    if (!(std::abs(rate) <= 1e-9 * v.norm()))
      s.reject(s.initial.v ? "initial.v" : "initial.p", brief(s.initial.v ? v : z.p),
               fmt::format("leaves the joint \"{}\" at the rate {}, which must be 0; initial.project = true "
                           "takes what is along the joints",
                           mechanism.joint_name(i), detail::to_text(rate)));
  }
}

}  // namespace

Z mechanism_start(const Mechanism& mechanism, const Scenario& s, Z z) {
  const int n = mechanism.size();
  const auto q = stated(s, "initial.q", s.initial.q, n), v = stated(s, "initial.v", s.initial.v, n),
             p = stated(s, "initial.p", s.initial.p, n);
  if (q) z = {*q, Values::Zero(n)};
  if (p) z.p = *p;
  Values Lq(n);
  if (v) mechanism.slopes(z.q, *v, Lq, z.p);
  const bool project = s.initial.project.value_or(false), given = q || v || p;
  if (project && mechanism.joint_count() == 0)
    s.reject("initial.project", "true", "needs joints, and this system has none");
  const Z as_stated = z;
  if (!Tangent(mechanism).onto_joints(z.q, z.p))
    s.reject("initial.q", brief(as_stated.q), "no point near it is on all joints");
  if (given && !project) check_joints(mechanism, s, as_stated, z);
  check_gaps(mechanism, s, z.q);
  const double H = mechanism.hamiltonian(z.q, z.p);
  if (!std::isfinite(H)) s.reject("initial", detail::to_text(H), "the energy at the start is not finite");
  return z;
}

}  // namespace carom
