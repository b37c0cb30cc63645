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

// A stated start is on the joints and moves along them, to the tolerance of gaps.
void check_joints(const Mechanism& mechanism, const Scenario& s, const Z& z) {
  Values f, v(mechanism.size());
  mechanism.joints(z.q, f);
  for (int i = 0; i < f.size(); ++i)
    if (!(std::abs(f[i]) <= gap_tolerance(gap_scale(z.q))))
      s.reject(
          "initial.q", brief(z.q),
          fmt::format("the joint \"{}\" is {} here and must be 0; initial.project = true moves the start "
                      "onto the joints",
                      mechanism.joint_name(i), detail::to_text(f[i])));
  SparseRows F;
  mechanism.joint_slopes(z.q, F);
  mechanism.velocity(z.q, z.p, v);
  for (int i = 0; i < f.size(); ++i) {
    const double rate = F[i].dot(v);
    if (!(std::abs(rate) <= 1e-9 * std::fmax(1.0, v.norm())))
      s.reject(s.initial.p ? "initial.p" : "initial.v", brief(s.initial.p ? z.p : v),
               fmt::format("changes the joint \"{}\" at the rate {}, which must be 0; initial.project = true "
                           "makes it tangent",
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
  Tangent tangent(mechanism);
  if (s.initial.q || s.initial.v || s.initial.p) check_joints(mechanism, s, z);
  if (!tangent.onto_joints(z.q, z.p)) s.reject("initial.q", brief(z.q), "cannot be moved onto the joints");
  check_gaps(mechanism, s, z.q);
  const double H = mechanism.hamiltonian(z.q, z.p);
  if (!std::isfinite(H)) s.reject("initial", detail::to_text(H), "the energy at the start is not finite");
  return z;
}

}  // namespace carom
