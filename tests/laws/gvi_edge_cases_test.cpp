// Where a GVI step could go wrong silently: contacts twice, without a gradient, infinitely far or undefined;
// forces in place of potentials; no momentum; steppers that are copied; what it was not made for.
#include <gtest/gtest.h>

#include "support/local_systems.hpp"

namespace carom::test {
namespace {

// A point in the plane, of a mass that differs with the direction.
struct Point {
  static constexpr int dim = 2;
  double g = 9.81;
  Eigen::Matrix2d mass() const { return Eigen::Vector2d(2, 3).asDiagonal(); }
  template <class S>
  S potential(const Vector<S, 2>& q) const {
    return g * (q[1] + 0.3 * q[0]);
  }
};

// The same wall three times, once of another length, and a corner with a third wall that adds nothing.
struct Redundant : Point {
  template <class S>
  Vector<S, 5> gaps(const Vector<S, 2>& q) const {
    Vector<S, 5> r;
    r << q[1] + 0.3 * q[0], 2.0 * q[1] + 0.6 * q[0], q[1] + 0.3 * q[0], q[0], q[0] + q[1];
    return r;
  }
};
TEST(GviEdgeCases, RedundantContactsRest) {
  const auto system = dense(Redundant{});
  for (const Flow& flow : {svc(), midpoint(), sva()}) {
    const auto r = run_gvi(system, flow, 0.01, 300, {values({0, 0}), values({0, 0})});
    ASSERT_FALSE(r.failure) << r.failure->reason;
    EXPECT_LE(r.z.q.norm(), 1e-15) << flow.name;
    EXPECT_LE(r.z.p.norm(), 1e-15) << flow.name;
    EXPECT_EQ(r.impacts, 0) << flow.name;
  }
  const auto hit = run_gvi(system, svc(), 0.01, 300, {values({0.4, 0.5}), values({-1, -2})});
  ASSERT_FALSE(hit.failure) << hit.failure->reason;
  EXPECT_GT(hit.impacts, 1);
  EXPECT_NEAR(hit.high, hit.low, 0.02 * hit.high);
}

// Pressed into a corner by a force that has no potential.
struct Pressed : Point {
  template <class S>
  Vector<S, 2> force(const S&, const Vector<S, 2>&, const Vector<S, 2>&) const {
    return {S(-9.0), S(-7.0)};
  }
  template <class S>
  Vector<S, 2> gaps(const Vector<S, 2>& q) const {
    return {0.6 * q[0] + 0.8 * q[1], q[0] * 0.9 - q[1] * 0.1};
  }
};
TEST(GviEdgeCases, ForcesHoldAContactToo) {
  Pressed pressed;
  pressed.g = 0;
  const auto system = dense(pressed);
  for (const Flow& flow : {svc(), midpoint()}) {
    const auto r = run_gvi(system, flow, 0.01, 1000, {values({0, 0}), values({0, 0})});
    ASSERT_FALSE(r.failure) << r.failure->reason;
    EXPECT_LE(r.z.q.norm(), 1e-13) << flow.name;
    EXPECT_EQ(r.impacts, 0) << flow.name;
  }
}

// A gap whose gradient vanishes where it closes cannot push.
struct Flat : Point {
  template <class S>
  Vector<S, 2> gaps(const Vector<S, 2>& q) const {
    return {q[1] * q[1], q[1] + 0.3 * q[0]};
  }
};
TEST(GviEdgeCases, AGradientThatVanishes) {
  const auto r = run_gvi(dense(Flat{}), svc(), 0.01, 200, {values({0, 0}), values({0, 0})});
  ASSERT_FALSE(r.failure) << r.failure->reason;
  EXPECT_LE(r.z.q.norm(), 1e-12);
}

// Undefined gaps are no open gaps.
struct Undefined : Point {
  static constexpr std::array gap_names{"floor", "arc"};
  template <class S>
  Vector<S, 2> gaps(const Vector<S, 2>& q) const {
    return {S(q[1] + 5.0), S(sqrt(1.0 - q[0]) + 0.1)};
  }
};
TEST(GviEdgeCases, UndefinedGapsAreReportedByName) {
  const auto r = run_gvi(dense(Undefined{}), svc(), 0.1, 300, {values({0, 0}), values({4, 0})});
  ASSERT_TRUE(r.failure);
  EXPECT_EQ(r.failure->contact, "arc");
  EXPECT_NE(r.failure->reason.find("undefined"), std::string::npos) << r.failure->reason;
}

// Two balls that touch, told only while they are close: one flies on sideways and is out of reach at once.
struct Near : System {
  bool close(const Values& q) const { return std::hypot(q[0], q[1]) < 1.05; }
  int size() const override { return 2; }
  int contact_count() const override { return 1; }
  int joint_count() const override { return 0; }
  double slopes(double, const Values&, const Values& v, Values& Lq, Values& Lv) const override {
    return Lq.setZero(), Lv = v, 0.5 * v.squaredNorm();
  }
  void curvature(double, const Values&, const Values&, const Weights& w, KktMatrix& into) const override {
    for (int i = 0; i < 2; ++i) into.add(i, i, w.vv);
  }
  void stiffness(double, const Values&, const Values&, Values& Vqq_u) const override { Vqq_u.setZero(); }
  void couplings(std::vector<std::array<int, 2>>&) const override {}
  void mass_couplings(std::vector<std::array<int, 2>>&) const override {}
  bool velocity(double, const Values&, const Values& p, Values& v) const override { return v = p, true; }
  void gaps(double, const Values& q, Values& g) const override {
    g.setConstant(1, close(q) ? std::hypot(q[0], q[1]) - 1 : HUGE_VAL);
  }
  void gap_slopes(double, const Values& q, std::span<const int> which, SparseRows& rows) const override {
    for (std::size_t k = 0; k < which.size(); ++k) {
      if (close(q)) rows.push(0, q[0] / std::hypot(q[0], q[1])), rows.push(1, q[1] / std::hypot(q[0], q[1]));
      rows.end_row();
    }
  }
  void joints(double, const Values&, Values& f) const override { f.resize(0); }
  void joint_slopes(double, const Values&, SparseRows&) const override {}
  void gap_bends(double, const Values& q, const Values& u, std::span<const int>,
                 Eigen::Ref<Values> bend) const override {
    const double r = std::hypot(q[0], q[1]), across = (q[0] * u[1] - q[1] * u[0]) / r;
    bend.setConstant(across * across / r);
  }
  void joint_bends(double, const Values&, const Values&, Values& bend) const override { bend.resize(0); }
};
TEST(GviEdgeCases, ContactsThatGoOutOfReach) {
  const SystemRef system{std::make_shared<Near>()};
  for (const Flow& flow : {svc(), midpoint()}) {
    const auto r = run_gvi(system, flow, 0.1, 3, {values({0, 1}), values({9, 0})});
    ASSERT_FALSE(r.failure) << r.failure->reason;
    EXPECT_LT((r.z.q - values({2.7, 1})).norm(), 1e-14);
    EXPECT_EQ(r.z.p, values({9, 0}));
  }
}

// An energy that cannot be had at first: saving a run's numbers must not change it.
struct Narrow {
  static constexpr int dim = 1;
  Eigen::Matrix<double, 1, 1> mass() const { return Eigen::Matrix<double, 1, 1>(1); }
  template <class S>
  S potential(const Vector<S, 1>& q) const {
    return sqrt(q[0]) + sqrt(3.0 - q[0]);  // undefined outside of (0, 3)
  }
  template <class S>
  Vector<S, 2> gaps(const Vector<S, 1>& q) const {
    return {q[0] - 0.5, 2.5 - q[0]};
  }
};
TEST(GviEdgeCases, SavingNumbersChangesNothing) {
  GviOptions options;
  options.energy = GviOptions::Energy::shadow;
  const auto system = dense(Narrow{});
  const double h = 0.4;
  GviStepper plain(system, SteadyFlow(svc(), h), options), saved(system, SteadyFlow(svc(), h), options);
  Phase a{values({0.6}), values({-0.9})}, b = a;
  std::size_t impacts = 0;
  for (int n = 0; n < 40; ++n) {
    const auto x = plain.step(n * h, a), y = saved.step(n * h, b);
    ASSERT_EQ(x.failure.has_value(), y.failure.has_value());
    ASSERT_FALSE(x.failure) << x.failure->reason;
    impacts += x.impacts.size();
    a = x.step.z, b = y.step.z;
    EXPECT_EQ(a.p, b.p) << n;
    keep_numbers(saved, [](auto&) {});
  }
  EXPECT_GT(impacts, 3u);
  std::vector<double> end, end_saved;
  keep_numbers(plain, [&](auto& x) { end.push_back(static_cast<double>(x)); });
  keep_numbers(saved, [&](auto& x) { end_saved.push_back(static_cast<double>(x)); });
  EXPECT_EQ(end, end_saved);  // not a NaN: it was found later
}

// What the stepper is not made for is refused where it is made.
TEST(GviEdgeCases, RefusesWhatItCannotDo) {
  GviOptions numerical, shadow;
  numerical.energy = GviOptions::Energy::numerical, shadow.energy = GviOptions::Energy::shadow;
  const auto pogo = dense(Pogo{}), cart = dense(CartPendulum{});
  EXPECT_THROW(GviStepper(pogo, SteadyFlow(gauss(2), 0.1), {}), InvalidInput);
  EXPECT_THROW(GviStepper(cart, SteadyFlow(svc(), 0.1), numerical), InvalidInput);
  EXPECT_THROW(GviStepper(pogo, SteadyFlow(se1(), 0.1), numerical), InvalidInput);
  shadow.order = 18;
  EXPECT_THROW(GviStepper(pogo, SteadyFlow(svc(), 0.1), shadow), InvalidInput);
  shadow.order = 0;
  EXPECT_THROW(GviStepper(pogo, SteadyFlow(svc(), 0.1), shadow), InvalidInput);
  EXPECT_THROW(GviStepper(pogo, SteadyFlow(svc(), -0.1), {}), InvalidInput);
  EXPECT_NO_THROW(GviStepper(pogo, SteadyFlow(make_flow("yoshida4", {.base = "svc"}), 0.1), {}));
}

}  // namespace
}  // namespace carom::test
