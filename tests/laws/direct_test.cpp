// Direct substitution is what it claims to be, and no more: the flows it is made from where nothing is
// touched, constraints kept where they are evaluated, and energy kept nowhere (003, Theorem B.1, Figs. 1.3
// and 5.1).
#include "carom/contact/direct.hpp"

#include "support/local_systems.hpp"

namespace carom::test {
namespace {

struct Ball {
  static constexpr int dim = 1;
  Matrix<double, 1> mass() const { return Matrix<double, 1>::Identity(); }
  template <class S>
  S potential(const Vector<S, 1>& q) const {
    return 9.8 * q[0];
  }
  template <class S>
  Vector<S, 1> gaps(const Vector<S, 1>& q) const {
    return q;
  }
};

struct Rod {
  static constexpr int dim = 2;
  Eigen::Matrix2d mass() const { return Eigen::Matrix2d::Identity(); }
  template <class S>
  S potential(const Vector<S, 2>& q) const {
    return 9.81 * q[1];
  }
  template <class S>
  Vector<S, 1> joints(const Vector<S, 2>& q) const {
    return Vector<S, 1>(sqrt(q[0] * q[0] + q[1] * q[1]) - 1.0);
  }
};

template <class Sys>
SystemRef over(const Sys& system) {
  return {std::make_shared<AutodiffSystem<Sys>>(system)};
}

Phase stepped(DirectStepper& stepper, Phase z, int steps, double h) {
  for (int n = 0; n < steps; ++n) {
    const auto r = stepper.step(n * h, z);
    if (r.failure) ADD_FAILURE() << r.failure->reason;
    z = r.step.z;
  }
  return z;
}

TEST(Direct, WithoutContactsItIsTheMethodItIsMadeFrom) {
  const SpringAndSphere spring;
  const double h = 0.02;  // both stay off the circle meanwhile
  const State<double, 4> z0{{3, 0.5, -3, 0.7}, {0.3, -0.2, 0.1, 0.4}};
  const std::vector<std::pair<DirectScheme, Flow>> same = {{DirectScheme::midpoint(), midpoint()},
                                                           {DirectScheme::endpoint(), midpoint()},
                                                           {DirectScheme::imex_newmark(0, 0.5), svc()}};
  for (const auto& [scheme, flow] : same) {
    DirectStepper stepper(over(spring), scheme, h);
    auto z = z0;
    for (int n = 0; n < 20; ++n) z = flow_step(spring, flow, n * h, h, z).z;
    const Phase direct = stepped(stepper, {z0.q, z0.p}, 20, h);
    EXPECT_LT((direct.q - z.q).norm() + (direct.p - z.p).norm(), 1e-12) << flow.name;
  }
}

// Two-sided: Newmark's method is of order 2 for gamma = 1/2 and of order 1 otherwise.
TEST(Direct, OrdersOfNewmark) {
  const SpringAndSphere spring;
  const Phase z0{values({3, 0.5, -3, 0.7}), values({0.3, -0.2, 0.1, 0.4})};
  for (const double gamma : {0.5, 0.7}) {
    std::vector<Phase> ends;
    for (const int steps : {200, 400, 800}) {
      DirectStepper stepper(over(spring), DirectScheme::newmark(0.25, gamma), 0.5 / steps);
      ends.push_back(stepped(stepper, z0, steps, 0.5 / steps));
    }
    const double order = std::log2((ends[0].q - ends[1].q).norm() / (ends[1].q - ends[2].q).norm());
    EXPECT_NEAR(order, gamma == 0.5 ? 2 : 1, 0.1) << gamma;
  }
}

// 003, Fig. 1.3: what a ball keeps of its speed depends on where in the step it hits.
TEST(Direct, RestitutionDependsOnThePhaseOfTheStep) {
  struct Case {
    DirectScheme scheme;
    double low, high;
  };
  const double h = 0.01;
  for (const auto& [scheme, low, high] :
       {Case{DirectScheme::midpoint(), 1.0 / 3, 3}, Case{DirectScheme::newmark(0.25, 0.5), 1.0 / 3, 3},
        Case{DirectScheme::endpoint(), 0, 1}, Case{DirectScheme::imex_newmark(0.25, 0.5), 0, 1}}) {
    double least = HUGE_VAL, most = 0;
    for (int i = 0; i < 1000; ++i) {
      DirectStepper stepper(over(Ball{}), scheme, h);
      Phase z{values({1 + 0.0442 * i / 1000}), values({0})};  // 0.0442 is what it falls in the step that hits
      const double H0 = 9.8 * z.q[0];
      int hit = -1;
      for (int n = 0; n < 100 && (hit < 0 || n <= hit + 4); ++n) {
        const auto r = stepper.step(n * h, z);
        ASSERT_FALSE(r.failure) << r.failure->reason;
        z = r.step.z;
        if (hit < 0 && !r.impacts.empty()) hit = n;
      }
      ASSERT_GE(hit, 0);
      const double kept = std::sqrt((0.5 * z.p[0] * z.p[0] + 9.8 * z.q[0]) / H0);
      least = std::fmin(least, kept), most = std::fmax(most, kept);
    }
    const double fall = 9.8 * h / std::sqrt(2 * 9.8);  // gravity within a step, over the speed
    EXPECT_NEAR(least, low, fall);
    EXPECT_NEAR(most, high, fall);
  }
}

// Theorem B.1 on Fig. 5.1: smooth sliding, and still neither energy nor angular momentum stays.
TEST(Direct, LosesEnergyAndMomentumEvenWhereMotionIsSmooth) {
  DirectStepper stepper(over(SpringAndSphere{}), DirectScheme::endpoint(), 0.5);
  const Phase z = stepped(stepper, {values({4, -3, 3, -4}), values({0.6, 0.8, 0.8, 0.6})}, 200, 0.5);
  EXPECT_NEAR(AutodiffSystem(SpringAndSphere{}).hamiltonian(0, z.q, z.p), 4.020, 5e-4);
  const double L = angular_momentum<double>(Vector<double, 4>(z.q), Vector<double, 4>(z.p));
  EXPECT_NEAR(L, 0.138, 5e-4);
}

TEST(Direct, ConstraintsHoldWhereTheyAreEvaluated) {
  DirectStepper sliding(over(SpringAndSphere{}), DirectScheme::endpoint(), 0.5);
  Phase z{values({4, -1, 3, -4}), values({1 / std::sqrt(17.0), 4 / std::sqrt(17.0), 0.8, 0.6})};
  Values g;
  for (int n = 0; n < 500; ++n) {
    const auto r = sliding.step(0.5 * n, z);
    ASSERT_FALSE(r.failure) << r.failure->reason;
    z = r.step.z;
    AutodiffSystem(SpringAndSphere{}).gaps(0, z.q, g);
    ASSERT_GE(g.minCoeff(), -1e-12);
  }
  DirectStepper swinging(over(Rod{}), DirectScheme::endpoint(), 0.01);
  z = stepped(swinging, {values({1, 0}), values({0, 0})}, 500, 0.01);
  EXPECT_LT(std::abs(z.q.norm() - 1), 1e-13);
}

// Newmark's method remembers the contact force of the step before; numbers() hands it on.
TEST(Direct, GoesOnFromItsNumbers) {
  const auto scheme = DirectScheme::newmark(0.25, 0.5);
  DirectStepper whole(over(SpringAndSphere{}), scheme, 0.25), part(over(SpringAndSphere{}), scheme, 0.25),
      rest(over(SpringAndSphere{}), scheme, 0.25);
  const Phase z0{values({4, -3, 3, -4}), values({0.6, 0.8, 0.8, 0.6})};
  const Phase end = stepped(whole, z0, 40, 0.25), middle = stepped(part, z0, 20, 0.25);
  std::vector<double> kept;
  keep_numbers(part, [&kept](auto& x) { kept.push_back(static_cast<double>(x)); });
  std::size_t next = 0;
  keep_numbers(rest, [&](auto& x) { x = static_cast<std::decay_t<decltype(x)>>(kept[next++]); });
  const Phase again = stepped(rest, middle, 20, 0.25);
  EXPECT_EQ(again.q, end.q);
  EXPECT_EQ(again.p, end.p);
}

}  // namespace
}  // namespace carom::test
