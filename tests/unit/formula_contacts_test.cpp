// Contacts of a system in formulas: their restitutions, conditions and kinks, as the event loop asks for
// them.
#include <gtest/gtest.h>

#include <algorithm>

#include "carom/system/validated_start.hpp"
#include "model/formula_system.hpp"
#include "scenario_helpers.hpp"

namespace carom {
namespace {

FormulaSystem system_of(const std::string& lines) {
  return FormulaSystem(define_system(parse_scenario(
      "[system]\nname = \"expression\"\ncoordinates = [\"x\", \"y\"]\nparameters = { e = 0.5, R = 1.0 }\n"
      "lagrangian = \"0.5*(x'^2 + y'^2) - 9.81*y\"\n" +
          lines + "\n[time]\nend = 1.0\n",
      "test.toml")));
}
const Values q = Vector<double, 2>(3, -2), v = Vector<double, 2>(-1, 4);

TEST(FormulaContacts, GapsComeFirstThenContacts) {
  const auto system = system_of(
      "contacts = { floor = { gap = \"y - R\", restitution = 0.8 }, step = { gap = \"y - R + x\", "
      "restitution = "
      "\"e^2\" }, wall = { gap = \"x\" } }\ngaps = { roof = \"9 - y\" }");
  ASSERT_EQ(system.contact_count(), 4);
  EXPECT_EQ(system.contact_name(0) + system.contact_name(1) + system.contact_name(3), "rooffloorwall");
  EXPECT_TRUE(std::isnan(system.restitution(0)));
  EXPECT_EQ(system.restitution(1), 0.8);
  EXPECT_EQ(system.restitution(2), 0.25);
  EXPECT_TRUE(std::isnan(system.restitution(3)));
  Values g;
  system.gaps(0, q, g);
  EXPECT_EQ(g, (Vector<double, 4>(11, -3, 0, 3)));
  EXPECT_FALSE(system.has_conditions());
}

TEST(FormulaContacts, ConditionsArePositiveWhereTheContactExists) {
  const auto system = system_of(
      "gaps = { roof = \"9 - y\" }\ncontacts = { a = { gap = \"y\", when = \"x > 1\" }, b = { gap = \"y\", "
      "when = "
      "\"x' >= x*t\" }, c = { gap = \"x\" } }");
  ASSERT_TRUE(system.has_conditions());
  Values c;
  system.conditions(2, q, v, c);
  EXPECT_EQ(c, (Vector<double, 4>(1, 2, -7, 1)));
  EXPECT_FALSE(system.has_lanes());
}

TEST(FormulaContacts, NeedNotBeOpenAtTheStartWhereTheyDoNotExist) {
  const std::string floor = "contacts = { floor = { gap = \"y\", when = \"";
  const Start<Eigen::Dynamic> start{q, v, std::nullopt};
  EXPECT_THROW(validated_state(system_of(floor + "x > 2\" } }"), start), InvalidInput);
  EXPECT_EQ(validated_state(system_of(floor + "x > 4\" } }"), start).q, q);
  EXPECT_EQ(validated_state(system_of(floor + "y' < 3\" } }"), start).q, q);
  EXPECT_THROW(validated_state(system_of(floor + "y' < 5\" } }"), start), InvalidInput);
}

TEST(FormulaContacts, KinksOfEachGap) {
  const auto system = system_of(
      "gaps = { smooth = \"y - x^2\", bumps = \"y - max(sin(x), 0) - abs(x - t)\" }\n"
      "contacts = { stairs = { gap = \"if(x < 2, y, y - (x - 2))\", when = \"abs(x) > 1\" } }\n"
      "let = { unused = \"abs(y)\" }");
  ASSERT_EQ(system.branch_count(), 3);
  for (int k = 0; k < 3; ++k) EXPECT_EQ(system.branch_contact(k), k < 2 ? 1 : 2);
  Values sides, gap;
  system.branches(1, q, sides);
  EXPECT_EQ(sides, (Vector<double, 3>(1, 1, 1)));  // x = 3: sin(x) > 0, x > t, x > 2
  system.branches(4, Vector<double, 2>(-1, 4), sides);
  EXPECT_EQ(sides, (Vector<double, 3>(-1, -1, -1)));
  // A branch that is held goes on behind its kink; others are chosen by the place.
  const auto own = system.with_own_branches();
  ASSERT_TRUE(own);
  own->hold_branches(Vector<double, 3>(std::nan(""), -1, -1));
  own->gaps(1, q, gap);
  EXPECT_EQ(gap[1], -2 - std::sin(3.0) - (1 - 3));
  EXPECT_EQ(gap[2], -2);
  own->gap_bends(1, q, v, std::vector<int>{1}, gap.head(1));
  EXPECT_NEAR(gap[0], std::sin(3.0) * v[0] * v[0], 1e-14);
  system.gaps(1, q, gap);
  EXPECT_EQ(gap[1], -2 - std::sin(3.0) - (3 - 1));
  EXPECT_EQ(gap[2], -2 - (3 - 2));
  EXPECT_EQ(system_of("gaps = { smooth = \"y\" }").branch_count(), 0);
}

}  // namespace
}  // namespace carom
