// Siconos 4.4: its time stepping, Moreau-Jean with θ = 1/2 and D1-minus linear, Newton's impact law and an
// LCP by its default solver, put together as its own examples do.
#include <SolverOptions.h>
#include <fmt/format.h>
#include <SiconosKernel.hpp>

#include "compare/track.hpp"
#include "peers/double_pendulum_by_hand.hpp"
#include "peers/peers.hpp"

namespace carom::bench {
namespace {

enum class Scheme { moreau_jean, d1_minus, moreau_jean_rough };

const char* describe(Scheme scheme) {
  return scheme == Scheme::d1_minus ? "D1-minus linear" : "Moreau-Jean, theta = 1/2";
}

// An LCP prints its complaints; a benchmark has no use for them.
SP::LCP quiet_lcp() {
  auto lcp = std::make_shared<LCP>();
  lcp->setNumericsVerboseMode(false);
  return lcp;
}

SP::Simulation simulation(const SP::NonSmoothDynamicalSystem& model, double h, Scheme scheme) {
  const auto grid = std::make_shared<TimeDiscretisation>(0.0, h);
  if (scheme == Scheme::moreau_jean) {
    auto r = std::make_shared<TimeStepping>(model, grid, std::make_shared<MoreauJeanOSI>(0.5), quiet_lcp());
    r->setNewtonTolerance(1e-10);
    r->setNewtonMaxIteration(50);
    r->setWarnOnNonConvergence(false);
    return r;
  }
  if (scheme == Scheme::moreau_jean_rough) {
    const auto cones = std::make_shared<FrictionContact>(2, SICONOS_FRICTION_2D_NSGS);
    cones->setNumericsVerboseMode(false);
    cones->numericsSolverOptions()->dparam[SICONOS_DPARAM_TOL] = 1e-10;
    cones->numericsSolverOptions()->iparam[SICONOS_IPARAM_MAX_ITER] = 10000;
    auto r = std::make_shared<TimeStepping>(model, grid, std::make_shared<MoreauJeanOSI>(0.5), cones);
    r->setNewtonTolerance(1e-10), r->setNewtonMaxIteration(50), r->setWarnOnNonConvergence(false);
    return r;
  }
  auto r = std::make_shared<TimeSteppingD1Minus>(model, grid, 2);
  r->insertIntegrator(std::make_shared<D1MinusLinearOSI>());
  r->insertNonSmoothProblem(quiet_lcp(), SICONOS_OSNSP_TS_VELOCITY);
  r->insertNonSmoothProblem(quiet_lcp(), SICONOS_OSNSP_TS_VELOCITY + 1);
  return r;
}

SP::SiconosVector vector(std::initializer_list<double> numbers) {
  auto r = std::make_shared<SiconosVector>(static_cast<unsigned>(numbers.size()));
  unsigned i = 0;
  for (const double x : numbers) r->setValue(i++, x);
  return r;
}

// One dynamical system or several, stepped to the end with all states kept.
class Stepped : public Contestant {
 public:
  Stepped(const std::string& how, const Setup& s, std::size_t width, Scheme which)
      : Contestant("Siconos", fmt::format("{}, h = {:.3g}", how, s.step)),
        setup(s),
        track(width),
        scheme(which) {}

  void prepare() override {
    bodies.clear();
    // One step more than is taken: the model's end is exclusive, and rounded.
    model = std::make_shared<NonSmoothDynamicalSystem>(0.0, setup.end + 2 * setup.step);
    build();
    simulated = simulation(model, setup.step, scheme);
    simulated->initialize();
    failure.clear();
    track.begin(steps());
    keep();
  }
  void run() override {
    try {
      for (std::int64_t n = 0; n < steps(); ++n) {
        simulated->advanceToEvent();
        if (!keep()) {
          failure = "diverges";  // it would end the whole program at what is not a number
          return;
        }
        simulated->processEvents();
      }
    } catch (...) {  // its exceptions have no common base
      failure = "stopped by an exception of its own";
    }
  }
  Outcome outcome() const override {
    Outcome r;
    r.steps = track.steps();
    r.energy_error = track.energy_error([this](const double* x) { return energy(x); });
    r.bounded = failure.empty() && r.energy_error < 1;
    r.remark = failure;
    return r;
  }

 protected:
  virtual void build() = 0;
  virtual double energy(const double* state) const = 0;

  void add(const SP::LagrangianDS& body) {
    bodies.push_back(body);
    model->insertDynamicalSystem(body);
  }

  Setup setup;
  Track track;
  SP::NonSmoothDynamicalSystem model;
  std::vector<SP::LagrangianDS> bodies;

 private:
  std::int64_t steps() const { return static_cast<std::int64_t>(std::floor(setup.end / setup.step + 1e-9)); }
  // Whether the state is of this world.
  bool keep() {
    double largest = 0;
    for (const auto& body : bodies)
      for (unsigned i = 0; i < body->dimension(); ++i) {
        const double q = (*body->q())(i), v = (*body->velocity())(i);
        track.add(q), track.add(v);
        largest += std::abs(q) + std::abs(v);
      }
    return largest < 1e100;
  }

  Scheme scheme;
  SP::Simulation simulated;
  std::string failure;
};

constexpr double gravity = 9.81;

// Balls of mass 1 and radius 1/2 over each other on a floor: one dynamical system and one contact each.
class Column final : public Stepped {
 public:
  Column(const Setup& s, Scheme which, double height, double e)
      : Stepped(fmt::format("{}, Lemke's LCP", describe(which)), s, 2 * static_cast<std::size_t>(s.bodies),
                which),
        lowest(height),
        restitution(e) {}

 private:
  void build() override {
    const auto law = std::make_shared<NewtonImpactNSL>(restitution);
    for (int i = 0; i < setup.bodies; ++i) {
      auto mass = std::make_shared<SimpleMatrix>(1, 1);
      mass->setValue(0, 0, 1);
      auto ball = std::make_shared<LagrangianLinearTIDS>(vector({lowest + i}), vector({0}), mass);
      ball->setFExtPtr(vector({-gravity}));
      add(ball);
      auto H = std::make_shared<SimpleMatrix>(1, i == 0 ? 1 : 2);
      H->setValue(0, 0, i == 0 ? 1 : -1);
      if (i > 0) H->setValue(0, 1, 1);
      const auto relation = std::make_shared<LagrangianLinearTIR>(H, vector({i == 0 ? -0.5 : -1.0}));
      const auto contact = std::make_shared<Interaction>(law, relation);
      if (i == 0)
        model->link(contact, ball);
      else
        model->link(contact, bodies[static_cast<std::size_t>(i) - 1], ball);
    }
  }
  double energy(const double* x) const override {
    double H = 0;
    for (int i = 0; i < setup.bodies; ++i) H += 0.5 * x[2 * i + 1] * x[2 * i + 1] + gravity * x[2 * i];
    return H;
  }

  double lowest, restitution;
};

// Rows of gap and slip of a corner (b, d) of a box, of a disc on the floor, or of two discs, by x, y and the
// angle of each.
class Corner final : public LagrangianScleronomousR {
  double b, d;
  void computeh(const BlockVector& q, BlockVector&, SiconosVector& y) override {
    const double a = q.getValue(2);
    y.setValue(0, q.getValue(1) + b * std::sin(a) + d * std::cos(a));
    y.setValue(1, q.getValue(0) + b * std::cos(a) - d * std::sin(a));
  }
  void computeJachq(const BlockVector& q, BlockVector&) override {
    const double a = q.getValue(2), c = std::cos(a), s = std::sin(a);
    const double rows[2][3] = {{0, 1, b * c - d * s}, {1, 0, -b * s - d * c}};
    for (unsigned i = 0; i < 2; ++i)
      for (unsigned k = 0; k < 3; ++k) _jachq->setValue(i, k, rows[i][k]);
  }

 public:
  Corner(double x, double y) : b(x), d(y) { _jachq = std::make_shared<SimpleMatrix>(2, 3); }
};

class TwoDiscs final : public LagrangianScleronomousR {
  void computeh(const BlockVector& q, BlockVector&, SiconosVector& y) override {
    const double x = q.getValue(3) - q.getValue(0), z = q.getValue(4) - q.getValue(1);
    y.setValue(0, std::hypot(x, z) - 1),
        y.setValue(1, std::atan2(z, x) - 0.5 * (q.getValue(2) + q.getValue(5)));
  }
  void computeJachq(const BlockVector& q, BlockVector&) override {
    const double x = q.getValue(3) - q.getValue(0), z = q.getValue(4) - q.getValue(1), far = std::hypot(x, z);
    const double n[2] = {x / far, z / far};
    const double rows[2][6] = {{-n[0], -n[1], 0, n[0], n[1], 0}, {n[1], -n[0], -0.5, -n[1], n[0], -0.5}};
    for (unsigned i = 0; i < 2; ++i)
      for (unsigned k = 0; k < 6; ++k) _jachq->setValue(i, k, rows[i][k]);
  }

 public:
  TwoDiscs() { _jachq = std::make_shared<SimpleMatrix>(2, 6); }
};

// Bodies in the plane on a floor that rubs; gravity may be oblique.
class Rough final : public Stepped {
 public:
  struct Body {
    double x, y, a, vx, inertia;
    std::vector<std::array<double, 2>> corners;  // none: a disc of radius 1/2
  };
  Rough(const Setup& s, std::vector<Body> all, double incline, double rub, int which, double right)
      : Stepped(fmt::format("{}, NSGS", describe(Scheme::moreau_jean_rough)), s, 6 * all.size(),
                Scheme::moreau_jean_rough),
        discs(std::move(all)),
        tilt(incline),
        mu(rub),
        coordinate(which),
        wanted(right) {}

  Outcome outcome() const override {
    Outcome r = Stepped::outcome();
    const double* x = track.state(track.steps());
    double moved = 0;
    for (std::size_t i = 0; i < discs.size(); ++i)
      for (int k = 0; k < 3; ++k)
        moved = std::fmax(moved, std::abs(x[6 * i + 2 * k] - (k == 0   ? discs[i].x
                                                              : k == 1 ? discs[i].y
                                                                       : discs[i].a)));
    r.end = {coordinate >= 0 ? std::abs(x[2 * coordinate] - wanted) : moved};
    return r;
  }

 private:
  void build() override {
    const auto law = std::make_shared<NewtonImpactFrictionNSL>(0.0, 0.0, mu, 2);
    for (std::size_t i = 0; i < discs.size(); ++i) {
      const Body& own = discs[i];
      auto mass = std::make_shared<SimpleMatrix>(3, 3);
      mass->setValue(0, 0, 1), mass->setValue(1, 1, 1), mass->setValue(2, 2, own.inertia);
      auto body =
          std::make_shared<LagrangianLinearTIDS>(vector({own.x, own.y, own.a}), vector({own.vx, 0, 0}), mass);
      body->setFExtPtr(vector({-gravity * std::sin(tilt), -gravity * std::cos(tilt), 0}));
      add(body);
      for (const auto& [b, d] : own.corners)
        model->link(std::make_shared<Interaction>(law, std::make_shared<Corner>(b, d)), body);
      if (!own.corners.empty()) continue;
      if (own.y < 0.6) {
        auto H = std::make_shared<SimpleMatrix>(2, 3);
        H->setValue(0, 1, 1), H->setValue(1, 0, 1), H->setValue(1, 2, 0.5);
        model->link(
            std::make_shared<Interaction>(law, std::make_shared<LagrangianLinearTIR>(H, vector({-0.5, 0}))),
            body);
      }
      for (std::size_t k = 0; k < i; ++k)
        if (std::hypot(own.x - discs[k].x, own.y - discs[k].y) < 1.05)
          model->link(std::make_shared<Interaction>(law, std::make_shared<TwoDiscs>()), bodies[k], body);
    }
  }
  double energy(const double* x) const override {
    double H = 1;
    for (std::size_t i = 0; i < discs.size(); ++i)
      H += 0.5 * (x[6 * i + 1] * x[6 * i + 1] + x[6 * i + 3] * x[6 * i + 3]);
    return H;
  }

  std::vector<Body> discs;
  double tilt, mu;
  int coordinate;
  double wanted;
};

// Nearer than they touch, by what a contact is sure to be seen at.
std::vector<Rough::Body> pile_of_ten() {
  constexpr double near = 1 - 1e-9;
  std::vector<Rough::Body> r;
  for (int row = 0; row < 4; ++row)
    for (int k = 0; k < 4 - row; ++k)
      r.push_back({near * (k + 0.5 * row), 0.5 + near * 0.5 * std::sqrt(3.0) * row - 1e-9, 0, 0, 0.125, {}});
  return r;
}

const DoublePendulumByHand pendulum;

class Wall final : public LagrangianScleronomousR {
  void computeh(const BlockVector& q, BlockVector&, SiconosVector& y) override {
    const double at[]{q.getValue(0), q.getValue(1)};
    y.setValue(0, pendulum.gap(at));
  }
  void computeJachq(const BlockVector& q, BlockVector&) override {
    const double at[]{q.getValue(0), q.getValue(1)};
    double slope[2];
    pendulum.gap_by_q(at, slope);
    _jachq->setValue(0, 0, slope[0]), _jachq->setValue(0, 1, slope[1]);
  }

 public:
  Wall() { _jachq = std::make_shared<SimpleMatrix>(1, 2); }
};

class Pendulum final : public Stepped {
 public:
  Pendulum(const Setup& s, Scheme which) : Stepped(describe(which), s, 4, which) {}

 private:
  void build() override {
    double v0[2];
    pendulum.velocity(pendulum.q, pendulum.p, v0);
    auto body = std::make_shared<LagrangianDS>(vector({pendulum.q[0], pendulum.q[1]}), vector({v0[0], v0[1]}),
                                               std::make_shared<SimpleMatrix>(2, 2));
    using U = unsigned;
    body->setComputeMassFunction([](U, double* q, double* to, U, double*) { pendulum.mass(q, to); });
    body->setComputeFIntFunction(
        [](double, U, double* q, double*, double* to, U, double*) { pendulum.weight(q, to); });
    body->setComputeJacobianFIntqFunction(
        [](double, U, double* q, double*, double* to, U, double*) { pendulum.weight_by_q(q, to); });
    body->setComputeFGyrFunction(
        [](U, double* q, double* v, double* to, U, double*) { pendulum.gyroscopic(q, v, to); });
    body->setComputeJacobianFGyrqFunction(
        [](U, double* q, double* v, double* to, U, double*) { pendulum.gyroscopic_by_q(q, v, to); });
    body->setComputeJacobianFGyrqDotFunction(
        [](U, double* q, double* v, double* to, U, double*) { pendulum.gyroscopic_by_v(q, v, to); });
    add(body);
    model->link(
        std::make_shared<Interaction>(std::make_shared<NewtonImpactNSL>(1.0), std::make_shared<Wall>()),
        body);
  }
  double energy(const double* x) const override {
    const double q[]{x[0], x[2]}, v[]{x[1], x[3]};
    return pendulum.energy(q, v);
  }
};

using Made = std::unique_ptr<Contestant>;
const Entry ball_moreau{"Siconos", "bouncing ball, Moreau-Jean", [](const Setup& s) -> Made {
                          return std::make_unique<Column>(s, Scheme::moreau_jean, 1.5, 1.0);
                        }};
const Entry ball_d1{"Siconos", "bouncing ball, D1-minus", [](const Setup& s) -> Made {
                      return std::make_unique<Column>(s, Scheme::d1_minus, 1.5, 1.0);
                    }};
const Entry block{"Siconos", "rough block", [](const Setup& s) -> Made {
                    const double right = 4.5 / (gravity * (std::sin(0.3) + 0.5 * std::cos(0.3)));
                    return std::make_unique<Rough>(s, std::vector<Rough::Body>{{0, 0, 0, 3, 1e6, {{0, 0}}}},
                                                   0.3, 0.5, 0, right);
                  }};
const Entry rocking{
    "Siconos", "rocking block", [](const Setup& s) -> Made {
      return std::make_unique<Rough>(
          s,
          std::vector<Rough::Body>{
              {-0.06089814519583547, 0.4104522444217769, 0.15, 0, 0.17 / 3, {{-0.1, -0.4}, {0.1, -0.4}}}},
          0.0, 0.6, 2, 0.04523114686646);
    }};
const Entry pile{"Siconos", "rough pile", [](const Setup& s) -> Made {
                   return std::make_unique<Rough>(s, pile_of_ten(), 0.0, 0.5, -1, 0);
                 }};
const Entry column{"Siconos", "column at rest", [](const Setup& s) -> Made {
                     return std::make_unique<Column>(s, Scheme::moreau_jean, 0.5, 0.0);
                   }};
const Entry pendulum_moreau{"Siconos", "double pendulum, Moreau-Jean", [](const Setup& s) -> Made {
                              return std::make_unique<Pendulum>(s, Scheme::moreau_jean);
                            }};
const Entry pendulum_d1{"Siconos", "double pendulum, D1-minus", [](const Setup& s) -> Made {
                          return std::make_unique<Pendulum>(s, Scheme::d1_minus);
                        }};

}  // namespace
}  // namespace carom::bench
