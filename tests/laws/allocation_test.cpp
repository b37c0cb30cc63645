// No step allocates: operator new and malloc are counted while every flow steps every built-in system.
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>

#include "carom/contact/contact_stepper.hpp"
#include "carom/flow/flow_stepper.hpp"
#include "carom/flow/modified_law.hpp"
#include "carom/systems/box_of_discs.hpp"
#include "model/formula_system.hpp"
#include "run/kept_numbers.hpp"
#include "run/run_system.hpp"
#include "support/flow_cases.hpp"
#include "support/jointed_systems.hpp"
#include "support/local_systems.hpp"
#include "support/rough_systems.hpp"

namespace {
thread_local long allocations = 0;
}

// The linker sends malloc and its like, which Eigen uses, here: see tests/CMakeLists.txt.
extern "C" {
void* __real_malloc(std::size_t);
void* __real_calloc(std::size_t, std::size_t);
void* __real_realloc(void*, std::size_t);
void* __wrap_malloc(std::size_t size) { return ++allocations, __real_malloc(size); }
void* __wrap_calloc(std::size_t n, std::size_t size) { return ++allocations, __real_calloc(n, size); }
void* __wrap_realloc(void* p, std::size_t size) { return ++allocations, __real_realloc(p, size); }
}

// Those of the standard library, which is linked already, would not be seen. Not inlined: g++ would take
// malloc and delete for a mismatched pair.
[[gnu::noinline]] void* operator new(std::size_t size) {
  if (void* p = std::malloc(size)) return p;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return std::malloc(size);
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }

namespace carom::test {
namespace {

// A flow has its memory from the first step on.
void expect_no_allocation(const SystemCase& c) {
  HeldFlow held(*c.system);
  for (const auto& [label, flow] : all_flows()) {
    Phase z = c.start;
    held(flow, 0, 0.01, z, {}, HeldFlow::Hold::bilateral);
    const long before = allocations;
    for (int n = 0; n < 10; ++n) held(flow, 0, 0.01, z, {}, HeldFlow::Hold::bilateral);
    EXPECT_EQ(allocations, before) << label << " of " << c.name;
  }
}

TEST(Allocation, TheCounterCounts) {
  const long before = allocations;
  auto* made = new std::vector<double>(3);
  asm volatile("" : : "r"(made) : "memory");  // or g++ leaves both out
  const long two = allocations - before;
  delete made;
  const Values eigen = Values::Zero(two);
  const long three = allocations - before;
  EXPECT_EQ(two, 2);
  EXPECT_EQ(three, 3) << eigen.size();
}
TEST(Allocation, NoneInAStep) {
  expect_no_allocation(system_case("PointMass", PointMass{}));
  expect_no_allocation(system_case("Particle", Particle{}));
  expect_no_allocation(system_case("Star", Star{}));
  expect_no_allocation(system_case("DoublePendulum", DoublePendulum{}));
  expect_no_allocation(system_case("CartPendulum", CartPendulum{}));
  expect_no_allocation(system_case("Billiard", Billiard{}));
}
TEST(Allocation, NoneInAStepWithJoints) {
  expect_no_allocation(system_case("RodPendulum", RodPendulum{}));
  expect_no_allocation(system_case("TwoRods", TwoRods{}));
  expect_no_allocation(system_case("WavyBead", WavyBead{}));
  expect_no_allocation(system_case("FastPendulum", FastPendulum{}));
  expect_no_allocation(system_case("TwiceHeld", TwiceHeld{}));
}
TEST(Allocation, NoneThroughImpacts) {
  const auto [name, cart, start] = system_case("cart", CartPendulum{}, CartPendulum::family(4.2));
  for (const auto& law :
       {continuous_energy(), discrete_energy(), shadow_law(8), shadow_law(8, ImpactLaw::Part::polynomial)}) {
    ContactStepper stepper(cart, SteadyFlow(svc(), 0.01), from_impact_to_impact(law));
    Phase z = start;
    std::size_t impacts = 0;
    long before = 0;
    for (int n = 0; n < 500; ++n) {
      if (n == 150) before = allocations;  // after the first impact
      const auto& r = stepper.step(0.01 * n, z);
      z = r.step.z, impacts += r.impacts.size();
    }
    EXPECT_EQ(allocations, before) << law.name;
    EXPECT_EQ(impacts, 3u) << law.name;
  }
}
TEST(Allocation, NoneByTheFastGaussStepper) {
  const CartPendulum cart;
  for (const CollocationOptions& o :
       {CollocationOptions{.stages = 4}, CollocationOptions{.tolerance = 1e-9}}) {
    const AutodiffSystem<CartPendulum> system(cart);
    const auto stepper = make_collocation_stepper(system, 0.1, o);
    const auto start = validated_state(cart, CartPendulum::family(4.2));
    Phase z{start.q, start.p};
    std::size_t impacts = 0;
    const long before = allocations;
    for (int n = 0; n < 50; ++n) {
      const auto& r = stepper->step(0.1 * n, z);
      z = r.step.z, impacts += r.impacts.size();
    }
    EXPECT_EQ(allocations, before);
    EXPECT_EQ(impacts, 3u);
  }
}
// Modified Hamiltonians keep their memory, once a thread has it.
TEST(Allocation, NoneByModifiedHamiltonians) {
  const CartPendulum cart;
  const Phase start = system_case("cart", cart, CartPendulum::family(4.2)).start;
  for (const auto& modified :
       {modified_series(cart, Rule{{0, 0.5}, {1, 0.5}}, 0.01, 4), modified_sva(cart, 0.01)}) {
    long before = 0;
    Phase z = start;
    for (int n = 0; n < 3; ++n) {
      if (n == 1) before = allocations;
      z = start;
      const double H = modified.value(z.q, z.p);
      EXPECT_TRUE(advance_by_hamiltonian(modified, gauss_table(2), 0.004, z.q, z.p).ok());
      EXPECT_NEAR(modified.value(z.q, z.p), H, 1e-9 * std::abs(H));
    }
    EXPECT_EQ(allocations, before);
  }
}
// A system in formulas keeps its registers, once it has them.
TEST(Allocation, NoneInFormulas) {
  const auto formulas = define_system(parse_scenario(R"toml(
[system]
name = "expression"
coordinates = ["y", "a"]
lagrangian = "0.5*(1.2*y'^2 + 0.8*sin(a)*y'*a' + 0.8*a'^2) - 12*y + 4*cos(a)"
gaps = { floor = "y" }
[time]
end = 1.0
)toml",
                                                     "test"));
  const SystemRef system{std::make_shared<FormulaSystem>(formulas)};
  ContactStepper stepper(system, SteadyFlow(svc(), 0.01), from_impact_to_impact(shadow_law(8)));
  Phase z = validated_state(*system, {values({4.2, 0}), values({0, 2.744}), {}});
  long before = 0;
  std::size_t impacts = 0;
  for (int n = 0; n < 500; ++n) {
    if (n == 150) before = allocations;  // after the first impact, at t = 0.85
    const auto& r = stepper.step(0.01 * n, z);
    ASSERT_FALSE(r.failure);
    z = r.step.z, impacts += r.impacts.size();
  }
  EXPECT_EQ(allocations, before);
  EXPECT_EQ(impacts, 3u);
}
// Nor where there are more coordinates than kernels are compiled for: twenty balls, two of them on one rod.
TEST(Allocation, NoneInFormulasOfManyCoordinates) {
  std::string names, lagrangian = "0", gaps;
  for (int i = 0; i < 20; ++i) {
    const std::string x = "x" + std::to_string(i), comma = i ? ", " : "";
    names += comma + '"' + x + '"', lagrangian += " + 0.5*" + x + "'^2 - 10*" + x;
    gaps += comma + "floor" + std::to_string(i) + " = \"" + x + '"';
  }
  const auto formulas = define_system(parse_scenario(
      "[system]\nname = \"expression\"\ncoordinates = [" + names + "]\nlagrangian = \"" + lagrangian +
          "\"\ngaps = { " + gaps + " }\njoints = { rod = \"x1 - x0 - 1\" }\n[time]\nend = 1.0\n",
      "test"));
  const SystemRef system{std::make_shared<FormulaSystem>(formulas)};
  ContactStepper stepper(system, SteadyFlow(midpoint(), 0.01), {.law = continuous_energy()});
  Phase z{Values::LinSpaced(20, 1, 20), Values::Zero(20)};
  long before = 0;
  std::size_t impacts = 0;
  for (int n = 0; n < 500; ++n) {
    if (n == 250) before = allocations;  // after the first impact of each, the last at t = 2
    const auto& r = stepper.step(0.01 * n, z);
    ASSERT_FALSE(r.failure);
    z = r.step.z, impacts += r.impacts.size();
  }
  EXPECT_EQ(allocations, before);
  EXPECT_GT(impacts, 10u);
}
// Lasting contacts and joints: after the first step everything has its size.
TEST(Allocation, NoneAlongContactsAndJoints) {
  const Column column(30);
  const Cradle cradle(4);
  for (const auto& [system, q] : {std::pair{SystemRef{std::make_shared<Column>(column)}, column.at_rest()},
                                  {SystemRef{std::make_shared<Cradle>(cradle)}, cradle.raised(0)}}) {
    GviStepper stepper(system, SteadyFlow(midpoint(), 0.01), {});
    Phase z{q, Values::Zero(q.size())};
    z = stepper.step(0, z).step.z;
    const long before = allocations;
    for (int n = 1; n < 100; ++n) z = stepper.step(0.01 * n, z).step.z;
    EXPECT_EQ(allocations, before);
    EXPECT_EQ(stepper.lasting().size(), static_cast<std::size_t>(system->contact_count()));
  }
}
TEST(Allocation, NoneByTheContactStepperAtRest) {
  const auto column = std::make_shared<BallColumn>(30);
  ContactStepper resting({column}, SteadyFlow(svc(), 0.01), {});
  Phase z{column->rest(), Values::Zero(30)};
  z = resting.step(0, z).step.z;
  const long before = allocations;
  for (int n = 1; n < 100; ++n) z = resting.step(0.01 * n, z).step.z;
  EXPECT_EQ(allocations, before);
  EXPECT_EQ(resting.lasting_contacts().size(), 30u);
}

// Through impacts, and where contacts come and go: none when the same motion comes once more, so that as many
// were seen together as will be.
template <class Stepper>
void expect_none_again(int steps, const SystemRef& system, const Phase& start, const char* label) {
  constexpr double h = 0.01;
  Stepper stepper(system, SteadyFlow(svc(), h), {}), fresh(system, SteadyFlow(svc(), h), {});
  long before = 0;
  std::size_t impacts = 0;
  for (const bool again : {false, true}) {
    Phase z = start;
    hand_over(fresh, stepper);
    before = allocations, impacts = 0;
    for (int n = 0; n < steps; ++n) {
      const auto& r = stepper.step(h * n, z);
      ASSERT_FALSE(r.failure) << label << ": " << r.failure->reason << again;
      z = r.step.z, impacts += r.impacts.size();
    }
  }
  EXPECT_EQ(allocations, before) << label;
  EXPECT_GE(impacts, 15u) << label;
}
template <class Stepper>
void expect_none_in_systems() {
  expect_none_again<Stepper>(1500, dense(Pogo{}), {values({6, 1}), values({0, 0})}, "pogo stick");
  const auto cradle = std::make_shared<Cradle>(5);
  expect_none_again<Stepper>(8000, {cradle}, {cradle->raised(2), Values::Zero(10)}, "cradle");
  const Values six = Values::Ones(6);
  for (const double g : {0.0, 9.8}) {
    const auto box = std::make_shared<BoxOfDiscs>(0.2 * six, six, 3, 3, g);
    expect_none_again<Stepper>(4000, {box}, {box->rows(0.5), box->momenta_of(1)},
                               g == 0 ? "gas of discs" : "falling discs");
  }
}
TEST(Allocation, NoneByGviThroughImpacts) { expect_none_in_systems<GviStepper>(); }
TEST(Allocation, NoneByTheContactStepperThroughImpacts) { expect_none_in_systems<ContactStepper>(); }
// Where contacts stick and slide on a belt, and where a rod lands on both of its ends.
TEST(Allocation, NoneWhereContactsRub) {
  constexpr double h = 0.01;
  const RoughRod rod;
  Phase falling = rod.leaning(0.7);
  falling.q[1] += 0.3;
  for (const auto& [system, start] :
       {std::pair{SystemRef(dense(OnBelt{})), Phase{values({0.6, 0}), values({0, 0})}},
        {SystemRef(dense(rod)), falling}}) {
    ContactStepper stepper(system, SteadyFlow(svc(), h), {.restitution = 0.5}),
        fresh(system, SteadyFlow(svc(), h), {.restitution = 0.5});
    long before = 0;
    std::size_t events = 0;
    for (const bool again : {false, true}) {
      Phase z = start;
      hand_over(fresh, stepper);
      before = allocations, events = 0;
      for (int n = 0; n < 300; ++n) {
        const auto& r = stepper.step(h * n, z);
        ASSERT_FALSE(r.failure) << r.failure->reason << again;
        z = r.step.z, events += r.impacts.size() + r.changes.size();
      }
    }
    EXPECT_EQ(allocations, before);
    EXPECT_GE(events, 4u);
  }
}
TEST(Allocation, NoneInALoopWithItsLedger) {
  const auto [name, system, start] = system_case("particle", Particle{});
  FlowStepper stepper(*system, svc(), 1e-3);
  Accounts ledger;
  Look look;
  Values v(2), Lq(2), Lv(2);
  long before = 0;
  const auto watch = [&, &system = system](const GridPoint& point) {
    look.H = system->hamiltonian(0, point.z.q, point.z.p, v, Lq, Lv);
    ledger.add_point(point.n == 0, point.t, look);
  };
  const auto arm = [&before](const GridPoint& point) {
    if (point.n == 1) before = allocations;
  };
  const auto ended = simulate(stepper, start, Grid{0, 1e-3, 300}, watch, arm);
  EXPECT_EQ(ended.steps, 300);
  EXPECT_EQ(allocations, before);
}

struct CountedRows final : RunRecords {
  void begin(const Layout&, const Layout&, const Layout&) override {}
  void row(std::span<const double>) override { ++rows; }
  void impact(std::span<const double>, std::string_view) override { ++impacts; }
  void change(std::span<const double>, std::string_view) override {}
  int rows = 0, impacts = 0;
};

// What a run of so many steps allocates, with all its observers.
long allocated_by_run(int steps) {
  const Scenario scenario = parse_scenario(
      "[system]\nname = \"billiard\"\n[time]\nstep = 0.01\nend = " + std::to_string(steps / 100) + ".0\n",
      "test.toml", {});
  const Method method = make_method(scenario);
  const auto billiard = system_case("billiard", Billiard{});
  const ReadySystem ready{billiard.system, billiard.start, {}};
  CountedRows records;
  const RunHooks hooks{{}, {}, &records, nullptr};
  const long before = allocations;
  run_system(ready, scenario, method, hooks);
  EXPECT_EQ(records.rows, steps + 1);
  EXPECT_GT(records.impacts, steps / 500);
  return allocations - before;
}
TEST(Allocation, NoneInTheStepsOfARecordedRun) { EXPECT_EQ(allocated_by_run(1000), allocated_by_run(4000)); }

}  // namespace
}  // namespace carom::test
