// Modified Hamiltonians against known values at one state of the cart-pendulum, and against each other: the
// series of 000's Theorem 2, the closed forms, 000's (25), and the shadow energy that needs no derivatives.
#include <gtest/gtest.h>

#include "carom/contact/partial_motion.hpp"
#include "carom/systems/cart_pendulum.hpp"
#include "support/system_cases.hpp"

namespace carom::test {
namespace {

const CartPendulum cart;
const State<double, 2> z{{0.7, 0.9}, {1.3, 2.1}};
const Rule trapezoidal{{0, 0.5}, {1, 0.5}};

const auto system = as_system(cart);

double shadow(const Flow& flow, double h, int m) {
  return shadow_energy(system, SteadyFlow(flow, h), 0, any_size(z), m);
}

TEST(Modified, ContractionsOfTheSecondDerivatives) {
  const auto contraction = [](double a, double b, double c) {
    const auto modified = ModifiedHamiltonian::closed_form(over_nilpotents(cart), a, b, c, 1);
    return 24 * (modified.value(z.q, z.p) - hamiltonian(cart, 0.0, z));
  };
  EXPECT_NEAR(contraction(1, 0, 0), 18.868322, 5e-7);   // A = H_qq(H_p, H_p)
  EXPECT_NEAR(contraction(0, 1, 0), -14.986979, 5e-7);  // B = H_qp(H_p, H_q)
  EXPECT_NEAR(contraction(0, 0, 1), 120.10164, 5e-6);   // C = H_pp(H_q, H_q)
}

// (H~ - H)/h² as h -> 0. SVC is none of the closed forms, because H is not separable.
TEST(Modified, LeadingTermOfEveryVerlet) {
  const double H = hamiltonian(cart, 0.0, z), h = 0.002;
  const auto leading = [&](const Flow& flow) { return (shadow(flow, h, 6) - H) / (h * h); };
  EXPECT_NEAR(leading(svc()), -4.915856, 2e-5);
  EXPECT_NEAR(leading(sva()), -4.68079, 2e-5);
  EXPECT_NEAR(leading(svb()), 7.97337, 2e-5);
  EXPECT_NEAR(leading(midpoint()), -7.03933, 2e-5);
}

TEST(Modified, ClosedFormsAreOfFourthOrder) {
  const auto expect_fourth_order = [](const char* name, const auto& modified_at) {
    std::vector<ErrorAt> errors;
    for (double h : {0.04, 0.03, 0.02, 0.015, 0.01})
      errors.push_back({h, std::abs(modified_at(h).value(z.q, z.p) - shadow(make_flow(name), h, 8))});
    const auto observed = observed_order(errors, 1e-12);
    EXPECT_NEAR(observed.slope, 4, 0.1) << name << "\n" << observed.table;
  };
  expect_fourth_order("sva", [](double h) { return modified_sva(cart, h); });
  expect_fourth_order("svb", [](double h) { return modified_svb(cart, h); });
  expect_fourth_order("midpoint", [](double h) { return modified_midpoint(cart, h); });
}

TEST(Modified, SeriesOfSvcHasTheKnownErrors) {
  const auto error = [](int terms, double h) {
    return modified_series(cart, trapezoidal, h, terms).value(z.q, z.p) - shadow(svc(), h, 8);
  };
  EXPECT_NEAR(error(1, 0.01), 0.0638, 5e-5);
  EXPECT_NEAR(error(2, 0.01), -6.6e-4, 5e-6);
  EXPECT_NEAR(error(3, 0.01), 3.9e-6, 5e-8);
  EXPECT_NEAR(error(4, 0.01), -2.59e-8, 5e-11);
  EXPECT_NEAR(error(4, 0.02), -3.90e-7, 5e-10);
}

TEST(Modified, SeriesHasAsManyOrdersAsTerms) {
  for (const auto& [name, rule] :
       {std::pair{"svc", trapezoidal}, {"se2", Rule{{1, 1}}}, {"midpoint", Rule{{0.5, 1}}}})
    for (int terms = 1; terms <= 4; ++terms) {
      std::vector<ErrorAt> errors;
      for (double h : {0.01, 0.0075, 0.005, 0.004, 0.003})
        errors.push_back({h, std::abs(modified_series(cart, rule, h, terms).value(z.q, z.p) -
                                      shadow(make_flow(name), h, 8))});
      const auto observed = observed_order(errors, 1e-12);
      EXPECT_NEAR(observed.slope, terms, 0.15) << name << " with " << terms << " terms\n" << observed.table;
    }
}

// 000, (25): the generating function of SVA, h η(q0, p1), from the stages of its own step.
TEST(Modified, GeneratingFunctionOfSva) {
  const double h = 0.05;
  const auto half = flow_step(cart, se1(), 0.0, h / 2, z), whole = flow_step(cart, sva(), 0.0, h, z);
  const Vector<double, 2> q0 = z.q, q1 = whole.z.q, p1 = whole.z.p, p_half = half.z.p;
  const auto H = [](const Vector<double, 2>& q, const Vector<double, 2>& p) {
    return hamiltonian(cart, 0.0, State<double, 2>{q, p});
  };
  const auto at0 = rates(cart, 0.0, State<double, 2>{q0, p_half}),
             at1 = rates(cart, 0.0, State<double, 2>{q1, p_half});
  const double printed = h / 2 * (H(q0, p_half) + H(q1, p_half)) - h * h / 4 * (-at1.p).dot(at0.q + at1.q);
  const double generated = p1.dot(q1 - q0) - whole.action;  // h η by (21), (23) and (24)
  EXPECT_NEAR(printed, generated, 1e-13);
}

TEST(Modified, ShadowEnergyConvergesWithItsOrder) {
  const double exact = shadow(svc(), 0.01, 8);
  EXPECT_NEAR(std::abs(shadow(svc(), 0.01, 1) - exact), 3.9e-3, 5e-5);
  EXPECT_NEAR(std::abs(shadow(svc(), 0.01, 2) - exact), 1.2e-8, 5e-10);
  EXPECT_NEAR(std::abs(shadow(svc(), 0.01, 3) - exact), 3.1e-11, 5e-13);
  for (int m = 1; m <= 3; ++m) {
    std::vector<ErrorAt> errors;
    for (double h : {0.04, 0.035, 0.03, 0.025, 0.02})
      errors.push_back({h, std::abs(shadow(svc(), h, m) - shadow(svc(), h, 8))});
    const auto observed = observed_order(errors, 1e-13);
    EXPECT_NEAR(observed.slope, 2 * m, m == 2 ? 0.6 : 0.4) << m << "\n" << observed.table;
  }
}

// Along the flow it stands still, to rounding, for every flow.
TEST(Modified, ShadowEnergyIsKeptByItsFlow) {
  for (const char* name : {"se1", "svc", "sva", "midpoint", "yoshida4", "gauss"}) {
    const SteadyFlow flow(make_flow(name, {.stages = 2}), 0.01);
    Phase state = any_size(z);
    const double before = shadow_energy(system, flow, 0, state, 6);
    double worst = 0;
    for (int n = 0; n < 200; ++n) {
      free_step(system, flow.forward, 0, flow.h, state);
      worst = std::max(worst, std::abs(shadow_energy(system, flow, 0, state, 6) - before));
    }
    EXPECT_LT(worst, 1e-10) << name;
  }
}

// Both kinds of fractional steps go along the modified flow: α and then 1 - α make one step, to high order.
TEST(Modified, FractionsOfAStepAddUp) {
  const auto error = [](ImpactLaw::Part kind, double h) {
    const SteadyFlow flow(svc(), h);
    const ImpactLaw law = shadow_law(8, kind);
    HeldFlow held(*system);
    PartialMotion part(*system, held, flow, law);
    Phase there = any_size(z), whole = there;
    part.begin(0, there, {}, kind);
    part(0.3 * h, there);
    part.begin(0.3 * h, there, {}, kind);
    part(0.7 * h, there);
    free_step(system, flow.forward, 0, h, whole);
    return distance(there, whole);
  };
  std::vector<ErrorAt> composed, polynomial;
  for (double h : {0.1, 0.08, 0.06, 0.05, 0.04})
    composed.push_back({h, error(ImpactLaw::Part::composition, h)}),
        polynomial.push_back({h, error(ImpactLaw::Part::polynomial, h)});
  const auto slow = observed_order(composed, 1e-15), fast = observed_order(polynomial, 1e-15);
  EXPECT_NEAR(slow.slope, 5, 0.3) << slow.table;
  EXPECT_NEAR(fast.slope, 9, 1.0) << fast.table;
}

}  // namespace
}  // namespace carom::test
