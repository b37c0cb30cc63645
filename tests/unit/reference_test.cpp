// tests/golden/: trajectories with impacts that are right to every printed digit (several independent methods
// in 40 digits and more). Gauss collocation with large steps must meet them.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "carom/systems/cart_pendulum.hpp"
#include "carom/systems/double_pendulum.hpp"
#include "support/system_cases.hpp"

namespace carom::test {
namespace {

using Json = nlohmann::json;

Json read(const std::string& name) {
  std::ifstream file(std::string(CAROM_GOLDEN) + "/" + name);
  EXPECT_TRUE(file) << name;
  return Json::parse(file);
}

Vector<double, 2> pair(const Json& j) { return {j[0].get<double>(), j[1].get<double>()}; }

// Runs with steps that divide the times of the reference states, and compares states and impacts with them.
void expect_reference(const SystemCase& c, const Json& expected, const Flow& flow, double h) {
  ContactStepper stepper(c.system, SteadyFlow(flow, h), from_impact_to_impact(continuous_energy()));
  const double T = expected["states"].back()["t"];
  std::vector<Impact> impacts;
  std::vector<Phase> states;
  const auto watch = [&](const GridPoint& point) {
    impacts.insert(impacts.end(), point.impacts.begin(), point.impacts.end());
    states.push_back(point.z);
  };
  const auto ended = simulate(stepper, c.start, Grid{0, h, std::lround(T / h)}, watch);
  ASSERT_FALSE(ended.failure) << ended.failure->reason;
  for (const auto& state : expected["states"]) {
    const auto& z = states.at(std::lround(state["t"].get<double>() / h));
    EXPECT_LT((z.q - pair(state["q"])).cwiseAbs().maxCoeff(), 1e-11) << "t = " << state["t"];
    EXPECT_LT((z.p - pair(state["p"])).cwiseAbs().maxCoeff(), 1e-11) << "t = " << state["t"];
  }
  ASSERT_EQ(impacts.size(), expected["impacts"].size());
  for (std::size_t i = 0; i < impacts.size(); ++i) {
    EXPECT_NEAR(impacts[i].t, expected["impacts"][i]["t"].get<double>(), 1e-12) << i;
    EXPECT_LT((impacts[i].p_after - pair(expected["impacts"][i]["p_plus"])).cwiseAbs().maxCoeff(), 1e-11)
        << i;
  }
}

TEST(Reference, CartPendulum) {
  const Json reference = read("cart_pendulum.json");
  int cases = 0;
  for (const auto& [beta, expected] : reference["cases"].items()) {
    SCOPED_TRACE("beta = " + beta);
    expect_reference(system_case("cart", CartPendulum{}, CartPendulum::family(std::stod(beta))), expected,
                     gauss(8), 0.05);
    ++cases;
  }
  EXPECT_GE(cases, 1);
}

TEST(Reference, DoublePendulum) {
  const Json reference = read("double_pendulum.json");
  expect_reference(system_case("pendulum", DoublePendulum{}), reference["cases"]["potential_with_c1"],
                   gauss(8), 0.04);
}

}  // namespace
}  // namespace carom::test
