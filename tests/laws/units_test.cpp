// What does not matter changes nothing: units, a factor of a gap, a constant in V, and coordinates that
// nothing couples to a contact, however fast or heavy. Powers of two give the same bits. (The large random
// suite is tests/truth/scaling_suite.py.)
#include <gtest/gtest.h>

#include <numbers>

#include "carom/carom.hpp"
#include "carom/system/part_of_system.hpp"
#include "model/formula_system.hpp"
#include "scenario/scenario_text.hpp"
#include "support/local_systems.hpp"

namespace carom::test {
namespace {

SystemRef in_formulas(const std::string& text) {
  return {std::make_shared<FormulaSystem>(define_system(
      parse_scenario("[system]\nname = \"expression\"\n" + text + "\n[time]\nend = 1.0", "test.toml")))};
}

struct Followed {
  Phase end;
  std::vector<double> impacts;
  std::optional<Failure> failure;
};
Followed followed(const SystemRef& system, const Start<Eigen::Dynamic>& start, double h, int steps,
                  const ContactOptions& options = {}, const Flow& flow = svc()) {
  ContactStepper stepper(system, SteadyFlow(flow, h), options);
  Followed r;
  const auto ended = simulate(stepper, validated_state(*system, start, false, 0, h), Grid{0, h, steps},
                              [&r](const GridPoint& point) {
                                for (const Impact& impact : point.impacts) r.impacts.push_back(impact.t);
                              });
  return r.end = ended.z, r.failure = ended.failure, r;
}

// A cart with a pendulum between two walls and a sloping ceiling: lengths and an angle, a mass that depends
// on it.
std::string cart(double m, double l, double T) {
  std::ostringstream s;
  s.precision(17);
  s << "coordinates = [\"x\", \"a\"]\nparameters = { m = " << m << ", L = " << l
    << ", g = " << 9.81 * l / (T * T)
    << " }\nlagrangian = \"0.5*3*m*x'^2 + 0.5*m*(L^2*a'^2 + 2*L*cos(a)*x'*a') + m*g*L*cos(a)\"\n"
    << "gaps = { left = \"x + L\", right = \"L - x\", bob = \"1.4*L - x - L*sin(a)\" }";
  return s.str();
}
Start<Eigen::Dynamic> cart_start(double l, double T) {
  return start_at({0.1 * l, 0.9}, {2 * l / T, 1.3 / T});
}

TEST(Units, PowersOfTwoGiveTheSameBits) {
  for (const double e : {1.0, 0.5}) {
    const auto plain = followed(in_formulas(cart(1, 1, 1)), cart_start(1, 1), 0.01, 1000, {.restitution = e});
    ASSERT_FALSE(plain.failure) << plain.failure->reason;
    EXPECT_GE(plain.impacts.size(), 3u);
    for (const auto& [m, l, T] : {std::array{0x1p30, 1.0, 1.0},
                                  {1.0, 0x1p-40, 1.0},
                                  {1.0, 0x1p40, 1.0},
                                  {1.0, 1.0, 0x1p-20},
                                  {0x1p-11, 0x1p21, 0x1p7}}) {
      const auto scaled =
          followed(in_formulas(cart(m, l, T)), cart_start(l, T), 0.01 * T, 1000, {.restitution = e});
      ASSERT_FALSE(scaled.failure) << scaled.failure->reason;
      EXPECT_EQ(scaled.end.q[0] / l, plain.end.q[0]) << m << ' ' << l << ' ' << T;
      EXPECT_EQ(scaled.end.q[1], plain.end.q[1]);
      EXPECT_EQ(scaled.end.p[0] * T / (m * l), plain.end.p[0]);
      EXPECT_EQ(scaled.end.p[1] * T / (m * l * l), plain.end.p[1]);
      ASSERT_EQ(scaled.impacts.size(), plain.impacts.size());
      for (std::size_t i = 0; i < plain.impacts.size(); ++i)
        EXPECT_EQ(scaled.impacts[i] / T, plain.impacts[i]);
    }
  }
}

TEST(Units, OtherFactorsAgreeToRounding) {
  const auto plain = followed(in_formulas(cart(1, 1, 1)), cart_start(1, 1), 0.01, 100);
  for (const auto& [m, l, T] :
       {std::array{1e-12, 1.0, 1.0}, {1.0, 1e-9, 1.0}, {1.0, 1e12, 1e12}, {1e7, 3e-5, 1e-7}}) {
    const auto scaled = followed(in_formulas(cart(m, l, T)), cart_start(l, T), 0.01 * T, 100);
    EXPECT_NEAR(scaled.end.q[0] / l, plain.end.q[0], 1e-11) << m << ' ' << l << ' ' << T;
    EXPECT_NEAR(scaled.end.q[1], plain.end.q[1], 1e-11);
  }
}

// Steppers that compare coordinates with each other do so in units of the mass: lengths beside angles.
TEST(Units, PowersOfTwoGiveTheSameBitsToEveryStepper) {
  using Make = std::function<std::unique_ptr<Stepper>(const SystemRef& system, double h)>;
  const std::vector<Make> makes{
      [](const SystemRef& s, double h) { return make_collocation_stepper(*s, h, {.tolerance = 1e-7}); },
      [](const SystemRef& s, double h) { return make_collocation_stepper(*s, h, {.stages = 3}); },
      [](const SystemRef& s, double h) {
        return std::make_unique<GviStepper>(s, SteadyFlow(svc(), h), GviOptions{});
      }};
  for (std::size_t i = 0; i < makes.size(); ++i) {
    const auto end = [&](double m, double l, double T) {
      const auto system = in_formulas(cart(m, l, T));
      const auto stepper = makes[i](system, 0.02 * T);
      return simulate(*stepper, validated_state(*system, cart_start(l, T), false, 0, 0.02 * T),
                      Grid{0, 0.02 * T, 200});
    };
    const auto plain = end(1, 1, 1);
    ASSERT_FALSE(plain.failure) << i << ": " << plain.failure->reason;
    for (const auto& [m, l, T] :
         {std::array{1.0, 0x1p-40, 1.0}, {1.0, 0x1p39, 1.0}, {0x1p-11, 0x1p-33, 0x1p7}}) {
      const auto scaled = end(m, l, T);
      ASSERT_FALSE(scaled.failure) << i << ": " << scaled.failure->reason;
      EXPECT_EQ(scaled.z.q[0] / l, plain.z.q[0]) << i << ": " << l;
      EXPECT_EQ(scaled.z.q[1], plain.z.q[1]) << i << ": " << l;
    }
  }
}

// Bounces of y, with another coordinate beside it.
std::string ball(const std::string& more, const std::string& gap = "y") {
  return "coordinates = [\"x\", \"y\"]\nlagrangian = \"0.5*y'^2 - 10*y + " + more +
         "\"\ngaps = { floor = \"" + gap + "\" }";
}

TEST(Units, WhatNothingCouplesHasNoSay) {
  for (const Flow& flow : {svc(), yoshida4(svc())}) {
    const auto alone =
        followed(in_formulas(ball("0.5*x'^2")), start_at({0, 1}, {0, 0}), 0.003, 1000, {}, flow);
    EXPECT_EQ(alone.impacts.size(), 3u);
    for (const double speed : {1e-6, 1.0, 1e3, 1e6, 1e8}) {
      const auto beside =
          followed(in_formulas(ball("0.5*x'^2")), start_at({0, 1}, {speed, 0}), 0.003, 1000, {}, flow);
      EXPECT_EQ(beside.end.q[1], alone.end.q[1]) << speed;
      EXPECT_EQ(beside.impacts, alone.impacts) << speed;
    }
    const auto heavy = followed(in_formulas(ball("0.5*1e12*x'^2 - 4e12*cos(x)")), start_at({0.3, 1}, {2, 0}),
                                0.003, 1000, {}, flow);
    EXPECT_NEAR(heavy.end.q[1], alone.end.q[1], 1e-12);
  }
}

// A heavy mass that looks on: with forces, and by laws that keep a modified energy.
TEST(Units, WhatNothingCouplesHasNoSayInAnyLaw) {
  const std::string forces = "\nforce = [\"0\", \"3*sin(2*t) - 0.1*y'\"]";
  const auto modified = [](const SystemRef& s) {
    return modified_energy(ModifiedHamiltonian::of_flow(s->over_nilpotents(), sva(), 0.003, 2));
  };
  const auto stable = [](const SystemRef& s) {
    return stable_energy(*s, SteadyFlow(sva(), 0.003), 8,
                         ModifiedHamiltonian::of_flow(s->over_nilpotents(), sva(), 0.003, 2));
  };
  struct Case {
    std::string more;
    std::function<ImpactLaw(const SystemRef&)> law;
    double e;
  };
  for (const Case& one : {Case{forces, [](const SystemRef&) { return shadow_law(); }, 1.0},
                          {forces, [](const SystemRef&) { return shadow_law(); }, 0.7},
                          {"", modified, 1.0},
                          {"", stable, 1.0}}) {
    const auto end = [&](double mass) {
      const auto s = in_formulas(ball("0.5*" + std::to_string(mass) + "*x'^2 - y^4") + one.more);
      return followed(s, start_at({0.3, 1}, {0.37, 0}), 0.003, 500, {.law = one.law(s), .restitution = one.e},
                      sva());
    };
    const auto alone = end(1), heavy = end(1e12);
    ASSERT_FALSE(heavy.failure) << heavy.failure->reason;
    EXPECT_GE(alone.impacts.size(), 2u);
    EXPECT_NEAR(heavy.end.q[1], alone.end.q[1], 1e-11);
    EXPECT_NEAR(heavy.end.p[1], alone.end.p[1], 1e-10);
  }
}

TEST(Units, FactorsOfGapsAndConstantsInTheEnergyHaveNoSay) {
  const auto plain = followed(in_formulas(ball("0.5*x'^2")), start_at({0, 1}, {0.3, 0}), 0.003, 1000);
  for (const char* gap : {"1e-12*y", "1e12*y"}) {
    const auto scaled = followed(in_formulas(ball("0.5*x'^2", gap)), start_at({0, 1}, {0.3, 0}), 0.003, 1000);
    ASSERT_FALSE(scaled.failure) << gap;
    EXPECT_NEAR(scaled.end.q[1], plain.end.q[1], 1e-11) << gap;
  }
  const auto raised = followed(in_formulas(ball("0.5*x'^2 + 1e6")), start_at({0, 1}, {0.3, 0}), 0.003, 1000);
  EXPECT_NEAR(raised.end.q[1], plain.end.q[1], 1e-8);
}

TEST(Units, APartIsTheSystemWithoutTheRest) {
  const auto whole = in_formulas(
      "coordinates = [\"x\", \"y\", \"z\"]\nlagrangian = \"0.5*(1 + y^2)*y'^2 - y^4 + x'^2 + z'^2 - (x - "
      "z)^2\"\n"
      "gaps = { floor = \"y + 1\", between = \"x - z + 3\" }");
  EXPECT_EQ(whole->units(), (std::vector<int>{0, 1, 0}));
  const auto alone = in_formulas(
      "coordinates = [\"y\"]\nlagrangian = \"0.5*(1 + y^2)*y'^2 - y^4\"\ngaps = { floor = \"y + 1\" }");
  const PartOfSystem part(static_cast<const DenseSystem&>(*whole), {1}, values({2.5, 0.0, -1.0}), 0);
  ASSERT_EQ(part.contact_count(), 1);
  EXPECT_EQ(part.contact_name(0), "floor");
  HeldFlow of_part(part), of_alone(*alone);
  Phase a{values({0.4}), values({0.7})}, b = a;
  const SteadyFlow flow(svc(), 0.02);
  EXPECT_NEAR(of_part.shadow_energy(flow, 0, a, 4, {}), of_alone.shadow_energy(flow, 0, b, 4, {}), 1e-13);
  of_part(flow.forward, 0, 0.02, a, {}, HeldFlow::Hold::bilateral);
  of_alone(flow.forward, 0, 0.02, b, {}, HeldFlow::Hold::bilateral);
  EXPECT_EQ(a.q, b.q);
  EXPECT_EQ(a.p, b.p);
}

// Contacts with restitutions of their own, all at once: never a gain, and each gives back what is its own.
TEST(Restitutions, NeverGain) {
  const auto corner = in_formulas(
      "coordinates = [\"x\", \"y\"]\nlagrangian = \"0.5*(x'^2 + y'^2)\"\n"
      "[system.contacts]\nfloor = { gap = \"y\", restitution = 0.9 }\nwall = { gap = \"1 - x - 0.7*y\", "
      "restitution = 0.2 }");
  const auto r = followed(corner, start_at({0, 0.5}, {2, -1}), 0.01, 200);
  ASSERT_FALSE(r.failure) << r.failure->reason;
  EXPECT_LE(r.end.p.squaredNorm(), 5.0);
  const auto single = followed(corner, start_at({0, 0.5}, {0, -1}), 0.01, 80);
  EXPECT_NEAR(single.end.p[1], 0.9, 1e-12);
}

// A contact is there while its condition holds, and begins where its gap is not negative then.
TEST(Conditions, AContactExistsWhereItsConditionHolds) {
  const auto text = [](const char* when) {
    return std::string(
               "coordinates = [\"x\", \"y\"]\nlagrangian = \"0.5*(x'^2 + y'^2)\"\n"
               "[system.contacts]\nfloor = { gap = \"y\", when = \"") +
           when + "\" }";
  };
  const auto start = start_at({0, 0.5}, {1, -1});
  EXPECT_NEAR(followed(in_formulas(text("x < 1")), start, 0.01, 100).end.q[1], 0.5, 1e-12);
  EXPECT_NEAR(followed(in_formulas(text("x < 0.4")), start, 0.01, 100).end.q[1], -0.5, 1e-12);
  EXPECT_NEAR(followed(in_formulas(text("x > 0.7")), start, 0.01, 100).end.q[1], -0.5,
              1e-12);  // behind it by then
  EXPECT_NEAR(followed(in_formulas(text("x > 0.498")), start, 0.01, 100).end.q[1], 0.5,
              1e-12);  // within a step
}

// What stands on it falls where the condition ends, in the middle of a step; one that begins to hold at the
// start holds it.
TEST(Conditions, EndWhatLasts) {
  for (const auto& [when, end] :
       {std::pair{"x < 0.4973", 0.4973}, {"sin(10*t) > 0", 0.1 * std::numbers::pi}, {"t < 0.3", 0.3}}) {
    const auto ledge =
        in_formulas(std::string("coordinates = [\"x\", \"y\"]\nlagrangian = \"0.5*(x'^2 + y'^2) - 10*y\"\n"
                                "[system.contacts]\nledge = { gap = \"y\", when = \"") +
                    when + "\" }");
    for (const Flow& flow : {svc(), yoshida4(svc())}) {
      const auto r = followed(ledge, start_at({0, 0}, {1, 0}), 0.01, 55, {}, flow);
      ASSERT_FALSE(r.failure) << when << ", " << flow.name << ": " << r.failure->reason;
      EXPECT_NEAR(r.end.q[1], -5 * (0.55 - end) * (0.55 - end), 1e-11) << when << ", " << flow.name;
    }
  }
}

// Two that share nothing are hit at one instant: the slow one bounces as it does alone.
TEST(Units, ContactsThatShareNothingAreHitTogetherAsApart) {
  const auto system = in_formulas(
      "coordinates = [\"y\", \"x\"]\nlagrangian = \"0.5*y'^2 + 0.5*x'^2\"\n"
      "gaps = { floor = \"y\", wall = \"1 - x\" }");
  for (const double slow : {1e-3, 1e-9, 1e-14})
    for (const Flow& flow : {svc(), gauss(2)}) {
      const auto r = followed(system, start_at({slow, 0}, {-slow, 1}), 0.01, 200, {.lasting = false}, flow);
      ASSERT_FALSE(r.failure) << r.failure->reason;
      EXPECT_EQ(r.end.p[0], slow);
      EXPECT_NEAR(r.end.q[0], slow, 1e-12 * slow);
      EXPECT_NEAR(r.end.q[1], 0, 1e-12);
    }
}

// Kinks of a gap under a contact that slides: up, down, and a jump in the curvature alone.
TEST(Kinks, AreMetAsAnotherWall) {
  const auto floor = [](const char* gap) {
    return in_formulas(std::string("coordinates = [\"x\", \"y\"]\nlagrangian = \"0.5*(x'^2 + y'^2) - 10*y\"\n"
                                   "gaps = { floor = \"") +
                       gap + "\" }");
  };
  const auto start = start_at({0, 0}, {3, 0});
  const auto H = [](const Followed& r) { return 0.5 * r.end.p.squaredNorm() + 10 * r.end.q[1]; };
  for (const double h : {0.003, 0.01})
    for (const double e : {0.0, 0.5}) {
      const int steps = static_cast<int>(std::round(0.42 / h));
      const auto r = followed(floor("y - max(0, x - 1)"), start, h, steps, {.restitution = e});
      ASSERT_FALSE(r.failure) << r.failure->reason;
      EXPECT_NEAR(H(r), 4.5 - 2.25 * (1 - e * e), 1e-4) << h << ' ' << e;
    }
  const auto off = followed(floor("y + 2*max(0, x - 1)"), start, 0.01, 80, {.restitution = 0});
  EXPECT_NEAR(off.end.q[0], 2.4, 1e-9);
  EXPECT_NEAR(H(off), 4.5, 1e-9);
  std::vector<double> errors;
  for (const double h : {0.02, 0.01, 0.005})
    errors.push_back(std::abs(H(followed(floor("y - max(0, x - 1)^2"), start, h,
                                         static_cast<int>(std::round(0.6 / h)), {}, yoshida4(svc()))) -
                              4.5));
  EXPECT_GT(errors[0] / errors[2], 60) << errors[0] << ' ' << errors[2];  // order 4: 256
}

TEST(Gaps, WithoutASlopeAreRefusedByName) {
  for (const char* gap : {"y^3", "y^2", "abs(y)", "y*abs(y)", "1e-6*y^5"}) {
    const auto r = followed(in_formulas(ball("0.5*x'^2", gap)), start_at({0, 1}, {1, 0}), 0.01, 100);
    ASSERT_TRUE(r.failure) << gap;
    EXPECT_NE(r.failure->reason.find("no slope where it is zero"), std::string::npos) << r.failure->reason;
    EXPECT_EQ(r.failure->contact, "floor");
  }
}

}  // namespace
}  // namespace carom::test
