// Friction at equal steps: a block that slides up an incline and stops, Housner's block that rocks, and a
// pile of discs that can spin, at rest.
#include <fmt/format.h>

#include "compare/problems.hpp"
#include "compare/steps_rows.hpp"
#include "compare/timed_steps.hpp"

namespace carom::bench {
namespace {

constexpr double gravity = 9.81, incline = 0.3, rough = 0.5;

// x along the incline, y across.
struct Block {
  static constexpr int dim = 2;
  Eigen::Matrix2d mass() const { return Eigen::Matrix2d::Identity(); }
  template <class S>
  S potential(const Vector<S, 2>& q) const {
    return gravity * (std::cos(incline) * q[1] + std::sin(incline) * q[0]);
  }
  template <class S>
  Vector<S, 1> gaps(const Vector<S, 2>& q) const {
    return Vector<S, 1>(q[1]);
  }
  double mu(int) const { return rough; }
  template <class S>
  Vector<S, 1> slides(const Vector<S, 2>& q) const {
    return Vector<S, 1>(q[0]);
  }
};

// A box of half sides 0.1 and 0.4 on two corners.
struct RockingBlock {
  static constexpr int dim = 3;
  static constexpr double b = 0.1, d = 0.4, inertia = (b * b + d * d) / 3;
  Eigen::Matrix3d mass() const { return Eigen::Vector3d(1, 1, inertia).asDiagonal(); }
  template <class S>
  S potential(const Vector<S, 3>& q) const {
    return gravity * q[1];
  }
  template <class S>
  Vector<S, 2> gaps(const Vector<S, 3>& q) const {
    return {q[1] - b * sin(q[2]) - d * cos(q[2]), q[1] + b * sin(q[2]) - d * cos(q[2])};
  }
  double mu(int) const { return 0.6; }
  template <class S>
  Vector<S, 2> slides(const Vector<S, 3>& q) const {
    return {q[0] - b * cos(q[2]) + d * sin(q[2]), q[0] + b * cos(q[2]) + d * sin(q[2])};
  }
};

// Discs of radius 1/2 in rows of 4, 3, 2 and 1: those below `row` come first.
struct Pile : LocalSystem<Pile> {
  static constexpr int rows = 4, discs = 10;
  Values mass = Values::Ones(3 * discs), start = Values::Zero(3 * discs);
  std::vector<std::array<int, 2>> pairs;
  Pile() {
    int i = 0;
    for (int row = 0; row < rows; ++row)
      for (int k = 0; k < rows - row; ++k, ++i) {
        start[3 * i] = k + 0.5 * row, start[3 * i + 1] = 0.5 + 0.5 * std::sqrt(3.0) * row,
                  mass[3 * i + 2] = 0.125;
        for (int other = 0; other < i; ++other)
          if ((start.segment<2>(3 * i) - start.segment<2>(3 * other)).norm() < 1.05)
            pairs.push_back({other, i});
      }
  }
  const Values& masses() const { return mass; }
  int contacts_in_all() const { return rows + static_cast<int>(pairs.size()); }
  int joints_in_all() const { return 0; }
  void potential(auto&& term) const {
    for (int i = 0; i < discs; ++i) term(std::array{3 * i + 1}, [](const auto& y) { return gravity * y[0]; });
  }
  void contacts(auto&& gap) const {
    for (int i = 0; i < rows; ++i) gap(i, std::array{3 * i + 1}, [](const auto& y) { return y[0] - 0.5; });
    each_pair([&](int contact, const auto& at) {
      gap(contact, at, [](const auto& y) {
        const auto x = y[3] - y[0], z = y[4] - y[1];
        return sqrt(x * x + z * z) - 1.0;
      });
    });
  }
  void each_joint(auto&&) const {}
  double mu(int) const override { return rough; }
  void each_slide(auto&& slide) const {
    for (int i = 0; i < rows; ++i)
      slide(i, std::array{3 * i, 3 * i + 2}, [](const auto& y) { return y[0] + 0.5 * y[1]; });
    each_pair([&](int contact, const auto& at) {
      slide(contact, at, [](const auto& y) { return atan2(y[4] - y[1], y[3] - y[0]) - 0.5 * (y[2] + y[5]); });
    });
  }

 private:
  void each_pair(auto&& use) const {
    int contact = rows;
    for (const auto& [a, b] : pairs)
      use(contact++, std::array{3 * a, 3 * a + 1, 3 * a + 2, 3 * b, 3 * b + 1, 3 * b + 2});
  }
};

std::unique_ptr<TimedSteps<ContactStepper>> rough_steps(const char* flow,
                                                        const std::shared_ptr<const System>& system,
                                                        const Values& q, const Values& p, const Grid& grid) {
  return std::make_unique<TimedSteps<ContactStepper>>(
      fmt::format("contact, {}, h = {:.3g}", flow, grid.step), system,
      [=] {
        return std::make_unique<ContactStepper>(*system,
                                                SteadyFlow(make_flow(flow, {.base = "svc"}), grid.step),
                                                ContactOptions{.law = continuous_energy(), .restitution = 0});
      },
      Phase{q, p}, grid);
}

Grid grid_of(const Setup& setup) { return {0, setup.step, std::lround(setup.end / setup.step)}; }

// How far coordinate `i` of the last state is from `right`.
auto end_of(int i, double right) {
  return [i, right](const Track& track, Outcome& r) {
    r.end = {std::abs(track.state(track.steps())[i] - right)};
  };
}

const auto first_number = [](const Outcome& r) { return r.end[0]; };

}  // namespace

void add_rough_block(Rows& rows) {
  const Setup setup{.step = 0.01, .end = 1};
  const double slows = gravity * (std::sin(incline) + rough * std::cos(incline));
  const auto carom = rough_steps("yoshida4", make_system(Block{}), Values::Zero(2),
                                 (Values(2) << 3, 0).finished(), grid_of(setup));
  carom->examine = end_of(0, 4.5 / slows);
  add_steps(
      rows,
      {"block that slides up an incline and sticks, h = 0.01, T = 1", 5, "error of where it stays",
       first_number, 1e-12},
      *carom, setup,
      {{"Siconos", "rough block", 1.0, "at most its time"}, {"MuJoCo", "rough block", {}, "nearer by far"}});
}

void add_rocking_block(Rows& rows) {
  const Setup setup{.step = 0.005, .end = 1.95};
  const Values q = (Values(3) << -0.06089814519583547, 0.4104522444217769, 0.15).finished();
  const auto carom = rough_steps("yoshida4", make_system(RockingBlock{}), q, Values::Zero(3), grid_of(setup));
  carom->examine = end_of(2, 0.04523114686646);
  add_steps(rows,
            {"Housner's rocking block, h = 0.005, T = 1.95", 5, "error of its angle", first_number, 1e-6},
            *carom, setup,
            {{"Siconos", "rocking block", 1.0, "at most its time"},
             {"MuJoCo", "rocking block", {}, "nearer by far"}});
}

void add_rough_pile(Rows& rows) {
  const Setup setup{.step = 0.001, .end = 0.1, .bodies = Pile::discs};
  const auto pile = std::make_shared<Pile>();
  const auto carom = rough_steps("svc", pile, pile->start, Values::Zero(3 * Pile::discs), grid_of(setup));
  carom->examine = [pile](const Track& track, Outcome& r) {
    double moved = 0;
    for (int i = 0; i < 3 * Pile::discs; ++i)
      moved = std::fmax(moved, std::abs(track.state(track.steps())[i] - pile->start[i]));
    r.end = {moved};
  };
  add_steps(
      rows,
      {"pile of ten discs that can spin, at rest, h = 0.001, T = 0.1", 3, "it moves by", first_number, 1e-12},
      *carom, setup,
      {{"Siconos", "rough pile", 1.0, "at most its time"},
       {"MuJoCo", "rough pile", 1.0, "at most its time"}});
}

}  // namespace carom::bench
