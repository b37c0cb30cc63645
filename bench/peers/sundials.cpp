// SUNDIALS 6: CVODE (Adams with fixed-point iteration, BDF with Newton's method and a dense matrix) and
// ARKODE's explicit Runge-Kutta, with their own root finding; reinitialised after each impact, as their
// manuals ask for.
#include <arkode/arkode_erkstep.h>
#include <cvode/cvode.h>
#include <fmt/format.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <memory>

#include "peers/cart_by_hand.hpp"
#include "peers/peers.hpp"

namespace carom::bench {
namespace {

int rates(double, N_Vector x, N_Vector dxdt, void* cart) {
  static_cast<const CartByHand*>(cart)->rates(N_VGetArrayPointer(x), N_VGetArrayPointer(dxdt));
  return 0;
}
int height(double, N_Vector x, double* y, void*) {
  *y = N_VGetArrayPointer(x)[0];
  return 0;
}

// What the two packages have in common: to a time, or to a root before it.
class Integrator {
 public:
  virtual ~Integrator() = default;
  enum class End { time, root, failure };
  virtual End advance(double end, double* t) = 0;
  virtual void restart(double t) = 0;
};

struct Shared {
  SUNContext context;
  N_Vector x;
  CartByHand* cart;
  double tolerance, end;
};

constexpr long most_steps = 1000000;  // between two impacts

class Cvode : public Integrator {
 public:
  Cvode(const Shared& s, int formulas) : shared(s), memory(CVodeCreate(formulas, s.context)) {
    CVodeInit(memory, rates, 0, shared.x);
    CVodeSStolerances(memory, shared.tolerance, shared.tolerance);
    CVodeSetUserData(memory, shared.cart);
    CVodeRootInit(memory, 1, height);
    const int falling = -1;
    CVodeSetRootDirection(memory, const_cast<int*>(&falling));
    CVodeSetNoInactiveRootWarn(memory);
    CVodeSetMaxNumSteps(memory, most_steps);
    CVodeSetStopTime(memory, shared.end);
    if (formulas == CV_ADAMS)
      CVodeSetNonlinearSolver(memory, iteration = SUNNonlinSol_FixedPoint(shared.x, 0, shared.context));
    else
      use_dense_matrix();
  }
  ~Cvode() override {
    CVodeFree(&memory);
    if (iteration) SUNNonlinSolFree(iteration);
    if (solver) SUNLinSolFree(solver);
    if (matrix) SUNMatDestroy(matrix);
  }
  End advance(double end, double* t) override {
    const int code = CVode(memory, end, shared.x, t, CV_NORMAL);
    return code == CV_ROOT_RETURN ? End::root : code < 0 ? End::failure : End::time;
  }
  void restart(double t) override {
    CVodeReInit(memory, t, shared.x);
    CVodeSetStopTime(memory, shared.end);
  }

 private:
  void use_dense_matrix() {
    matrix = SUNDenseMatrix(4, 4, shared.context);
    solver = SUNLinSol_Dense(shared.x, matrix, shared.context);
    CVodeSetLinearSolver(memory, solver, matrix);
  }

  Shared shared;
  void* memory;
  SUNNonlinearSolver iteration = nullptr;
  SUNMatrix matrix = nullptr;
  SUNLinearSolver solver = nullptr;
};

class Arkode : public Integrator {
 public:
  Arkode(const Shared& s, ARKODE_ERKTableID table)
      : shared(s), memory(ERKStepCreate(rates, 0, s.x, s.context)) {
    ERKStepSStolerances(memory, shared.tolerance, shared.tolerance);
    ERKStepSetUserData(memory, shared.cart);
    ERKStepSetTableNum(memory, table);
    ERKStepRootInit(memory, 1, height);
    const int falling = -1;
    ERKStepSetRootDirection(memory, const_cast<int*>(&falling));
    ERKStepSetNoInactiveRootWarn(memory);
    ERKStepSetMaxNumSteps(memory, most_steps);
    ERKStepSetStopTime(memory, shared.end);
  }
  ~Arkode() override { ERKStepFree(&memory); }
  End advance(double end, double* t) override {
    const int code = ERKStepEvolve(memory, end, shared.x, t, ARK_NORMAL);
    return code == ARK_ROOT_RETURN ? End::root : code < 0 ? End::failure : End::time;
  }
  void restart(double t) override {
    ERKStepReset(memory, t, shared.x);
    ERKStepSetStopTime(memory, shared.end);
  }

 private:
  Shared shared;
  void* memory;
};

using MakeIntegrator = std::unique_ptr<Integrator> (*)(const Shared&);

class Cart final : public Contestant {
 public:
  Cart(const std::string& who, const std::string& how, const Setup& s, MakeIntegrator m)
      : Contestant(who, fmt::format("{}, tolerance {:.0e}", how, s.tolerance)), setup(s), make(m) {
    SUNContext_Create(nullptr, &context);
    x = N_VNew_Serial(4, context);
  }
  ~Cart() override {
    N_VDestroy(x);
    SUNContext_Free(&context);
  }
  Cart(const Cart&) = delete;
  Cart& operator=(const Cart&) = delete;

  void run() override {
    double* state = N_VGetArrayPointer(x);
    cart.start(setup.beta, state);
    const double H0 = cart.energy(state);
    result = {};
    const auto integrator = make({context, x, &cart, setup.tolerance, setup.end});
    for (double t = 0; t < setup.end;) {
      const auto end = integrator->advance(setup.end, &t);
      if (end == Integrator::End::failure) {
        result.bounded = false;
        return;
      }
      if (end == Integrator::End::root) {
        cart.bounce(state);
        integrator->restart(t);
        ++result.impacts;
      }
      result.energy_error = std::fmax(result.energy_error, std::abs(cart.energy(state) / H0 - 1));
    }
  }
  Outcome outcome() const override {
    Outcome r = result;
    r.end = cart.phase(N_VGetArrayPointer(x));
    return r;
  }

 private:
  Setup setup;
  MakeIntegrator make;
  SUNContext context = nullptr;
  N_Vector x = nullptr;
  CartByHand cart;
  Outcome result;
};

using Made = std::unique_ptr<Contestant>;
const Entry adams{"CVODE", "cart-pendulum, Adams", [](const Setup& s) -> Made {
                    return std::make_unique<Cart>("CVODE", "Adams, roots", s, [](const Shared& x) {
                      return std::unique_ptr<Integrator>(new Cvode(x, CV_ADAMS));
                    });
                  }};
const Entry bdf{"CVODE", "cart-pendulum, BDF", [](const Setup& s) -> Made {
                  return std::make_unique<Cart>("CVODE", "BDF, roots", s, [](const Shared& x) {
                    return std::unique_ptr<Integrator>(new Cvode(x, CV_BDF));
                  });
                }};
const Entry fehlberg{"ARKODE", "cart-pendulum, Fehlberg 13-7-8", [](const Setup& s) -> Made {
                       return std::make_unique<Cart>(
                           "ARKODE", "Fehlberg 13-7-8, roots", s, [](const Shared& x) {
                             return std::unique_ptr<Integrator>(new Arkode(x, ARKODE_FEHLBERG_13_7_8));
                           });
                     }};
const Entry dormand{"ARKODE", "cart-pendulum, Dormand-Prince 7-4-5", [](const Setup& s) -> Made {
                      return std::make_unique<Cart>(
                          "ARKODE", "Dormand-Prince 7-4-5, roots", s, [](const Shared& x) {
                            return std::unique_ptr<Integrator>(new Arkode(x, ARKODE_DORMAND_PRINCE_7_4_5));
                          });
                    }};

}  // namespace
}  // namespace carom::bench
