// The problems of --growth. Each size is timed several times in turns with the others, as contestants are.
#include <fmt/format.h>

#include "compare/cart_pendulum.hpp"
#include "compare/growth.hpp"
#include "compare/problems.hpp"
#include "compare/timed_steps.hpp"

namespace carom::bench {

namespace {

using Sizes = std::initializer_list<int>;

// Point masses on rods, one hanging on the other, in Cartesian coordinates with a joint for each rod.
struct RodChain : LocalSystem<RodChain> {
  int rods;
  Values mass;

  explicit RodChain(int n) : rods(n), mass(Values::Constant(2 * n, 1.0)) {}

  const Values& masses() const { return mass; }
  int contacts_in_all() const { return 0; }
  int joints_in_all() const { return rods; }

  void potential(auto&& term) const {
    for (int i = 0; i < rods; ++i) term(std::array{2 * i + 1}, [](const auto& y) { return 9.81 * y[0]; });
  }
  void contacts(auto&&) const {}
  void each_joint(auto&& joint) const {
    using std::sqrt;
    joint(std::array{0, 1}, [](const auto& x) { return sqrt(x[0] * x[0] + x[1] * x[1]) - 1; });
    for (int i = 1; i < rods; ++i)
      joint(std::array{2 * i - 2, 2 * i - 1, 2 * i, 2 * i + 1}, [](const auto& x) {
        const auto dx = x[2] - x[0], dy = x[3] - x[1];
        return sqrt(dx * dx + dy * dy) - 1;
      });
  }
  std::string coordinate_name(int i) const override {
    return (i % 2 ? "y" : "x") + std::to_string(i / 2 + 1);
  }
  std::string contact_name(int) const override { return ""; }
  std::string joint_name(int i) const override { return "rod " + std::to_string(i + 1); }

  // A zigzag below the pivot: all of it moves.
  Values zigzag() const {
    Values q(2 * rods);
    double x = 0, y = 0;
    for (int i = 0; i < rods; ++i) {
      const double angle = i % 2 ? -0.3 : 0.4;
      q[2 * i] = x += std::sin(angle), q[2 * i + 1] = y -= std::cos(angle);
    }
    return q;
  }
};

template <class Stepper, class Options>
std::unique_ptr<Contestant> steps_of(const std::shared_ptr<const System>& system, const Values& q, double h,
                                     std::int64_t steps) {
  return std::make_unique<TimedSteps<Stepper>>(
      "", system, [=] { return std::make_unique<Stepper>(*system, SteadyFlow(svc(), h), Options{}); },
      Phase{q, Values::Zero(q.size())}, Grid{0, h, steps});
}

// Times per step where `per` says so, else per run.
Growth grow(const std::string& problem, const std::string& size, const std::string& per, Sizes sizes,
            const auto& make) {
  std::vector<std::unique_ptr<Contestant>> owned;
  std::vector<Contestant*> contestants;
  for (const int n : sizes) contestants.push_back(owned.emplace_back(make(n)).get());
  const auto results = contest(contestants, {.rounds = 5});
  Growth r{problem, size, per, {}};
  std::size_t i = 0;
  for (const int n : sizes) {
    const Measured& m = results[i++];
    r.measured.push_back({static_cast<double>(n), per == "step" ? m.per_step() : m.seconds});
  }
  return r;
}

constexpr double pendulum_step = 0.05;

std::unique_ptr<Contestant> pendulum(const auto& make) {
  DoublePendulum system;
  system.wall = -3;  // out of reach
  return timed_steps("", system, Grid{0, pendulum_step, 1000}, make);
}
std::unique_ptr<Contestant> pendulum_by_gauss(int s) {
  return pendulum([=](const System& m) {
    return make_collocation_stepper(m, pendulum_step, {.stages = s, .measures = false});
  });
}
std::unique_ptr<Contestant> pendulum_by(const Flow& flow) {
  return pendulum([=](const System& m) { return std::make_unique<FlowStepper>(m, flow, pendulum_step); });
}

Flow composition_of(int stages) {
  const Flow base = svc();
  return stages == 1   ? base
         : stages == 3 ? yoshida4(base)
         : stages == 5 ? suzuki4(base)
         : stages == 9 ? kahan_li6(base)
                       : kahan_li8(base);
}

}  // namespace

std::vector<Growth> measure_growth(const std::string& program) {
  const auto column = [](int n) {
    const auto balls = std::make_shared<BallColumn>(n);
    return steps_of<ContactStepper, ContactOptions>(balls, balls->rest(), 1e-3, 20);
  };
  const auto cradle = [](int n) {
    const auto balls = std::make_shared<CradleInCoordinates>(CradleShape{n});
    return steps_of<ContactStepper, ContactOptions>(balls, balls->at(Values::Zero(n)), 0.01, 20);
  };
  const auto chain = [](int n) {
    const auto rods = std::make_shared<RodChain>(n);
    return steps_of<GviStepper, GviOptions>(rods, rods->zigzag(), 1e-3, 20);
  };
  const auto long_run = [](int T) {
    return std::make_unique<CaromCart>(Setup{.step = 10, .end = 1.0 * T},
                                       CollocationOptions{.stages = 8, .longest_step = 0.12});
  };
  std::vector<Growth> all{
      grow("column at rest, contact", "n", "step", {100, 200, 400, 800, 1600, 3200}, column),
      grow("cradle at rest in Cartesian coordinates, contact", "n", "step", {50, 100, 200, 400, 800, 1600},
           cradle),
      grow("pendulum of n rods in Cartesian coordinates, gvi", "n", "step", {50, 100, 200, 400, 800, 1600},
           chain),
      grow("cart-pendulum with impacts, fast gauss", "T", "run", {100, 300, 1000, 3000}, long_run),
      grow("double pendulum, fast gauss of s stages, step 0.05", "s", "step", {1, 2, 3, 4, 5, 6, 7, 8},
           pendulum_by_gauss),
      grow("double pendulum, compositions of k svc steps, step 0.05", "k", "step", {1, 3, 5, 9, 17},
           [](int k) { return pendulum_by(composition_of(k)); })};
  if (auto sweep = growth_of_sweep(program)) all.push_back(*sweep);
  return all;
}

}  // namespace carom::bench
