// Impacts of systems with joints: over the laws that keep them, an impact happens on the wall and on the
// joints, changes the momentum along the joints' tangents only, and keeps the law's energy.
#include "support/impact_cases.hpp"
#include "support/jointed_systems.hpp"
#include "support/sixths.hpp"

namespace carom::test {
namespace {

// Each with a wall on the left of its last mass.
template <class Sys, int coordinate>
struct Walled : Sys {
  static constexpr std::array<const char*, 1> gap_names{"wall"};
  template <class S>
  Vector<S, 1> gaps(const Vector<S, Sys::dim>& q) const {
    return Vector<S, 1>(q[coordinate] + 0.2);
  }
};
using WalledRod = Walled<RodPendulum, 0>;
using WalledRods = Walled<TwoRods, 2>;
using WalledBead = Walled<WavyBead, 0>;
using WalledFast = Walled<FastPendulum, 0>;
using WalledTwice = Walled<TwiceHeld, 0>;

struct WalledAngle : AnglePendulum {
  static constexpr std::array<const char*, 1> gap_names{"wall"};
  template <class S>
  Vector<S, 1> gaps(const Vector<S, 1>& q) const {
    return Vector<S, 1>(sin(q[0]) + 0.2);
  }
};

std::vector<LawCase> joint_laws() {
  std::vector<LawCase> cases;
  for (const Flow& flow : {svc(), sva(), midpoint(), yoshida4(svc())})
    add_laws_of_any_flow(cases, SteadyFlow(flow, impact_h));
  std::erase_if(cases, [](const auto& c) { return !c.keeps_quadratic; });  // polynomials leave the joints
  return cases;
}

class JointImpacts : public testing::TestWithParam<SystemCase> {};
INSTANTIATE_TEST_SUITE_P(Jointed, JointImpacts,
                         testing::Values(system_case("WalledRod", WalledRod{}),
                                         system_case("WalledRods", WalledRods{}),
                                         system_case("WalledBead", WalledBead{}),
                                         system_case("WalledFast", WalledFast{}),
                                         system_case("WalledTwice", WalledTwice{})),
                         [](const auto& of) { return of.param.name; });

// What is left of the jump of p beside the contact's gradient, projected onto the joints' tangents.
double sideways(const System& system, const Impact& impact) {
  SparseRows G, F;
  const int first = 0;
  system.gap_slopes(0, impact.q, {&first, 1}, G);
  system.joint_slopes(0, impact.q, F);
  Values n = Values::Zero(impact.q.size());
  G[0].add_to(n, 1);
  Tangent tangent(system);
  EXPECT_TRUE(tangent.prepare(0, impact.q, impact.p_before, F) && tangent.project(impact.q, n));
  n.normalize();
  const Values jump = impact.p_after - impact.p_before;
  return (jump - n * n.dot(jump)).norm();
}

TEST_P(JointImpacts, OnTheWallAndOnTheJoints) {
  const auto& system = GetParam().system;
  for (const auto& c : joint_laws())
    for (const double e : {1.0, 0.9, 0.5, 0.0}) {
      const std::string label = c.label + ", e = " + std::to_string(e);
      const auto r = run(GetParam(), c, e, e == 1 ? 5 : 2);
      ASSERT_GE(r.seen.size(), e == 1 ? 5u : e > 0 ? 2u : 1u) << label << r.failure();
      for (std::size_t k = 0; k < (e == 0 ? 1 : r.seen.size()); ++k) {
        const auto& impact = r.seen[k].impact;
        EXPECT_NEAR(gaps(system, impact.q)[0], 0, 1e-13) << label;
        EXPECT_LT(largest_violation(system, {impact.q, impact.p_before}), 5e-14) << label;
        EXPECT_LT(largest_violation(system, {impact.q, impact.p_after}), 5e-14) << label;
        if (system->quadratic()) {  // elsewhere the tangents of p turn with v
          EXPECT_LT(sideways(*system, impact), 1e-12 * (1 + impact.p_before.norm())) << label;
        }
        EXPECT_LT(impact.rate_before, 0) << label;
        EXPECT_GE(impact.rate_after, e > 0 ? 0 : 1e-10 * impact.rate_before) << label;
        if (c.law.name == "continuous-energy" && system->quadratic()) {
          EXPECT_NEAR(impact.rate_after, -e * impact.rate_before, 1e-11) << label;
        }
      }
      EXPECT_EQ(r.fallbacks, 0) << label;
      if (e > 0) {
        EXPECT_FALSE(r.ended.failure) << label << r.failure();
        EXPECT_LT(largest_violation(system, r.ended.z), 5e-14) << label;
      }
    }
}

TEST_P(JointImpacts, TheLawKeepsItsOwnEnergy) {
  const auto& [name, system, start] = GetParam();
  for (const auto& c : joint_laws()) {
    const double anchor = c.law.anchored ? energy_at_node(system, c, c.law.before, 0, start) : 0;
    for (const auto& s : run(GetParam(), c, 1, 5).seen) {
      const auto [before, after] = own_energies(system, c, s, anchor);
      EXPECT_NEAR(after, before, 2e-12 * (1 + std::abs(before))) << c.label << ", t = " << s.impact.t;
    }
  }
}

// A mass on a rod in space that swings into a corner: both walls close at once, and both turn around.
struct Cornered : SphericalPendulum {
  template <class S>
  Vector<S, 2> gaps(const Vector<S, 3>& q) const {
    return Vector<S, 2>(q[0] + 0.2, q[1] + 0.2);
  }
  Start<3> start() const { return {{0.5, 0.5, -std::sqrt(0.5)}, Vector<double, 3>(0, 0, 0), std::nullopt}; }
};
TEST(JointCorner, BothWallsTurnAround) {
  const auto cornered = system_case("cornered", Cornered{});
  const auto& system = cornered.system;
  for (const auto& c : joint_laws()) {
    const auto r = run(cornered, c, 1, 1);
    ASSERT_GE(r.seen.size(), 1u) << c.label;
    const auto& impact = r.seen[0].impact;
    ASSERT_EQ(impact.contacts.size(), 2u) << c.label;
    EXPECT_LT(largest_violation(system, {impact.q, impact.p_after}), 1e-14) << c.label;
    const Values before = gap_rates(*system, impact.q, impact.p_before),
                 after = gap_rates(*system, impact.q, impact.p_after);
    for (const int i : {0, 1}) EXPECT_NEAR(after[i], -before[i], 1e-2) << c.label;
    EXPECT_NEAR(hamiltonian(system, r.ended.z), hamiltonian(system, cornered.start), 2e-2);
    EXPECT_EQ(r.fallbacks, 0) << c.label;
  }
}

// Until T = 3 there are several impacts; the angle's by Gauss collocation are the reference.
TEST(JointImpactOrder, RodAgainstItsAngle) {
  const double T = 3;
  const auto at_end = [T](const SystemRef& system, const Phase& z, const Flow& flow, int steps,
                          const ImpactLaw& law) {
    ContactStepper stepper(system, SteadyFlow(flow, T / steps), from_impact_to_impact(law));
    const auto ended = simulate(stepper, z, Grid{0, T / steps, steps});
    EXPECT_FALSE(ended.failure) << ended.failure->reason;
    return ended.z;
  };
  const Phase from{Values::Constant(1, std::numbers::pi / 3), Values::Constant(1, 0.6)};
  const Phase end = at_end(as_system(WalledAngle{}), from, gauss(8), 300, continuous_energy());
  const double a = end.q[0], w = end.p[0];
  const Phase exact{Vector<double, 2>(std::sin(a), -std::cos(a)),
                    Vector<double, 2>(w * std::cos(a), w * std::sin(a))};
  const auto [name, rod, start] = system_case("rod", WalledRod{});
  for (const Flow& flow :
       {svc(), sva(), midpoint(), yoshida4(svc()), suzuki4(sva()), kahan_li6(midpoint())}) {
    std::vector<ErrorAt> errors;
    for (const int steps : {100, 125, 160, 200, 250, 310})
      errors.push_back({T / steps, distance(exact, at_end(rod, start, flow, steps, shadow_law(8)))});
    const auto observed = observed_order(errors, 1e-11);
    EXPECT_NEAR(observed.slope, flow.order, 0.35) << flow.name << "\n" << observed.table;
  }
}

// Means of H - H(0) over the sixths of a long run show no trend.
TEST(JointImpactEnergy, HasNoTrend) {
  const auto [name, system, start] = system_case("rods", WalledRods{});
  ContactStepper stepper(system, SteadyFlow(svc(), 0.01), from_impact_to_impact(shadow_law(8)));
  Ledger ledger(system);
  const double H = hamiltonian(system, start);
  Sixths sixths(30000);
  const auto ended = simulate(
      stepper, start, Grid{0, 0.01, 30000}, [](const auto&) { return false; }, ledger,
      [&, &system = system](const auto& point) { sixths.add(point.n, hamiltonian(system, point.z) - H); });
  ASSERT_FALSE(ended.failure) << ended.failure->reason;
  EXPECT_GT(ledger.impacts, 200);
  EXPECT_LT(ledger.largest_joint, 1e-13);
  EXPECT_EQ(stepper.fallbacks(), 0);
  EXPECT_LT(sixths.trend(), 0.1 * sixths.band_within()) << sixths.table();
}

}  // namespace
}  // namespace carom::test
