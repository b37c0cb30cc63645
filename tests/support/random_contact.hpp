// Random runs of the contact stepper, each made by its seed alone: gases and heaps of discs, piles that touch
// exactly, wedges, and cradles in both coordinates, with random masses, restitution, law, flow and step.
// Tested in tests/laws/random_contact_test.cpp; bench/random_contact.cpp runs as many as one likes.
#pragma once

#include <ctime>
#include <numbers>
#include <optional>
#include <random>

#include "carom/contact/contact_stepper.hpp"
#include "carom/flow/flows.hpp"
#include "carom/systems/box_of_discs.hpp"
#include "carom/systems/newton_cradle.hpp"
#include "support/at_zero.hpp"

namespace carom::test {

// Discs over walls n·x >= d, one of them perhaps twice: corners and wedges.
struct DiscsOverWalls : LocalSystem<DiscsOverWalls> {
  struct Wall {
    double angle, offset;
  };
  Values radius, mass;
  std::vector<Wall> walls;
  double g = 9.8;

  int discs() const { return static_cast<int>(radius.size()); }
  int wall_count() const { return static_cast<int>(walls.size()); }
  const Values& masses() const { return mass; }
  int contacts_in_all() const { return discs() * wall_count() + discs() * (discs() - 1) / 2; }
  int joints_in_all() const { return 0; }
  void potential(auto&& term) const {
    for (int i = 0; i < discs(); ++i)
      term(std::array{2 * i + 1}, [this, i](const auto& y) { return mass[2 * i] * g * y[0]; });
  }
  void contacts(auto&& gap) const {
    int next = 0;
    for (int i = 0; i < discs(); ++i)
      for (const Wall& wall : walls)
        gap(next++, std::array{2 * i, 2 * i + 1}, [this, i, wall](const auto& x) {
          return std::cos(wall.angle) * x[0] + std::sin(wall.angle) * x[1] - (wall.offset + radius[i]);
        });
    for (int k = 1; k < discs(); ++k)
      for (int i = 0; i < k; ++i)
        gap(next++, std::array{2 * i, 2 * i + 1, 2 * k, 2 * k + 1}, [this, i, k](const auto& q) {
          const auto dx = q[2] - q[0], dy = q[3] - q[1];
          using std::sqrt;
          return sqrt(dx * dx + dy * dy) - (radius[i] + radius[k]);
        });
  }
  void each_joint(auto&&) const {}
};

struct RandomContact {
  std::string label;
  SystemRef system{std::shared_ptr<const System>()};
  Phase start;
  ContactOptions options;
  Flow flow = svc();
  double h = 0.01;
  double size = 1;    // of the system: what gaps are compared with
  double energy = 1;  // of the start, above the lowest: what gains are compared with
  double turns =
      0;  // the fastest frequency it may see, times h: what energies of the flow are off by, squared
  int steps = 100;
};

// How a random run went.
struct RandomContactRun {
  double gap = HUGE_VAL;        // the smallest, over the size
  double gain = 0;              // the largest rise of H from any lower value before, over the energy
  std::string reason, contact;  // empty where it did not fail
  std::int64_t steps = 0, impacts = 0, changes = 0, fallbacks = 0;
  double seconds = 0;  // of the processor
};

// The same numbers on every machine, which the distributions of the standard library do not promise.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : random(seed) {}
  double between(double a, double b) {
    return a + (b - a) * std::ldexp(static_cast<double>(random() >> 11), -53);
  }
  bool chance(double p) { return between(0, 1) < p; }
  int among(int n) { return static_cast<int>(random() % static_cast<std::uint64_t>(n)); }
  double magnitude(double low, double high) { return std::pow(10, between(low, high)); }

 private:
  std::mt19937_64 random;
};

inline double least_gap(const System& m, const Values& q) {
  Values g;
  m.gaps(0, q, g);
  return g.size() == 0 ? HUGE_VAL : g.minCoeff();
}

// Masses over two decades, one time in ten over six.
inline Values random_masses(Dice& dice, int discs) {
  Values m(discs);
  const double spread = dice.chance(0.1) ? 3 : 1;
  for (double& x : m) x = dice.magnitude(-spread, spread);
  return m;
}

inline Values random_momenta(Dice& dice, const Values& mass) {
  Values p(mass.size());
  const double speed = dice.chance(0.3) ? 0 : dice.between(0, 3);
  for (Eigen::Index i = 0; i < p.size(); ++i) p[i] = mass[i] * dice.between(-speed, speed);
  return p;
}

// What a body turns by per time on another: the fastest that any can be, over the smallest distance.
inline double turning(const Values& radius, const Values& mass, double energy) {
  return std::sqrt(2 * energy / mass.maxCoeff()) / (2 * radius.minCoeff()) +
         std::sqrt(2 * energy / mass.minCoeff()) / (radius.minCoeff() + radius.maxCoeff());
}

inline RandomContact random_box(Dice& dice, bool on_floor) {
  RandomContact r;
  const int n = 2 + dice.among(7);
  Values radius(n);
  for (double& x : radius) x = dice.between(0.03, 0.12);
  const Values mass = random_masses(dice, n);
  const double g = dice.chance(0.3) ? 0 : dice.between(1, 10);
  const auto box = std::make_shared<BoxOfDiscs>(radius, mass, 1, 1, g);
  Values q(2 * n);
  for (int i = 0; i < n; ++i) {
    const double low = radius[i], high = 1 - radius[i];
    for (bool apart = false; !apart;) {
      q[2 * i] = dice.between(low, high);
      q[2 * i + 1] = on_floor && dice.chance(0.5) ? low : dice.between(low, high);
      apart = true;
      for (int k = 0; k < i; ++k)
        apart =
            apart && std::hypot(q[2 * i] - q[2 * k], q[2 * i + 1] - q[2 * k + 1]) >= radius[i] + radius[k];
    }
  }
  r.label = on_floor ? "discs on the floor" : "discs in a box";
  r.start = {q, random_momenta(dice, box->mass)};
  r.system = {box};
  r.energy = hamiltonian(r.system, r.start) - g * mass.dot(radius);
  r.turns = turning(radius, mass, r.energy);
  return r;
}

// Three to fifteen equal discs that touch in rows of k, k - 1, ..., some with a third or two of them lifted.
inline RandomContact random_pile(Dice& dice) {
  RandomContact r;
  const int rows = 2 + dice.among(4), n = rows * (rows + 1) / 2;
  const double radius = 0.5 / rows * dice.between(0.7, 1),
               lift = dice.chance(0.5) ? 0 : dice.between(0, 0.05);
  const Values mass = random_masses(dice, n);
  const auto box = std::make_shared<BoxOfDiscs>(Values::Constant(n, radius), mass, 1, 2, dice.between(1, 10));
  Values q(2 * n);
  int next = 0;
  for (int row = 0; row < rows; ++row)
    for (int k = 0; k + row < rows; ++k, next += 2) {
      q[next] = radius * (1 + row + 2 * k);
      q[next + 1] = radius * (1 + row * std::sqrt(3.0)) + (row > 0 ? lift : 0);
    }
  r.label = "pile of discs";
  r.start = {q, dice.chance(0.5) ? Values(Values::Zero(2 * n)) : random_momenta(dice, box->mass)};
  r.system = {box};
  r.energy = hamiltonian(r.system, r.start) - box->g * radius * mass.sum();
  r.turns = turning(box->radius, mass, r.energy);
  return r;
}

// One to four discs above a wedge, one of whose walls may be there twice, or a third through its corner.
inline RandomContact random_wedge(Dice& dice) {
  RandomContact r;
  const auto m = std::make_shared<DiscsOverWalls>();
  const int n = 1 + dice.among(4);
  const Values mass = random_masses(dice, n);
  m->radius.resize(n), m->mass.resize(2 * n);
  for (double& x : m->radius) x = dice.between(0.05, 0.1);
  for (int i = 0; i < n; ++i) m->mass[2 * i] = m->mass[2 * i + 1] = mass[i];
  const double right = dice.between(0.1, 1.4), left = dice.between(0.1, 1.4), up = std::numbers::pi / 2;
  m->walls = {{up - left, 0}, {up + right, 0}};
  if (dice.chance(0.3)) m->walls.push_back(m->walls[0]);
  if (dice.chance(0.3)) m->walls.push_back({up + dice.between(-left, right), 0});
  Values q(2 * n);
  double above = dice.between(0, 0.5);
  for (int i = 0; i < n; ++i) {  // one above the other, clear of both walls
    above += m->radius[i] / std::fmin(std::cos(left), std::cos(right));
    q[2 * i] = 0, q[2 * i + 1] = above;
    above += m->radius[i] + 0.3;
  }
  r.label = "discs in a wedge";
  r.start = {q, random_momenta(dice, m->mass)};
  r.system = {m};
  r.energy = hamiltonian(r.system, r.start);
  r.turns = turning(m->radius, mass, r.energy);
  r.size = 2;
  return r;
}

inline RandomContact random_cradle(Dice& dice, bool in_angles) {
  RandomContact r;
  CradleShape shape{2 + dice.among(8)};
  shape.gap = dice.chance(0.5) ? 0 : dice.between(0, 0.05), shape.r = dice.between(0.05, 0.3);
  const int n = shape.balls;
  Values angles(n);
  const double most = dice.between(0.1, 1.2);
  for (double& x : angles) x = dice.between(-most, most);
  std::sort(angles.begin(), angles.end());
  if (dice.chance(0.4)) {
    const int drawn = 1 + dice.among(n);
    const double angle = -std::abs(angles[0]);
    for (int i = 0; i < n; ++i) angles[i] = i < drawn ? angle : 0;
  }
  const auto cartesian = std::make_shared<CradleInCoordinates>(shape);
  if (in_angles) r.system = {std::make_shared<CradleInAngles>(shape)}, r.start.q = angles;
  if (!in_angles) r.system = {cartesian}, r.start.q = cartesian->at(angles);
  r.start.p = Values::Zero(r.start.q.size());
  r.label = in_angles ? "cradle in angles" : "cradle in coordinates";
  r.energy = hamiltonian(r.system, r.start) + n * shape.m * shape.g * shape.l;
  r.turns = std::sqrt(shape.g / shape.l) + std::sqrt(2 * r.energy / shape.m) / (2 * shape.r);
  r.size = 2;
  return r;
}

// Nothing where the start that was drawn has bodies inside of each other.
inline std::optional<RandomContact> random_contact(std::uint64_t seed) {
  Dice dice(seed);
  const int kind = static_cast<int>(seed % 6);
  RandomContact r = kind < 2    ? random_box(dice, kind == 1)
                    : kind == 2 ? random_pile(dice)
                    : kind == 3 ? random_wedge(dice)
                                : random_cradle(dice, kind == 4);
  if (least_gap(*r.system, r.start.q) < -1e-12) return std::nullopt;
  if (dice.chance(0.5)) {
    const double losses[] = {0, 0.999, dice.between(0, 1), dice.between(0, 1), dice.between(0, 1)};
    r.options.restitution = losses[dice.among(5)];
  }
  if (dice.chance(0.3)) r.options.law = continuous_energy();
  static constexpr const char* flows[] = {"svc", "svc", "midpoint", "sva", "yoshida4", "kahan-li6"};
  r.flow = make_flow(flows[dice.among(6)]);
  r.h = dice.magnitude(-4, -0.7);
  r.turns *= r.h;
  r.steps = static_cast<int>(std::fmin(100, 4 / r.h));
  return r;
}

inline RandomContactRun run_random_contact(const RandomContact& start) {
  RandomContactRun r;
  const System& m = *start.system;
  const std::clock_t begun = std::clock();
  ContactStepper stepper(start.system, SteadyFlow(start.flow, start.h), start.options);
  Phase z = start.start;
  double lowest = m.hamiltonian(0, z.q, z.p);
  const double floor = 1e-9 * (std::abs(lowest) + 1);  // a start at rest has no energy to compare with
  for (int n = 0; n < start.steps; ++n) {
    const auto next = stepper.step(n * start.h, z);
    if (next.failure) {
      r.reason = next.failure->reason, r.contact = next.failure->contact;
      break;
    }
    ++r.steps;
    r.impacts += static_cast<std::int64_t>(next.impacts.size());
    r.changes += static_cast<std::int64_t>(next.changes.size());
    z = next.step.z;
    r.gap = std::fmin(r.gap, least_gap(m, z.q) / start.size);
    for (const auto& impact : next.impacts) r.gap = std::fmin(r.gap, least_gap(m, impact.q) / start.size);
    const double H = m.hamiltonian(0, z.q, z.p);
    r.gain = std::fmax(r.gain, (H - lowest) / (start.energy + floor));
    if (!std::isfinite(H)) r.gain = HUGE_VAL;
    lowest = std::fmin(lowest, H);
  }
  r.fallbacks = stepper.fallbacks();
  r.seconds = static_cast<double>(std::clock() - begun) / CLOCKS_PER_SEC;
  return r;
}

}  // namespace carom::test
