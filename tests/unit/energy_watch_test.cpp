// The scale of a run's energies: what it is, and what must not change it.
#include "run/energy_watch.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace carom::test {
namespace {

RunVector vector(std::initializer_list<double> x) {
  return RunVector::Map(std::data(x), static_cast<Eigen::Index>(x.size()));
}

struct Point {
  RunVector p, v;
  double V, work = 0, loss = 0;
};

EnergySeen seen_by(int size, int points, const std::function<Point(double s)>& at) {
  EnergyWatch watch(size);
  Accounts ledger;
  for (int n = 0; n <= points; ++n) {
    const Point point = at(static_cast<double>(n) / points);
    Look look;
    look.H = 0.5 * point.p.dot(point.v) + point.V;
    ledger.add_point(n == 0, n, look);
    ledger.work = point.work, ledger.loss = point.loss;
    watch.see(point.p, point.v, ledger);
  }
  return watch.seen();
}

// Falls by 1 with m = g = 1.
Point fall(double s) { return {vector({-std::sqrt(2.0) * s}), vector({-std::sqrt(2.0) * s}), 1 - s * s}; }

TEST(EnergyWatch, IsWhatIsExchanged) {
  const EnergySeen seen = seen_by(1, 100, fall);
  EXPECT_NEAR(seen.scale, 2, 1e-12);  // potential, and as much kinetic
  EXPECT_LT(seen.change, 1e-12);
  EXPECT_LT(seen.remainder, 1e-12);
}

TEST(EnergyWatch, KnowsNoConstantInThePotential) {
  const EnergySeen seen = seen_by(1, 100, [](double s) {
    Point point = fall(s);
    point.V += 1e6;
    return point;
  });
  EXPECT_NEAR(seen.scale, 2, 1e-8);
}

TEST(EnergyWatch, KnowsNoFreeCoordinateAndNoUnits) {
  for (const double unit : {1e-12, 1.0, 1e12}) {
    const EnergySeen seen = seen_by(2, 100, [unit](double s) {
      const Point point = fall(s);
      return Point{unit * vector({point.p[0], 1e3}), vector({point.v[0], 1e3}), unit * point.V};
    });
    EXPECT_NEAR(seen.scale, 2 * unit, 1e-9 * unit);
  }
}

// All energy is kinetic and constant, and yet the motion has a scale: a bead on a curve.
TEST(EnergyWatch, HasAScaleWhereOnlyTheMassChanges) {
  const EnergySeen seen = seen_by(1, 100, [](double s) {
    const double m = 1 + s;
    return Point{vector({std::sqrt(m)}), vector({1 / std::sqrt(m)}), 0};
  });
  EXPECT_GT(seen.scale, 0.05);
  EXPECT_LT(seen.change, 1e-12);
}

TEST(EnergyWatch, CountsCausesAndWhatHasNone) {
  const EnergySeen seen = seen_by(1, 10, [](double s) {
    return Point{vector({0}), vector({0}), 5 + 3 * s - s + 0.25 * s, 3 * s, s};
  });
  EXPECT_NEAR(seen.remainder, 0.25, 1e-12);
  EXPECT_NEAR(seen.change, 0.75, 1e-12);
  EXPECT_NEAR(seen.scale, 2.25 + 3 + 1, 1e-12);
}

TEST(EnergyWatch, GoesOnFromItsNumbers) {
  struct Copy final : KeptNumbers {
    std::vector<double> list;
    std::size_t at = 0;
    bool reads = false;
    void operator()(double& x) override {
      if (reads)
        x = list[at++];
      else
        list.push_back(x);
    }
    void operator()(std::int64_t&) override {}
  } copy;
  EnergyWatch watch(1), other(1);
  Accounts ledger;
  for (int n = 0; n <= 5; ++n) {
    const Point point = fall(0.2 * n);
    Look look;
    look.H = 1;
    ledger.add_point(n == 0, n, look);
    watch.see(point.p, point.v, ledger);
  }
  watch.numbers(copy);
  copy.reads = true;
  other.numbers(copy);
  EXPECT_EQ(copy.at, copy.list.size());
  EXPECT_EQ(other.seen().scale, watch.seen().scale);
  EXPECT_EQ(other.seen().change, watch.seen().change);
}

}  // namespace
}  // namespace carom::test
