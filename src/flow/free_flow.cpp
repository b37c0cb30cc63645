#include "carom/free_flow.hpp"

#include "carom/flow_step.hpp"
#include "carom/sized_system.hpp"

namespace carom {
namespace {

template <int N>
class SizedFlow final : public FreeFlow {
 public:
  explicit SizedFlow(const Mechanism& mechanism) : system(mechanism) { z0.q.setZero(), z0.p.setZero(); }

  Spent operator()(const Flow& flow, double t, double h, State<double, Eigen::Dynamic>& z) override {
    const int n = system.size();
    for (int i = 0; i < n; ++i) z0.q[i] = z.q[i], z0.p[i] = z.p[i];
    const auto r = flow_step(system, flow, t, h, z0);
    if (r.outcome.ok())
      for (int i = 0; i < n; ++i) z.q[i] = r.z.q[i], z.p[i] = r.z.p[i];
    return {r.action, r.energy, r.work, r.outcome};
  }

 private:
  SizedSystem<N> system;
  State<double, N> z0;
};

}  // namespace

std::unique_ptr<FreeFlow> make_free_flow(const Mechanism& mechanism) {
  const int n = mechanism.size();
  if (!mechanism.dense() || mechanism.joint_count() > 0) return nullptr;
  if (n == 1) return std::make_unique<SizedFlow<1>>(mechanism);
  if (n == 2) return std::make_unique<SizedFlow<2>>(mechanism);
  if (n == 3) return std::make_unique<SizedFlow<3>>(mechanism);
  if (n == 4) return std::make_unique<SizedFlow<4>>(mechanism);
  if (n <= 8) return std::make_unique<SizedFlow<8>>(mechanism);
  if (n <= 16) return std::make_unique<SizedFlow<16>>(mechanism);
  return nullptr;
}

}  // namespace carom
