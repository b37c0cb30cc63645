// Systems that depend on time: walls that move, joints that are driven, potentials that change. Written as
// structs, in formulas and as local terms they are the same system; what drives them does work, and the
// balance closes.
#include <gtest/gtest.h>

#include <numbers>

#include "carom/carom.hpp"
#include "model/formula_system.hpp"
#include "scenario/scenario_text.hpp"
#include "support/flow_cases.hpp"
#include "support/system_cases.hpp"

namespace carom::test {
namespace {

// An oscillator in front of a wall that moves at speed u; and the same seen from the wall.
struct MovingWall {
  static constexpr int dim = 1;
  double u = 0.3;
  Matrix<double, 1> mass() const { return Matrix<double, 1>(1.0); }
  template <class S>
  S potential(const Vector<S, 1>& q) const {
    return 0.5 * q[0] * q[0];
  }
  template <class S>
  Vector<S, 1> gaps(const S& t, const Vector<S, 1>& q) const {
    return Vector<S, 1>(q[0] + 0.5 - u * t);
  }
};
struct FromTheWall {
  static constexpr int dim = 1;
  double u = 0.3;
  template <class S>
  S lagrangian(const S& t, const Vector<S, 1>& q, const Vector<S, 1>& v) const {
    const S x = q[0] + u * t, speed = v[0] + u;
    return 0.5 * speed * speed - 0.5 * x * x;
  }
  template <class S>
  Vector<S, 1> gaps(const Vector<S, 1>& q) const {
    return Vector<S, 1>(q[0] + 0.5);
  }
};
struct MovingWallOfTerms : LocalSystem<MovingWallOfTerms> {
  Values mass = Values::Ones(1);
  double u = 0.3;
  void potential(auto&& term) const {
    term(std::array{0}, [](const auto& x) { return 0.5 * x[0] * x[0]; });
  }
  void contacts(auto&& gap) const {
    gap(0, std::array{0}, [this](const auto& t, const auto& x) { return x[0] + 0.5 - u * t; });
  }
  void each_joint(auto&&) const {}
  int contacts_in_all() const { return 1; }
  int joints_in_all() const { return 0; }
  const Values& masses() const { return mass; }
  bool timed() const override { return true; }
};

SystemRef in_formulas(const std::string& system) {
  const std::string text =
      "[system]\nname = \"expression\"\n" + system + "[initial]\nq = [1.0]\n[time]\nend = 1\nstep = 0.1\n";
  return {std::make_shared<FormulaSystem>(define_system(parse_scenario(text, "test.toml")))};
}
SystemRef wall_in_formulas() {
  return in_formulas(R"toml(
coordinates = ["x"]
lagrangian = "0.5*x'^2 - 0.5*x^2"
gaps = { wall = "x + 0.5 - 0.3*t" }
)toml");
}

// A pendulum of length 1 whose pivot is moved up and down, as a rod and in its angle.
constexpr double amplitude = 0.2, omega = 3, gravity = 9.81;
struct DrivenRod {
  static constexpr int dim = 2;
  Matrix<double, 2> mass() const { return Matrix<double, 2>::Identity(); }
  template <class S>
  S potential(const Vector<S, 2>& q) const {
    return gravity * q[1];
  }
  template <class S>
  Vector<S, 1> joints(const S& t, const Vector<S, 2>& q) const {
    const S y = q[1] - amplitude * sin(omega * t);
    return Vector<S, 1>(q[0] * q[0] + y * y - 1.0);
  }
};
struct DrivenAngle {
  static constexpr int dim = 1;
  template <class S>
  S lagrangian(const S& t, const Vector<S, 1>& q, const Vector<S, 1>& v) const {
    const S w = amplitude * omega * cos(omega * t);  // of the pivot
    return 0.5 * (v[0] * v[0] + 2 * v[0] * sin(q[0]) * w + w * w) -
           gravity * (amplitude * sin(omega * t) - cos(q[0]));
  }
};

struct DrivenRun {
  Ended ended;
  double work, loss, remainder;
  std::vector<double> impacts;
};
DrivenRun run(const SystemRef& system, const Phase& z, const Flow& flow, double T, int steps,
              const ContactOptions& options) {
  ContactStepper stepper(system, SteadyFlow(flow, T / steps), options);
  Ledger ledger(system);
  std::vector<double> impacts;
  const auto watch = [&](const GridPoint& point) {
    for (const Impact& impact : point.impacts) impacts.push_back(impact.t);
  };
  const Ended ended = simulate(stepper, z, Grid{0, T / steps, steps}, ledger, watch);
  return {ended, ledger.work, ledger.loss, ledger.remainder(), impacts};
}
Phase one(double q, double p) { return {Values::Constant(1, q), Values::Constant(1, p)}; }

// Structs, formulas and terms give the same derivatives by t, and those are the differences.
TEST(TimedSystems, DerivativesByTimeAreDifferences) {
  const std::vector<SystemRef> systems = {
      as_system(MovingWall{}), as_system(FromTheWall{}), std::make_shared<MovingWallOfTerms>(),
      wall_in_formulas(),      as_system(DrivenRod{}),   as_system(DrivenAngle{})};
  constexpr double t = 0.7, small = 1e-6;
  for (const SystemRef& system : systems) {
    ASSERT_TRUE(system->timed());
    const int n = system->size();
    Values q = Values::Constant(n, 0.4), v = Values::Constant(n, -0.9), Lq(n), Lv(n), up(n), down(n), Ltv(n);
    if (n == 2) q[1] = 0.8;
    const double L_t = system->drift(t, q, v, Ltv);
    const double difference =
        system->slopes(t + small, q, v, Lq, up) - system->slopes(t - small, q, v, Lq, down);
    EXPECT_NEAR(L_t, difference / (2 * small), 1e-8);
    EXPECT_LT((Ltv - (up - down) / (2 * small)).norm(), 1e-8);
    std::vector<int> all(static_cast<std::size_t>(system->contact_count()));
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int>(i);
    SparseRows rows;
    system->gap_slopes(t, q, all, rows), system->joint_slopes(t, q, rows);
    Values a, b, c, d, bends(system->contact_count()), joint_bends;
    system->gaps(t + small, q + small * v, a), system->gaps(t - small, q - small * v, b);
    system->joints(t + small, q + small * v, c), system->joints(t - small, q - small * v, d);
    for (int i = 0; i < rows.size(); ++i) {
      const double moved = i < a.size() ? a[i] - b[i] : c[i - a.size()] - d[i - a.size()];
      EXPECT_NEAR(rows[i].rate(v), moved / (2 * small), 1e-8);
    }
    Values gaps, rates;
    system->moving_gaps(t, q, v, gaps, rates);
    for (int i = 0; i < rates.size(); ++i) EXPECT_NEAR(rates[i], rows[i].rate(v), 1e-14);
    constexpr double wide = 1e-4;
    Values now;
    system->joint_bends(t, q, v, joint_bends), system->joints(t, q, now);
    system->joints(t + wide, q + wide * v, c), system->joints(t - wide, q - wide * v, d);
    for (int i = 0; i < now.size(); ++i)
      EXPECT_NEAR(joint_bends[i], (c[i] - 2 * now[i] + d[i]) / (wide * wide), 1e-6);
  }
}

// A wall that moves at constant speed is a wall at rest, seen from it, for every flow and with losses.
TEST(MovingWalls, AreTheBoostedFrame) {
  for (const char* name : {"svc", "midpoint", "kahan-li6", "gauss"})
    for (const double e : {1.0, 0.6}) {
      const ContactOptions options{.law = continuous_energy(), .restitution = e, .lasting = false};
      const Flow flow = make_flow(name);
      const DrivenRun moving = run(as_system(MovingWall{}), one(1, 0), flow, 5, 500, options);
      const DrivenRun seen = run(as_system(FromTheWall{}), one(1, 0), flow, 5, 500, options);
      ASSERT_FALSE(moving.ended.failure || seen.ended.failure) << name;
      ASSERT_EQ(moving.impacts.size(), 2u) << name;
      EXPECT_NEAR(moving.ended.z.q[0], seen.ended.z.q[0] + 0.3 * 5, 1e-13) << name;
      EXPECT_NEAR(moving.impacts[1], seen.impacts[1], 1e-13) << name;
      EXPECT_NEAR(moving.loss, seen.loss, 1e-13) << name;
    }
}
TEST(MovingWalls, AreTheSameHoweverTheyAreStated) {
  const ContactOptions options{.law = shadow_law(), .lasting = false};
  const DrivenRun first = run(as_system(MovingWall{}), one(1, 0), svc(), 5, 500, options);
  for (const SystemRef& system : {wall_in_formulas(), SystemRef(std::make_shared<MovingWallOfTerms>())}) {
    const DrivenRun other = run(system, one(1, 0), svc(), 5, 500, options);
    EXPECT_NEAR(first.ended.z.q[0], other.ended.z.q[0], 1e-13);
    EXPECT_NEAR(first.work, other.work, 1e-13);
  }
}

// A ball in free fall over a table that oscillates: between impacts the parabola is exact, so the impacts are
// too.
TEST(MovingWalls, ABallOnAShakenTableFollowsItsParabolas) {
  const auto table = in_formulas(R"toml(
coordinates = ["y"]
lagrangian = "0.5*y'^2 - 9.81*y"
gaps = { table = "y - 0.05*sin(12*t)" }
)toml");
  const double e = 0.8;
  const auto r = run(table, one(1, 0), svc(), 2, 200, {.law = continuous_energy(), .restitution = e});
  ASSERT_FALSE(r.ended.failure);
  ASSERT_GT(r.impacts.size(), 2u);
  double t = 0, y = 1, v = 0;
  for (const double hit : r.impacts) {
    const double s = hit - t;
    y += v * s - 0.5 * gravity * s * s, v -= gravity * s, t = hit;
    EXPECT_NEAR(y, 0.05 * std::sin(12 * t), 1e-13);
    const double wall = 0.6 * std::cos(12 * t);
    v = wall - e * (v - wall);  // the relative speed counts
  }
  EXPECT_NEAR(r.ended.z.p[0], v - gravity * (2 - t), 1e-12);
  EXPECT_LT(std::abs(r.remainder), 1e-11);
}

// The balance: what H changes by is the work of what drives the system.
TEST(DrivenJoints, KeepTheOrderOfTheFlowAndTheirWorkCloses) {
  const auto angle = as_system(DrivenAngle{});
  Values p(1), Lq(1);
  angle->slopes(0, Values::Constant(1, std::numbers::pi / 2), Values::Zero(1), Lq, p);
  const Phase fine =
      run_flow(angle, make_flow("kahan-li8"), {Values::Constant(1, std::numbers::pi / 2), p}, 2, 4000);
  for (const auto& [name, order] : {std::pair{"svc", 2.0}, {"yoshida4", 4.0}, {"kahan-li6", 6.0}}) {
    std::vector<ErrorAt> errors, balance;
    for (const int steps : {50, 60, 75, 90, 110}) {
      const auto system = as_system(DrivenRod{});
      FlowStepper along(*system, make_flow(name), 2.0 / steps);
      Ledger ledger(system);
      const Phase start = validated_state(*system, start_at({1, 0}, {0, amplitude * omega}));
      const Ended ended = simulate(along, start, Grid{0, 2.0 / steps, steps}, ledger);
      ASSERT_FALSE(ended.failure);
      EXPECT_LT(ledger.largest_joint, 1e-14);
      errors.push_back({2.0 / steps, std::abs(ended.z.q[0] - std::sin(fine.q[0]))});
      balance.push_back({2.0 / steps, std::abs(ledger.remainder())});
    }
    EXPECT_NEAR(observed_order(errors, 1e-13).slope, order, 0.35) << name;
    EXPECT_NEAR(observed_order(balance, 1e-13).slope, order, 0.6) << name;
  }
}

// A start whose velocity is not that of the joint is refused, with what would be right.
TEST(DrivenJoints, RefuseAVelocityThatIsNotTheirs) {
  try {
    validated_state(*as_system(DrivenRod{}), start_at({0, -1}, {0, 0}));
    FAIL() << "accepted";
  } catch (const InvalidInput& e) {
    EXPECT_NE(std::string(e.what()).find("leaves the joint"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace carom::test
