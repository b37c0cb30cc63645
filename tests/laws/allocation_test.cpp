// No step allocates: operator new is counted while every flow steps every built-in system.
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>

#include "support/flow_cases.hpp"

namespace {
thread_local long allocations = 0;
}

// Not inlined: g++ would take malloc and delete for a mismatched pair.
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  if (void* p = std::malloc(size)) return p;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }

namespace carom::test {
namespace {

template <System Sys>
void expect_no_allocation(const Sys& system) {
  const auto start = validated_state(system, system.start());
  for (const auto& [label, flow] : all_flows()) {
    auto z = start;
    const long before = allocations;
    for (int n = 0; n < 10; ++n) z = flow_step(system, flow, 0.0, 0.01, z).z;
    EXPECT_EQ(allocations, before) << label;
  }
}

TEST(Allocation, TheCounterCounts) {
  const long before = allocations;
  delete new std::vector<double>(3);
  EXPECT_GT(allocations, before);
}
TEST(Allocation, NoneInAStep) {
  expect_no_allocation(PointMass{});
  expect_no_allocation(Particle{});
  expect_no_allocation(Star{});
  expect_no_allocation(DoublePendulum{});
  expect_no_allocation(CartPendulum{});
  expect_no_allocation(Billiard{});
}
TEST(Allocation, NoneThroughImpacts) {
  const CartPendulum cart;
  const SteadyFlow flow(svc(), 0.01);
  const auto start = validated_state(cart, CartPendulum::family(4.2));
  for (const auto& law :
       {continuous_energy(cart, flow), discrete_energy(cart, flow),
        shadow_law(cart, flow, 4, Fraction::composition), shadow_law(cart, flow, 4, Fraction::polynomial)}) {
    EventDrivenStepper<CartPendulum> stepper(cart, flow, law);
    auto z = start;
    std::size_t impacts = 0;
    const long before = allocations;
    for (int n = 0; n < 500; ++n) {
      const auto r = stepper.step(0.01 * n, z);
      z = r.step.z, impacts += r.impacts.size();
    }
    EXPECT_EQ(allocations, before) << law.name;
    EXPECT_EQ(impacts, 3u) << law.name;
  }
}
TEST(Allocation, NoneInALoopWithItsLedger) {
  const Particle system;
  const auto start = validated_state(system, system.start());
  SmoothStepper<Particle> stepper(system, svc(), 1e-3);
  Ledger<Particle> ledger(system);
  long before = 0;
  const auto arm = [&before](const GridPoint<2>& point) {
    if (point.n == 1) before = allocations;
  };
  const auto ended = simulate(stepper, start, Grid{0, 1e-3, 300}, ledger, arm);
  EXPECT_EQ(ended.steps, 300);
  EXPECT_EQ(allocations, before);
}

}  // namespace
}  // namespace carom::test
