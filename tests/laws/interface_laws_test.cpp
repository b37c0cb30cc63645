// One law suite over every kind of system: derivatives against differences of what they are derivatives
// of, and steps without contacts against those of the core.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "support/flow_cases.hpp"
#include "support/local_systems.hpp"

namespace carom::test {
namespace {

struct Case {
  std::string label;
  std::shared_ptr<const System> system;
  Phase z;
  std::function<StepResult<double, Eigen::Dynamic>(const Flow&, double h, const Phase&)>
      core;  // its flow_step, where it has one
};

template <SystemStruct Sys>
Case of_core(const char* label, const Sys& system, const Values& q, const Values& p) {
  const auto step = [system](const Flow& flow, double h, const Phase& z) {
    const auto r = flow_step(system, flow, 0.3, h, State<double, Sys::dim>{z.q, z.p});
    return StepResult<double, Eigen::Dynamic>{{r.z.q, r.z.p}, r.action, r.energy, r.work, r.outcome};
  };
  return {label, std::make_shared<AutodiffSystem<Sys>>(system), {q, p}, step};
}

// The chain's Lagrangian over all coordinates at once, for the core.
struct DenseChain {
  static constexpr int dim = 8;
  template <class S>
  S potential(const Vector<S, 8>& q) const {
    S V(0.0);
    Chain(4).potential([&](const auto& at, const auto& term) {
      Vector<S, static_cast<int>(std::tuple_size_v<std::decay_t<decltype(at)>>)> y;
      for (std::size_t i = 0; i < at.size(); ++i) y[static_cast<int>(i)] = q[at[i]];
      V = V + term(y);
    });
    return V;
  }
  Matrix<double, 8> mass() const { return Vector<double, 8>(Chain(4).m).asDiagonal(); }
};

struct Driven : CartPendulum {
  template <class S>
  Vector<S, 2> force(const S& t, const Vector<S, 2>&, const Vector<S, 2>& v) const {
    return {sin(3.0 * t) - 0.2 * v[0], -0.1 * v[1] * v[0]};
  }
};

std::vector<Case> interface_cases() {
  std::vector<Case> r;
  Values q(8), p(8);
  q << 0.6, -0.8, 0.9, -1.9, 1.1, -2.7, 2.2, -2.5, p << 0.4, 0.3, -0.7, 0.1, 0.5, -0.9, 0.2, 0.6;
  Case chain = of_core("the same chain, dense", DenseChain{}, q, p);
  r.push_back({"chain", std::make_shared<Chain>(4), chain.z, chain.core});
  r.push_back(chain);
  r.push_back(of_core("pogo, constant mass", Pogo{}, values({5.7, 0.8}), values({0.2, -0.9})));
  r.push_back(
      of_core("spring and sphere", SpringAndSphere{}, values({4, -1, 3, -3.9}), values({.3, 1, .8, .5})));
  r.push_back(
      of_core("cart-pendulum, variable mass", CartPendulum{}, values({1.2, 0.7}), values({-0.4, 1.1})));
  r.push_back(of_core("forced", Driven{}, values({1.2, 0.7}), values({-0.4, 1.1})));
  r.push_back(of_core("double pendulum", DoublePendulum{}, values({0.5, 0.9}), values({0.7, -1.1})));
  r.push_back(of_core("not quadratic", FastDisc{}, values({0.9, 1.1}), values({7.0, -4.0})));
  const auto built_in = [&r](const char* label, std::shared_ptr<const System> system, const Values& at) {
    Values momenta(at.size());
    for (int i = 0; i < at.size(); ++i) momenta[i] = std::sin(1.0 + 2.0 * i);
    r.push_back({label, std::move(system), {at, momenta}, {}});
  };
  const CradleShape three{.balls = 3, .gap = 0.02};
  built_in("column", std::make_shared<BallColumn>(4), values({0.6, 1.7, 2.9, 3.8}));
  built_in("cradle", std::make_shared<CradleInCoordinates>(three),
           CradleInCoordinates(three).at(values({-0.5, 0.1, 0.3})));
  built_in("cradle in angles", std::make_shared<CradleInAngles>(three), values({-0.5, 0.1, 0.3}));
  built_in("Lennard-Jones chain", std::make_shared<LennardJonesChain>(4), LennardJonesChain(4).zigzag());
  return r;
}

// Central differences of f along coordinate i: error about 1e-10 of values of order one to a hundred.
constexpr double apart = 1e-5, by_differences = 2e-8;
template <class F>
Values slope_of(F&& f, const Values& x, int i) {
  Values a = x, b = x;
  a[i] -= apart, b[i] += apart;
  return (f(b) - f(a)) / (2 * apart);
}

// What curvature() adds, read off a matrix that couples everything by solving for its columns.
Eigen::MatrixXd curvature_of(const System& m, const Values& q, const Values& v, const System::Weights& w) {
  const int n = m.size();
  KktMatrix matrix;
  std::vector<std::array<int, 2>> pairs;
  m.couplings(pairs);
  matrix.arrange(n, pairs, SparseRows{});
  Eigen::MatrixXd inverse(n, n);
  matrix.set_zero();
  m.curvature(0, q, v, w, matrix);
  for (int i = 0; i < n; ++i) matrix.add(i, i, 1e3);  // far from singular
  EXPECT_TRUE(matrix.factor());
  for (int i = 0; i < n; ++i) {
    Values x = Values::Unit(n, i), none(0);
    matrix.solve(x, none);
    inverse.col(i) = x;
  }
  return inverse.inverse() - 1e3 * Eigen::MatrixXd::Identity(n, n);
}

TEST(InterfaceLaws, SlopesAreThoseOfL) {
  for (const auto& c : interface_cases()) {
    const int n = c.system->size();
    Values v(n), Lq(n), Lv(n), unused(n), too(n);
    ASSERT_TRUE(c.system->velocity(0, c.z.q, c.z.p, v)) << c.label;
    c.system->slopes(0, c.z.q, v, Lq, Lv);
    EXPECT_LT((Lv - c.z.p).norm(), 1e-13 * c.z.p.norm()) << c.label << ": velocity() inverts Lv";
    const auto L = [&](const Values& q, const Values& u) {
      return Values::Constant(1, c.system->slopes(0, q, u, unused, too)).eval();
    };
    for (int i = 0; i < n; ++i) {
      EXPECT_NEAR(slope_of([&](const Values& q) { return L(q, v); }, c.z.q, i)[0], Lq[i],
                  by_differences * (1 + Lq.norm()))
          << c.label;
      EXPECT_NEAR(slope_of([&](const Values& u) { return L(c.z.q, u); }, v, i)[0], Lv[i],
                  by_differences * (1 + Lv.norm()))
          << c.label;
    }
    EXPECT_NEAR(c.system->hamiltonian(0, c.z.q, c.z.p), c.z.p.dot(v) - L(c.z.q, v)[0], 1e-12) << c.label;
  }
}

TEST(InterfaceLaws, CurvatureIsTheSlopeOfSlopes) {
  for (const auto& c : interface_cases()) {
    const int n = c.system->size();
    Values v(n), Lq(n), Lv(n);
    ASSERT_TRUE(c.system->velocity(0, c.z.q, c.z.p, v)) << c.label;
    const auto Lq_at = [&](const Values& q, const Values& u) {
      return c.system->slopes(0, q, u, Lq, Lv), Lq;
    };
    const auto Lv_at = [&](const Values& q, const Values& u) {
      return c.system->slopes(0, q, u, Lq, Lv), Lv;
    };
    Eigen::MatrixXd Lqq(n, n), Lqv(n, n), Lvv(n, n);
    for (int i = 0; i < n; ++i) {
      Lqq.col(i) = slope_of([&](const Values& q) { return Lq_at(q, v); }, c.z.q, i);
      Lqv.col(i) = slope_of([&](const Values& u) { return Lq_at(c.z.q, u); }, v, i);
      Lvv.col(i) = slope_of([&](const Values& u) { return Lv_at(c.z.q, u); }, v, i);
    }
    const double tolerance = by_differences * (1 + Lqq.norm() + Lqv.norm() + Lvv.norm());
    for (const System::Weights w : {System::Weights{.vv = 1},
                                    {.qq = 1},
                                    {.qv = 1},
                                    {.vq = 1},
                                    {.qq = 0.3, .qv = -0.7, .vq = 0.4, .vv = 2}}) {
      const Eigen::MatrixXd expected = w.qq * Lqq + w.qv * Lqv + w.vq * Lqv.transpose() + w.vv * Lvv;
      EXPECT_LT((curvature_of(*c.system, c.z.q, v, w) - expected).norm(), tolerance) << c.label;
    }
    if (!c.system->constant_mass()) continue;
    const Values u = Values::LinSpaced(n, -1, 1);
    Values Vqq_u(n);
    c.system->stiffness(0, c.z.q, u, Vqq_u);
    EXPECT_LT((Vqq_u + Lqq * u).norm(), tolerance) << c.label;
  }
}

// Any choice of contacts, in ascending order, one row each.
TEST(InterfaceLaws, GapAndJointSlopes) {
  for (const auto& c : interface_cases()) {
    const System& m = *c.system;
    Values g(m.contact_count()), f;
    const auto gaps = [&](const Values& q) { return m.gaps(0, q, g), g; };
    const auto joints = [&](const Values& q) { return m.joints(0, q, f), f; };
    for (int set = 0; set < 1 << m.contact_count(); ++set) {
      std::vector<int> which;
      for (int i = 0; i < m.contact_count(); ++i)
        if (set >> i & 1) which.push_back(i);
      SparseRows rows;
      m.gap_slopes(0, c.z.q, which, rows);
      ASSERT_EQ(rows.size(), static_cast<int>(which.size())) << c.label;
      for (int i = 0; i < m.size(); ++i) {
        const Values expected = slope_of(gaps, c.z.q, i);
        for (std::size_t k = 0; k < which.size(); ++k)
          EXPECT_NEAR(rows[static_cast<int>(k)].dot(Values::Unit(m.size(), i)), expected[which[k]],
                      by_differences)
              << c.label;
      }
    }
    SparseRows rows;
    m.joint_slopes(0, c.z.q, rows);
    ASSERT_EQ(rows.size(), m.joint_count()) << c.label;
    for (int i = 0; i < m.size(); ++i)
      for (int k = 0; k < rows.size(); ++k)
        EXPECT_NEAR(rows[k].dot(Values::Unit(m.size(), i)), slope_of(joints, c.z.q, i)[k], by_differences)
            << c.label;
  }
}

// Contacts that are too far away to be told have no gradient, and those told keep theirs.
struct FarAway : LocalSystem<FarAway> {
  Values m = Values::Ones(3);
  const Values& masses() const { return m; }
  void potential(auto&&) const {}
  void contacts(auto&& gap) const {
    gap(1, std::array{1}, [](const auto& y) { return 2.0 * y[0]; });
    gap(3, std::array{2}, [](const auto& y) { return 3.0 * y[0]; });
  }
  int contacts_in_all() const { return 5; }
  int joints_in_all() const { return 0; }
  void each_joint(auto&&) const {}
};
TEST(InterfaceLaws, ContactsThatAreLeftOut) {
  const FarAway m;
  const Values q = values({1, 2, 3});
  Values g;
  m.gaps(0, q, g);
  EXPECT_EQ(g, values({HUGE_VAL, 4, HUGE_VAL, 9, HUGE_VAL}));
  SparseRows rows;
  m.gap_slopes(0, q, std::vector{0, 1, 2, 3, 4}, rows);
  ASSERT_EQ(rows.size(), 5);
  EXPECT_EQ(rows[0].at.size() + rows[2].at.size() + rows[4].at.size(), 0u);
  EXPECT_EQ(rows[1].dot(q), 4);
  EXPECT_EQ(rows[3].dot(q), 9);
}

TEST(InterfaceLaws, StepsWithoutContactsAreThoseOfTheCore) {
  std::vector<FlowCase> flows;
  for (const char* name : {"se1", "se2", "midpoint", "svc", "sva", "svb"})
    flows.push_back({name, make_flow(name)});
  flows.push_back({"gamma", make_flow("gamma", {.gamma = 0.3})});
  for (const char* base : {"sva", "svc", "midpoint"})
    flows.push_back({base, make_flow("yoshida4", {.base = base})});
  for (const auto& c : interface_cases()) {
    if (!c.core) continue;  // the core has no such system
    HeldFlow held(*c.system);
    for (const auto& [label, flow] : flows)
      for (const double h : {0.02, -0.02}) {
        const auto expected = c.core(flow, h, c.z);
        Phase z = c.z;
        const Spent spent = held(flow, 0.3, h, z, {}, HeldFlow::Hold::bilateral, {.joints = false});
        ASSERT_TRUE(spent.outcome.ok() && expected.outcome.ok()) << c.label << ", " << label;
        const double size = 1 + z.q.lpNorm<Eigen::Infinity>() + z.p.lpNorm<Eigen::Infinity>();
        EXPECT_LT(distance(z, expected.z), 1e-13 * size) << c.label << ", " << label << ", " << h;
        const double energy = 1 + std::abs(expected.energy);
        EXPECT_NEAR(spent.action, expected.action, 1e-13 * energy) << c.label << ", " << label;
        EXPECT_NEAR(spent.energy, expected.energy, 1e-12 * energy) << c.label << ", " << label;
        EXPECT_NEAR(spent.work, expected.work, 1e-13 * energy) << c.label << ", " << label;
      }
  }
}

// H~ = p·q' - A' from the iterates of the core's own steps.
double shadow_of_iterates(const SpringAndSphere& system, const SteadyFlow& flow, const State<double, 4>& z,
                          int m) {
  const auto w = interpolation_weights(-m, 2 * m + 1, 0);
  double sum = w.slope[m] * z.p.dot(z.q);
  for (const int sign : {1, -1}) {
    auto state = z;
    double action = 0;
    for (int k = 1; k <= m; ++k) {
      const auto step = flow_step(system, sign > 0 ? flow.forward : flow.backward, 0.0, flow.h, state);
      state = step.z, action += step.action;
      sum += w.slope[m + sign * k] * (z.p.dot(state.q) - action);
    }
  }
  return sum / flow.h;
}
TEST(InterfaceLaws, ShadowEnergyIsThatOfTheIterates) {
  const SpringAndSphere own;
  const auto system = dense(own);
  HeldFlow held(*system);
  const Vector<double, 4> q(4, -1, 3, -3.9), p(.3, 1, .8, .5);
  for (const Flow& flow : {svc(), midpoint(), sva()})
    for (const int m : {1, 2, 4}) {
      const SteadyFlow steady(flow, 0.05);
      EXPECT_NEAR(held.shadow_energy(steady, 0, {q, p}, m, {}), shadow_of_iterates(own, steady, {q, p}, m),
                  1e-11);
    }
}

}  // namespace
}  // namespace carom::test
