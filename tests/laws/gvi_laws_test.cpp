// The discrete-smooth step along contacts and joints (003, (5.6)-(5.9)): of the order of its flow, symplectic
// on the constraint manifold, reversible, momenta exact, constraints and tangency at rounding.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include "support/flow_cases.hpp"
#include "support/local_systems.hpp"
#include "support/order.hpp"

namespace carom::test {
namespace {

using Hold = HeldFlow::Hold;

struct Held {
  std::string label;
  SystemRef system;
  Phase z;
  std::vector<int> contacts;
};

SparseRows constraint_slopes(const Held& c, const Values& q) {
  SparseRows rows;
  c.system->joint_slopes(0, q, rows);
  c.system->gap_slopes(0, q, c.contacts, rows);
  return rows;
}

// The largest of f, g and their rates at z.
struct Off {
  double position = 0, rate = 0;
};
Off off_constraints(const Held& c, const Phase& z) {
  Off r;
  const Values f = joints(c.system, z.q), g = gaps(c.system, z.q);
  if (f.size() > 0) r.position = f.lpNorm<Eigen::Infinity>();
  for (const int i : c.contacts) r.position = std::fmax(r.position, std::abs(g[i]));
  const SparseRows rows = constraint_slopes(c, z.q);
  Values v(z.q.size());
  EXPECT_TRUE(c.system->velocity(0, z.q, z.p, v));
  for (int k = 0; k < rows.size(); ++k) r.rate = std::fmax(r.rate, std::abs(rows[k].dot(v)));
  return r;
}

// The nearest state on the constraints (q by Newton's method along their gradients).
Phase on_constraints(const Held& c, Phase z) {
  Tangent tangent(*c.system);
  for (int i = 0; i < 30; ++i) {
    SparseRows rows = constraint_slopes(c, z.q);
    const Values f = joints(c.system, z.q), g = gaps(c.system, z.q);
    Values value(rows.size());
    value.head(f.size()) = f;
    for (std::size_t k = 0; k < c.contacts.size(); ++k)
      value[f.size() + static_cast<int>(k)] = g[c.contacts[k]];
    Eigen::MatrixXd G = Eigen::MatrixXd::Zero(z.q.size(), rows.size());
    for (int k = 0; k < rows.size(); ++k)
      for (std::size_t j = 0; j < rows[k].at.size(); ++j) G(rows[k].at[j], k) = rows[k].slopes[j];
    z.q -= G * (G.transpose() * G).ldlt().solve(value);
  }
  const SparseRows rows = constraint_slopes(c, z.q);
  for (int i = 0; i < 20; ++i) EXPECT_TRUE(tangent.prepare(0, z.q, z.p, rows) && tangent.project(z.q, z.p));
  return z;
}

std::vector<Held> cases() {
  std::vector<Held> r;
  r.push_back({"spring and sphere",
               dense(SpringAndSphere{}),
               {values({4, -3, 3, -4}), values({.6, .8, .9, .7})},
               {0, 1}});
  r.push_back({"one of two on the sphere",
               dense(SpringAndSphere{}),
               {values({4, -1, 3, -4}), values({.2, 1, .8, .6})},
               {1}});
  const auto bowl = [](auto disc) { return disc.inside = true, disc; };
  r.push_back({"bowl", dense(bowl(Disc{})), {values({0.6, -0.8}), values({1.6, 1.2})}, {0}});
  r.push_back(
      {"bowl, not quadratic", dense(bowl(FastDisc{})), {values({0.6, -0.8}), values({5.6, 4.2})}, {0}});
  r.push_back({"cart on the floor, variable mass",
               dense(CartPendulum{}),
               {values({0, 0.9}), values({0.1, 0.7})},
               {0}});
  r.push_back({"chain on a rod and curved ground",
               {std::make_shared<Chain>(3)},
               {values({0.6, -0.8, 0.9, -1.9, 1.1, -3}), values({0.4, 0.3, -0.7, 0.1, 0.5, -0.9})},
               {2}});
  const Cradle cradle(3);
  Values p(6);
  p << 0.8, 0.6, 0.8, 0.6, 0.1, 0.1;
  r.push_back({"cradle, two in touch", {std::make_shared<Cradle>(3)}, {cradle.raised(2), p}, {0}});
  for (Held& c : r) c.z = on_constraints(c, c.z);
  return r;
}

Phase run(const Held& c, const Flow& flow, double h, int steps, Phase z, Hold hold = Hold::bilateral) {
  HeldFlow held(*c.system);
  for (int n = 0; n < steps; ++n) {
    const Spent s = held(flow, 0, h, z, c.contacts, hold);
    EXPECT_TRUE(s.outcome.ok()) << c.label << ": " << describe(s.outcome.status);
  }
  return z;
}

TEST(DiscreteSmooth, ConstraintsAndTangencyAtRounding) {
  for (const auto& c : cases())
    for (const Flow& flow : {svc(), midpoint(), sva(), se1(), make_flow("yoshida4", {.base = "svc"})})
      for (const double h : {0.01, 0.05}) {
        const Off off = off_constraints(c, run(c, flow, h, 20, c.z));
        EXPECT_LT(off.position, 2e-14) << c.label << ", " << flow.name;
        EXPECT_LT(off.rate, 1e-13) << c.label << ", " << flow.name;
      }
}

TEST(DiscreteSmooth, HasTheOrderOfItsFlow) {
  for (const auto& c : cases()) {
    const double T = 0.4;
    const Phase exact = run(c, make_flow("kahan-li8", {.base = "svc"}), T / 400, 400, c.z);
    for (const Flow& flow :
         {se1(), svc(), midpoint(), sva(), svb(), make_flow("yoshida4", {.base = "midpoint"})}) {
      std::vector<ErrorAt> errors;
      for (const int steps : {20, 28, 40, 56, 80})
        errors.push_back({T / steps, distance(run(c, flow, T / steps, steps, c.z), exact)});
      const auto order = observed_order(errors, 2e-12);
      EXPECT_NEAR(order.slope, flow.order, 0.15) << c.label << ", " << flow.name << "\n" << order.table;
    }
  }
}

// dq1·dp2 - dq2·dp1 of tangent vectors of the manifold, by central differences along curves on it.
TEST(DiscreteSmooth, IsSymplecticOnTheManifold) {
  std::mt19937_64 random(20120615);
  std::normal_distribution<double> normal;
  constexpr double apart = 1e-4;
  double worst = 0;
  for (const auto& c : cases())
    for (const Flow& flow : {svc(), midpoint(), sva(), se2()}) {
      std::array<Phase, 2> before, after;
      const auto n = c.z.q.size();
      for (int i = 0; i < 2; ++i) {
        Values dq(n), dp(n);
        for (double& x : dq) x = normal(random);
        for (double& x : dp) x = normal(random);
        before[i].q = before[i].p = after[i].q = after[i].p = Values::Zero(n);
        // Fourth order: weights 8, -1 over 12.
        for (const auto& [k, w] : {std::pair{1, 8.0}, {-1, -8.0}, {2, -1.0}, {-2, 1.0}}) {
          const Phase z = on_constraints(c, {c.z.q + k * apart * dq, c.z.p + k * apart * dp});
          const Phase end = run(c, flow, 0.05, 1, z);
          before[i].q += w / (12 * apart) * z.q, before[i].p += w / (12 * apart) * z.p;
          after[i].q += w / (12 * apart) * end.q, after[i].p += w / (12 * apart) * end.p;
        }
      }
      const auto area = [](const std::array<Phase, 2>& d) { return d[0].q.dot(d[1].p) - d[1].q.dot(d[0].p); };
      const double size = after[0].q.norm() * after[1].p.norm() + after[1].q.norm() * after[0].p.norm();
      EXPECT_NEAR(area(after), area(before), 1e-9 * size) << c.label << ", " << flow.name;
      worst = std::fmax(worst, std::abs(area(after) - area(before)) / size);
    }
  std::printf("symplectic to %.1e\n", worst);
}

// A step backwards is the inverse of a step forwards: Φ_-h for symmetric flows, the inverse flow for all;
// also where contacts only push, as long as they push in both.
TEST(DiscreteSmooth, IsReversible) {
  for (const auto& c : cases())
    for (const Flow& flow : {svc(), midpoint(), sva(), se1(), se2(), make_flow("yoshida4", {.base = "svc"})})
      for (const Hold hold : {Hold::bilateral, Hold::unilateral}) {
        if (hold == Hold::unilateral && c.label.starts_with("cradle"))
          continue;  // hangs apart: nothing pushes
        const Phase end = run(c, flow, 0.02, 10, c.z, hold);
        EXPECT_LT(distance(run(c, inverse(flow), 0.02, 10, end, hold), c.z), 1e-12)
            << c.label << ", " << flow.name;
        if (!flow.symmetric) continue;
        EXPECT_LT(distance(run(c, flow, -0.02, 10, end, hold), c.z), 1e-12) << c.label << ", " << flow.name;
      }
}

TEST(DiscreteSmooth, MomentaAreExact) {
  const auto L = [](const Phase& z) { return angular_momentum<double>(z.q, z.p); };
  for (const auto& c : cases()) {
    if (c.label.find("sphere") == std::string::npos) continue;
    for (const Flow& flow : {svc(), midpoint(), sva(), se1()})
      EXPECT_NEAR(L(run(c, flow, 0.05, 200, c.z)), L(c.z), 200 * 1e-15 * 10) << flow.name;
  }
}

// A bowl of radius R: a point that would move further than R sideways within a step finds no place.
TEST(DiscreteSmooth, NoSolutionIsReportedByName) {
  Disc bowl;
  bowl.inside = true, bowl.g = 0;
  const auto system = dense(bowl);
  for (const Flow& flow : {svc(), midpoint()})
    for (const double angle : {0.0, 0.3, 1.0, 2.0, 4.0})
      for (const double moved : {0.5, 0.99, 1.01, 1.1, 1.5, 3.0, 10.0, 100.0}) {
        const Values q = values({std::cos(angle), std::sin(angle)}), t = values({-q[1], q[0]});
        GviStepper stepper(system, SteadyFlow(flow, 0.1), {});
        const auto r = stepper.step(0, {q, bowl.m * moved / 0.1 * t});
        EXPECT_EQ(r.failure.has_value(), moved > 1) << moved;
        if (!r.failure) continue;
        EXPECT_NE(r.failure->reason.find("no solution; reduce the step"), std::string::npos)
            << moved << ": " << r.failure->reason;
        EXPECT_EQ(r.failure->contact, "contact 1");
      }
}

// Random contacts in a corner: every solution found satisfies the complementarity, also those that need the
// smoothed equations (more than 60 iterations), near the origin and far from it, for steps of either sign.
struct Corner : LocalSystem<Corner> {
  Values m = Values::Ones(5), apex = Values::Zero(5);
  Eigen::Matrix<double, 5, 5> G;
  double bend = 0;
  const Values& masses() const { return m; }
  void potential(auto&& term) const {
    term(std::array{0, 1, 2, 3, 4},
         [](const auto& y) { return 0.3 * y[0] * y[1] + 0.2 * cos(y[2] - y[3]) + y[4]; });
  }
  void contacts(auto&& gap) const {
    for (int i = 0; i < 5; ++i)
      gap(i, std::array{0, 1, 2, 3, 4}, [this, i](const auto& y) {
        auto sum = 0.0 * y[0], square = 0.0 * y[0];
        for (int k = 0; k < 5; ++k) {
          const auto d = y[k] - apex[k];
          sum = sum + G(i, k) * d, square = square + d * d;
        }
        return sum + bend * square;
      });
  }
  int contacts_in_all() const { return 5; }
  int joints_in_all() const { return 0; }
  void each_joint(auto&&) const {}
};
TEST(DiscreteSmooth, RandomCornersWithFiveContacts) {
  std::mt19937_64 random(20120616);
  std::normal_distribution<double> normal;
  const std::vector<int> all{0, 1, 2, 3, 4};
  int smoothed = 0, solved = 0, failed = 0, failed_flat = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    Corner m;
    for (double& x : m.G.reshaped()) x = normal(random);
    for (double& x : m.apex) x = trial % 2 ? 100 * normal(random) : 0;
    m.bend = trial % 3 ? 0.3 : 0;
    const double h = (trial % 4 < 2 ? 0.1 : 1e-3) * (trial % 5 ? 1 : -1), sign = h < 0 ? -1 : 1;
    Values q = m.apex, p(5), g, v(5);
    for (double& x : p) x = normal(random);
    const Values p0 = p;
    SmoothStep step(m);
    const Outcome outcome =
        step(std::get<Rule>(svc().substeps[0].block), 0, h, q, p, all, Hold::unilateral, {});
    failed += !outcome.ok(), failed_flat += !outcome.ok() && m.bend == 0;
    smoothed += outcome.iterations > 60;
    if (!outcome.ok()) continue;
    ++solved;
    m.gaps(0, q, g);
    // Gaps are known to the rounding errors of q, and impulses to what those are over a step.
    const double size = 5 * std::fmax(1.0, q.lpNorm<Eigen::Infinity>()),
                 known = 1e-12 * (1 + p0.norm()) + 4e-15 * size / std::abs(h);
    SparseRows rows;
    m.gap_slopes(0, m.apex, all, rows);
    Values residual = p0 + step.Ld.minus;
    for (int k = 0; k < 5; ++k) {
      rows[k].add_to(residual, step.multiplier(k));
      EXPECT_GE(sign * step.multiplier(k), -known) << trial;
      EXPECT_GE(g[k], -1e-13 * size) << trial;
      EXPECT_TRUE(std::abs(step.multiplier(k)) <= known || std::abs(g[k]) <= 1e-12 * size) << trial;
    }
    EXPECT_LT(residual.norm(), 1e-12 * Values(step.Ld.minus).norm() + known) << trial;
  }
  std::printf("%d solved, %d of them by the smoothed equations; %d failed\n", solved, smoothed, failed);
  EXPECT_EQ(failed_flat, 0);
  EXPECT_LT(failed, 20) << "where gradients at both ends of a step differ as much as the contacts do";
  EXPECT_GT(smoothed, 0);
}

}  // namespace
}  // namespace carom::test
