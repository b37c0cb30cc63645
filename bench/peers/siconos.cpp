// Siconos 4.4: its time stepping, Moreau-Jean with θ = 1/2 and D1-minus linear, Newton's impact law and an
// LCP by its default solver, put together as its own examples do.
#include <fmt/format.h>
#include <SiconosKernel.hpp>

#include "compare/track.hpp"
#include "peers/double_pendulum_by_hand.hpp"
#include "peers/peers.hpp"

namespace carom::bench {
namespace {

enum class Scheme { moreau_jean, d1_minus };

const char* describe(Scheme scheme) {
  return scheme == Scheme::moreau_jean ? "Moreau-Jean, theta = 1/2" : "D1-minus linear";
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
