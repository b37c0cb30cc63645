// Which contacts stick, slide or open: against what is known of rods, boxes and blocks, and Coulomb's law
// itself for random contacts.
#include "carom/contact/friction/modes.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <random>

namespace carom {
namespace {

using Found = ModeSolver::Found;

ContactEquations equations(const Eigen::MatrixXd& W, const Eigen::VectorXd& b, std::vector<double> mu,
                           std::vector<signed char> slip) {
  ContactEquations e;
  e.resize(static_cast<int>(mu.size()));
  Eigen::VectorXd unit = W.diagonal().cwiseSqrt().cwiseInverse();
  for (int i = 0; i < W.rows(); ++i) {
    e.b[i] = unit[i] * b[i];
    for (int k = 0; k < W.cols(); ++k) e.w(i, k) = unit[i] * unit[k] * W(i, k);
  }
  for (std::size_t i = 0; i < mu.size(); ++i)
    e.set_mu(static_cast<int>(i), mu[i] * unit[2 * i] / unit[2 * i + 1]);
  e.slip = std::move(slip);
  return e;
}
std::vector<int> all_of(int n) {
  std::vector<int> all;
  for (int i = 0; i < n; ++i) all.push_back(i);
  return all;
}

// A rod of mass 1 and length 2 at 60°, whose foot slides to the right, with spin w: Painlevé's example.
TEST(FrictionModes, OfPainlevesRodAreOneNoneOrTwo) {
  constexpr double g = 9.81, angle = 1.0471975511965976, inertia = 1.0 / 3;
  const double s = std::sin(angle), c = std::cos(angle);
  Eigen::Matrix<double, 2, 3> J{{0, 1, -c}, {1, 0, s}};  // of the foot at (x - cos, y - sin)
  const Eigen::Vector3d inverse(1, 1, 1 / inertia);
  const Eigen::MatrixXd W = J * inverse.asDiagonal() * J.transpose();
  ModeSolver solver;
  for (const double mu : {0.5, 1.2, 1.5, 2.0})
    for (const double spin : {0.0, 3.0, 6.0, 9.0}) {
      const Eigen::Vector2d b(-g + s * spin * spin, c * spin * spin);
      for (const int side : {1, -1}) {
        const double A = W(0, 0) - mu * side * W(0, 1);
        const Found found = solver.solve(equations(W, b, {mu}, {static_cast<signed char>(side)}), {0}, true);
        const Found expected = A > 0 ? Found::one : b[0] < 0 ? Found::none : Found::several;
        EXPECT_EQ(found, expected) << "mu " << mu << ", spin " << spin << ", A " << A;
      }
    }
}

// On an incline of 0.3 rad a box on two corners, whose forces are not unique, sticks where mu > tan 0.3.
TEST(FrictionModes, OfABoxOnTwoCornersGoByExistence) {
  Eigen::Matrix<double, 4, 3> J;
  const double b = 0.5, d = 0.5;
  J << 0, 1, -b, 1, 0, d, 0, 1, b, 1, 0, d;
  const Eigen::Vector3d inverse(1, 1, 3 / (b * b + d * d)),
      pull(9.81 * std::sin(0.3), -9.81 * std::cos(0.3), 0);
  const Eigen::MatrixXd W = J * inverse.asDiagonal() * J.transpose();
  ModeSolver solver;
  for (const double mu : {0.30, 0.309, 0.3094, 0.32, 0.5}) {
    const auto e = equations(W, J * pull, {mu, mu}, {0, 0});
    ASSERT_EQ(solver.solve(e, {0, 1}, true), Found::one) << mu;
    const bool sticks = mu > std::tan(0.3);
    for (const int row : {1, 3}) EXPECT_EQ(std::abs(solver.a[row]) < 1e-9, sticks) << mu;
    EXPECT_EQ(solver.modes[0] == Mode::stick && solver.modes[1] == Mode::stick, sticks) << mu;
  }
}

// Whatever is found obeys the law, by enumeration, by flips and in groups that nothing couples.
TEST(FrictionModes, OfRandomContactsObeyCoulombsLaw) {
  std::mt19937_64 random(3);
  const auto uniform = [&random](double low, double high) {
    return low + (high - low) * static_cast<double>(random() >> 11) * 0x1p-53;
  };
  ModeSolver solver;
  int found = 0, several = 0;
  for (int k = 0; k < 3000; ++k) {
    const int n = 1 + k % 6, copies = k % 5 == 0 ? 3 : 1, all = n * copies;
    Eigen::MatrixXd W = Eigen::MatrixXd::Zero(2 * all, 2 * all);
    Eigen::VectorXd b(2 * all);
    for (int c = 0; c < copies; ++c) {
      Eigen::MatrixXd J(2 * n, 2 * n + 1);
      for (auto& x : J.reshaped()) x = uniform(-1, 1);
      W.block(2 * n * c, 2 * n * c, 2 * n, 2 * n) = J * J.transpose();
    }
    std::vector<double> mu;
    std::vector<signed char> slip;
    for (auto& x : b) x = uniform(-1, 1);
    for (int i = 0; i < all; ++i)
      mu.push_back(uniform(0, 0.5)),
          slip.push_back(static_cast<signed char>(static_cast<int>(random() % 3) - 1));
    const auto e = equations(W, b, mu, slip);
    const Found now = solver.solve(e, all_of(all), k % 2 == 0);
    several += now == Found::several;
    if (now == Found::none) continue;
    ++found;
    double size = 0;
    for (int r = 0; r < 2 * all; ++r)
      size = std::fmax(size, std::fmax(std::abs(solver.f[r]), std::abs(e.b[r])));
    for (int i = 0; i < all; ++i) {
      const double fn = solver.f[2 * i], ft = solver.f[2 * i + 1], an = solver.a[2 * i],
                   at = solver.a[2 * i + 1], off = 1e-8 * size;
      EXPECT_GE(fn, -off);
      EXPECT_GE(an, -off);
      EXPECT_LE(std::fmin(fn, std::abs(an)), off);
      EXPECT_LE(std::abs(ft), e.mu[i] * fn + off);
      if (slip[i] != 0) {
        EXPECT_NEAR(ft, -slip[i] * e.mu[i] * fn, off);
      }
      if (slip[i] == 0 && fn > off && std::abs(at) > off) {
        EXPECT_NEAR(ft, -std::copysign(e.mu[i] * fn, at), off);
      }
    }
  }
  EXPECT_GT(found, 2500);
  EXPECT_LT(several, 100);
}

// More contacts than are tried one by one, of bodies of which many depend on each other: at rest modes are
// always found, and what they are obeys the law; all of them stick where they can.
TEST(FrictionModes, OfManyContactsAreFound) {
  std::mt19937_64 random(17);
  const auto uniform = [&random](double low, double high) {
    return low + (high - low) * static_cast<double>(random() >> 11) * 0x1p-53;
  };
  ModeSolver solver;
  for (int k = 0; k < 60; ++k) {
    const int n = 7 + static_cast<int>(random() % 14), dof = n + static_cast<int>(random() % n);
    Eigen::MatrixXd J(2 * n, dof);
    for (auto& x : J.reshaped()) x = uniform(-1, 1);
    for (auto row : J.rowwise()) row.normalize();
    const Eigen::MatrixXd W = J * J.transpose();
    Eigen::VectorXd b(2 * n), forces(2 * n);
    std::vector<double> mu;
    for (int i = 0; i < n; ++i) {
      mu.push_back(uniform(0.1, 0.8));
      forces[2 * i] = uniform(0.1, 1), forces[2 * i + 1] = uniform(-1, 1) * mu[i] * forces[2 * i];
    }
    const bool rests = k % 2 == 0;
    if (rests)
      b = -W * forces;
    else
      for (auto& x : b) x = uniform(-1, 1);
    const auto e = equations(W, b, mu, std::vector<signed char>(n, 0));
    ASSERT_EQ(solver.solve(e, all_of(n), true), Found::one) << k;
    double size = 0;
    for (int r = 0; r < 2 * n; ++r)
      size = std::fmax(size, std::fmax(std::abs(solver.f[r]), std::abs(e.b[r])));
    for (int i = 0; i < n; ++i) {
      const double fn = solver.f[2 * i], ft = solver.f[2 * i + 1], an = solver.a[2 * i],
                   at = solver.a[2 * i + 1], off = 1e-8 * size;
      EXPECT_GE(an, -off);
      EXPECT_LE(std::fmin(fn, std::abs(an)), off);
      EXPECT_LE(std::abs(ft), e.mu[i] * fn + off);
      if (rests) {
        EXPECT_LE(std::abs(an) + std::abs(at), off);
      }
      if (fn > off && std::abs(at) > off) {
        EXPECT_NEAR(ft, -std::copysign(e.mu[i] * fn, at), off);
      }
    }
  }
}

}  // namespace
}  // namespace carom
