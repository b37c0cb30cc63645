// Contacts of a scene: gaps of shapes, and limits of joints behind them. Tested in
// tests/unit/plane_scene_test.cpp.
#include "plane_joints.hpp"

namespace carom {
namespace {

double overlap_of(const PlaneBody& a, const PlaneBody& b, const PlanePose& at_a, const PlanePose& at_b) {
  double least = HUGE_VAL;
  for (const PlanePart& p : a.shape)
    for (const PlanePart& q : b.shape)
      least = std::fmin(
          least, separation(placed(p, at_a.origin(), at_a.angle), placed(q, at_b.origin(), at_b.angle)));
  return least;
}

}  // namespace

double PlaneScene::restitution(int i) const {
  if (i >= touch.size()) return world_->limit_restitution;
  return world_->pairs[static_cast<std::size_t>(touch[i].pair)].restitution;
}

double PlaneScene::mu(int i) const {
  return i < touch.size() ? world_->pairs[static_cast<std::size_t>(touch[i].pair)].mu : 0;
}

void PlaneScene::gaps(double t, const Values& q, Values& g) const {
  g.resize(contact_count());
  const auto at = poses(t, q);
  for (int i = 0; i < touch.size(); ++i) g[i] = touch.gap(i, at, held_feature(i));
  for (std::size_t k = 0; k < limits.size(); ++k) {
    const PlaneJoint& joint = world_->joints[static_cast<std::size_t>(limits[k].joint)];
    std::array<double, 6> x{};
    for (const int side : {0, 1}) {
      const int body = side ? joint.b : joint.a;
      const PlanePose own = body < 0 ? PlanePose() : at[static_cast<std::size_t>(body)];
      const auto first_of = static_cast<std::size_t>(3 * side);
      x[first_of] = own.x, x[first_of + 1] = own.y, x[first_of + 2] = own.angle;
    }
    g[touch.size() + static_cast<int>(k)] =
        limits[k].sign * (joint_travel(joint)(static_cast<const double*>(x.data())) - limits[k].at);
  }
}

std::array<double, 3> PlaneScene::velocity_of(int body, double t, const Values& v) const {
  const int i = coordinate_of(body);
  return i >= 0 ? std::array<double, 3>{v[i], v[i + 1], v[i + 2]} : rate(body, t);
}

// As gaps and gap_slopes have them, without rows.
void PlaneScene::moving_gaps(double t, const Values& q, const Values& v, Values& g, Values& rates) const {
  gaps(t, q, g);
  rates.resize(contact_count());
  const auto at = poses(t, q);
  for (int i = 0; i < touch.size(); ++i) {
    const PlaneRow row = touch.slope(i, at, held_feature(i));
    const auto a = velocity_of(touch[i].a, t, v), b = velocity_of(touch[i].b, t, v);
    rates[i] = row.n.x() * (a[0] - b[0]) + row.n.y() * (a[1] - b[1]) + row.turn_a * a[2] + row.turn_b * b[2];
  }
  thread_local SparseRows slopes;
  thread_local std::vector<int> last;
  slopes.clear(), last.clear();
  for (int i = touch.size(); i < contact_count(); ++i) last.push_back(i);
  gap_slopes(t, q, last, slopes);
  for (int k = 0; k < slopes.size(); ++k) rates[touch.size() + k] = slopes[k].rate(v);
}

void PlaneScene::append(const PlaneRow& row, int a, int b, double t, SparseRows& into) const {
  double drift = 0;
  const auto add = [&](int body, const Point& n, double turn) {
    if (const int i = coordinate_of(body); i >= 0) {
      into.push(i, n.x()), into.push(i + 1, n.y()), into.push(i + 2, turn);
    } else if (moves(body)) {
      const auto speed = rate(body, t);
      drift += n.x() * speed[0] + n.y() * speed[1] + turn * speed[2];
    }
  };
  add(a, row.n, row.turn_a), add(b, -row.n, row.turn_b);
  into.end_row(drift);
}

void PlaneScene::gap_slopes(double t, const Values& q, std::span<const int> which, SparseRows& into) const {
  const auto at = poses(t, q);
  for (const int i : which) {
    if (i < touch.size()) {
      append(touch.slope(i, at, held_feature(i)), touch[i].a, touch[i].b, t, into);
      continue;
    }
    const Limit& limit = limits[static_cast<std::size_t>(i - touch.size())];
    const PlaneJoint& joint = world_->joints[static_cast<std::size_t>(limit.joint)];
    const auto travel = joint_travel(joint);
    append_gradient(
        joint.a, joint.b, t, q, [&](const auto* x) { return limit.sign * travel(x); }, into);
  }
}

void PlaneScene::gap_bends(double t, const Values& q, const Values& u, std::span<const int> which,
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
    const PlaneJoint& joint = world_->joints[static_cast<std::size_t>(limit.joint)];
    to = limit.sign * bend_of(joint.a, joint.b, t, q, u, joint_travel(joint));
  }
}

void PlaneScene::slip_slopes(double t, const Values& q, std::span<const int> which, SparseRows& into) const {
  const auto at = poses(t, q);
  for (const int i : which) {
    if (mu(i) > 0)
      append(touch.slip(i, at, held_feature(i)), touch[i].a, touch[i].b, t, into);
    else
      into.end_row();
  }
}

// With velocities as they are, those of what is moved included, whose change in time counts.
void PlaneScene::slip_bends(double t, const Values& q, const Values& v, std::span<const int> which,
                            Eigen::Ref<Values> bend) const {
  const auto at = poses(t, q);
  for (std::size_t k = 0; k < which.size(); ++k) {
    const int i = which[k];
    auto& to = bend[static_cast<Eigen::Index>(k)];
    to = 0;
    if (!(mu(i) > 0)) continue;
    using D = Dual<double, 1>;
    std::array<D, 6> x;
    std::array<double, 6> speed{}, change{};
    for (const int side : {0, 1}) {
      const int body = side ? touch[i].b : touch[i].a, first_of = coordinate_of(body);
      std::array<double, 9> now{};
      if (moves(body)) world_->bodies[static_cast<std::size_t>(body)].motion(t, now);
      const PlanePose& own = at[static_cast<std::size_t>(body)];
      const std::array<double, 3> place{own.x, own.y, own.angle};
      for (int e = 0; e < 3; ++e) {
        const auto own_e = static_cast<std::size_t>(e), j = static_cast<std::size_t>(3 * side + e);
        speed[j] = first_of >= 0 ? v[first_of + e] : now[own_e + 3], change[j] = now[own_e + 6];
        x[j] = D(place[own_e]), x[j].d[0] = speed[j];
      }
    }
    const int feature = touch.feature(i, at, held_feature(i));
    to = touch.slip_at(i, feature, static_cast<const D*>(x.data()), speed.data()).d[0];
    const std::array<double, 6> rest{
        at[static_cast<std::size_t>(touch[i].a)].x,     at[static_cast<std::size_t>(touch[i].a)].y,
        at[static_cast<std::size_t>(touch[i].a)].angle, at[static_cast<std::size_t>(touch[i].b)].x,
        at[static_cast<std::size_t>(touch[i].b)].y,     at[static_cast<std::size_t>(touch[i].b)].angle};
    to += touch.slip_at(i, feature, rest.data(), change.data());
  }
}

void PlaneScene::slides(double t, const Values& q, Values& s) const {
  s.setZero(contact_count());
  const auto at = poses(t, q);
  for (int i = 0; i < touch.size(); ++i) {
    if (!touch.has_slide(i) || !(mu(i) > 0)) continue;
    const int held_one = held_feature(i);
    if (held_one >= 0 || touch.gap(i, at, -1) < 0.1 * touch.size_of(i))
      s[i] = touch.slide(i, at, held_one);  // or who asks?
  }
}

const char* PlaneScene::unclear_contact(double t, const Values& q, int i) const {
  if (world_->bisector || i >= touch.size() || !touch.is_corner_on_corner(i, poses(t, q))) return nullptr;
  return "a corner meets a corner, where no normal says what happens: contact.corner = \"bisector\" takes "
         "the one between";
}

void PlaneScene::branches(double t, const Values& q, Values& sides) const {
  const auto at = poses(t, q);
  sides.resize(branch_count());
  for (std::size_t k = 0; k < branched.size(); ++k)
    sides[static_cast<Eigen::Index>(k)] = touch.feature(branched[k], at, -1);
}

std::shared_ptr<System> PlaneScene::with_own_branches() const {
  return branched.empty() ? nullptr : std::make_shared<PlaneScene>(*this);
}

void PlaneScene::hold_branches(const Values& sides) {
  held.assign(static_cast<std::size_t>(contact_count()), -1);
  for (std::size_t k = 0; k < branched.size(); ++k) {
    const double side = sides[static_cast<Eigen::Index>(k)];
    if (!std::isnan(side)) held[static_cast<std::size_t>(branched[k])] = static_cast<int>(side);
  }
}

bool PlaneScene::contact_place(double t, const Values& q, int i, double* x_y) const {
  if (i >= touch.size()) return false;
  const Point at = touch.place(i, poses(t, q), held_feature(i));
  x_y[0] = at.x(), x_y[1] = at.y();
  return true;
}

std::optional<PlaneScene::Overlap> PlaneScene::overlap(double t, const Values& q) const {
  for (const PlanePair& pair : world_->pairs) {
    const auto &a = world_->bodies[static_cast<std::size_t>(pair.a)],
               &b = world_->bodies[static_cast<std::size_t>(pair.b)];
    double size = 0;
    for (const PlaneBody* body : {&a, &b})
      for (const PlanePart& part : body->shape) size += part.extent();
    const double apart = overlap_of(a, b, pose(pair.a, t, q), pose(pair.b, t, q));
    if (apart < -1e-9 * size) return Overlap{pair.a, pair.b, -apart};
  }
  return std::nullopt;
}

}  // namespace carom
