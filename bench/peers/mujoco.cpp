// MuJoCo 2.2: models in MJCF, mj_step with its RK4 integrator. An elastic contact is a spring without damper
// (solref in its direct form, -stiffness and -damping), as stiff as the step allows: a contact lasts for some
// four steps.
#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include <cstring>
#include <memory>
#include <numbers>
#include <stdexcept>

#include "compare/track.hpp"
#include "peers/double_pendulum_by_hand.hpp"
#include "peers/peers.hpp"

namespace carom::bench {
namespace {

struct Free {
  void operator()(mjModel* model) const { mj_deleteModel(model); }
  void operator()(mjData* data) const { mj_deleteData(data); }
};
using ModelPtr = std::unique_ptr<mjModel, Free>;
using DataPtr = std::unique_ptr<mjData, Free>;

ModelPtr compile(const std::string& text) {
  const auto files = std::make_unique<mjVFS>();
  mj_defaultVFS(files.get());
  mj_makeEmptyFileVFS(files.get(), "model.xml", static_cast<int>(text.size()));
  std::memcpy(files->filedata[mj_findFileVFS(files.get(), "model.xml")], text.data(), text.size());
  char why[1000] = "";
  ModelPtr model(mj_loadXML("model.xml", files.get(), why, sizeof why));
  mj_deleteVFS(files.get());
  if (!model) throw std::logic_error(std::string("MuJoCo: ") + why);
  return model;
}

class Stepped : public Contestant {
 public:
  Stepped(const std::string& how, const Setup& s, const std::string& text)
      : Contestant("MuJoCo", fmt::format("{}, h = {:.3g}", how, s.step)),
        setup(s),
        model(compile(text)),
        data(mj_makeData(model.get())),
        track(2 * static_cast<std::size_t>(model->nq)) {}

  void prepare() override {
    mj_resetData(model.get(), data.get());
    start(data->qpos, data->qvel);
    track.begin(steps());
    keep();
  }
  void run() override {
    for (std::int64_t n = 0; n < steps(); ++n) {
      mj_step(model.get(), data.get());
      keep();
    }
  }
  Outcome outcome() const override {
    Outcome r;
    r.steps = track.steps();
    r.energy_error = track.energy_error([this](const double* x) { return energy(x, x + model->nq); });
    r.bounded = r.energy_error < 1;
    return r;
  }

 protected:
  virtual void start(double* q, double* v) const = 0;
  virtual double energy(const double* q, const double* v) const = 0;
  const Track& states() const { return track; }

 private:
  std::int64_t steps() const { return std::lround(setup.end / setup.step); }
  void keep() {
    for (int i = 0; i < model->nq; ++i) track.add(data->qpos[i]);
    for (int i = 0; i < model->nv; ++i) track.add(data->qvel[i]);
  }

  Setup setup;
  ModelPtr model;
  DataPtr data;
  Track track;
};

// A point mass at the end of a rod; MuJoCo asks for some inertia.
constexpr const char* point_mass = R"(<inertial pos="0 0 -1" mass="1" diaginertia="1e-12 1e-12 1e-12"/>)";

class Pendulum final : public Stepped {
 public:
  explicit Pendulum(const Setup& s) : Stepped("RK4", s, text(s.step)) {}

 private:
  static std::string text(double h) {
    return fmt::format(R"(<mujoco>
      <option timestep="{}" integrator="RK4" gravity="0 0 -10"> <flag contact="disable"/> </option>
      <compiler boundmass="0" boundinertia="0"/>
      <worldbody> <body> <joint type="hinge" axis="0 1 0"/> {}
        <body pos="0 0 -1"> <joint type="hinge" axis="0 1 0"/> {} </body>
      </body> </worldbody> </mujoco>)",
                       h, point_mass, point_mass);
  }
  void start(double* q, double* v) const override {
    q[0] = own.q[0], q[1] = own.q[1];
    own.velocity(own.q, own.p, v);
  }
  double energy(const double* q, const double* v) const override { return own.energy(q, v); }

  DoublePendulumByHand own;
};

// Newton's cradle of carom::CradleShape: five balls, two of them drawn.
class Cradle final : public Stepped {
 public:
  explicit Cradle(const Setup& s)
      : Stepped(fmt::format("RK4, contact springs of {:.0f} without dampers", stiffness(s.step)), s,
                text(s.step)) {}

  Outcome outcome() const override {
    Outcome r = Stepped::outcome();
    double moved = 0;
    for (std::int64_t n = 0; n <= states().steps(); ++n)
      moved = std::fmax(moved, std::abs(states().state(n)[2]));
    r.end = {moved / drawn};
    return r;
  }

 private:
  static constexpr int balls = 5;
  static constexpr double radius = 0.25, gravity = 9.8, drawn = std::numbers::pi / 5;

  // Half a period of two unit masses on it is four steps.
  static double stiffness(double h) { return 0.5 * std::pow(std::numbers::pi / (4 * h), 2); }

  static std::string text(double h) {
    std::string bodies;
    for (int i = 0; i < balls; ++i)
      bodies += fmt::format(R"(<body pos="{} 0 0"> <joint type="hinge" axis="0 -1 0"/> {}
        <geom type="sphere" size="{}" pos="0 0 -1" condim="1" solref="{} 0" solimp="0.99 0.99 0.001"/> </body>)",
                            2 * radius * i, point_mass, radius, -stiffness(h));
    return fmt::format(R"(<mujoco>
      <option timestep="{}" integrator="RK4" gravity="0 0 {}"/>
      <worldbody> {} </worldbody> </mujoco>)",
                       h, -gravity, bodies);
  }
  void start(double* q, double* v) const override {
    for (int i = 0; i < balls; ++i) q[i] = i < 2 ? -drawn : 0, v[i] = 0;
  }
  double energy(const double* q, const double* v) const override {
    double H = 0;
    for (int i = 0; i < balls; ++i) H += 0.5 * v[i] * v[i] + gravity * (1 - std::cos(q[i]));
    return H;
  }
};

// Bodies in the plane x, z that can turn, with soft contacts that rub; MuJoCo's friction creeps where it
// holds.
class Rough final : public Stepped {
 public:
  struct Body {
    std::string shape;
    double x, z, angle, vx, inertia;
  };
  Rough(const Setup& s, const std::vector<Body>& all, double tilt, double mu, int which, double right)
      : Stepped("RK4, elliptic cones", s, text(s.step, all, tilt, mu)),
        bodies(all),
        coordinate(which),
        wanted(right) {}

  // Of one coordinate at the end; or, where none is asked for, by how much all have moved.
  Outcome outcome() const override {
    Outcome r = Stepped::outcome();
    const double* x = states().state(states().steps());
    double moved = 0;
    for (std::size_t i = 0; i < 3 * bodies.size(); ++i)
      moved = std::fmax(moved, std::abs(x[i] - (i % 3 == 2 ? bodies[i / 3].angle : 0)));
    r.end = {coordinate >= 0 ? std::abs(x[coordinate] - wanted) : moved};
    r.bounded = std::isfinite(r.end[0]);
    return r;
  }

 private:
  static std::string text(double h, const std::vector<Body>& all, double tilt, double mu) {
    std::string bodies;
    for (const Body& body : all)
      bodies += fmt::format(
          R"(<body pos="{} 0 {}"> <joint type="slide" axis="1 0 0"/> <joint type="slide" axis="0 0 1"/>
        <joint type="hinge" axis="0 -1 0"/> <inertial pos="0 0 0" mass="1" diaginertia="{} {} {}"/>
        <geom {} friction="{} 0 0" condim="3"/> </body>)",
          body.x, body.z, body.inertia, body.inertia, body.inertia, body.shape, mu);
    return fmt::format(R"(<mujoco>
      <option timestep="{}" integrator="RK4" cone="elliptic" impratio="10" gravity="{} 0 {}"/>
      <worldbody> <geom type="plane" size="20 20 1" friction="{} 0 0" condim="3"/> {} </worldbody> </mujoco>)",
                       h, -9.81 * std::sin(tilt), -9.81 * std::cos(tilt), mu, bodies);
  }
  void start(double* q, double* v) const override {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      q[3 * i] = q[3 * i + 1] = 0, q[3 * i + 2] = bodies[i].angle;
      v[3 * i] = bodies[i].vx, v[3 * i + 1] = v[3 * i + 2] = 0;
    }
  }
  double energy(const double*, const double* v) const override {
    double T = 1;
    for (std::size_t i = 0; i < 3 * bodies.size(); ++i) T += 0.5 * v[i] * v[i];
    return T;
  }

  std::vector<Body> bodies;
  int coordinate;
  double wanted;
};

std::unique_ptr<Contestant> rough_block(const Setup& s) {
  const double right = 4.5 / (9.81 * (std::sin(0.3) + 0.5 * std::cos(0.3)));
  return std::make_unique<Rough>(
      s, std::vector<Rough::Body>{{R"(type="box" size="0.5 0.5 0.1")", 0, 0.1, 0, 3, 0.1}}, 0.3, 0.5, 0,
      right);
}
std::unique_ptr<Contestant> rocking_block(const Setup& s) {
  return std::make_unique<Rough>(
      s,
      std::vector<Rough::Body>{
          {R"(type="box" size="0.1 0.1 0.4")", -0.06089814519583547, 0.4104522444217769, 0.15, 0, 0.17 / 3}},
      0, 0.6, 2, 0.04523114686646);
}
std::unique_ptr<Contestant> rough_pile(const Setup& s) {
  std::vector<Rough::Body> bodies;
  for (int row = 0; row < 4; ++row)
    for (int k = 0; k < 4 - row; ++k)
      bodies.push_back(
          {R"(type="sphere" size="0.5")", k + 0.5 * row, 0.5 + 0.5 * std::sqrt(3.0) * row, 0, 0, 0.125});
  return std::make_unique<Rough>(s, bodies, 0, 0.5, -1, 0);
}

const Entry block{"MuJoCo", "rough block", rough_block};
const Entry rocking{"MuJoCo", "rocking block", rocking_block};
const Entry pile{"MuJoCo", "rough pile", rough_pile};
const Entry pendulum{"MuJoCo", "double pendulum", [](const Setup& s) -> std::unique_ptr<Contestant> {
                       return std::make_unique<Pendulum>(s);
                     }};
const Entry cradle{"MuJoCo", "cradle",
                   [](const Setup& s) -> std::unique_ptr<Contestant> { return std::make_unique<Cradle>(s); }};

}  // namespace
}  // namespace carom::bench
