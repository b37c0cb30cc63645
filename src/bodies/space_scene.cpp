#include "carom/bodies/space_scene.hpp"

#include <Eigen/LU>
#include <numeric>

#include "space_joints.hpp"

namespace carom {
namespace {

using Eigen::Matrix4d;

std::vector<SpaceContacts::Body> shapes_of(const SpaceWorld& world) {
  std::vector<SpaceContacts::Body> r;
  for (const SpaceBody& body : world.bodies) r.push_back({&body.shape});
  return r;
}

// q p = left(q) p, and p q = right(q) p, of quaternions.
Matrix4d left(const Turn& q) {
  Matrix4d r;
  r << q[0], -q[1], -q[2], -q[3], q[1], q[0], -q[3], q[2], q[2], q[3], q[0], -q[1], q[3], -q[2], q[1], q[0];
  return r;
}
Turn turn_at(const Values& q, int i) { return q.segment<4>(i + 3); }

}  // namespace

SpaceScene::SpaceScene(SpaceWorld w)
    : world_(std::make_shared<const SpaceWorld>(std::move(w))), touch(shapes_of(*world_)) {
  const auto& bodies = world_->bodies;
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    first.push_back(bodies[k].is_free() ? count : -1);
    is_timed = is_timed || bodies[k].motion;
    if (!bodies[k].is_free()) continue;
    count += each, free_bodies.push_back(static_cast<int>(k));
    Matrix4d J = Matrix4d::Zero();
    J(0, 0) = bodies[k].inertia.trace() / 3, J.bottomRightCorner<3, 3>() = bodies[k].inertia;
    kinetic.push_back(4 * J);
  }
  for (std::size_t k = 0; k < world_->pairs.size(); ++k) {
    const SpacePair& pair = world_->pairs[k];
    touch.add_pair(static_cast<int>(k), pair.a, pair.b, bodies[static_cast<std::size_t>(pair.a)].name,
                   bodies[static_cast<std::size_t>(pair.b)].name);
  }
  for (std::size_t k = 0; k < world_->joints.size(); ++k) {
    const SpaceJoint& joint = world_->joints[k];
    for (int part = 0; part < joint.rows(); ++part) rows.push_back({static_cast<int>(k), part});
    if (joint.low) limits.push_back({static_cast<int>(k), 1, *joint.low});
    if (joint.high) limits.push_back({static_cast<int>(k), -1, *joint.high});
    is_forced = is_forced || joint.damping != 0;
  }
  for (int i = 0; i < touch.size(); ++i)
    if (touch.has_branches(i)) branched.push_back(i);
  is_forced = is_forced || !world_->actuators.empty();
  for (const SpaceSpring& spring : world_->springs) is_forced = is_forced || spring.damping != 0;
  find_momenta();
}

std::string SpaceScene::coordinate_name(int i) const {
  static constexpr const char* ends[] = {"_x", "_y", "_z", "_q0", "_q1", "_q2", "_q3"};
  const auto body = static_cast<std::size_t>(free_bodies[static_cast<std::size_t>(i / each)]);
  return world_->bodies[body].name + ends[i % each];
}

std::string SpaceScene::contact_name(int i) const {
  if (i < touch.size()) return touch.name(i);
  const Limit& limit = limits[static_cast<std::size_t>(i - touch.size())];
  return world_->joints[static_cast<std::size_t>(limit.joint)].name + (limit.sign > 0 ? " low" : " high");
}

std::string SpaceScene::joint_name(int i) const {
  if (i < static_cast<int>(free_bodies.size()))
    return world_->bodies[static_cast<std::size_t>(free_bodies[static_cast<std::size_t>(i)])].name + " q";
  const Row& row = rows[static_cast<std::size_t>(i) - free_bodies.size()];
  const SpaceJoint& joint = world_->joints[static_cast<std::size_t>(row.joint)];
  if (joint.kind == SpaceJoint::Kind::distance) return joint.name;
  static constexpr const char* ends[] = {" x", " y", " z", " turn 1", " turn 2", " turn 3"};
  static constexpr const char* of_slider[] = {" across 1", " across 2", " turn 1", " turn 2", " turn 3"};
  return joint.name + (joint.kind == SpaceJoint::Kind::slider ? of_slider[row.part] : ends[row.part]);
}

bool SpaceScene::moves(int body) const {
  return body >= 0 && world_->bodies[static_cast<std::size_t>(body)].motion;
}

SpacePose SpaceScene::pose(int body, double t, const Values& q) const {
  if (body < 0) return {};
  const SpaceBody& of = world_->bodies[static_cast<std::size_t>(body)];
  if (const int i = coordinate_of(body); i >= 0) return SpacePose::of(q.segment<3>(i), turn_at(q, i));
  if (!of.motion) return of.start;
  std::array<double, 21> now{};
  of.motion(t, now);
  return SpacePose::of({now[0], now[1], now[2]}, {now[3], now[4], now[5], now[6]});
}

std::span<const SpacePose> SpaceScene::poses(double t, const Values& q) const {
  thread_local std::vector<SpacePose> all;
  all.resize(first.size());
  for (std::size_t k = 0; k < first.size(); ++k) all[k] = pose(static_cast<int>(k), t, q);
  return all;
}

// Place and quaternion of a body, their rates where v has them or time does, and second derivatives by time.
std::array<double, 21> SpaceScene::state(int body, double t, const Values& q, const Values& v) const {
  std::array<double, 21> r{};
  if (moves(body)) return world_->bodies[static_cast<std::size_t>(body)].motion(t, r), r;
  const int i = coordinate_of(body);
  if (i < 0) {
    const SpacePose at = body < 0 ? SpacePose{} : world_->bodies[static_cast<std::size_t>(body)].start;
    for (int e = 0; e < 3; ++e) r[static_cast<std::size_t>(e)] = at.at[e];
    for (int e = 0; e < 4; ++e) r[static_cast<std::size_t>(e + 3)] = at.q[e];
    return r;
  }
  for (int e = 0; e < each; ++e) {
    r[static_cast<std::size_t>(e)] = q[i + e];
    if (v.size() > 0) r[static_cast<std::size_t>(e + each)] = v[i + e];
  }
  return r;
}

template <class Each>
void SpaceScene::each_energy(const Each& use) const {
  for (const SpaceSpring& spring : world_->springs) use(spring.a, spring.b, spring_energy(spring));
  for (const SpaceJoint& joint : world_->joints) {
    if (joint.stiffness == 0) continue;
    use(joint.a, joint.b, [&joint](const auto* x) {
      const auto travel = joint_travel(joint)(x);
      return 0.5 * joint.stiffness * (travel * travel);
    });
  }
}

double SpaceScene::slopes(double t, const Values& q, const Values& v, Values& Lq, Values& Lv) const {
  double T = 0, V = 0;
  Lq.resize(count), Lv.resize(count);
  for (std::size_t k = 0; k < free_bodies.size(); ++k) {
    const int i = first[static_cast<std::size_t>(free_bodies[k])];
    const double mass = world_->bodies[static_cast<std::size_t>(free_bodies[k])].mass;
    const Turn rotation = turn_at(q, i), rate = turn_at(v, i), y = product(conjugate(rotation), rate),
               z = kinetic[k] * y;
    Lv.segment<3>(i) = mass * v.segment<3>(i), Lv.segment<4>(i + 3) = product(rotation, z);
    Lq.segment<3>(i) = mass * world_->gravity, Lq.segment<4>(i + 3) = product(rate, conjugate(z));
    T += 0.5 * (mass * v.segment<3>(i).squaredNorm() + y.dot(z));
    V -= mass * world_->gravity.dot(q.segment<3>(i));
  }
  each_energy([&](int a, int b, const auto& energy) {
    const auto y = gradient_of(a, b, t, q, energy);
    V += y.a;
    for (const int side : {0, 1})
      if (const int i = coordinate_of(side ? b : a); i >= 0)
        for (int e = 0; e < each; ++e) Lq[i + e] -= y.d[each * side + e];
  });
  return T - V;
}

// Adds ∂²V/∂q_i∂q_k of springs by add(i, k, value).
template <class Add>
void SpaceScene::each_second_derivative(double t, const Values& q, const Add& add) const {
  each_energy([&](int a, int b, const auto& energy) {
    Vector<double, 14> x;
    const Values still = Values::Zero(0);
    for (const int side : {0, 1}) {
      const auto now = state(side ? b : a, t, q, still);
      for (int e = 0; e < each; ++e) x[each * side + e] = now[static_cast<std::size_t>(e)];
    }
    const auto y = hessian([&energy](const auto& at) { return energy(at.data()); }, x);
    const std::array<int, 2> at{coordinate_of(a), coordinate_of(b)};
    for (int i = 0; i < 14; ++i)
      for (int k = 0; k < 14; ++k)
        if (const int to = at[static_cast<std::size_t>(i / each)],
            from = at[static_cast<std::size_t>(k / each)];
            to >= 0 && from >= 0)
          add(to + i % each, from + k % each, y.hessian(i, k));
  });
}

void SpaceScene::curvature(double t, const Values& q, const Values& v, const Weights& w,
                           KktMatrix& into) const {
  for (std::size_t k = 0; k < free_bodies.size(); ++k) {
    const int i = first[static_cast<std::size_t>(free_bodies[k])];
    const double mass = world_->bodies[static_cast<std::size_t>(free_bodies[k])].mass;
    if (w.vv != 0)
      for (int e = 0; e < 3; ++e) into.add(i + e, i + e, w.vv * mass);
    // y = E v = D q, with E = left(q*) and D likewise of v; ∂²L/∂q∂v = D'K E + ∂(E'z)/∂q.
    const Turn rotation = turn_at(q, i), rate = turn_at(v, i);
    const Matrix4d E = left(conjugate(rotation)), conjugates = Turn(1, -1, -1, -1).asDiagonal();
    const Matrix4d D = conjugates * left(conjugate(rate));
    Matrix4d sum = Matrix4d::Zero();
    if (w.vv != 0) sum += w.vv * E.transpose() * kinetic[k] * E;
    if (w.qq != 0) sum += w.qq * D.transpose() * kinetic[k] * D;
    if (w.qv != 0 || w.vq != 0) {
      const Turn z = kinetic[k] * (E * rate);
      Matrix4d mixed = D.transpose() * kinetic[k] * E;
      for (int e = 0; e < 4; ++e) mixed.row(e) += product(Turn(Turn::Unit(e)), z).transpose();  // E'z = q z
      sum += w.qv * mixed + w.vq * mixed.transpose();
    }
    for (int e = 0; e < 4; ++e)
      for (int f = 0; f < 4; ++f) into.add(i + 3 + e, i + 3 + f, sum(e, f));
  }
  if (w.qq != 0) each_second_derivative(t, q, [&](int i, int k, double h) { into.add(i, k, -w.qq * h); });
}

void SpaceScene::stiffness(double t, const Values& q, const Values& u, Values& Vqq_u) const {
  Vqq_u.setZero();
  each_second_derivative(t, q, [&](int i, int k, double h) { Vqq_u[i] += h * u[k]; });
}

double SpaceScene::drift(double t, const Values& q, const Values&, Values& Ltv) const {
  Ltv.setZero();
  double V_t = 0;
  each_energy([&](int a, int b, const auto& energy) {
    if (moves(a) || moves(b)) V_t += gradient_of(a, b, t, q, energy).d[14];
  });
  return -V_t;
}

void SpaceScene::mass_couplings(Pairs& pairs) const {
  for (const int body : free_bodies)
    for (int i = 4; i < each; ++i)
      for (int k = 3; k < i; ++k)
        pairs.push_back(
            {first[static_cast<std::size_t>(body)] + i, first[static_cast<std::size_t>(body)] + k});
}

void SpaceScene::couplings(Pairs& pairs) const {
  mass_couplings(pairs);
  each_energy([&](int a, int b, const auto&) {
    const int i = coordinate_of(a), k = coordinate_of(b);
    for (const auto& [to, from] : {std::pair{i, i}, {k, k}, {std::max(i, k), std::min(i, k)}})
      if (to >= 0 && from >= 0)
        for (int e = 0; e < each; ++e)
          for (int f = 0; f < each; ++f)
            if (to != from || e > f) pairs.push_back({to + e, from + f});
  });
}

// y = K^-1 q* p/|q|², v = q y/|q|².
bool SpaceScene::velocity(double, const Values& q, const Values& p, Values& v) const {
  v.resize(count);
  for (std::size_t k = 0; k < free_bodies.size(); ++k) {
    const int i = first[static_cast<std::size_t>(free_bodies[k])];
    const SpaceBody& body = world_->bodies[static_cast<std::size_t>(free_bodies[k])];
    v.segment<3>(i) = p.segment<3>(i) / body.mass;
    const Turn rotation = turn_at(q, i);
    const double square = rotation.squaredNorm();
    const Turn y = kinetic[k].ldlt().solve(product(conjugate(rotation), turn_at(p, i)) / square);
    v.segment<4>(i + 3) = product(rotation, y) / square;
  }
  return v.allFinite();
}

// d/ds of 4 q I (q* u) along q' = u.
void SpaceScene::momentum_bend(double, const Values& q, const Values& u, Values& change) const {
  change.setZero();
  for (std::size_t k = 0; k < free_bodies.size(); ++k) {
    const int i = first[static_cast<std::size_t>(free_bodies[k])];
    const Turn rotation = turn_at(q, i), rate = turn_at(u, i);
    const Turn z = kinetic[k] * product(conjugate(rotation), rate),
               bend = kinetic[k] * product(conjugate(rate), rate);
    change.segment<4>(i + 3) = product(rate, z) + product(rotation, bend);
  }
}

void SpaceScene::push(const Wrench& by, int body, const Values& q, Values& f) const {
  const int i = coordinate_of(body);
  if (i < 0) return;
  f.segment<3>(i) += by.n, f.segment<4>(i + 3) += by.along(turn_at(q, i));
}

void SpaceScene::force(double t, const Values& q, const Values& v, Values& f) const {
  f.setZero();
  const auto damp = [&](int a, int b, double damping, const auto& measure) {
    const auto y = gradient_of(a, b, t, q, measure);
    double speed = y.d[14];
    for (const int side : {0, 1})
      if (const int i = coordinate_of(side ? b : a); i >= 0)
        for (int e = 0; e < each; ++e) speed += y.d[each * side + e] * v[i + e];
    for (const int side : {0, 1})
      if (const int i = coordinate_of(side ? b : a); i >= 0)
        for (int e = 0; e < each; ++e) f[i + e] -= damping * speed * y.d[each * side + e];
  };
  for (const SpaceSpring& spring : world_->springs)
    if (spring.damping != 0) damp(spring.a, spring.b, spring.damping, space_length(spring.at_a, spring.at_b));
  for (const SpaceJoint& joint : world_->joints)
    if (joint.damping != 0) damp(joint.a, joint.b, joint.damping, joint_travel(joint));
  if (world_->actuators.empty()) return;
  thread_local std::vector<double> numbers;
  numbers.assign(6 * world_->actuators.size(), 0);
  world_->drive(t, q, v, numbers);
  for (std::size_t k = 0; k < world_->actuators.size(); ++k) {
    const SpaceActuator& of = world_->actuators[k];
    const double* n = &numbers[6 * k];
    const SpacePose a = pose(of.a, t, q), b = pose(of.b, t, q);
    const Point3 by(n[0], n[1], n[2]), at = b.out(of.at);
    const Point3 torque = of.axis ? Point3(n[3] * a.turned(*of.axis)) : Point3(n[3], n[4], n[5]);
    Wrench on_b = Wrench::at(b, at, by), on_a = Wrench::at(a, at, -by);
    on_b.turn += torque, on_a.turn -= torque;
    push(on_b, of.b, q, f), push(on_a, of.a, q, f);
  }
}

// Along an axis along which no force acts and nothing fixed is touched or tied to; about the one of gravity,
// or about all.
void SpaceScene::find_momenta() {
  const auto fixed = [this](int body) { return coordinate_of(body) < 0; };
  alone = world_->actuators.empty() && count > 0;
  for (const auto& pair : world_->pairs) alone = alone && !fixed(pair.a) && !fixed(pair.b);
  for (const auto& joint : world_->joints) alone = alone && !fixed(joint.a) && !fixed(joint.b);
  for (const auto& spring : world_->springs) alone = alone && !fixed(spring.a) && !fixed(spring.b);
  for (int e = 0; e < 3; ++e) {
    const int f = (e + 1) % 3, g = (e + 2) % 3;
    keeps[static_cast<std::size_t>(e)] = alone && world_->gravity[e] == 0;
    keeps_angular[static_cast<std::size_t>(e)] = alone && world_->gravity[f] == 0 && world_->gravity[g] == 0;
  }
}

void SpaceScene::momenta(double, const Values& q, const Values& p, const Tell& tell) const {
  if (!alone) return;
  Point3 linear = Point3::Zero(), angular = Point3::Zero();
  for (const int body : free_bodies) {
    const int i = first[static_cast<std::size_t>(body)];
    const Point3 at = q.segment<3>(i), own = p.segment<3>(i);
    linear += own, angular += at.cross(own);
    angular += 0.5 * product(turn_at(p, i), conjugate(turn_at(q, i))).tail<3>();
  }
  static constexpr const char* names[] = {"p_x", "p_y", "p_z"};
  static constexpr const char* turning_names[] = {"angular momentum x", "angular momentum y",
                                                  "angular momentum z"};
  for (int e = 0; e < 3; ++e)
    if (keeps[static_cast<std::size_t>(e)]) tell(names[e], linear[e]);
  for (int e = 0; e < 3; ++e)
    if (keeps_angular[static_cast<std::size_t>(e)]) tell(turning_names[e], angular[e]);
}

std::vector<int> SpaceScene::joined(bool by_contacts) const {
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
  for (const int body : free_bodies) {
    int& unit = number[static_cast<std::size_t>(root(body))];
    if (unit < 0) unit = next++;
    for (int e = 0; e < each; ++e)
      r[static_cast<std::size_t>(first[static_cast<std::size_t>(body)] + e)] = unit;
  }
  return r;
}

void SpaceScene::joints(double t, const Values& q, Values& f) const {
  f.resize(joint_count());
  Eigen::Index at = 0;
  const Values still = Values::Zero(0);
  for (const int body : free_bodies)
    f[at++] = 0.5 * (turn_at(q, first[static_cast<std::size_t>(body)]).squaredNorm() - 1);
  for (const Row& row : rows) {
    const SpaceJoint& joint = world_->joints[static_cast<std::size_t>(row.joint)];
    std::array<double, 14> x{};
    for (const int side : {0, 1}) {
      const auto now = state(side ? joint.b : joint.a, t, q, still);
      std::copy_n(now.begin(), each, x.begin() + each * side);
    }
    f[at++] = joint_row(joint, row.part)(static_cast<const double*>(x.data()));
  }
}

void SpaceScene::joint_slopes(double t, const Values& q, SparseRows& into) const {
  for (const int body : free_bodies) {
    const int i = first[static_cast<std::size_t>(body)];
    for (int e = 3; e < each; ++e) into.push(i + e, q[i + e]);
    into.end_row();
  }
  for (const Row& row : rows) {
    const SpaceJoint& joint = world_->joints[static_cast<std::size_t>(row.joint)];
    append_gradient(joint.a, joint.b, t, q, joint_row(joint, row.part), into);
  }
}

void SpaceScene::joint_bends(double t, const Values& q, const Values& u, Values& bend) const {
  bend.resize(joint_count());
  Eigen::Index at = 0;
  for (const int body : free_bodies)
    bend[at++] = turn_at(u, first[static_cast<std::size_t>(body)]).squaredNorm();
  for (const Row& row : rows) {
    const SpaceJoint& joint = world_->joints[static_cast<std::size_t>(row.joint)];
    bend[at++] = bend_of(joint.a, joint.b, t, q, u, joint_row(joint, row.part));
  }
}

}  // namespace carom
