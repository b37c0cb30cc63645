// The impact law of frictional_impact.hpp: Darboux and Keller's with Stronge's restitution where one contact
// is hit, and what it promises for any number of them, whatever W, mu and e are.
#include "carom/contact/friction/frictional_impact.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <random>

namespace carom {
namespace {

using Matrix2 = Eigen::Matrix2d;

double uniform(std::mt19937_64& random, double low, double high) {
  return low + (high - low) * static_cast<double>(random() >> 11) * 0x1p-53;
}
double normal(std::mt19937_64& random) {
  return std::sqrt(-2 * std::log(uniform(random, 1e-300, 1))) *
         std::cos(6.283185307179586 * uniform(random, 0, 1));
}

ContactEquations one(const Matrix2& W, double v, double u, double mu) {
  ContactEquations e;
  e.resize(1);
  for (int i = 0; i < 2; ++i)
    for (int k = 0; k < 2; ++k) e.w(i, k) = W(i, k);
  e.b = {v, u}, e.set_mu(0, mu);
  return e;
}

// Keller, "Impact with friction" (1986): the normal impulse is time. Slip obeys Coulomb's law at each of
// them; it is compressed until v = 0, and restitution gives e² of the work of compression back (Stronge
// 1990).
struct Keller {
  Matrix2 W;
  double v, u, mu, e;
  double Pn = 0, Pt = 0, work = 0;
  int reversals = 0, falls = 0;

  double friction() const {
    if (u != 0) return u > 0 ? -mu : mu;
    const double needed = -W(1, 0) / W(1, 1);
    return std::abs(needed) <= mu ? needed : std::copysign(mu, needed);
  }
  void go(double dP, double ft, bool stops) {
    const double dv = W(0, 0) + W(0, 1) * ft, du = W(1, 0) + W(1, 1) * ft;
    work += dP * (v + 0.5 * dP * dv);
    Pn += dP, Pt += ft * dP, v += dP * dv, u = stops || du == 0 ? 0 : u + dP * du;
  }
  void solve() {
    double target = 0;
    for (bool compression = true;;) {
      const bool from_rest = u == 0;
      const double ft = friction(), dv = W(0, 0) + W(0, 1) * ft;
      double du = W(1, 0) + W(1, 1) * ft;
      if (from_rest && std::abs(ft) < mu) du = 0;
      falls += dv < 0, reversals += from_rest && du != 0 && Pn > 0;
      const double stop = u * du < 0 ? -u / du : HUGE_VAL;
      const double gap = compression ? 0 : target - work;
      const double end =
          compression ? (dv > 0 ? -v / dv : HUGE_VAL) : 2 * gap / (v + std::sqrt(v * v + 2 * dv * gap));
      if (stop < end) {
        go(stop, ft, true);
        continue;
      }
      const double keep = from_rest && du == 0 ? 0 : u + end * du;
      go(end, ft, false), u = keep;
      if (!compression) return;
      compression = false, v = 0, target = (1 - e * e) * work;
      if (!(e > 0)) return;
    }
  }
};

TEST(FrictionalImpact, OfOneContactIsDarbouxKellerWithStrongesRestitution) {
  std::mt19937_64 random(20261118);
  FrictionalImpact law;
  int reversals = 0, falls = 0;
  double worst = 0;
  for (int k = 0; k < 20000; ++k) {
    // A rigid body of mass 1, hit at (x, y) from its centre.
    const double x = 2 * normal(random), y = 2 * normal(random), inertia = uniform(random, 0.2, 3);
    const Matrix2 W{{1 + x * x / inertia, -x * y / inertia}, {-x * y / inertia, 1 + y * y / inertia}};
    Keller exact{.W = W,
                 .v = -uniform(random, 0.01, 2),
                 .u = k % 10 == 0 ? 0 : 0.6 * normal(random),
                 .mu = uniform(random, 0, 3),
                 .e = uniform(random, 0, 1)};
    law(one(W, exact.v, exact.u, exact.mu), {exact.e});
    exact.solve();
    reversals += exact.reversals > 0, falls += exact.falls > 0;
    const double off = std::hypot(law.P[0] - exact.Pn, law.P[1] - exact.Pt) / std::hypot(exact.Pn, exact.Pt);
    worst = std::fmax(worst, off);
    ASSERT_LE(off, 1e-12) << "case " << k << ": " << law.P[0] << ", " << law.P[1] << " and " << exact.Pn
                          << ", " << exact.Pt;
  }
  RecordProperty("worst", std::to_string(worst));
  EXPECT_GT(reversals, 1000);
  EXPECT_GT(falls, 1000);
}

struct RandomImpact {
  Eigen::MatrixXd J;
  Eigen::VectorXd v;
  ContactEquations e;
  std::vector<double> restitution;
};

// How many cases; CAROM_CASES=100000 asks for more of them.
int cases(int usual) {
  const char* const asked = std::getenv("CAROM_CASES");
  return asked ? std::atoi(asked) : usual;
}

// In the plane with 1 tangent each, in space with 2.
RandomImpact random_impact(std::mt19937_64& random, bool dependent, int tangents = 1) {
  const int n = 1 + static_cast<int>(random() % 6), rows = (1 + tangents) * n;
  const int dof = dependent ? 3 + static_cast<int>(random() % rows) : rows + static_cast<int>(random() % 3);
  RandomImpact r{Eigen::MatrixXd(rows, dof), Eigen::VectorXd(dof), {}, {}};
  for (auto& x : r.J.reshaped()) x = normal(random);
  for (auto& x : r.v) x = normal(random);
  const Eigen::MatrixXd W = r.J * r.J.transpose();
  const Eigen::VectorXd w = r.J * r.v;
  r.e.resize(n, tangents);
  for (int i = 0; i < rows; ++i) {
    r.e.b[i] = w[i];
    for (int k = 0; k < rows; ++k) r.e.w(i, k) = W(i, k);
  }
  for (int i = 0; i < n; ++i)
    r.e.set_mu(i, uniform(random, 0, 3)), r.restitution.push_back(uniform(random, 0, 1));
  return r;
}

// M = 1: with p = v the energy is ½|v|².
void expect_guarantees(int tangents, int count) {
  std::mt19937_64 random(71);
  FrictionalImpact law;
  std::array<int, 5> ways{};
  double most_gain = -HUGE_VAL, most_cone = 0, most_left = 0;
  int most_rounds = 0;
  for (int k = 0; k < count; ++k) {
    const RandomImpact c = random_impact(random, k % 2 == 1, tangents);
    law(c.e, c.restitution);
    ++ways[static_cast<std::size_t>(law.way)], most_rounds = std::max(most_rounds, law.rounds);
    const Eigen::VectorXd P = Eigen::Map<const Eigen::VectorXd>(law.P.data(), c.J.rows());
    const Eigen::VectorXd after = c.v + c.J.transpose() * P, w = c.J * after;
    const double T = 0.5 * c.v.squaredNorm(), gain = (0.5 * after.squaredNorm() - T) / T;
    // What rounding leaves of impulses that all but cancel.
    const double rounding = 1e-15 * (c.J.cwiseAbs() * (c.J.transpose().cwiseAbs() * P.cwiseAbs())).maxCoeff();
    double approach = 0, left = 0, cone = 0;
    for (int i = 0; i < c.e.count; ++i) {
      const int n = c.e.normal(i);
      approach = std::fmax(approach, -c.e.b[n]), left = std::fmax(left, -w[n]);
      cone = std::fmax(
          cone, (P.segment(n + 1, tangents).norm() - c.e.mu[i] * P[n]) / (1e-300 + P.cwiseAbs().maxCoeff()));
    }
    most_gain = std::fmax(most_gain, gain), most_cone = std::fmax(most_cone, cone);
    if (approach > 0) most_left = std::fmax(most_left, left / approach);
    ASSERT_LE(gain, 1e-13) << "case " << k << ", " << c.e.count << " contacts, way "
                           << static_cast<int>(law.way);
    ASSERT_LE(cone, 1e-13) << "case " << k;
    ASSERT_LE(left, 1e-9 * approach + rounding)
        << "case " << k << ", " << c.e.count << " contacts, way " << static_cast<int>(law.way);
    ASSERT_FALSE(law.squeezed) << "case " << k;
  }
  std::cout << "ways: none " << ways[0] << ", usual " << ways[1] << ", without modes " << ways[2]
            << ", plastic " << ways[3] << ", convex " << ways[4] << "; gain " << most_gain << " T, cone "
            << most_cone << ", approach left " << most_left << ", rounds " << most_rounds << '\n';
  for (const int times : ways) EXPECT_GT(times, 0);
}

TEST(FrictionalImpact, OfManyContactsNeverGainsEnergyKeepsItsConesOpensAndEnds) {
  expect_guarantees(1, cases(10000));
}

TEST(FrictionalImpact, InSpaceNeverGainsEnergyKeepsItsConesOpensAndEnds) { expect_guarantees(2, cases(400)); }

// In space with the normal impulse as time, by the classical method of order 4 in fixed steps, far shorter
// than the law's: du/dP = W_tn - mu W_tt u/|u|, where the slip does not end.
TEST(FrictionalImpact, OfOneContactInSpaceFollowsItsHodograph) {
  std::mt19937_64 random(5);
  FrictionalImpact law;
  int compared = 0;
  for (int k = 0; k < 400; ++k) {
    Eigen::Matrix<double, 3, 5> J;
    for (auto& x : J.reshaped()) x = normal(random);
    const Eigen::Matrix3d W = J * J.transpose();
    const double mu = uniform(random, 0.05, 1);
    ContactEquations e;
    e.resize(1, 2), e.set_mu(0, mu);
    for (int i = 0; i < 3; ++i) {
      e.b[i] = normal(random);
      for (int j = 0; j < 3; ++j) e.w(i, j) = W(i, j);
    }
    e.b[0] = -std::abs(e.b[0]);
    law(e, {0.0});
    using State = Eigen::Matrix<double, 5, 1>;  // w, P_t
    const auto slope = [&](const State& y) {
      const Eigen::Vector2d friction = -mu * y.segment<2>(1).normalized();
      State r;
      r << W.col(0) + W.rightCols<2>() * friction, friction;
      return r;
    };
    const auto step = [&](const State& y, double s) -> State {
      const State a = slope(y), b = slope(y + 0.5 * s * a), c = slope(y + 0.5 * s * b), d = slope(y + s * c);
      return y + s / 6 * (a + 2 * b + 2 * c + d);
    };
    State y;
    y << e.b[0], e.b[1], e.b[2], 0, 0;
    const double s = law.P[0] / 4000;
    double slowest = HUGE_VAL, P = 0;
    for (; y[0] < 0 && P < 2 * law.P[0]; P += s) {
      y = step(y, s), slowest = std::fmin(slowest, y.segment<2>(1).norm());
    }
    if (slowest < 0.05 || y[0] < 0) continue;
    const double back = -y[0] / slope(y)[0];
    y = step(y, back), ++compared;
    EXPECT_NEAR(law.P[0], P + back, 1e-6 * law.P[0]) << k;
    EXPECT_NEAR(law.P[1], y[3], 1e-6 * law.P[0]) << k;
    EXPECT_NEAR(law.P[2], y[4], 1e-6 * law.P[0]) << k;
  }
  EXPECT_GT(compared, 100);
}

}  // namespace
}  // namespace carom
