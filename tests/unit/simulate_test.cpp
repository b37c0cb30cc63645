// The loop and what it is made of: time on the grid, observers, stopping, steps that fail, and flows as data.
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "carom/flow/flow_stepper.hpp"
#include "support/flow_cases.hpp"
#include "support/system_cases.hpp"

namespace carom::test {
namespace {

template <int N>
bool same(const State<double, N>& x, const State<double, N>& y) {
  return x.q == y.q && x.p == y.p;
}
template <int N>
bool finite(const State<double, N>& z) {
  return z.q.allFinite() && z.p.allFinite();
}

// Adds one to q, and fails from a given step on.
struct Counter {
  int fails_at = 1 << 30;
  int taken = 0;

  Stepped step(double, const Phase& z) {
    StepResult<double, Eigen::Dynamic> r{z};
    r.z.q[0] += 1;
    r.work = r.z.q[0];
    if (taken++ == fails_at) return {r, Failure{"enough", 0.5, ""}};
    return {r, std::nullopt};
  }
};
const Phase zero{Values::Zero(1), Values::Zero(1)};

TEST(Simulate, TimeIsStartPlusNTimesStep) {
  constexpr double t0 = 0.3, h = 0.1;
  Counter counter;
  std::int64_t wrong = 0;
  double running_sum = t0;
  const auto ended = simulate(counter, zero, Grid{t0, h, 1'000'000}, [&](const GridPoint& point) {
    if (point.n > 0) running_sum += h;
    wrong += point.t != t0 + static_cast<double>(point.n) * h;
  });
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(ended.t, t0 + 1e6 * h);
  EXPECT_NE(running_sum, ended.t);  // what it must not be
}

TEST(Simulate, StepperIsGivenTheTimeOfTheGrid) {
  struct Clock {
    std::vector<double> times;
    Stepped step(double t, const Phase& z) {
      times.push_back(t);
      return {{z}, std::nullopt};
    }
  } clock;
  simulate(clock, zero, Grid{2, 0.1, 4});
  EXPECT_EQ(clock.times, (std::vector<double>{2, 2 + 0.1, 2 + 2 * 0.1, 2 + 3 * 0.1}));
}

TEST(Simulate, ObserversSeeEveryPointInOrder) {
  Counter counter;
  std::vector<std::string> seen;
  const auto watch = [&seen](const char* who) {
    return [&seen, who](const GridPoint& point) {
      seen.push_back(who + std::to_string(point.n));
      EXPECT_EQ(point.z.q[0], point.n);
      EXPECT_EQ(point.step == nullptr, point.n == 0);  // no step led to the start
      if (point.step) {
        EXPECT_EQ(point.step->work, point.n);
      }
    };
  };
  const auto ended = simulate(counter, zero, Grid{0, 0.5, 2}, watch("a"), watch("b"));
  EXPECT_EQ(seen, (std::vector<std::string>{"a0", "b0", "a1", "b1", "a2", "b2"}));
  EXPECT_EQ(ended.steps, 2);
  EXPECT_EQ(ended.t, 1);
  EXPECT_EQ(ended.z.q[0], 2);
  EXPECT_FALSE(ended.failure || ended.stopped);
}

TEST(Simulate, ObserversSeeTheImpactsOfTheStepThatLedThere) {
  struct Bouncer {
    std::vector<Impact> impacts;
    Stepped step(double t, const Phase& z) {
      impacts.emplace_back().t = t;
      return {{z}, std::nullopt, impacts};
    }
  } bouncer;
  std::vector<std::size_t> counts;
  simulate(bouncer, zero, Grid{0, 0.5, 3}, [&](const GridPoint& point) {
    counts.push_back(point.impacts.size());
    if (point.n > 0) {
      EXPECT_EQ(point.impacts.back().t, point.t - 0.5);
    }
  });
  EXPECT_EQ(counts, (std::vector<std::size_t>{0, 1, 2, 3}));
}

TEST(Simulate, NoStepsShowTheStartOnly) {
  Counter counter;
  int seen = 0;
  const auto ended = simulate(counter, zero, Grid{7, 0.5, 0}, [&](const GridPoint&) { ++seen; });
  EXPECT_EQ(seen, 1);
  EXPECT_EQ(ended.steps, 0);
  EXPECT_EQ(ended.t, 7);
  EXPECT_EQ(counter.taken, 0);
}

TEST(Simulate, StopsWhenAsked) {
  Counter counter;
  int seen = 0;
  const auto at_three = [](const GridPoint& point) { return point.n == 3; };
  const auto ended = simulate(counter, zero, Grid{0, 0.1, 10}, at_three, [&](const GridPoint&) { ++seen; });
  EXPECT_TRUE(ended.stopped);
  EXPECT_FALSE(ended.failure);
  EXPECT_EQ(ended.steps, 3);
  EXPECT_EQ(seen, 4);  // the last point is shown before the question
  EXPECT_EQ(counter.taken, 3);
}
TEST(Simulate, StopsAtTheStartWhenAsked) {
  Counter counter;
  const auto ended = simulate(counter, zero, Grid{0, 0.1, 10}, [](const GridPoint&) { return true; });
  EXPECT_TRUE(ended.stopped);
  EXPECT_EQ(counter.taken, 0);
}

TEST(Simulate, AFailureKeepsTheLastGoodPoint) {
  Counter counter{.fails_at = 4};
  int seen = 0;
  const auto ended = simulate(counter, zero, Grid{0, 0.1, 10}, [&](const GridPoint&) { ++seen; });
  ASSERT_TRUE(ended.failure);
  EXPECT_EQ(ended.failure->reason, "enough");
  EXPECT_EQ(ended.failure->residual, 0.5);
  EXPECT_FALSE(ended.stopped);
  EXPECT_EQ(ended.steps, 4);
  EXPECT_EQ(ended.t, 4 * 0.1);
  EXPECT_EQ(ended.z.q[0], 4);
  EXPECT_EQ(seen, 5);
}

TEST(FlowStepper, ReportsAContactByName) {
  const auto c = system_case("particle", Particle{});
  FlowStepper stepper(*c.system, svc(), 0.01);
  const auto ended = simulate(stepper, c.start, Grid{0, 0.01, 1000});
  ASSERT_TRUE(ended.failure);
  EXPECT_EQ(ended.failure->contact, "floor");
  EXPECT_NE(ended.failure->reason.find("no impact law"), std::string::npos);
  EXPECT_LT(ended.failure->residual, 0);
  const double fall = std::sqrt(2 / Particle{}.g);  // from a height of 1
  EXPECT_EQ(ended.steps, static_cast<std::int64_t>(fall / 0.01));
  EXPECT_GE(ended.z.q[1], 0);
}
TEST(FlowStepper, NamesTheOneOfSeveralContacts) {
  const auto system = as_system(Star{});
  FlowStepper stepper(*system, svc(), 0.01);
  const Phase start{Vector<double, 3>(0, 1, -0.4),
                    Vector<double, 3>(0, -1, 0)};  // vertex 3, at 225° - 23°, is the lower one of 3 and 4
  const auto ended = simulate(stepper, start, Grid{0, 0.01, 1000});
  ASSERT_TRUE(ended.failure);
  int lowest;
  gaps(system, ended.z.q).minCoeff(&lowest);
  EXPECT_EQ(ended.failure->contact, system->contact_name(lowest));
}
// On the floor, but not behind it by what is all that the gap consists of.
TEST(FlowStepper, GoesAlongTheFloor) {
  const auto system = as_system(Particle{.g = 0});
  for (const auto& [y, steps] : {std::pair{0.0, 20}, std::pair{-1e-10, 0}}) {
    FlowStepper stepper(*system, svc(), 0.1);
    const Phase start{Vector<double, 2>(0, y), Vector<double, 2>(1, 0)};
    const auto ended = simulate(stepper, start, Grid{0, 0.1, 20});
    EXPECT_EQ(ended.failure.has_value(), steps == 0);
    EXPECT_EQ(ended.steps, steps);
  }
}

// A step far too large for the double pendulum.
TEST(Steps, ThatDoNotConvergeSayTheyDoNot) {
  const DoublePendulum own;
  const auto z = validated_state(own, own.start());
  const auto system = as_system(own);
  for (const char* name : {"se2", "midpoint", "gauss"}) {
    const auto r = flow_step(own, make_flow(name), 0.0, 20.0, z);
    EXPECT_TRUE(r.outcome.status == Status::no_convergence || r.outcome.status == Status::not_finite) << name;
    EXPECT_TRUE(same(r.z, z)) << name;
    FlowStepper stepper(*system, make_flow(name), 20);
    const auto ended = simulate(stepper, any_size(z), Grid{0, 20, 5});
    ASSERT_TRUE(ended.failure) << name;
    EXPECT_EQ(ended.failure->reason, describe(r.outcome.status));
    EXPECT_EQ(ended.failure->contact, "");
    EXPECT_EQ(ended.steps, 0);
    EXPECT_TRUE(same(ended.z, any_size(z))) << name;
  }
}
TEST(Steps, ThatOverflowAreNotFinite) {
  const DoublePendulum system;
  const auto z = validated_state(system, system.start());
  for (const char* name : {"se1", "se2", "midpoint", "svc", "gauss"}) {
    const auto r = flow_step(system, make_flow(name), 0.0, 1e200, z);
    EXPECT_EQ(r.outcome.status, Status::not_finite) << name;
    EXPECT_TRUE(same(r.z, z)) << name;
  }
}
// outcome.hpp: ok means a residual at rounding level of the momenta, also where Newton's method went astray
// first.
TEST(Steps, ThatSayOkSolveTheirEquations) {
  const DoublePendulum system;
  for (const auto& z : some_states(system, 5))
    for (const char* name : {"se1", "se2", "midpoint", "svc"})
      for (const double h : {0.5, 1.0, 2.0, 5.0, 20.0}) {
        const auto r = flow_step(system, make_flow(name), 0.0, h, z);
        if (r.outcome.ok()) {
          EXPECT_LE(r.outcome.residual, 1e-10 * (1 + z.p.lpNorm<Eigen::Infinity>())) << name << ", h = " << h;
        }
      }
}
// A composition that fails half way must not hand out the half way.
TEST(Steps, OfACompositionThatFailLeaveTheStateUnchanged) {
  const DoublePendulum system;
  const auto z = validated_state(system, system.start());
  for (const char* name : {"sva", "yoshida4"}) {
    const auto r = flow_step(system, make_flow(name), 0.0, 5.0, z);
    ASSERT_FALSE(r.outcome.ok()) << name;
    EXPECT_TRUE(same(r.z, z)) << name;
    const auto made = as_system(system);
    FlowStepper stepper(*made, make_flow(name), 5);
    EXPECT_TRUE(same(simulate(stepper, any_size(z), Grid{0, 5, 1}).z, any_size(z))) << name;
  }
}

// V = -sqrt(q0), which is undefined for q0 < 0; the step below leads there.
struct Edge {
  static constexpr int dim = 2;
  Matrix<double, 2> mass() const { return Matrix<double, 2>::Identity(); }
  template <class S>
  S potential(const Vector<S, 2>& q) const {
    return -sqrt(q[0]);
  }
};
// The same as a force, of which only one component is undefined.
struct EdgeForce {
  static constexpr int dim = 2;
  template <class S>
  S lagrangian(const Vector<S, 2>&, const Vector<S, 2>& v) const {
    return 0.5 * v.squaredNorm();
  }
  template <class S>
  Vector<S, 2> force(const S&, const Vector<S, 2>& q, const Vector<S, 2>&) const {
    return {sqrt(q[0]), S(0.0)};
  }
};
template <SystemStruct Sys>
void expect_never_undefined(const Sys& system, const char* what) {
  const State<double, 2> z{{0.01, 0}, {-1, 0}};
  for (const char* name : {"se1", "se2", "midpoint", "svc", "sva", "svb", "yoshida4", "gauss"}) {
    const auto r = flow_step(system, make_flow(name), 0.0, 0.1, z);
    EXPECT_TRUE(!r.outcome.ok() || finite(r.z))
        << what << ", " << name << ": ok, and p = " << r.z.p.transpose();
  }
}
TEST(Steps, ThatSayOkAreFinite) {
  expect_never_undefined(Edge{}, "potential");
  expect_never_undefined(EdgeForce{}, "force");
}

struct Massless {
  static constexpr int dim = 2;
  Matrix<double, 2> mass() const { return Vector<double, 2>(1, 0).asDiagonal(); }
  template <class S>
  S potential(const Vector<S, 2>& q) const {
    return 0.5 * q.squaredNorm();
  }
};
// Its mass 1 - q² vanishes at q = 1.
struct Bead {
  static constexpr int dim = 1;
  template <class S>
  Matrix<S, 1> mass(const Vector<S, 1>& q) const {
    return Matrix<S, 1>(1 - q[0] * q[0]);
  }
  template <class S>
  S potential(const Vector<S, 1>& q) const {
    return q[0];
  }
};
template <SystemStruct Sys>
void expect_singular(const Sys& system, const State<double, Sys::dim>& z) {
  for (const auto& [label, flow] : all_flows()) {
    const auto r = flow_step(system, flow, 0.0, 0.1, z);
    EXPECT_EQ(r.outcome.status, Status::singular) << label;
    EXPECT_TRUE(same(r.z, z)) << label;
  }
}
TEST(Steps, OfASingularMassAreSingular) {
  expect_singular(Massless{}, {{1, 0}, {0, 1}});
  expect_singular(Bead{}, {Vector<double, 1>(1.0), Vector<double, 1>(0.5)});
  expect_singular(Bead{}, {Vector<double, 1>(1.5), Vector<double, 1>(0.5)});
}
TEST(Steps, ThatAreExplicitAndFailLeaveTheStateUnchanged) {
  const State<double, 2> z{{1, 0}, {0, 1}};
  const auto r = variational_step(Massless{}, Rule{{0, 0.5}, {1, 0.5}}, 0.0, 0.1, z);
  EXPECT_EQ(r.outcome.status, Status::singular);
  EXPECT_TRUE(same(r.z, z)) << r.z.q.transpose();
}

TEST(Outcome, EveryStatusHasItsOwnWords) {
  EXPECT_STREQ(describe(Status::ok), "ok");
  EXPECT_NE(std::string(describe(Status::no_convergence)).find("did not converge"), std::string::npos);
  EXPECT_NE(std::string(describe(Status::singular)).find("not positive definite"), std::string::npos);
  EXPECT_NE(std::string(describe(Status::not_finite)).find("infinite or undefined"), std::string::npos);
}

void expect_same_substeps(const Flow& x, const Flow& y, const std::string& label) {
  EXPECT_EQ(x.order, y.order) << label;
  EXPECT_EQ(x.symmetric, y.symmetric) << label;
  ASSERT_EQ(x.substeps.size(), y.substeps.size()) << label;
  for (std::size_t i = 0; i < x.substeps.size(); ++i) {
    const auto &a = x.substeps[i], &b = y.substeps[i];
    EXPECT_EQ(a.fraction, b.fraction) << label;
    ASSERT_EQ(a.block.index(), b.block.index()) << label;
    if (const Gauss* g = std::get_if<Gauss>(&a.block)) {
      EXPECT_EQ(g->stages, std::get<Gauss>(b.block).stages) << label;
      continue;
    }
    const Rule &r = std::get<Rule>(a.block), &s = std::get<Rule>(b.block);
    ASSERT_EQ(r.end() - r.begin(), s.end() - s.begin()) << label;
    for (int k = 0; k < r.end() - r.begin(); ++k) {
      EXPECT_EQ(r.begin()[k].c, s.begin()[k].c) << label;
      EXPECT_EQ(r.begin()[k].b, s.begin()[k].b) << label;
    }
  }
}
TEST(Flows, TheInverseOfSe1IsSe2Backwards) {
  Flow backwards = se2();
  backwards.substeps[0].fraction = -1;
  expect_same_substeps(inverse(se1()), backwards, "se1");
}
TEST(Flows, TheInverseOfTheInverseIsTheFlow) {
  for (const auto& [label, flow] : all_flows()) expect_same_substeps(inverse(inverse(flow)), flow, label);
}

TEST(Flows, ByName) {
  for (const auto name : flow_names) EXPECT_EQ(make_flow(name).name, name);
  for (const auto& [label, flow] : all_flows()) {
    double sum = 0;
    for (const Substep& s : flow.substeps) sum += s.fraction;
    EXPECT_NEAR(sum, 1, 1e-15) << label;
  }
}

template <class Act>
std::string complaint(Act&& act) {
  try {
    act();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "no complaint";
}
TEST(Flows, UnknownNamesAreRefusedByName) {
  EXPECT_EQ(complaint([] { make_flow("rk4"); }), "no flow is called \"rk4\"");
  EXPECT_EQ(complaint([] { make_flow(""); }), "no flow is called \"\"");
  EXPECT_EQ(complaint([] { make_flow("SE1"); }), "no flow is called \"SE1\"");
  EXPECT_EQ(complaint([] { make_flow("yoshida4", {.base = "euler"}); }), "no flow is called \"euler\"");
}
TEST(Flows, CompositionsNeedASymmetricBaseOfOrderTwo) {
  EXPECT_EQ(complaint([] { make_flow("yoshida4", {.base = "se1"}); }),
            "yoshida4 needs a symmetric base of order 2, and se1 is not");
  EXPECT_EQ(complaint([] {
              compose("mine", 4, se1(), std::vector<double>{0.5, 0.5});
            }),
            "mine needs a symmetric base of order 2, and se1 is not");
  for (const char* base : {"se2", "gauss", "yoshida4", "kahan-li8"})
    EXPECT_THROW(make_flow("suzuki4", {.base = base}), std::invalid_argument) << base;
  EXPECT_EQ(compose("mine", 4, svc(), std::vector<double>{0.5, 0.5}).substeps.size(), 2u);
}
TEST(Flows, GammaLiesBetweenZeroAndOne) {
  for (const double gamma : {-0.1, 1.0000001, -HUGE_VAL, HUGE_VAL, std::nan("")}) {
    EXPECT_THROW(gamma_flow(gamma), std::invalid_argument) << gamma;
    EXPECT_THROW(make_flow("gamma", {.gamma = gamma}), std::invalid_argument) << gamma;
  }
  for (const double gamma : {0.0, 0.3, 1.0}) {
    EXPECT_EQ(gamma_flow(gamma).order, 1);
    EXPECT_FALSE(gamma_flow(gamma).symmetric);
  }
  EXPECT_EQ(gamma_flow(0.5).order, 2);
}
TEST(Flows, RulesHaveOneToFourNodes) {
  EXPECT_THROW((Rule{}), std::invalid_argument);
  EXPECT_THROW((Rule{{0, 0.2}, {0.25, 0.2}, {0.5, 0.2}, {0.75, 0.2}, {1, 0.2}}), std::invalid_argument);
  const Rule rule{{0, 0.25}, {0.5, 0.25}, {1, 0.5}};
  EXPECT_EQ(rule.centre(), 0.625);
  EXPECT_EQ(rule.adjoint().centre(), 0.375);
  EXPECT_FALSE(rule.ends_only());
}

}  // namespace
}  // namespace carom::test
