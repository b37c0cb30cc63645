#include "carom/flow/free_flow.hpp"

#include "carom/flow/flow_step.hpp"
#include "carom/system/sized_system.hpp"

namespace carom {
namespace {

template <int N>
class SizedFlow final : public FreeFlow {
 public:
  explicit SizedFlow(const System& sys) : system(sys) { z0.q.setZero(), z0.p.setZero(); }

  Spent operator()(const Flow& flow, double t, double h, Phase& z) override {
    const int n = system.size();
    for (int i = 0; i < n; ++i) z0.q[i] = z.q[i], z0.p[i] = z.p[i];
    const auto r = flow_step(system, flow, t, h, z0);
    if (r.outcome.ok()) {
      for (int i = 0; i < n; ++i) z.q[i] = r.z.q[i], z.p[i] = r.z.p[i];
      way = r.moved;
    }
    return {r.action, r.energy, r.work, r.outcome};
  }
  const double* moved() const override { return way.data(); }

  void moving_gaps(double t, const Phase& z, Values& gap, Values& rate) override {
    const int n = system.size(), count = system.contact_count();
    for (int i = 0; i < n; ++i) z0.q[i] = z.q[i], z0.p[i] = z.p[i];
    const auto v = velocity(system, t, z0.q, z0.p);
    if (gap.size() != count) gap.resize(count), rate.resize(count);
    system.any->gap_rates(t, z0.q.data(), v.x.data(), gap.data(), rate.data());
  }

 private:
  SizedSystem<N> system;
  State<double, N> z0;
  Vector<double, N> way;
};

}  // namespace

std::unique_ptr<FreeFlow> make_free_flow(const System& system) {
  const int n = system.size();
  if (!system.dense() || system.joint_count() > 0) return nullptr;
  if (n == 1) return std::make_unique<SizedFlow<1>>(system);
  if (n == 2) return std::make_unique<SizedFlow<2>>(system);
  if (n == 3) return std::make_unique<SizedFlow<3>>(system);
  if (n == 4) return std::make_unique<SizedFlow<4>>(system);
  if (n <= 8) return std::make_unique<SizedFlow<8>>(system);
  if (n <= 16) return std::make_unique<SizedFlow<16>>(system);
  return nullptr;
}

}  // namespace carom
