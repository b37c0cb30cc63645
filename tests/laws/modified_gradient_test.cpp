// Modified Hamiltonians as run-time objects: the values and gradients that nested dual numbers gave where L
// is not quadratic or the mass varies, gradients against differences of values, and formulas against structs.
#include <gtest/gtest.h>

#include "model/system_formulas.hpp"
#include "support/flow_cases.hpp"

namespace carom::test {
namespace {

using Vec = Eigen::VectorXd;
const Rule trapezoidal{{0, 0.5}, {1, 0.5}};
constexpr double h = 0.03;

struct Relativistic {
  static constexpr int dim = 2;
  template <class S>
  S lagrangian(const Vector<S, 2>& q, const Vector<S, 2>& v) const {
    return -sqrt(1.0 - v[0] * v[0] - v[1] * v[1]) - 1.3 * q[1] + sin(q[0]) * q[1];
  }
};
struct Curved {
  static constexpr int dim = 2;
  template <class S>
  S lagrangian(const Vector<S, 2>& q, const Vector<S, 2>& v) const {
    const S m = 2.0 + cos(q[0]) * 0.5, w = v[0] * v[0] * m + v[1] * v[1] + v[0] * v[1] * sin(q[1]) * 0.3;
    return 0.5 * w + 0.05 * w * w - log(1.0 + exp(q[0] * q[1])) - pow(1.5 + sin(q[1]), 1.7) +
           v[0] * q[1] * 0.2;
  }
};

Vec gradient_of(const ModifiedHamiltonian& modified, const Vec& x) {
  const int n = modified.size();
  Vec r(2 * n);
  modified.gradient(x.head(n), x.tail(n), r.head(n), r.tail(n));
  return r;
}
double value_of(const ModifiedHamiltonian& modified, const Vec& x) {
  return modified.value(x.head(modified.size()), x.tail(modified.size()));
}

Vec list(std::initializer_list<double> values) {
  return Eigen::Map<const Vec>(values.begin(), static_cast<Eigen::Index>(values.size()));
}

void expect_known(const ModifiedHamiltonian& modified, const Vec& x, double value, const Vec& gradient) {
  EXPECT_NEAR(value_of(modified, x), value, 1e-14 * std::abs(value));
  EXPECT_LT((gradient_of(modified, x) - gradient).norm(), 1e-14 * gradient.norm());
}

TEST(ModifiedGradient, IsWhatNestedDualNumbersGive) {
  const Vec a = list({0.7, 0.9, 0.8, -0.6}), b = list({0.7, 0.9, 1.3, -1.1});
  expect_known(modified_series(Relativistic{}, trapezoidal, h, 4), a, 2.0044469496965651,
               list({-0.68833999031864157, 0.65578518073520076, 0.56573410873686636, -0.42429805927726882}));
  expect_known(modified_midpoint(Relativistic{}, h), a, 2.0043847700267823,
               list({-0.68832996881850139, 0.65576197974912986, 0.56568004002621652, -0.42426652970211493}));
  expect_known(modified_series(Curved{}, trapezoidal, h, 4), b, 5.951961390914529,
               list({0.62320572672838848, 2.301280538181862, 0.42456254179200786, -0.93524014935406374}));
  expect_known(modified_series(Curved{}, Rule{{0.3, 1}}, h, 3), b, 5.9635864368870779,
               list({0.62690736409246806, 2.2891770714333686, 0.42268872710565386, -0.94478100330964088}));
  expect_known(modified_sva(Curved{}, h), b, 5.9519624017437875,
               list({0.62320700282606034, 2.3012812828121385, 0.42456376514536687, -0.93524010547406067}));
}

template <class Make>
void for_each_form(const Make& use, const std::shared_ptr<const NilpotentLagrangian>& system) {
  for (const Rule& rule : {trapezoidal, Rule{{0, 1}}, Rule{{1, 1}}, Rule{{0.5, 1}}, Rule{{0.3, 1}}})
    for (int terms = 1; terms <= 4; ++terms) use(ModifiedHamiltonian::series(system, rule, h, terms));
  for (const auto& [a, b, c] : {std::array{2, 2, -1}, {-1, 2, 2}, {-1, 2, -1}})
    use(ModifiedHamiltonian::closed_form(system, a, b, c, h));
}

// By differences of the fourth order.
void expect_gradient(const std::shared_ptr<const NilpotentLagrangian>& system, const Vec& x) {
  constexpr double d = 1e-3;
  for_each_form(
      [&](const ModifiedHamiltonian& modified) {
        const Vec g = gradient_of(modified, x);
        for (int i = 0; i < x.size(); ++i) {
          const auto at = [&](double by) {
            Vec y = x;
            y[i] += by;
            return value_of(modified, y);
          };
          const double slope = (8 * (at(d) - at(-d)) - (at(2 * d) - at(-2 * d))) / (12 * d);
          EXPECT_NEAR(g[i], slope, 2e-9 * (1 + g.norm())) << "order " << modified.order() << ", slope " << i;
        }
      },
      system);
}

TEST(ModifiedGradient, IsTheGradientOfTheValue) {
  expect_gradient(over_nilpotents(PointMass{}), list({0.7, -1.2}));
  expect_gradient(over_nilpotents(DoublePendulum{}), list({0.3, -0.2, 0, 0}));
  expect_gradient(over_nilpotents(CartPendulum{}), list({0.7, 0.9, 1.3, 2.1}));
  expect_gradient(over_nilpotents(DoublePendulum{}), list({0.5, 1.1, 3.7, 0.2}));
  expect_gradient(over_nilpotents(Star{.kappa = 0.1}), list({0.1, 3.2, 0.4, -2, 0.3, 0.7}));
  expect_gradient(over_nilpotents(Relativistic{}), list({0.7, 0.9, 0.8, -0.6}));
  expect_gradient(over_nilpotents(Curved{}), list({0.7, 0.9, 1.3, -1.1}));
}

std::shared_ptr<const NilpotentLagrangian> in_formulas(const std::string& coordinates,
                                                       const std::string& lagrangian) {
  const std::string text = "[system]\nname = \"expression\"\ncoordinates = [" + coordinates +
                           "]\nlagrangian = \"" + lagrangian + "\"\n[time]\nend = 1.0\n";
  return lagrangian_of(define_system(parse_scenario(text, "test.toml")));
}

// Four coordinates, a mass that varies and a kinetic energy that is not quadratic.
struct Crane {
  static constexpr int dim = 4;
  template <class S>
  S lagrangian(const Vector<S, 4>& q, const Vector<S, 4>& v) const {
    return 0.5 * v[0] * v[0] + 0.5 * (1.0 + q[3] * q[3]) * v[1] * v[1] + v[0] * v[2] * cos(q[2]) +
           v[2] * v[2] + 0.5 * v[3] * v[3] * (2.0 + sin(q[1])) + 3.0 * cos(q[2]) - q[3] * q[3] -
           exp(q[0] * 0.3) + 0.1 * v[1] * v[1] * v[1] * v[1];
  }
};
const std::string crane =
    "0.5*x'^2 + 0.5*(1 + r^2)*a'^2 + x'*b'*cos(b) + b'^2 + 0.5*r'^2*(2 + sin(a)) + 3*cos(b) - r^2"
    " - exp(0.3*x) + 0.1*a'^4";

void expect_same(const std::shared_ptr<const NilpotentLagrangian>& first,
                 const std::shared_ptr<const NilpotentLagrangian>& second, const Vec& x) {
  std::vector<ModifiedHamiltonian> forms;
  for_each_form([&](const ModifiedHamiltonian& modified) { forms.push_back(modified); }, first);
  std::size_t k = 0;
  for_each_form(
      [&](const ModifiedHamiltonian& modified) {
        const double value = value_of(forms[k], x);
        const Vec g = gradient_of(forms[k], x);
        EXPECT_NEAR(value_of(modified, x), value, 2e-14 * (1 + std::abs(value))) << k;
        EXPECT_LT((gradient_of(modified, x) - g).norm(), 5e-14 * (1 + g.norm())) << k;
        ++k;
      },
      second);
}

TEST(ModifiedGradient, FormulasAgreeWithStructs) {
  expect_same(
      over_nilpotents(DoublePendulum{}),
      in_formulas("'a', 'b'", "a'^2 + 0.5*(a'+b')^2 + cos(b)*a'*(a'+b') - 20*(1-cos(a)) - 10*(1-cos(a+b))"),
      list({0.5, 1.1, 3.7, 0.2}));
  expect_same(over_nilpotents(Star{.kappa = 0.1}),
              in_formulas("'x', 'y', 'a'", "0.5*(x'^2 + y'^2 + 29/192*a'^2) - 9.81*y/(1 + 0.1*y)"),
              list({0.1, 3.2, 0.4, -2, 0.3, 0.7}));
  expect_same(over_nilpotents(Crane{}), in_formulas("'x', 'a', 'b', 'r'", crane),
              list({0.2, -0.4, 0.5, 0.3, 0.9, -0.3, 0.4, 0.8}));
}

TEST(ModifiedGradient, OfFourCoordinates) {
  expect_gradient(in_formulas("'x', 'a', 'b', 'r'", crane), list({0.2, -0.4, 0.5, 0.3, 0.9, -0.3, 0.4, 0.8}));
}

// Close to light's speed, where Newton's method needs care.
TEST(ModifiedGradient, OfFastParticles) {
  const auto modified = modified_series(Relativistic{}, Rule{{0, 1}}, 1e-3, 1);  // H itself
  for (const double size : {1e-6, 0.5, 3.0, 50.0, 1e3}) {
    const Vec q = list({0.0, 1.0}), p = list({0.6 * size, -0.8 * size});
    const double gamma = std::sqrt(1 + size * size);
    EXPECT_NEAR(modified.value(q, p), gamma + 1.3, 1e-15 * gamma * gamma * gamma) << size;
  }
}

struct Massless {
  static constexpr int dim = 1;
  template <class S>
  S lagrangian(const Vector<S, 1>& q, const Vector<S, 1>& v) const {
    return 0.0 * v[0] * v[0] - q[0] * q[0];
  }
};
TEST(ModifiedGradient, NotANumberWhereThereIsNoVelocity) {
  const auto modified = modified_sva(Massless{}, h);
  EXPECT_TRUE(std::isnan(value_of(modified, list({1, 1}))));
  EXPECT_TRUE(std::isnan(gradient_of(modified, list({1, 1})).sum()));
}

TEST(ModifiedGradient, OfAFlowByName) {
  const auto system = over_nilpotents(CartPendulum{});
  const Vec x = list({0.7, 0.9, 1.3, 2.1});
  const auto by_name = [&](const Flow& flow) {
    return value_of(ModifiedHamiltonian::of_flow(system, flow, h, 3), x);
  };
  EXPECT_EQ(by_name(sva()), value_of(modified_sva(CartPendulum{}, h), x));
  EXPECT_EQ(by_name(svb()), value_of(modified_svb(CartPendulum{}, h), x));
  EXPECT_EQ(by_name(midpoint()), value_of(modified_midpoint(CartPendulum{}, h), x));
  EXPECT_EQ(by_name(svc()), value_of(modified_series(CartPendulum{}, trapezoidal, h, 3), x));
  EXPECT_THROW(by_name(make_flow("yoshida4")), std::invalid_argument);
  EXPECT_THROW(modified_series(CartPendulum{}, trapezoidal, h, 5), std::invalid_argument);
}

}  // namespace
}  // namespace carom::test
