#include "carom/system/validated_start.hpp"

#include "carom/flow/tangent.hpp"
#include "carom/numerics/positive.hpp"
#include "carom/system/gap_scales.hpp"

namespace carom {
namespace {

using detail::to_text;
using Z = Phase;
using RunStart = Start<Eigen::Dynamic>;

class StartCheck {
 public:
  StartCheck(const System& m, const RunStart& s, bool p, double at, double step)
      : system(m), start(s), project(p), t(at), h(step), n(m.size()) {}

  Z state() {
    check_numbers();
    check_mass();
    z = {start.q, start.v ? momentum(start.q) : *start.p};
    if (system.joint_count() > 0) join();
    check_gaps();
    const double H = system.hamiltonian(t, z.q, z.p);
    if (!std::isfinite(H))
      throw InvalidInput("initial", "H = " + to_text(H), "the energy at the start is not finite");
    return z;
  }

 private:
  void check_numbers() const {
    check_vector("initial.q", start.q);
    if (start.v) check_vector("initial.v", *start.v);
    if (start.p) check_vector("initial.p", *start.p);
    if (start.v.has_value() == start.p.has_value())
      throw InvalidInput("initial", start.v ? "v and p" : "neither v nor p",
                         "must give velocities or momenta, one of the two");
  }
  void check_vector(const char* field, const Values& x) const {
    if (x.size() != n)
      throw InvalidInput(field, brief(x), "must have " + std::to_string(n) + " entries, one per coordinate");
    if (!x.allFinite()) throw InvalidInput(field, brief(x), "must be finite");
  }

  // ∂²L/∂v² must be positive definite, or v is not a function of p.
  void check_mass() const {
    if (!system.dense()) return;
    Values v = Values::Zero(n), fibre(n + n * n);
    system.fibre(t, start.q.data(), v.data(), fibre.data());
    Values M = fibre.tail(n * n);
    std::vector<int> first(static_cast<std::size_t>(n));
    if (!factor_positive(M.data(), first.data(), n))
      throw InvalidInput("mass", to_text(fibre.tail(n * n)),
                         "the mass matrix at q = " + to_text(start.q) + " is not positive definite");
  }

  Values momentum(const Values& q) const {
    Values Lq(n), Lv(n);
    system.slopes(t, q, *start.v, Lq, Lv);
    return Lv;
  }

  // Onto the joints, to the last bits.
  void join() {
    const Values p = z.p;
    check_joint_slopes();
    const bool found = tangent.onto_joints(t, z.q, z.p);
    check_on_joints(found);
    if (start.v) z.p = momentum(z.q);
    SparseRows F;
    system.joint_slopes(t, z.q, F);
    if (!tangent.prepare(t, z.q, z.p, F) || !tangent.project(z.q, z.p))
      throw InvalidInput(rate_key(), brief(start.v ? *start.v : p),
                         "no velocity near it is along all joints");
    if (!project) check_joint_rates(p);
  }
  const char* rate_key() const { return start.v ? "initial.v" : "initial.p"; }
  [[noreturn]] void refuse_q(const std::string& why) const {
    throw InvalidInput("initial.q", brief(start.q), why);
  }
  std::string joint(int i) const { return "the joint \"" + system.joint_name(i) + "\""; }

  void check_joint_slopes() const {
    Values f;
    SparseRows F;
    system.joints(t, start.q, f), system.joint_slopes(t, start.q, F);
    for (int i = 0; i < f.size(); ++i) {
      const double size = F[i].size();
      if (!std::isfinite(f[i]) || !std::isfinite(size)) refuse_q(joint(i) + " is not finite here");
      if (!(size > 0)) refuse_q(joint(i) + " has no gradient here, so that it holds nothing");
    }
  }
  // Off by more than rounding of what a user types.
  void check_on_joints(bool found) const {
    Values f;
    system.joints(t, start.q, f);
    SparseRows F;
    system.joint_slopes(t, start.q, F);
    for (int i = 0; i < f.size(); ++i) {
      if (std::abs(f[i]) <= GapScales::touch * F[i].size_along(start.q) || (project && found)) continue;
      const std::string off = "is off " + joint(i) + ", which is " + to_text(f[i]) + " and must be 0; ";
      if (!found) refuse_q(off + "no point near it is on all joints");
      refuse_q(off + brief(z.q) + " is near and on the joints; initial.project = true takes it");
    }
    if (!found) refuse_q("no point near it is on all joints");
  }
  // z is along the joints; what was stated need not be.
  void check_joint_rates(const Values& p) const {
    SparseRows F;
    system.joint_slopes(t, start.q, F);
    Values v(n), along(n);
    if (start.v)
      v = *start.v;
    else
      system.velocity(t, start.q, p, v);
    system.velocity(t, z.q, z.p, along);
    const Values stated = start.v ? momentum(z.q) : p;
    const auto units = system.units();
    // Of what joint i is coupled to: Σ |p_k v_k|.
    const auto motion = [&](int i, const Values& momenta, const Values& velocities) {
      const int unit = units[static_cast<std::size_t>(F[i].at[0])];
      double sum = 0;
      for (int k = 0; k < n; ++k)
        if (units[static_cast<std::size_t>(k)] == unit) sum += std::abs(momenta[k] * velocities[k]);
      return sum;
    };
    for (int i = 0; i < F.size(); ++i) {
      const double rate = F[i].rate(v);
      if (std::abs(rate) <= 1e-9 * (F[i].size_along(v) + std::abs(F[i].drift))) continue;
      if (motion(i, stated - z.p, v - along) <= 1e-18 * motion(i, stated, v)) continue;
      throw InvalidInput(rate_key(), brief(start.v ? *start.v : *start.p),
                         "leaves " + joint(i) + " at the rate " + to_text(rate) + ", which must be 0; " +
                             brief(start.v ? along : z.p) +
                             " is near and along the joints; initial.project = true takes it");
    }
  }

  void check_gaps() const {
    GapScales scales(system, h);
    scales.look(t, z);
    const Values& gaps = scales.gaps;
    Values v(n), condition;
    system.velocity(t, z.q, z.p, v);
    system.conditions(t, z.q, v, condition);
    for (int i = 0; i < gaps.size(); ++i) {
      const std::string name = "the contact \"" + system.contact_name(i) + "\"";
      if (std::isnan(gaps[i]) || (system.dense() && std::isinf(gaps[i])))
        throw InvalidInput("initial.q", brief(z.q), "the gap of " + name + " is not finite here");
      if (condition[i] > 0 && !(gaps[i] >= -scales.touching(i)))
        throw InvalidInput("initial.q", brief(z.q),
                           "lies behind " + name + ": its gap is " + to_text(gaps[i]));
    }
  }

  const System& system;
  const RunStart& start;
  bool project;
  double t, h;
  int n;
  Tangent tangent{system};
  Z z;
};

}  // namespace

Start<Eigen::Dynamic> start_at(std::initializer_list<double> q, std::initializer_list<double> v) {
  const auto vector = [](std::initializer_list<double> x) {
    return Values(Eigen::Map<const Values>(x.begin(), static_cast<Eigen::Index>(x.size())));
  };
  return {vector(q), vector(v), std::nullopt};
}

std::string brief(const Values& x) {
  constexpr Eigen::Index most = 16;
  std::string r = to_text(x.head(std::min(x.size(), most)));
  if (x.size() > most) r.insert(r.size() - 1, ", ... " + std::to_string(x.size() - most) + " more");
  return r;
}

Phase validated_state(const System& system, const Start<Eigen::Dynamic>& start, bool project, double t,
                      double h) {
  return StartCheck(system, start, project, t, h).state();
}

}  // namespace carom
