// Several walls: channels with many impacts in a step, corners, walls that squeeze; and a wall before a
// singularity.
#include <numbers>

#include "carom/systems/point_mass.hpp"
#include "support/impact_cases.hpp"

namespace carom::test {
namespace {

// A free particle between two straight walls n·q + c >= 0.
struct TwoWalls {
  static constexpr int dim = 2;
  static constexpr std::array gap_names{"first wall", "second wall"};
  Vector<double, 2> n1, n2;
  double c1 = 0, c2 = 0;

  Matrix<double, 2> mass() const { return Matrix<double, 2>::Identity(); }
  template <class S>
  S potential(const Vector<S, 2>& q) const {
    return 0.0 * q[0];
  }
  template <class S>
  Vector<S, 2> gaps(const Vector<S, 2>& q) const {
    return {q[0] * n1[0] + q[1] * n1[1] + c1, q[0] * n2[0] + q[1] * n2[1] + c2};
  }
};
SystemRef channel(double width) { return as_system(TwoWalls{{1, 0}, {-1, 0}, 0, width}); }

// Walls that meet at the origin under an angle, the inside around the positive x axis.
SystemRef wedge(double angle) {
  const double s = std::sin(angle / 2), c = std::cos(angle / 2);
  return as_system(TwoWalls{{s, c}, {s, -c}});
}

std::vector<LawCase> laws(double h) {
  std::vector<LawCase> r;
  add_laws_of_any_flow(r, SteadyFlow(svc(), h));
  return r;
}
Phase in_plane(const Vector<double, 2>& q, const Vector<double, 2>& p) { return {q, p}; }

TEST(Channel, ManyImpactsInOneStep) {
  const auto system = channel(0.01);
  for (const auto& c : laws(0.1)) {
    const auto r = run_from(in_plane({0.005, 0}, {2, 0.5}), system, c, {}, 10);  // 20 widths in a step
    ASSERT_FALSE(r.ended.failure) << c.label << ": " << r.ended.failure->reason;
    ASSERT_EQ(r.seen.size(), 200u) << c.label;
    for (std::size_t k = 0; k < r.seen.size(); ++k) {
      EXPECT_EQ(r.seen[k].impact.contacts[0], k % 2 == 0 ? 1 : 0) << c.label;
      EXPECT_NEAR(r.seen[k].impact.t, 0.005 * (k + 0.5), 1e-12) << c.label;
    }
    EXPECT_NEAR(r.ended.z.q[0], 0.005, 1e-11) << c.label;
    EXPECT_NEAR(r.ended.z.q[1], 0.5, 1e-12) << c.label;
    EXPECT_NEAR(r.ended.z.p.norm(), std::sqrt(4.25), 1e-12) << c.label;
  }
}
TEST(Channel, MoreImpactsThanTheCapNameBothWalls) {
  const auto system = channel(1e-4);
  for (const auto& c : laws(0.1)) {
    const auto r = run_from(in_plane({5e-5, 0}, {2, 0}), system, c, {.most_events = 50}, 10);
    ASSERT_TRUE(r.ended.failure) << c.label;
    EXPECT_NE(r.ended.failure->reason.find("more than 50 impacts"), std::string::npos)
        << r.ended.failure->reason;
    EXPECT_NE(r.ended.failure->contact.find("first wall"), std::string::npos) << r.ended.failure->contact;
    EXPECT_NE(r.ended.failure->contact.find("second wall"), std::string::npos) << r.ended.failure->contact;
    EXPECT_EQ(r.seen.size(), 50u);
  }
}

TEST(Corner, ARightAngleSendsBackAlongThePath) {
  const auto system = wedge(std::numbers::pi / 2);
  for (const auto& c : laws(0.1))
    for (const double off : {0.0, 1e-12, 2e-11}) {  // to rounding, and within 1e-9 of their way in a step
      const Phase start = in_plane({0.42, 0.105 + off}, {-2, -0.5});
      const auto r = run_from(start, system, c, {}, 4);
      ASSERT_FALSE(r.ended.failure) << c.label << ": " << r.ended.failure->reason;
      ASSERT_EQ(r.seen.size(), 1u) << c.label << ", off " << off;
      EXPECT_EQ(r.seen[0].impact.contacts.size(), 2u) << c.label;
      EXPECT_LT((r.ended.z.p + start.p).norm(), 1e-12) << c.label;
      const Values expected = -(start.q + 0.4 * start.p);
      EXPECT_LT((r.ended.z.q - expected).norm(), 5 * off + 1e-12) << c.label;
    }
}
TEST(Corner, WedgesKeepTheEnergyAndOpen) {
  for (const double degrees : {30.0, 60.0, 120.0, 170.0}) {
    const auto system = wedge(degrees * std::numbers::pi / 180);
    for (const auto& c : laws(0.1))
      for (const double lean : {-0.9, -0.5, 0.0, 0.3, 0.8}) {  // of the path, in half angles of the wedge
        const double a = lean * degrees / 2 * std::numbers::pi / 180;
        const Vector<double, 2> way(std::cos(a), std::sin(a));
        const auto r = run_from(in_plane(0.35 * way, -way), system, c, {}, 8);
        const std::string label =
            c.label + ", " + std::to_string(degrees) + " degrees, lean " + std::to_string(lean);
        ASSERT_FALSE(r.ended.failure) << label << ": " << r.ended.failure->reason;
        ASSERT_EQ(r.seen.size(), 1u) << label;
        EXPECT_NEAR(r.ended.z.p.norm(), 1, 1e-13) << label;
        EXPECT_GE(gap_rates(*system, r.ended.z.q, r.ended.z.p).minCoeff(), -1e-12) << label;
        EXPECT_GE(gaps(system, r.ended.z.q).minCoeff(), -1e-12) << label;
      }
  }
}

TEST(Squeezed, WallsWithoutRoomBetweenThemAreNamed) {
  const auto system = channel(0);
  for (const auto& c : laws(0.1)) {
    const auto r = run_from(in_plane({0, 0}, {1, 0}), system, c, {}, 5);
    ASSERT_TRUE(r.ended.failure) << c.label;
    EXPECT_NE(r.ended.failure->contact.find("wall"), std::string::npos) << r.ended.failure->contact;
    EXPECT_EQ(r.ended.steps, 0);
  }
}
TEST(Squeezed, AVeryThinWedgeIsNamed) {
  const auto system = wedge(1e-4);
  for (const auto& c : laws(0.1)) {
    const auto r = run_from(in_plane({0, 0}, {-1, 1}), system, c, {}, 5);
    ASSERT_TRUE(r.ended.failure) << c.label;
    EXPECT_NE(r.ended.failure->contact.find("wall"), std::string::npos) << r.ended.failure->contact;
    EXPECT_TRUE(r.ended.z.q.allFinite() && r.ended.z.p.allFinite());
  }
}

// V = -k/√q is not defined for q <= 0; the wall at 0.05 keeps the motion away from there, but trial steps
// cross it.
struct BeforeASingularity {
  static constexpr int dim = 1;
  static constexpr std::array gap_names{"wall"};
  double k = 0.3;

  Matrix<double, 1> mass() const { return Matrix<double, 1>(1.0); }
  template <class S>
  S potential(const Vector<S, 1>& q) const {
    return -k / sqrt(q[0]);
  }
  template <class S>
  Vector<S, 1> gaps(const Vector<S, 1>& q) const {
    return Vector<S, 1>(q[0] - 0.05);
  }
  Start<1> start() const { return {Vector<double, 1>(0.5), Vector<double, 1>(0.0), std::nullopt}; }
};
TEST(Singularity, EveryLawWorksBeforeIt) {
  const auto [name, system, start] = system_case("before a singularity", BeforeASingularity{});
  const double H = hamiltonian(system, start);
  for (const double h : {0.01, 0.04})  // at the larger one full steps end behind the singularity
    for (const auto& c : all_laws(system, h)) {
      const std::string label = c.label + ", h = " + std::to_string(h);
      const auto r = run_from(start, system, c, {}, 10000, 10);
      ASSERT_FALSE(r.ended.failure) << label << ": " << r.ended.failure->reason;
      ASSERT_GE(r.seen.size(), 10u) << label;
      EXPECT_TRUE(r.ended.z.q.allFinite() && r.ended.z.p.allFinite()) << label;
      for (const auto& s : r.seen) {
        EXPECT_GT(s.impact.rate_after, 0) << label;
        EXPECT_GE(s.end.q[0], 0.05 - 1e-13) << label;
      }
      EXPECT_EQ(r.fallbacks, 0) << label;
      // V'' at the wall makes h ω = 0.8 at the larger step: every law feels it. H walks with discrete-energy,
      // by a sequence of jumps that is different after a few impacts for every rounding (measured: up to
      // 0.037 and 0.38).
      EXPECT_NEAR(hamiltonian(system, r.ended.z), H,
                  c.law.at == ImpactLaw::At::leg ? (h == 0.01 ? 0.05 : 0.5) : (h == 0.01 ? 0.01 : 0.1))
          << label;
    }
}

// A motion that ends at a singularity before it meets any wall must not end the step early and call it done.
struct Plunge {
  static constexpr int dim = 1;
  Matrix<double, 1> mass() const { return Matrix<double, 1>(1.0); }
  template <class S>
  S potential(const Vector<S, 1>& q) const {
    return sqrt(q[0]);  // not defined below 0, and the wall is at -1
  }
  template <class S>
  Vector<S, 1> gaps(const Vector<S, 1>& q) const {
    return Vector<S, 1>(q[0] + 1);
  }
};
TEST(Walls, AMotionThatCannotBeComputedFailsByName) {
  const auto system = as_system(Plunge{});
  const Phase start{Values::Constant(1, 0.3), Values::Constant(1, -2.0)};
  for (const auto& law : {continuous_energy(), discrete_energy(), shadow_law(8)}) {
    const auto ended = run_from(start, system, {law.name, SteadyFlow(svc(), 0.05), law}, {}, 20).ended;
    ASSERT_TRUE(ended.failure) << law.name;
    EXPECT_LT(ended.steps, 20) << law.name;
    EXPECT_GT(ended.z.q[0], 0) << law.name;
  }
}

// Any number of contacts may close at one instant.
struct ManyFloors : PointMass {
  static constexpr std::array<const char*, 17> gap_names = {
      "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16", "17"};
  template <class S>
  Vector<S, 17> gaps(const Vector<S, 1>& q) const {
    return Vector<S, 17>::Constant(q[0]);
  }
};
TEST(Walls, SeventeenContactsAtOnceAreOneImpact) {
  const auto [name, system, start] = system_case("many floors", ManyFloors{});
  ContactStepper stepper(system, SteadyFlow(svc(), 0.01), from_impact_to_impact(continuous_energy()));
  std::size_t most = 0;
  double H0 = 0, worst = 0;
  const auto watch = [&, &system = system](const GridPoint& point) {
    const double H = hamiltonian(system, point.z);
    if (point.n == 0) H0 = H;
    worst = std::fmax(worst, std::abs(H - H0));
    for (const auto& impact : point.impacts) most = std::max(most, impact.contacts.size());
  };
  const auto ended = simulate(stepper, start, Grid{0, 0.01, 300}, watch);
  ASSERT_FALSE(ended.failure) << ended.failure->reason;
  EXPECT_EQ(most, 17u);
  EXPECT_LT(worst, 1e-9 * std::abs(H0));
}

}  // namespace
}  // namespace carom::test
