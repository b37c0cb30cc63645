// Contacts of a scene in space: gaps of shapes, and limits of joints behind them. Tested in
// tests/unit/space_scene_test.cpp.
#include "space_joints.hpp"

namespace carom {
namespace {

double overlap_of(const SpaceBody& a, const SpaceBody& b, const SpacePose& at_a, const SpacePose& at_b) {
  double least = HUGE_VAL;
  for (const SpacePart& p : a.shape)
    for (const SpacePart& q : b.shape)
      if (!SpaceContacts::cannot_touch(p, q))
        least = std::fmin(least, separation(placed(p, at_a.at, at_a.q), placed(q, at_b.at, at_b.q)));
  return least;
}

}  // namespace

double SpaceScene::restitution(int i) const {
  if (i >= touch.size()) return world_->limit_restitution;
  return world_->pairs[static_cast<std::size_t>(touch[i].pair)].restitution;
}

double SpaceScene::mu(int i) const {
  return i < touch.size() ? world_->pairs[static_cast<std::size_t>(touch[i].pair)].mu : 0;
}

void SpaceScene::gaps(double t, const Values& q, Values& g) const {
  g.resize(contact_count());
  const auto at = poses(t, q);
  for (int i = 0; i < touch.size(); ++i) g[i] = touch.gap(i, at, held_feature(i));
  const Values still = Values::Zero(0);
  for (std::size_t k = 0; k < limits.size(); ++k) {
    const SpaceJoint& joint = world_->joints[static_cast<std::size_t>(limits[k].joint)];
    std::array<double, 14> x{};
    for (const int side : {0, 1}) {
      const auto now = state(side ? joint.b : joint.a, t, q, still);
      std::copy_n(now.begin(), each, x.begin() + each * side);
    }
    g[touch.size() + static_cast<int>(k)] =
        limits[k].sign * (joint_travel(joint)(static_cast<const double*>(x.data())) - limits[k].at);
  }
}

void SpaceScene::append(const Wrench& a, const Wrench& b, int body_a, int body_b, double t,
                        std::span<const SpacePose> at, SparseRows& into) const {
  double drift = 0;
  const auto add = [&](int body, const Wrench& by) {
    if (const int i = coordinate_of(body); i >= 0) {
      const Turn turn = by.along(at[static_cast<std::size_t>(body)].q);
      for (int e = 0; e < 3; ++e) into.push(i + e, by.n[e]);
      for (int e = 0; e < 4; ++e) into.push(i + 3 + e, turn[e]);
    } else if (moves(body)) {
      const Values none = Values::Zero(0);
      const auto now = state(body, t, none, none);
      const Turn turn = by.along(at[static_cast<std::size_t>(body)].q);
      for (int e = 0; e < 3; ++e) drift += by.n[e] * now[static_cast<std::size_t>(each + e)];
      for (int e = 0; e < 4; ++e) drift += turn[e] * now[static_cast<std::size_t>(each + 3 + e)];
    }
  };
  add(body_a, a), add(body_b, b);
  into.end_row(drift);
}

void SpaceScene::gap_slopes(double t, const Values& q, std::span<const int> which, SparseRows& into) const {
  const auto at = poses(t, q);
  for (const int i : which) {
    if (i < touch.size()) {
      const auto row = touch.slope(i, at, held_feature(i));
      append(row.a, row.b, touch[i].a, touch[i].b, t, at, into);
      continue;
    }
    const Limit& limit = limits[static_cast<std::size_t>(i - touch.size())];
    const SpaceJoint& joint = world_->joints[static_cast<std::size_t>(limit.joint)];
    const auto travel = joint_travel(joint);
    append_gradient(
        joint.a, joint.b, t, q, [&](const auto* x) { return limit.sign * travel(x); }, into);
  }
}

void SpaceScene::gap_bends(double t, const Values& q, const Values& u, std::span<const int> which,
                           Eigen::Ref<Values> bend) const {
  const auto at = poses(t, q);
  for (std::size_t k = 0; k < which.size(); ++k) {
    const int i = which[k];
    auto& to = bend[static_cast<Eigen::Index>(k)];
    if (i < touch.size()) {
      const int feature = touch.feature(i, at, held_feature(i));
      to = bend_of(touch[i].a, touch[i].b, t, q, u,
                   [&](const auto* x) { return touch.gap_at(i, feature, x); });
      continue;
    }
    const Limit& limit = limits[static_cast<std::size_t>(i - touch.size())];
    const SpaceJoint& joint = world_->joints[static_cast<std::size_t>(limit.joint)];
    to = limit.sign * bend_of(joint.a, joint.b, t, q, u, joint_travel(joint));
  }
}

void SpaceScene::slip_slopes(double t, const Values& q, std::span<const int> which, SparseRows& into) const {
  const auto at = poses(t, q);
  for (const int i : which) {
    if (!(mu(i) > 0)) {
      into.end_row(), into.end_row();
      continue;
    }
    for (const auto& row : touch.slips(i, at, held_feature(i)))
      append(row.a, row.b, touch[i].a, touch[i].b, t, at, into);
  }
}

// With velocities as they are, those of what is moved included, whose change in time counts.
void SpaceScene::slip_bends(double t, const Values& q, const Values& v, std::span<const int> which,
                            Eigen::Ref<Values> bend) const {
  const auto at = poses(t, q);
  for (std::size_t k = 0; k < which.size(); ++k) {
    const int i = which[k];
    const auto row = static_cast<Eigen::Index>(2 * k);
    bend[row] = bend[row + 1] = 0;
    if (!(mu(i) > 0)) continue;
    using D = Dual<double, 1>;
    std::array<D, 14> x;
    std::array<double, 14> rest{}, speed{}, change{};
    for (const int side : {0, 1}) {
      const auto now = state(side ? touch[i].b : touch[i].a, t, q, v);
      for (int e = 0; e < each; ++e) {
        const auto own = static_cast<std::size_t>(e), j = static_cast<std::size_t>(each * side + e);
        rest[j] = now[own], speed[j] = now[own + each], change[j] = now[own + 2 * each];
        x[j] = D(rest[j]), x[j].d[0] = speed[j];
      }
    }
    const int feature = touch.feature(i, at, held_feature(i));
    const auto along = touch.slips_at(i, feature, static_cast<const D*>(x.data()), speed.data());
    const auto driven = touch.slips_at(i, feature, static_cast<const double*>(rest.data()), change.data());
    for (int e = 0; e < 2; ++e)
      bend[row + e] = along[static_cast<std::size_t>(e)].d[0] + driven[static_cast<std::size_t>(e)];
  }
}

void SpaceScene::slides(double t, const Values& q, Values& s) const {
  s.setZero(2 * contact_count());
  const auto at = poses(t, q);
  for (int i = 0; i < touch.size(); ++i) {
    if (!touch.has_slide(i) || !(mu(i) > 0)) continue;
    const int held_one = held_feature(i);
    if (held_one < 0 && !(touch.gap(i, at, -1) < 0.1 * touch.size_of(i))) continue;  // nobody asks
    const auto along = touch.slide(i, at, held_one);
    s[2 * i] = along[0], s[2 * i + 1] = along[1];
  }
}

const char* SpaceScene::unclear_contact(double t, const Values& q, int i) const {
  if (i >= touch.size() || !touch.is_corner_on_edge(i, poses(t, q))) return nullptr;
  return "a corner meets an edge or a corner, where no normal says what happens";
}

void SpaceScene::branches(double t, const Values& q, Values& sides) const {
  const auto at = poses(t, q);
  sides.resize(branch_count());
  for (std::size_t k = 0; k < branched.size(); ++k)
    sides[static_cast<Eigen::Index>(k)] = touch.feature(branched[k], at, -1);
}

std::shared_ptr<System> SpaceScene::with_own_branches() const {
  return branched.empty() ? nullptr : std::make_shared<SpaceScene>(*this);
}

void SpaceScene::hold_branches(const Values& sides) {
  held.assign(static_cast<std::size_t>(contact_count()), -1);
  for (std::size_t k = 0; k < branched.size(); ++k) {
    const double side = sides[static_cast<Eigen::Index>(k)];
    const bool apart = touch[branched[k]].kind == SpaceContact::Kind::edges && side == 0;
    if (!std::isnan(side) && !apart) held[static_cast<std::size_t>(branched[k])] = static_cast<int>(side);
  }
}

bool SpaceScene::contact_place_in_space(double t, const Values& q, int i, Point3& place,
                                        Point3& normal) const {
  if (i >= touch.size()) return false;
  const auto at = poses(t, q);
  place = touch.place(i, at, held_feature(i)), normal = touch.slope(i, at, held_feature(i)).a.n;
  return true;
}

bool SpaceScene::contact_place(double t, const Values& q, int i, double* x_y) const {
  if (i >= touch.size()) return false;
  const Point3 at = touch.place(i, poses(t, q), held_feature(i));
  x_y[0] = at.x(), x_y[1] = at.z();  // a drawing looks along y
  return true;
}

std::optional<SpaceScene::Overlap> SpaceScene::overlap(double t, const Values& q) const {
  for (const SpacePair& pair : world_->pairs) {
    const auto &a = world_->bodies[static_cast<std::size_t>(pair.a)],
               &b = world_->bodies[static_cast<std::size_t>(pair.b)];
    double size = 0;
    for (const SpaceBody* body : {&a, &b})
      for (const SpacePart& part : body->shape) size += part.extent();
    const double apart = overlap_of(a, b, pose(pair.a, t, q), pose(pair.b, t, q));
    if (apart < -1e-9 * size) return Overlap{pair.a, pair.b, -apart};
  }
  return std::nullopt;
}

}  // namespace carom
