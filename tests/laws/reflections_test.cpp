// Reflections of several contacts at once: impulses that push, energies that stay, momenta that symmetric
// contacts keep, and how many rounds it takes.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "support/local_systems.hpp"

namespace carom::test {
namespace {
using Dense = Eigen::MatrixXd;
constexpr std::array orders{ReflectionOrder::generalized, ReflectionOrder::moreau,
                            ReflectionOrder::sequential};
const char* name(ReflectionOrder order) {
  return std::array{"generalized", "moreau", "sequential"}[static_cast<int>(order)];
}

// Planes g = a·(q_i, q_k, q_l) as contacts and joints, and springs between neighbours.
struct Planes : LocalSystem<Planes> {
  struct Plane {
    std::array<int, 3> at;
    std::array<double, 3> a;
  };
  std::vector<Plane> walls, rods;
  Values m;
  double stiffness_of_springs = 3;
  const Values& masses() const { return m; }
  void potential(auto&& term) const {
    for (int i = 1; i < m.size(); ++i)
      term(std::array{i - 1, i}, [this](const auto& y) {
        const auto d = y[1] - y[0];
        return 0.5 * stiffness_of_springs * d * d + 0.1 * cos(y[0]);
      });
  }
  static void tell(const Plane& plane, auto&& f) {
    f(plane.at, [a = plane.a](const auto& y) { return a[0] * y[0] + a[1] * y[1] + a[2] * y[2]; });
  }
  void contacts(auto&& gap) const {
    for (std::size_t i = 0; i < walls.size(); ++i)
      tell(walls[i], [&](const auto& at, const auto& f) { gap(static_cast<int>(i), at, f); });
  }
  void each_joint(auto&& joint) const {
    for (const Plane& rod : rods) tell(rod, joint);
  }
  int contacts_in_all() const { return static_cast<int>(walls.size()); }
  int joints_in_all() const { return static_cast<int>(rods.size()); }
};

struct Dice {
  std::mt19937_64 engine{20120614};
  double normal() { return std::normal_distribution<double>()(engine); }
  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(engine); }
};

Planes::Plane random_plane(Dice& dice, int n) {
  const int first = dice.below(n - 2);
  return {{first, first + 1, first + 2}, {dice.normal(), dice.normal(), dice.normal()}};
}

Dense dense_rows(const SparseRows& rows, int n) {
  Dense r = Dense::Zero(n, rows.size());
  for (int k = 0; k < rows.size(); ++k)
    for (std::size_t i = 0; i < rows[k].at.size(); ++i) r(rows[k].at[i], k) += rows[k].slopes[i];
  return r;
}

// Everything that a reflection of all contacts of m at (q, p) needs and gives.
struct Reflected {
  Reflections::Result result;
  Values before, after, impulse, v;  // v: after
  Dense G, F;

  Reflected(const System& m, const Values& q, Values p, ReflectionOrder order,
            const ReflectionEnergy& energy = {})
      : v(m.size()) {
    std::vector<int> all(m.contact_count());
    for (int i = 0; i < m.contact_count(); ++i) all[i] = i;
    SparseRows gradients, joints;
    m.gap_slopes(0, q, all, gradients);
    m.joint_slopes(0, q, joints);
    G = dense_rows(gradients, m.size()), F = dense_rows(joints, m.size());
    Tangent tangent(m);
    EXPECT_TRUE(tangent.prepare(0, q, p, joints) && tangent.project(q, p));
    before = p;
    ContactRates contacts(m);
    Reflections reflections(m);
    EXPECT_TRUE(contacts.prepare(0, q, p, gradients, Values::Zero(q.size())));
    result = reflections(q, p, contacts, order, energy);
    after = p, impulse = reflections.impulse;
    EXPECT_TRUE(m.velocity(0, q, p, v));
    const double off = result.ok ? (contacts.v - v).norm() : 0;
    EXPECT_LT(off, 1e-12 * (1 + v.norm()) * (1 + result.rounds));
  }
};

Planes random_planes(Dice& dice, bool with_joints) {
  Planes m;
  const int n = 4 + dice.below(8);
  m.m = Values(n);
  for (double& x : m.m) x = 0.5 + std::abs(dice.normal());
  for (int i = dice.below(n); i >= 0; --i) m.walls.push_back(random_plane(dice, n));
  if (with_joints)
    for (int i = dice.below(n / 3 + 1); i >= 0; --i) m.rods.push_back(random_plane(dice, n));
  return m;
}

Values random_values(Dice& dice, int n) {
  Values r(n);
  for (double& x : r) x = dice.normal();
  return r;
}

// Momenta are sums of impulses along the gradients; where joints take up most of a gradient, those are large.
double size_of(const Reflected& r) { return r.before.norm() + (r.G.cwiseAbs() * r.impulse).norm(); }

void expect_laws(const Reflected& r, const std::string& label) {
  const double size = size_of(r), rounding = 1e-13 * (1 + r.result.rounds);
  EXPECT_GE(r.impulse.minCoeff(), 0) << label;
  for (int k = 0; k < r.G.cols(); ++k)
    EXPECT_GE(r.G.col(k).dot(r.v), -2e-9 * r.G.col(k).norm() * size) << label << ", contact " << k;
  const Values rest = r.after - r.before - r.G * r.impulse;  // what the joints answer
  if (r.F.cols() == 0) {
    EXPECT_LT(rest.norm(), rounding * size) << label;
  } else {
    EXPECT_LT((rest - r.F * r.F.completeOrthogonalDecomposition().solve(rest)).norm(), 100 * rounding * size)
        << label;
    EXPECT_LT((r.F.transpose() * r.v).norm(), rounding * size) << label;
  }
}

TEST(Reflections, RandomContactSets) {
  Dice dice;
  int cases = 0, with_impulse = 0;
  for (int trial = 0; trial < 1500; ++trial) {
    const Planes m = random_planes(dice, trial % 2);
    const Values q = random_values(dice, m.size()), p = random_values(dice, m.size());
    for (const auto order : orders) {
      const Reflected r(m, q, p, order);
      const std::string label = std::string(name(order)) + ", case " + std::to_string(trial);
      ++cases, with_impulse += r.result.rounds > 0;
      if (!r.result.ok) {  // only where the contacts squeeze or nearly do: rounds ran into the cap
        EXPECT_GE(r.result.rounds, 200) << label;
        continue;
      }
      expect_laws(r, label);
      const double H0 = r.before.dot(r.before.cwiseQuotient(m.m)), H1 = r.after.dot(r.v);
      EXPECT_NEAR(H1, H0, 1e-13 * (1 + r.result.rounds) * (1 + size_of(r)) * (1 + r.v.norm())) << label;
    }
  }
  EXPECT_GT(with_impulse, cases / 2);
}
// E = H + κ/2 u'V''u in its own norm: kept to rounding by every round that did not fall back.
TEST(Reflections, NumericalEnergyIsKept) {
  Dice dice;
  int kept = 0, fell_back = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    const Planes m = random_planes(dice, trial % 2);
    const Values q = random_values(dice, m.size()), p = random_values(dice, m.size());
    for (const auto order : orders)
      for (const double kappa : {0.02, -0.01}) {
        const Reflected r(m, q, p, order, {.kappa = kappa, .other = {}, .anchor = {}});
        if (!r.result.ok) continue;
        expect_laws(r, name(order));
        if (r.result.fallbacks > 0) {
          ++fell_back;
          continue;
        }
        const auto E = [&](const Values& momentum) {
          const Values u = momentum.cwiseQuotient(m.m);
          Values Vqq_u(m.size());
          m.stiffness(0, q, u, Vqq_u);
          return u.dot(momentum) + kappa * u.dot(Vqq_u);
        };
        EXPECT_NEAR(E(r.after), E(r.before),
                    1e-13 * (1 + r.result.rounds) * (1 + size_of(r)) * (1 + r.v.norm()))
            << name(order);
        ++kept;
      }
  }
  EXPECT_GT(kept, 5 * fell_back) << kept << " " << fell_back;
}

// Any energy, here H with a wrinkle: met by stretching the impulse, or counted as a fallback.
TEST(Reflections, OtherEnergiesAreKept) {
  Dice dice;
  int kept = 0, fell_back = 0;
  for (int trial = 0; trial < 500; ++trial) {
    const Planes m = random_planes(dice, trial % 2);
    const Values q = random_values(dice, m.size()), p = random_values(dice, m.size());
    const auto E = [&m](const Values& x, const Values& y) {
      return m.hamiltonian(0, x, y) + 0.02 * std::sin(y.sum());
    };
    for (const auto order : orders) {
      const Reflected r(m, q, p, order, {.kappa = 0, .other = E, .anchor = {}});
      if (!r.result.ok) continue;
      expect_laws(r, name(order));
      (r.result.fallbacks ? fell_back : kept)++;
      const double off = r.result.fallbacks ? 0 : E(q, r.after) - E(q, r.before);
      EXPECT_NEAR(off, 0, 1e-13 * (1 + r.result.rounds) * (1 + std::abs(E(q, p)) + p.dot(p)));
    }
  }
  EXPECT_GT(kept, 5 * fell_back) << kept << " " << fell_back;
}

TEST(Reflections, OneContactIsTheMirrorLaw) {
  Dice dice;
  for (int trial = 0; trial < 200; ++trial) {
    Planes m = random_planes(dice, false);
    m.walls.resize(1);
    const Values q = random_values(dice, m.size()), p = random_values(dice, m.size());
    for (const auto order : orders) {
      const Reflected r(m, q, p, order);
      const Values n = r.G.col(0), u = n.cwiseQuotient(m.m);
      const double y = std::fmax(0, -2 * u.dot(p) / u.dot(n));
      EXPECT_NEAR(r.impulse[0], y, 1e-14 * (1 + y));
      EXPECT_EQ(r.result.rounds, y > 0);
      EXPECT_LT((r.after - p - y * n).norm(), 1e-14 * (1 + p.norm() + y));
    }
  }
}

// Mass that depends on q, and a Lagrangian that is not quadratic in v.
TEST(Reflections, OfAnyMass) {
  for (const auto order : orders) {
    const AutodiffSystem<CartPendulum> cart{CartPendulum{}};
    const Values q = values({0, 0.9}), p = values({-1.5, 0.7});
    const Reflected r(cart, q, p, order);
    ASSERT_EQ(r.result.rounds, 1);
    EXPECT_EQ(r.after[1], p[1]);
    EXPECT_GT(r.v[0], 0);
    EXPECT_NEAR(cart.hamiltonian(0, q, r.after), cart.hamiltonian(0, q, p), 1e-14);

    const AutodiffSystem<FastDisc> fast{FastDisc{}};
    const Values at = values({0.6, 0.8}), fall = values({2, -19});
    const Reflected f(fast, at, fall, order);
    EXPECT_LT((f.after - (fall - 2 * at * at.dot(fall))).norm(), 1e-12 * fall.norm())
        << "isotropic: a mirror";
    EXPECT_EQ(f.result.fallbacks, 0);
  }
}

// Discs in a heap that touch pairwise: linear and angular momentum stay.
struct Heap : LocalSystem<Heap> {
  int n = 6;
  Values m = Values::Ones(12);
  const Values& masses() const { return m; }
  void potential(auto&&) const {}
  void contacts(auto&& gap) const {
    int next = 0;
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < i; ++k)
        gap(next++, std::array{2 * k, 2 * k + 1, 2 * i, 2 * i + 1}, [](const auto& y) {
          const auto x = y[2] - y[0], z = y[3] - y[1];
          return sqrt(x * x + z * z) - 1.0;
        });
  }
  int contacts_in_all() const { return n * (n - 1) / 2; }
  int joints_in_all() const { return 0; }
  void each_joint(auto&&) const {}
};
TEST(Reflections, SymmetricContactsKeepTheirMomenta) {
  Dice dice;
  Heap m;
  for (int i = 0; i < m.n; ++i) m.m[2 * i] = m.m[2 * i + 1] = 1 + i;
  for (int trial = 0; trial < 200; ++trial) {
    const Values q = random_values(dice, 12), p = random_values(dice, 12);
    for (const auto order : orders) {
      const Reflected r(m, q, p, order);
      ASSERT_TRUE(r.result.ok);
      const double rounding = 1e-13 * (1 + r.result.rounds) * (1 + r.impulse.norm() + p.norm());
      double x = 0, y = 0, L = 0;
      for (int i = 0; i < m.n; ++i) {
        const double dx = r.after[2 * i] - p[2 * i], dy = r.after[2 * i + 1] - p[2 * i + 1];
        x += dx, y += dy, L += q[2 * i] * dy - q[2 * i + 1] * dx;
      }
      EXPECT_NEAR(x, 0, rounding);
      EXPECT_NEAR(y, 0, rounding);
      EXPECT_NEAR(L, 0, 10 * rounding);
    }
  }
}

Planes planes_of(int n, std::vector<Planes::Plane> walls) {
  Planes m;
  m.m = Values::Ones(n), m.walls = std::move(walls);
  return m;
}

// A wedge of angle a: a billiard in it has about π/a bounces, and so have one contact at a time; both at once
// begin at the apex: one round where both approach, back along the path, and as many as a billiard where one
// does.
TEST(Reflections, RoundsInAWedge) {
  for (const auto& [degrees, rounds] : {std::pair{60, 3}, {20, 9}, {5, 36}}) {
    const double a = degrees * std::numbers::pi / 180;
    const Planes wedge = planes_of(3, {{{0, 1, 2}, {0, 1, 0}}, {{0, 1, 2}, {std::sin(a), -std::cos(a), 0}}});
    for (const double direction : {0.1, 0.5, 0.9, 1.3}) {
      const Values p = values({-std::cos(direction * a), -std::sin(direction * a), 0});
      const Reflected one(wedge, Values::Zero(3), p, ReflectionOrder::sequential);
      const Reflected all(wedge, Values::Zero(3), p, ReflectionOrder::generalized);
      EXPECT_TRUE(one.result.ok && all.result.ok);
      EXPECT_NEAR(one.result.rounds, rounds, 1) << degrees;
      EXPECT_NEAR(all.result.rounds, direction < 1 ? 1 : rounds, 1) << degrees;
      EXPECT_NEAR(one.after.norm(), 1, 1e-13);
      EXPECT_NEAR(all.after.norm(), 1, 1e-13);
      if (direction > 1) continue;
      EXPECT_LT((all.after + p).norm(), 1e-14 / (a * a)) << degrees;
      const Reflected away(wedge, Values::Zero(3), -p, ReflectionOrder::generalized);
      EXPECT_TRUE(away.result.ok && away.result.rounds == 0 && away.after == -p) << degrees;
    }
  }
}

Planes row_of_balls(int n) {
  std::vector<Planes::Plane> walls;
  for (int i = 0; i + 1 < n; ++i) walls.push_back({{i, i + 1, i == 0 ? 2 : 0}, {-1, 1, 0}});
  return planes_of(n, walls);
}
TEST(Reflections, NewtonsCradle) {
  for (const int n : {3, 5, 50, 300})
    for (const auto order : {ReflectionOrder::generalized, ReflectionOrder::sequential}) {
      const Reflected r(row_of_balls(n), Values::Zero(n), Values::Unit(n, 0), order);
      EXPECT_EQ(r.result.rounds, n - 1) << name(order);
      EXPECT_LT((r.after - Values::Unit(n, n - 1)).norm(), 1e-13) << name(order);
    }
}
// Half of a row against the other half: n²/4 bounces, one at a time.
TEST(Reflections, HalfARowAgainstTheOther) {
  for (const int n : {10, 100})
    for (const auto order : {ReflectionOrder::generalized, ReflectionOrder::sequential}) {
      Values p = Values::Zero(n);
      p.head(n / 2).setOnes();
      const Reflected r(row_of_balls(n), Values::Zero(n), p, order);
      EXPECT_TRUE(r.result.ok) << name(order) << ": " << r.result.rounds;
      EXPECT_LT((r.after - p.reverse()).norm(), 1e-12) << name(order);
    }
}

TEST(Reflections, OrthogonalContactsInAnyOrder) {
  Dice dice;
  const Planes corner =
      planes_of(3, {{{0, 1, 2}, {1, 2, 2}}, {{0, 1, 2}, {2, 1, -2}}, {{0, 1, 2}, {2, -2, 1}}});
  for (int trial = 0; trial < 100; ++trial) {
    const Values p = random_values(dice, 3);
    const Reflected a(corner, Values::Zero(3), p, orders[0]), b(corner, Values::Zero(3), p, orders[2]);
    EXPECT_LT((a.after - b.after).norm(), 1e-14 * p.norm());
    EXPECT_LE(a.result.rounds, 1);
  }
}

TEST(Reflections, SqueezingContactsRunIntoTheCap) {
  const Planes press = planes_of(3, {{{0, 1, 2}, {1, 0, 0}}, {{0, 1, 2}, {-1, 0, 0}}});
  for (const auto order : {ReflectionOrder::generalized, ReflectionOrder::sequential}) {
    const Reflected r(press, Values::Zero(3), values({1, 1, 0}), order);
    EXPECT_FALSE(r.result.ok);
    EXPECT_GE(r.result.rounds, 200 + 4 * 2);
  }
}
struct Press {
  static constexpr int dim = 2;
  static constexpr std::array gap_names{"left jaw", "right jaw"};
  Eigen::Matrix2d mass() const { return Eigen::Matrix2d::Identity(); }
  template <class S>
  S potential(const Vector<S, 2>&) const {
    return S(0.0);
  }
  template <class S>
  Vector<S, 2> gaps(const Vector<S, 2>& q) const {
    return {q[0], -q[0]};
  }
};
TEST(Reflections, SqueezingIsReportedByName) {
  GviStepper stepper(dense(Press{}), SteadyFlow(svc(), 0.1), {});
  const auto r = stepper.step(0, {values({0, 0}), values({1, 1})});
  ASSERT_TRUE(r.failure);
  EXPECT_NE(r.failure->reason.find("squeeze"), std::string::npos) << r.failure->reason;
  EXPECT_EQ(r.failure->contact, "left jaw\", \"right jaw");
}

// Contacts that cannot push: no gradient, or one that the joints take up. They change nothing.
TEST(Reflections, ContactsThatCannotPush) {
  Dice dice;
  for (int trial = 0; trial < 300; ++trial) {
    Planes m = planes_of(5, {});
    m.rods = {random_plane(dice, 5), random_plane(dice, 5)};
    m.rods[1].at = m.rods[0].at;
    Planes::Plane both = m.rods[0];  // 2 f1 - 3 f2
    for (int i = 0; i < 3; ++i) both.a[i] = 2 * m.rods[0].a[i] - 3 * m.rods[1].a[i];
    m.walls = {both, {{0, 1, 2}, {0, 0, 0}}};
    for (double& x : m.m) x = 0.5 + std::abs(dice.normal());
    for (const auto order : orders) {
      const Reflected r(m, Values::Zero(5), random_values(dice, 5), order);
      EXPECT_TRUE(r.result.ok);
      EXPECT_EQ(r.result.rounds, 0) << name(order) << ": rounding is no approach";
      EXPECT_EQ(r.impulse.norm(), 0);
    }
  }
}

}  // namespace
}  // namespace carom::test
