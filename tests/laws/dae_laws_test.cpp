// What holds for every DAE and every symplectic Euler method for them: derivatives, constraints, adjoints,
// what alpha does not change, and the form with p(y, z).
#include <gtest/gtest.h>

#include <random>

#include "support/dae_systems.hpp"
#include "support/jointed_systems.hpp"

namespace carom::test {
namespace {

// The exponential again, with z replaced by w: z = w + w³/10, in the form d/dt p(y, w) = ... with p = z(w).
struct ExponentialByP {
  static constexpr int ny = 2, nz = 2;
  Exponential plain;

  template <class S>
  Vector<S, 2> p(const Vector<S, 2>&, const Vector<S, 2>& w) const {
    return {w[0] + 0.1 * w[0] * w[0] * w[0], w[1] + 0.1 * w[1] * w[1] * w[1]};
  }
  template <class S>
  Vector<S, 2> v(const Vector<S, 2>& y, const Vector<S, 2>& w) const {
    return plain.v(y, p(y, w));
  }
  template <class S>
  Vector<S, 2> f(const Vector<S, 2>& y, const Vector<S, 2>& w) const {
    return plain.f(y, p(y, w));
  }
  template <class S>
  Vector<S, 2> r(const Vector<S, 2>& y, const Vector<S, 2>& w, const Vector<S, 1>& psi) const {
    return plain.r(y, p(y, w), psi);
  }
  template <class S>
  Vector<S, 1> g(const Vector<S, 2>& y) const {
    return plain.g(y);
  }
};

struct Case {
  std::string name;
  std::shared_ptr<const Dae> dae;
  Values y, z;
  bool affine;  // r in psi
};

template <SystemStruct Sys>
Case jointed(std::string name, const Sys& system) {
  const auto start = validated_state(system, system.start());
  const auto v = velocity(system, 0.0, start.q, start.p).x;
  return {std::move(name), mechanical(system), start.q, v, true};
}

std::vector<Case> cases() {
  Values w(2);
  const auto dae = dense(ExponentialByP{});
  EXPECT_TRUE(dae->z_of(values({1, 1}), values({1, 1}), w));
  return {{"exponential", dense(Exponential{}), values({1, 1}), values({1, 1}), false},
          {"exponential by p", dae, values({1, 1}), w, false},
          {"mass on cubic", mechanical(MassOn<Cubic>{}), values({10, 10}), values({-3.6, -10.8}), false},
          jointed("rod pendulum", RodPendulum{}),
          jointed("two rods", TwoRods{}),
          jointed("wavy bead", WavyBead{})};
}

std::vector<int> all_of(const Dae& dae) {
  std::vector<int> r(static_cast<std::size_t>(dae.sizes().g));
  for (std::size_t i = 0; i < r.size(); ++i) r[i] = static_cast<int>(i);
  return r;
}

class Stepped {
 public:
  Stepped(const Case& c, const DaeScheme& scheme)
      : held(all_of(*c.dae)), euler(*c.dae, scheme), y(c.y), z(c.z) {
    ConsistentValues consistent(*c.dae);
    EXPECT_TRUE(consistent(0, y, z, held).ok()) << c.name;
    euler.Psi0 = euler.Psi1 = consistent.psi;
  }
  bool step(double h, bool adjoint = false) { return euler(0, h, adjoint, held, y, z).ok(); }

  std::vector<int> held;
  DaeEuler euler;
  Values y, z;
};

std::vector<DaeScheme> schemes() {
  std::vector<DaeScheme> r;
  for (const bool natural : {false, true})
    for (const bool conjugate : {false, true})
      for (const auto at : {DaeScheme::At::ends, DaeScheme::At::z0, DaeScheme::At::z1, DaeScheme::At::Z1})
        r.push_back({natural, conjugate, 0.4, at});
  return r;
}

TEST(DaeLaws, DerivativesAreThoseOfDifferences) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> around(-0.2, 0.2);
  const double d = 1e-6;
  for (const Case& c : cases()) {
    const DaeSizes size = c.dae->sizes();
    Values y = c.y, z = c.z, psi = Values::Constant(size.g, 0.7);
    for (double& x : y) x += around(random);
    for (double& x : z) x += around(random);
    DaeMotion m, m1, m2;
    DaeReaction r, r1, r2;
    DaeConstraint g, g1, g2;
    c.dae->motion(0.3, y, z, m), c.dae->reaction(y, z, psi, 1, r), c.dae->constraint(y, z, g);
    const auto expect = [&](const auto& column, const Values& high, const Values& low, const char* what) {
      const Values difference = (high - low) / (2 * d);
      EXPECT_LE((Values(column) - difference).norm(), 1e-7 * (1 + difference.norm()))
          << c.name << ' ' << what;
    };
    const auto look = [&](double& x) {
      const double here = x;
      x = here + d;
      c.dae->motion(0.3, y, z, m2), c.dae->reaction(y, z, psi, 1, r2), c.dae->constraint(y, z, g2);
      x = here - d;
      c.dae->motion(0.3, y, z, m1), c.dae->reaction(y, z, psi, 1, r1), c.dae->constraint(y, z, g1);
      x = here;
    };
    for (int i = 0; i < size.y; ++i) {
      look(y[i]);
      expect(m.v_y.col(i), m2.v, m1.v, "v_y"), expect(m.f_y.col(i), m2.f, m1.f, "f_y");
      expect(m.p_y.col(i), m2.p, m1.p, "p_y"), expect(r.r_y.col(i), r2.r, r1.r, "r_y");
      expect(g.g_y.col(i), g2.g, g1.g, "g_y"), expect(g.c_y.col(i), g2.c, g1.c, "c_y");
    }
    for (int i = 0; i < size.z; ++i) {
      look(z[i]);
      expect(m.v_z.col(i), m2.v, m1.v, "v_z"), expect(m.f_z.col(i), m2.f, m1.f, "f_z");
      expect(m.p_z.col(i), m2.p, m1.p, "p_z"), expect(r.r_z.col(i), r2.r, r1.r, "r_z");
      expect(g.c_z.col(i), g2.c, g1.c, "c_z");
    }
    for (int i = 0; i < size.g; ++i) look(psi[i]), expect(r.r_psi.col(i), r2.r, r1.r, "r_psi");
    const Values rate = g.g_y * m.v;
    EXPECT_LE((rate - g.c).norm(), 1e-13 * (1 + rate.norm())) << c.name;
  }
}

TEST(DaeLaws, EveryStepIsOnTheManifold) {
  for (const Case& c : cases())
    for (const DaeScheme& scheme : schemes())
      for (const bool adjoint : {false, true}) {
        Stepped run(c, scheme);
        for (int n = 0; n < 20; ++n) {
          ASSERT_TRUE(run.step(0.005, adjoint)) << c.name << n;
          DaeConstraint g;
          c.dae->constraint(run.y, run.z, g);
          EXPECT_LE(g.g.norm(), 1e-13 * (1 + run.y.norm())) << c.name;
          EXPECT_LE(g.c.norm(), 1e-12 * (1 + run.z.norm())) << c.name;
        }
      }
}

// Back by the adjoint with -h: Φ*_{-h} is the inverse of Φ_h.
TEST(DaeLaws, TheAdjointGoesBack) {
  for (const Case& c : cases())
    for (const DaeScheme& scheme : schemes()) {
      Stepped run(c, scheme);
      ASSERT_TRUE(run.step(0.01)) << c.name;
      EXPECT_GT((run.y - c.y).norm(), 1e-4) << c.name;
      ASSERT_TRUE(run.step(-0.01, true)) << c.name;
      EXPECT_LE((run.y - c.y).norm(), 1e-13 * (1 + c.y.norm())) << c.name;
      EXPECT_LE((run.z - c.z).norm(), 1e-11 * (1 + c.z.norm())) << c.name;
    }
}

// Where r is affine in psi natural and true are one method, and alpha changes nothing but Psi (Theorem 3.2).
TEST(DaeLaws, AffineReactionsMakeNaturalTrue) {
  for (const Case& c : cases())
    for (const bool conjugate : {false, true}) {
      Stepped usual(c, {.conjugate = conjugate});
      double apart = 0;
      std::vector<Stepped> others;
      // Where it is not affine, the natural method may have no solution for another alpha.
      for (const double alpha : c.affine ? std::vector{0.3, 0.5, 2.0} : std::vector{0.5})
        for (const bool natural : {false, true}) others.emplace_back(c, DaeScheme{natural, conjugate, alpha});
      for (int n = 0; n < 20; ++n) ASSERT_TRUE(usual.step(0.01));
      for (Stepped& other : others) {
        for (int n = 0; n < 20; ++n) ASSERT_TRUE(other.step(0.01)) << c.name;
        apart = std::fmax(apart, (other.y - usual.y).norm() + (other.z - usual.z).norm());
      }
      if (c.affine)
        EXPECT_LE(apart, 1e-11) << c.name;
      else
        EXPECT_GT(apart, 1e-4) << c.name;
    }
}

TEST(DaeLaws, TheFormWithPConvergesToo) {
  const auto dae = dense(ExponentialByP{});
  Values w(2), w_end(2);
  const double e = std::exp(1.0);
  const Values end = values({e * e, 1 / e});
  ASSERT_TRUE(dae->z_of(values({1, 1}), values({1, 1}), w));
  ASSERT_TRUE(dae->z_of(end, end, w_end));
  for (const auto& [flow, order] : {std::pair{se1(), 1}, std::pair{svb(), 2}}) {
    std::vector<ErrorAt> errors;
    for (const int n : {200, 400, 800}) {
      const DaeEnd run = dae_run(*dae, {}, flow, 1.0 / n, n, values({1, 1}), w);
      ASSERT_TRUE(run.ok);
      errors.push_back({1.0 / n, (run.y - end).norm() + (run.z - w_end).norm()});
    }
    EXPECT_NEAR(observed_order(errors, 1e-12).slope, order, 0.1) << observed_order(errors, 1e-12).table;
  }
}

// What friction takes, added up step by step, converges with the order of the flow.
TEST(DaeLaws, WorkOfFrictionConverges) {
  const MassOn<Cubic> system;
  const DaeSystem dae(mechanical(system));
  const Values y = values({10, 10}), z = values({-3.6, -10.8});
  const double H = dae.dae->energy(y, z);
  for (const auto& [flow, order] : {std::pair{sva(), 2}, std::pair{yoshida4(sva()), 4}}) {
    std::vector<ErrorAt> remainders;
    for (const int n : {40, 80, 160}) {
      const DaeEnd end = dae_run(*dae.dae, {}, flow, 1.0 / n, n, y, z);
      remainders.push_back({1.0 / n, std::abs(dae.dae->energy(end.y, end.z) - H - end.friction)});
    }
    EXPECT_NEAR(observed_order(remainders, 1e-11).slope, order, 0.2)
        << observed_order(remainders, 1e-11).table;
  }
}

TEST(DaeLaws, AStartIsPutOntoTheManifold) {
  for (const Case& c : cases()) {
    DaeTouching touching(*c.dae, 0.01);
    Values y = c.y, z = c.z;
    y[0] += 0.05, z[0] -= 0.1;
    ASSERT_TRUE(touching.project(y, z)) << c.name;
    if (c.dae->one_sided(0)) continue;  // inequalities are left alone
    DaeConstraint g;
    c.dae->constraint(y, z, g);
    EXPECT_LE(g.g.norm(), 1e-13 * (1 + y.norm())) << c.name;
    EXPECT_LE(g.c.norm(), 1e-12 * (1 + z.norm())) << c.name;
    EXPECT_LT((y - c.y).norm(), 0.2) << c.name;
  }
}

}  // namespace
}  // namespace carom::test
