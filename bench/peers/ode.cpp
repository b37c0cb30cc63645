// ODE 0.16: a ball over a plane, one contact joint per touch with bounce 1, stepped by dWorldStep, its exact
// solver.
#include <fmt/format.h>
#include <ode/ode.h>

#include "compare/track.hpp"
#include "peers/peers.hpp"

namespace carom::bench {
namespace {

class Ball final : public Contestant {
 public:
  explicit Ball(const Setup& s)
      : Contestant("ODE", fmt::format("dWorldStep, bounce 1, h = {:.3g}", s.step)), setup(s), track(2) {
    dInitODE();
  }
  ~Ball() override {
    clear();
    dCloseODE();
  }
  Ball(const Ball&) = delete;
  Ball& operator=(const Ball&) = delete;

  void prepare() override {
    clear();
    world = dWorldCreate();
    space = dSimpleSpaceCreate(nullptr);
    touches = dJointGroupCreate(0);
    dWorldSetGravity(world, 0, 0, -gravity);
    dCreatePlane(space, 0, 0, 1, 0);
    ball = dBodyCreate(world);
    dMass mass;
    dMassSetSphereTotal(&mass, 1, radius);
    dBodySetMass(ball, &mass);
    dBodySetPosition(ball, 0, 0, 1 + radius);
    dGeomSetBody(dCreateSphere(space, radius), ball);
    track.begin(steps());
    keep();
  }
  void run() override {
    for (std::int64_t n = 0; n < steps(); ++n) {
      dSpaceCollide(space, this,
                    [](void* self, dGeomID a, dGeomID b) { static_cast<Ball*>(self)->touch(a, b); });
      dWorldStep(world, setup.step);
      dJointGroupEmpty(touches);
      keep();
    }
  }
  Outcome outcome() const override {
    Outcome r;
    r.steps = track.steps();
    r.energy_error = track.energy_error([](const double* x) { return 0.5 * x[1] * x[1] + gravity * x[0]; });
    r.bounded = r.energy_error < 1;
    return r;
  }

 private:
  static constexpr double gravity = 9.81, radius = 0.5;

  std::int64_t steps() const { return std::lround(setup.end / setup.step); }
  void touch(dGeomID a, dGeomID b) {
    dContact contact{};
    contact.surface.mode = dContactBounce;
    contact.surface.bounce = 1;
    if (dCollide(a, b, 1, &contact.geom, sizeof contact) == 1)
      dJointAttach(dJointCreateContact(world, touches, &contact), dGeomGetBody(a), dGeomGetBody(b));
  }
  void keep() { track.add(dBodyGetPosition(ball)[2] - radius), track.add(dBodyGetLinearVel(ball)[2]); }
  void clear() {
    if (!world) return;
    dJointGroupDestroy(touches);
    dSpaceDestroy(space);
    dWorldDestroy(world);
    world = nullptr;
  }

  Setup setup;
  Track track;
  dWorldID world = nullptr;
  dSpaceID space = nullptr;
  dJointGroupID touches = nullptr;
  dBodyID ball = nullptr;
};

const Entry entry{"ODE", "bouncing ball",
                  [](const Setup& s) -> std::unique_ptr<Contestant> { return std::make_unique<Ball>(s); }};

}  // namespace
}  // namespace carom::bench
