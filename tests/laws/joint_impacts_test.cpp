// Impacts of systems with joints: over the laws that keep them, an impact happens on the wall and on the
// joints, changes the momentum along the joints' tangents only, and keeps the law's energy.
#include "support/impact_cases.hpp"
#include "support/jointed_systems.hpp"
#include "support/order.hpp"
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

template <System Sys>
std::vector<LawCase<Sys>> joint_laws(const Sys& system) {
  std::vector<LawCase<Sys>> cases;
  for (const Flow& flow : {svc(), sva(), midpoint(), yoshida4(svc())})
    add_laws_of_any_flow(cases, system, SteadyFlow(flow, impact_h));
  std::erase_if(cases, [](const auto& c) { return !c.keeps_quadratic; });  // polynomials leave the joints
  return cases;
}

template <class Sys>
class JointImpacts : public testing::Test {};
using Jointed = testing::Types<WalledRod, WalledRods, WalledBead, WalledFast, WalledTwice>;
TYPED_TEST_SUITE(JointImpacts, Jointed);

// What is left of the jump of p beside the contact's gradient, projected onto the joints' tangents.
template <System Sys>
double sideways(const Sys& system, const Impact<Sys::dim>& impact) {
  const Vector<double, Sys::dim> v = velocity(system, impact.q, impact.p_before).x;
  const JointMetric<Sys> metric(system, impact.q, v, JointsAt<Sys, double>(system, impact.q).F);
  const auto G = jacobian([&system](const auto& x) { return system.gaps(x); }, impact.q);
  const Vector<double, Sys::dim> n = metric.projected(Vector<double, Sys::dim>(G.row(0))).normalized();
  const Vector<double, Sys::dim> jump = impact.p_after - impact.p_before;
  return (jump - n * n.dot(jump)).norm();
}

TYPED_TEST(JointImpacts, OnTheWallAndOnTheJoints) {
  const TypeParam system;
  for (const auto& c : joint_laws(system))
    for (const double e : {1.0, 0.9, 0.5, 0.0}) {
      const std::string label = c.label + ", e = " + std::to_string(e);
      const auto r = run(system, c, e, e == 1 ? 5 : 2);
      ASSERT_GE(r.seen.size(), e == 1  ? 5u
                               : e > 0 ? 2u
                                       : 1u)
          << label << (r.ended.failure ? ": " + r.ended.failure->reason : "");
      for (std::size_t k = 0; k < (e == 0 ? 1 : r.seen.size()); ++k) {
        const auto& impact = r.seen[k].impact;
        EXPECT_NEAR(system.gaps(impact.q)[0], 0, 1e-13) << label;
        EXPECT_LT(largest_violation(system, {impact.q, impact.p_before}), 5e-14) << label;
        EXPECT_LT(largest_violation(system, {impact.q, impact.p_after}), 5e-14) << label;
        if (is_quadratic(system)) {  // elsewhere the tangents of p turn with v
          EXPECT_LT(sideways(system, impact), 1e-12 * (1 + impact.p_before.norm())) << label;
        }
        EXPECT_LT(impact.rate_before, 0) << label;
        EXPECT_GE(impact.rate_after, e > 0 ? 0 : 1e-10 * impact.rate_before) << label;
        if (c.law.name == "continuous-energy" && is_quadratic(system)) {
          EXPECT_NEAR(impact.rate_after, -e * impact.rate_before, 1e-11) << label;
        }
      }
      EXPECT_EQ(r.fallbacks, 0) << label;
      if (e > 0) {
        EXPECT_FALSE(r.ended.failure) << label << ": " << r.ended.failure->reason;
        EXPECT_LT(largest_violation(system, r.ended.z), 5e-14) << label;
      }
    }
}

TYPED_TEST(JointImpacts, TheLawKeepsItsOwnEnergy) {
  const TypeParam system;
  for (const auto& c : joint_laws(system)) {
    const double anchor = c.law.anchored ? c.law.before(0, validated_state(system, system.start())) : 0;
    for (const auto& s : run(system, c, 1, 5).seen) {
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
  const Cornered system;
  for (const auto& c : joint_laws(system)) {
    const auto r = run(system, c, 1, 1);
    ASSERT_GE(r.seen.size(), 1u) << c.label;
    const auto& impact = r.seen[0].impact;
    ASSERT_EQ(impact.contacts.size(), 2u) << c.label;
    EXPECT_LT(largest_violation(system, {impact.q, impact.p_after}), 1e-14) << c.label;
    const auto before = gap_rates(system, impact.q, velocity(system, impact.q, impact.p_before).x),
               after = gap_rates(system, impact.q, velocity(system, impact.q, impact.p_after).x);
    for (const int i : {0, 1}) EXPECT_NEAR(after.rate[i], -before.rate[i], 1e-2) << c.label;
    EXPECT_NEAR(hamiltonian(system, r.ended.z), hamiltonian(system, validated_state(system, system.start())),
                2e-2);
    EXPECT_EQ(r.fallbacks, 0) << c.label;
  }
}

// Until T = 3 there are several impacts; the angle's by Gauss collocation are the reference.
TEST(JointImpactOrder, RodAgainstItsAngle) {
  const double T = 3;
  const auto at_end = [T](const auto& system, const auto& z, const Flow& flow, int steps, auto&& law) {
    const SteadyFlow steady(flow, T / steps);
    EventDrivenStepper<std::decay_t<decltype(system)>> stepper(system, steady, law(steady));
    const auto ended = simulate(stepper, z, Grid{0, T / steps, steps});
    EXPECT_FALSE(ended.failure) << ended.failure->reason;
    return ended.z;
  };
  const WalledAngle angle;
  const State<double, 1> from{Vector<double, 1>(std::numbers::pi / 3), Vector<double, 1>(0.6)};
  const auto end =
      at_end(angle, from, gauss(8), 300, [&](const auto& flow) { return continuous_energy(angle, flow); });
  const double a = end.q[0], w = end.p[0];
  const State<double, 2> exact{{std::sin(a), -std::cos(a)}, {w * std::cos(a), w * std::sin(a)}};
  const WalledRod rod;
  const auto start = validated_state(rod, rod.start());
  for (const Flow& flow :
       {svc(), sva(), midpoint(), yoshida4(svc()), suzuki4(sva()), kahan_li6(midpoint())}) {
    std::vector<ErrorAt> errors;
    for (const int steps : {100, 125, 160, 200, 250, 310})
      errors.push_back({T / steps, distance(exact, at_end(rod, start, flow, steps, [&](const auto& steady) {
                                              return shadow_law(rod, steady, 4, Fraction::composition);
                                            }))});
    const auto observed = observed_order(errors, 1e-11);
    EXPECT_NEAR(observed.slope, flow.order, 0.35) << flow.name << "\n" << observed.table;
  }
}

// Means of H - H(0) over the sixths of a long run show no trend.
TEST(JointImpactEnergy, HasNoTrend) {
  const WalledRods system;
  const SteadyFlow flow(svc(), 0.01);
  EventDrivenStepper<WalledRods> stepper(system, flow, shadow_law(system, flow, 4, Fraction::composition));
  Ledger<WalledRods> ledger(system);
  const auto start = validated_state(system, system.start());
  const double H = hamiltonian(system, start);
  Sixths sixths(30000);
  const auto ended = simulate(
      stepper, start, Grid{0, 0.01, 30000}, [](const auto&) { return false; }, ledger,
      [&](const auto& point) { sixths.add(point.n, hamiltonian(system, point.z) - H); });
  ASSERT_FALSE(ended.failure) << ended.failure->reason;
  EXPECT_GT(ledger.impacts, 200);
  EXPECT_LT(ledger.largest_joint, 1e-13);
  EXPECT_EQ(stepper.fallbacks, 0);
  EXPECT_LT(sixths.trend(), 0.1 * sixths.band_within()) << sixths.table();
}

}  // namespace
}  // namespace carom::test
