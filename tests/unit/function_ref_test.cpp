#include "carom/numerics/function_ref.hpp"

#include <gtest/gtest.h>

namespace carom {
namespace {

double twice(FunctionRef<double(double)> f, double x) { return f(f(x)); }

TEST(FunctionRef, CallsWhatItIsMadeOf) {
  int calls = 0;
  const double shift = 3;
  EXPECT_EQ(twice([&](double x) { return ++calls, x + shift; }, 1), 7);
  EXPECT_EQ(calls, 2);
}

TEST(FunctionRef, RefersToConstAndToChangingObjects) {
  const auto half = [](double x) { return x / 2; };
  EXPECT_EQ(twice(half, 8), 2);
  auto count = [n = 0](double) mutable { return static_cast<double>(++n); };
  EXPECT_EQ(twice(count, 0), 2);
  EXPECT_EQ(count(0), 3);  // the object itself was called, not a copy
}

TEST(FunctionRef, PassesReferencesOn) {
  int x = 1;
  const auto same = [](int& y) -> int& { return y; };
  const FunctionRef<int&(int&)> call(same);
  call(x) = 5;
  EXPECT_EQ(x, 5);
}

}  // namespace
}  // namespace carom
