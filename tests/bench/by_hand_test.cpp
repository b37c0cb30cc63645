// The systems that other packages are given in closed form are carom's own: the same motion, energy and
// walls.
#include <gtest/gtest.h>

#include "carom/carom.hpp"
#include "peers/cart_by_hand.hpp"
#include "peers/double_pendulum_by_hand.hpp"

namespace carom::bench {
namespace {

struct Motion {
  Vector<double, 2> v, a;
};

// Velocity, and acceleration as a difference along the motion.
template <SystemStruct Sys>
Motion moving(const Sys& system, const State<double, 2>& z) {
  const auto own = make_system(system);
  const auto take_step = make_free_flow(*own);
  const double step = 1e-6;
  const auto after = [&](double h) {
    Phase end{z.q, z.p};
    EXPECT_TRUE((*take_step)(gauss(4), 0.0, h, end).outcome.ok());
    Values v(2);
    EXPECT_TRUE(own->velocity(0, end.q, end.p, v));
    return v;
  };
  return {velocity(system, 0.0, z.q, z.p).x, (after(step) - after(-step)) / (2 * step)};
}

const State<double, 2> somewhere{{0.7, 1.3}, {2.1, -0.4}};

TEST(ByHand, TheCartPendulumIsCaroms) {
  const CartPendulum cart;
  const CartByHand hand;
  const auto [v, a] = moving(cart, somewhere);
  const double x[]{somewhere.q[0], somewhere.q[1], v[0], v[1]};
  double dxdt[4];
  hand.rates(x, dxdt);
  EXPECT_EQ(dxdt[0], v[0]);
  EXPECT_EQ(dxdt[1], v[1]);
  EXPECT_NEAR(dxdt[2], a[0], 1e-7);
  EXPECT_NEAR(dxdt[3], a[1], 1e-7);
  EXPECT_NEAR(hand.energy(x), hamiltonian(cart, 0.0, somewhere), 1e-13);
  const auto z = hand.phase(x);
  EXPECT_NEAR(z[2], somewhere.p[0], 1e-14);
  EXPECT_NEAR(z[3], somewhere.p[1], 1e-14);
}
TEST(ByHand, TheCartPendulumBouncesAsCaroms) {
  const CartByHand hand;
  double x[]{0, 1.3, -2.0, 0.5};
  const double H = hand.energy(x), along = hand.phase(x)[3];
  hand.bounce(x);
  EXPECT_EQ(x[2], 2.0);
  EXPECT_NEAR(hand.energy(x), H, 1e-13);
  EXPECT_NEAR(hand.phase(x)[3], along, 1e-14);
}
TEST(ByHand, TheDoublePendulumIsCaroms) {
  const DoublePendulum pendulum;
  const DoublePendulumByHand hand;
  const auto start = pendulum.start();
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(hand.q[i], start.q[i]);
    EXPECT_EQ(hand.p[i], (*start.p)[i]);
  }
  const auto [v, a] = moving(pendulum, somewhere);
  double M[4], C[2], G[2], own[2], slope[2];
  hand.mass(somewhere.q.data(), M);
  hand.gyroscopic(somewhere.q.data(), v.data(), C);
  hand.weight(somewhere.q.data(), G);
  EXPECT_NEAR(M[0] * a[0] + M[1] * a[1] + C[0] + G[0], 0, 1e-6);
  EXPECT_NEAR(M[2] * a[0] + M[3] * a[1] + C[1] + G[1], 0, 1e-6);
  hand.velocity(somewhere.q.data(), somewhere.p.data(), own);
  EXPECT_NEAR(own[0], v[0], 1e-14);
  EXPECT_NEAR(own[1], v[1], 1e-14);
  EXPECT_NEAR(hand.energy(somewhere.q.data(), v.data()), hamiltonian(pendulum, 0.0, somewhere), 1e-13);
  EXPECT_NEAR(hand.gap(somewhere.q.data()), pendulum.gaps(somewhere.q)[0], 1e-15);
  hand.gap_by_q(somewhere.q.data(), slope);
  Values gap, rate;
  make_system(pendulum)->moving_gaps(0, somewhere.q, v, gap, rate);
  EXPECT_NEAR(slope[0] * v[0] + slope[1] * v[1], rate[0], 1e-14);
}

// Derivatives beside differences, column by column.
TEST(ByHand, TheDoublePendulumsDerivativesAreTheirs) {
  const DoublePendulumByHand hand;
  const double q[]{0.7, 1.3}, v[]{2.1, -0.4}, step = 1e-6;
  double by_q[4], weight[4], by_v[4];
  hand.gyroscopic_by_q(q, v, by_q), hand.gyroscopic_by_v(q, v, by_v), hand.weight_by_q(q, weight);
  for (int j = 0; j < 2; ++j) {
    double ahead[]{q[0], q[1]}, behind[]{q[0], q[1]}, faster[]{v[0], v[1]}, slower[]{v[0], v[1]};
    ahead[j] += step, behind[j] -= step, faster[j] += step, slower[j] -= step;
    double a[2], b[2];
    const auto expect = [&](const double* J) {
      for (int i = 0; i < 2; ++i) EXPECT_NEAR(J[2 * j + i], (a[i] - b[i]) / (2 * step), 1e-8);
    };
    hand.gyroscopic(ahead, v, a), hand.gyroscopic(behind, v, b), expect(by_q);
    hand.gyroscopic(q, faster, a), hand.gyroscopic(q, slower, b), expect(by_v);
    hand.weight(ahead, a), hand.weight(behind, b), expect(weight);
  }
}

}  // namespace
}  // namespace carom::bench
