#include "carom/bodies/plane_scene.hpp"

#include <numeric>

#include "plane_joints.hpp"

namespace carom {
namespace {

std::vector<PlaneContacts::Body> shapes_of(const PlaneWorld& world) {
  std::vector<PlaneContacts::Body> r;
  for (const PlaneBody& body : world.bodies) r.push_back({&body.shape, body.mass, body.inertia});
  return r;
}

int rows_of(const PlaneJoint& joint) {
  if (joint.is_rope()) return 0;
  return joint.kind == PlaneJoint::Kind::distance ? 1 : joint.kind == PlaneJoint::Kind::fixed ? 3 : 2;
}

// Adds Σ H(i, k) over the coordinates of a pair by `add`.
template <class F>
void each_second_derivative(int a, int b, const Vector<double, 6>& x, const F& f, auto&& add) {
  const auto y = hessian(f, x);
  const std::array<int, 2> at{a, b};
  for (int i = 0; i < 6; ++i)
    for (int k = 0; k < 6; ++k)
      if (at[static_cast<std::size_t>(i / 3)] >= 0 && at[static_cast<std::size_t>(k / 3)] >= 0)
        add(at[static_cast<std::size_t>(i / 3)] + i % 3, at[static_cast<std::size_t>(k / 3)] + k % 3,
            y.hessian(i, k));
}

Vector<double, 6> both(const PlanePose& a, const PlanePose& b) {
  Vector<double, 6> x;
  x << a.x, a.y, a.angle, b.x, b.y, b.angle;
  return x;
}

}  // namespace

PlaneScene::PlaneScene(PlaneWorld w)
    : world_(std::make_shared<const PlaneWorld>(std::move(w))), touch(shapes_of(*world_)) {
  const auto& bodies = world_->bodies;
  std::vector<double> diagonal;
  for (const PlaneBody& body : bodies) {
    first.push_back(body.is_free() ? static_cast<int>(diagonal.size()) : -1);
    if (body.is_free()) diagonal.insert(diagonal.end(), {body.mass, body.mass, body.inertia});
    is_timed = is_timed || body.motion;
  }
  masses = Eigen::Map<const Values>(diagonal.data(), static_cast<Eigen::Index>(diagonal.size()));
  for (std::size_t k = 0; k < world_->pairs.size(); ++k) {
    const PlanePair& pair = world_->pairs[k];
    touch.add_pair(static_cast<int>(k), pair.a, pair.b, bodies[static_cast<std::size_t>(pair.a)].name,
                   bodies[static_cast<std::size_t>(pair.b)].name);
  }
  for (std::size_t k = 0; k < world_->joints.size(); ++k) {
    const PlaneJoint& joint = world_->joints[k];
    for (int part = 0; part < rows_of(joint); ++part) rows.push_back({static_cast<int>(k), part});
    if (joint.low) limits.push_back({static_cast<int>(k), 1, *joint.low});
    if (joint.high) limits.push_back({static_cast<int>(k), -1, *joint.high});
  }
  for (int i = 0; i < touch.size(); ++i)
    if (touch.has_branches(i)) branched.push_back(i);
  is_forced = !world_->actuators.empty();
  for (const PlaneSpring& spring : world_->springs) is_forced = is_forced || spring.damping != 0;
  find_momenta();
}

std::string PlaneScene::coordinate_name(int i) const {
  static constexpr const char* ends[] = {"_x", "_y", "_angle"};
  for (std::size_t k = 0; k < first.size(); ++k)
    if (first[k] >= 0 && i >= first[k] && i < first[k] + 3)
      return world_->bodies[k].name + ends[i - first[k]];
  return System::coordinate_name(i);
}

std::string PlaneScene::contact_name(int i) const {
  if (i < touch.size()) return touch.name(i);
  const Limit& limit = limits[static_cast<std::size_t>(i - touch.size())];
  return world_->joints[static_cast<std::size_t>(limit.joint)].name + (limit.sign > 0 ? " low" : " high");
}

std::string PlaneScene::joint_name(int i) const {
  const Row& row = rows[static_cast<std::size_t>(i)];
  const PlaneJoint& joint = world_->joints[static_cast<std::size_t>(row.joint)];
  if (joint.kind == PlaneJoint::Kind::distance) return joint.name;
  if (joint.kind == PlaneJoint::Kind::slider) return joint.name + (row.part == 0 ? " across" : " angle");
  return joint.name + (row.part == 0 ? " x" : row.part == 1 ? " y" : " angle");
}

bool PlaneScene::moves(int body) const {
  return body >= 0 && world_->bodies[static_cast<std::size_t>(body)].motion;
}

PlanePose PlaneScene::pose(int body, double t, const Values& q) const {
  if (body < 0) return {};
  const PlaneBody& of = world_->bodies[static_cast<std::size_t>(body)];
  if (const int i = coordinate_of(body); i >= 0) return PlanePose::at(q[i], q[i + 1], q[i + 2]);
  if (!of.motion) return PlanePose::at(of.start[0], of.start[1], of.start[2]);
  std::array<double, 9> now{};
  of.motion(t, now);
  return PlanePose::at(now[0], now[1], now[2]);
}

std::span<const PlanePose> PlaneScene::poses(double t, const Values& q) const {
  thread_local std::vector<PlanePose> all;
  all.resize(first.size());
  for (std::size_t k = 0; k < first.size(); ++k) all[k] = pose(static_cast<int>(k), t, q);
  return all;
}

std::array<double, 3> PlaneScene::rate(int body, double t) const {
  if (!moves(body)) return {};
  std::array<double, 9> now{};
  world_->bodies[static_cast<std::size_t>(body)].motion(t, now);
  return {now[3], now[4], now[5]};
}

double PlaneScene::slopes(double t, const Values& q, const Values& v, Values& Lq, Values& Lv) const {
  Lv = masses.cwiseProduct(v);
  Lq.setZero();
  double V = 0;
  for (std::size_t k = 0; k < first.size(); ++k) {
    const int i = first[k];
    if (i < 0) continue;
    const Point force = masses[i] * world_->gravity;
    V -= force.x() * q[i] + force.y() * q[i + 1];
    Lq[i] = force.x(), Lq[i + 1] = force.y();
  }
  for (const PlaneSpring& spring : world_->springs) {
    const auto y = gradient_of(spring.a, spring.b, t, q, spring_energy(spring));
    V += y.a;
    for (const int side : {0, 1})
      if (const int i = coordinate_of(side ? spring.b : spring.a); i >= 0)
        for (int e = 0; e < 3; ++e) Lq[i + e] -= y.d[3 * side + e];
  }
  return 0.5 * v.dot(Lv) - V;
}

void PlaneScene::curvature(double t, const Values& q, const Values&, const Weights& w,
                           KktMatrix& into) const {
  if (w.vv != 0)
    for (int i = 0; i < size(); ++i) into.add(i, i, w.vv * masses[i]);
  if (w.qq == 0) return;
  for (const PlaneSpring& spring : world_->springs) {
    const auto energy = spring_energy(spring);
    each_second_derivative(
        coordinate_of(spring.a), coordinate_of(spring.b), both(pose(spring.a, t, q), pose(spring.b, t, q)),
        [&energy](const auto& x) { return energy(x.data()); },
        [&](int i, int k, double h) { into.add(i, k, -w.qq * h); });
  }
}

void PlaneScene::stiffness(double t, const Values& q, const Values& u, Values& Vqq_u) const {
  Vqq_u.setZero();
  for (const PlaneSpring& spring : world_->springs) {
    const auto energy = spring_energy(spring);
    each_second_derivative(
        coordinate_of(spring.a), coordinate_of(spring.b), both(pose(spring.a, t, q), pose(spring.b, t, q)),
        [&energy](const auto& x) { return energy(x.data()); },
        [&](int i, int k, double h) { Vqq_u[i] += h * u[k]; });
  }
}

double PlaneScene::drift(double t, const Values& q, const Values&, Values& Ltv) const {
  Ltv.setZero();
  double V_t = 0;
  for (const PlaneSpring& spring : world_->springs)
    if (moves(spring.a) || moves(spring.b))
      V_t += gradient_of(spring.a, spring.b, t, q, spring_energy(spring)).d[6];
  return -V_t;
}

void PlaneScene::couplings(Pairs& pairs) const {
  const auto couple = [&](int a, int b) {
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k)
        if (a != b || i > k) pairs.push_back({a + i, b + k});
  };
  for (const PlaneSpring& spring : world_->springs) {
    const int a = coordinate_of(spring.a), b = coordinate_of(spring.b);
    if (a >= 0) couple(a, a);
    if (b >= 0) couple(b, b);
    if (a >= 0 && b >= 0) couple(std::max(a, b), std::min(a, b));
  }
}

bool PlaneScene::velocity(double, const Values&, const Values& p, Values& v) const {
  v = p.cwiseQuotient(masses);
  return v.allFinite();
}

void PlaneScene::force(double t, const Values& q, const Values& v, Values& f) const {
  f.setZero();
  const auto push = [&](int body, const Point& at, const Point& by, double torque) {
    const int i = coordinate_of(body);
    if (i < 0) return;
    f[i] += by.x(), f[i + 1] += by.y();
    f[i + 2] += torque + cross(at - Point(q[i], q[i + 1]), by);
  };
  for (const PlaneSpring& spring : world_->springs) {
    if (spring.damping == 0) continue;
    const PlanePose a = pose(spring.a, t, q), b = pose(spring.b, t, q);
    const auto y = gradient_of(spring.a, spring.b, t, q, joint_length(spring.at_a, spring.at_b));
    double speed = y.d[6];
    for (const int side : {0, 1})
      if (const int i = coordinate_of(side ? spring.b : spring.a); i >= 0)
        for (int e = 0; e < 3; ++e) speed += y.d[3 * side + e] * v[i + e];
    const Point way = a.out(spring.at_a) - b.out(spring.at_b);
    const Point by = y.a > 0 ? Point(way / y.a * (-spring.damping * speed)) : Point(0, 0);
    push(spring.a, a.out(spring.at_a), by, 0), push(spring.b, b.out(spring.at_b), -by, 0);
  }
  if (world_->actuators.empty()) return;
  thread_local std::vector<double> numbers;
  numbers.resize(3 * world_->actuators.size());
  world_->drive(t, q, v, numbers);
  for (std::size_t k = 0; k < world_->actuators.size(); ++k) {
    const PlaneActuator& of = world_->actuators[k];
    const Point by(numbers[3 * k], numbers[3 * k + 1]), at = pose(of.b, t, q).out(of.at);
    push(of.b, at, by, numbers[3 * k + 2]), push(of.a, at, -by, -numbers[3 * k + 2]);
  }
}

// Along an axis where no force acts and nothing fixed is touched or tied to; angular where neither is.
void PlaneScene::find_momenta() {
  const auto fixed = [this](int body) { return coordinate_of(body) < 0; };
  bool alone = world_->actuators.empty() && size() > 0;
  for (const auto& pair : world_->pairs) alone = alone && !fixed(pair.a) && !fixed(pair.b);
  for (const auto& joint : world_->joints) alone = alone && !fixed(joint.a) && !fixed(joint.b);
  for (const auto& spring : world_->springs) alone = alone && !fixed(spring.a) && !fixed(spring.b);
  keeps_x = alone && world_->gravity.x() == 0, keeps_y = alone && world_->gravity.y() == 0;
  keeps_angular = keeps_x && keeps_y;
}

void PlaneScene::momenta(double, const Values& q, const Values& p, const Tell& tell) const {
  double x = 0, y = 0, angular = 0;
  for (const int i : first) {
    if (i < 0) continue;
    x += p[i], y += p[i + 1], angular += p[i + 2] + q[i] * p[i + 1] - q[i + 1] * p[i];
  }
  if (keeps_x) tell("p_x", x);
  if (keeps_y) tell("p_y", y);
  if (keeps_angular) tell("angular momentum", angular);
}

std::vector<int> PlaneScene::joined(bool by_contacts) const {
  std::vector<int> of(first.size());
  std::iota(of.begin(), of.end(), 0);
  const auto root = [&of](int k) {
    while (of[static_cast<std::size_t>(k)] != k) k = of[static_cast<std::size_t>(k)];
    return k;
  };
  const auto join = [&](int a, int b) {
    if (coordinate_of(a) < 0 || coordinate_of(b) < 0) return;
    const int i = root(a), k = root(b);
    of[static_cast<std::size_t>(std::max(i, k))] = std::min(i, k);
  };
  for (const auto& joint : world_->joints)
    if (by_contacts || !joint.is_rope()) join(joint.a, joint.b);
  for (const auto& spring : world_->springs) join(spring.a, spring.b);
  if (!world_->actuators.empty())
    return std::vector<int>(static_cast<std::size_t>(size()), 0);  // who knows what they look at
  if (by_contacts)
    for (const auto& pair : world_->pairs) join(pair.a, pair.b);
  std::vector<int> r(static_cast<std::size_t>(size()), 0), number(first.size(), -1);
  int next = 0;
  for (std::size_t k = 0; k < first.size(); ++k) {
    if (first[k] < 0) continue;
    int& unit = number[static_cast<std::size_t>(root(static_cast<int>(k)))];
    if (unit < 0) unit = next++;
    for (int e = 0; e < 3; ++e) r[static_cast<std::size_t>(first[k] + e)] = unit;
  }
  return r;
}

void PlaneScene::joints(double t, const Values& q, Values& f) const {
  f.resize(joint_count());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const PlaneJoint& joint = world_->joints[static_cast<std::size_t>(rows[k].joint)];
    f[static_cast<Eigen::Index>(k)] =
        joint_row(joint, rows[k].part)(both(pose(joint.a, t, q), pose(joint.b, t, q)).data());
  }
}

void PlaneScene::joint_slopes(double t, const Values& q, SparseRows& into) const {
  for (const Row& row : rows) {
    const PlaneJoint& joint = world_->joints[static_cast<std::size_t>(row.joint)];
    append_gradient(joint.a, joint.b, t, q, joint_row(joint, row.part), into);
  }
}

void PlaneScene::joint_bends(double t, const Values& q, const Values& u, Values& bend) const {
  bend.resize(joint_count());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const PlaneJoint& joint = world_->joints[static_cast<std::size_t>(rows[k].joint)];
    bend[static_cast<Eigen::Index>(k)] = bend_of(joint.a, joint.b, t, q, u, joint_row(joint, rows[k].part));
  }
}

}  // namespace carom
