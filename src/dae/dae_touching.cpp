#include "carom/dae/dae_touching.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "carom/system/validate.hpp"

namespace carom {

DaeTouching::DaeTouching(const Dae& d, double step) : consistent(d), dae(d), size(d.sizes()), h(step) {
  for (int i = 0; i < size.g; ++i)
    if (!dae.one_sided(i)) joints.push_back(i);
}

const std::vector<int>& DaeTouching::with_joints(const std::vector<int>& contacts) {
  held.clear();
  std::merge(joints.begin(), joints.end(), contacts.begin(), contacts.end(), std::back_inserter(held));
  return held;
}

void DaeTouching::find(double t, const Values& y, const Values& z, std::vector<int>& found) {
  dae.motion(t, y, z, motion), dae.constraint(y, z, constraint);
  found.clear();
  for (int i = 0; i < size.g; ++i)
    if (dae.one_sided(i) && constraint.g[i] <= 1e-9 * gap_scale(dae, constraint, motion, y, h, i) &&
        std::abs(constraint.c[i]) <= 1e-9 * rate_scale(dae, constraint, motion, i))
      found.push_back(i);
}

bool DaeTouching::choose_lasting(double t, const Values& y, const Values& z, std::vector<int>& candidates,
                                 double friction) {
  while (!candidates.empty()) {
    outcome = consistent(t, y, z, with_joints(candidates), friction);
    const auto weakest = outcome.ok() ? pulled(candidates) : std::optional<int>(candidates.back());
    if (!weakest) return true;
    if (!outcome.ok() && outcome.status != Status::singular) return false;
    candidates.erase(std::find(candidates.begin(), candidates.end(), *weakest));
  }
  outcome = consistent(t, y, z, with_joints(candidates), friction);
  return outcome.ok();
}

std::optional<double> DaeTouching::acceleration(double t, const Values& y, const Values& z,
                                                const std::vector<int>& lasting, int i) {
  if (!consistent(t, y, z, with_joints(lasting)).ok()) return std::nullopt;
  return consistent.constraints().c_y.row(i).dot(consistent.at().v) +
         consistent.constraints().c_z.row(i).dot(consistent.z_rate);
}

bool DaeTouching::impact(const Values& y, Values& z, const std::vector<int>& closing,
                         const std::vector<int>& lasting, double restitution) {
  touching.clear();
  std::merge(closing.begin(), closing.end(), lasting.begin(), lasting.end(), std::back_inserter(touching));
  dae.constraint(y, z, constraint);
  before = constraint.c;
  wanted.setZero(size.g);
  for (const int i : closing) wanted[i] = -restitution * before[i];
  for (std::size_t round = 0; round <= lasting.size(); ++round) {
    if (!strike(y, z)) return false;
    int weakest = -1;
    for (const int i : touching)
      if (Lambda[i] < -rounding(i) && (weakest < 0 || Lambda[i] < Lambda[weakest])) weakest = i;
    if (weakest < 0) return z = z_after, true;
    touching.erase(std::find(touching.begin(), touching.end(), weakest));
  }
  return false;
}

bool DaeTouching::project(Values& y, Values& z) {
  held = joints;
  if (held.empty()) return true;
  for (int i = 0; i < 60; ++i) {
    if (!consistent(0, y, z, held, 0).ok()) return false;
    const Values change = consistent.shift(held);
    if (!change.allFinite()) return false;
    y -= change;
    if (consistent.units().largest(change) <= 1e-15 * consistent.units().largest(y)) break;
  }
  const Values from = z;
  return solve(y, from, from, 0, Values::Zero(size.g), z);
}

bool DaeTouching::settle(const Values& y, Values& z, const std::vector<int>& contacts) {
  with_joints(contacts);
  const Values from = z;
  return solve(y, from, from, 0, Values::Zero(size.g), z);
}

DaeTouching::Hold DaeTouching::hold(double t, const Values& y, const std::vector<int>& lasting, Values& z) {
  z.setZero();
  opened = -1, unpushed = true;
  if (!consistent(t, y, z, with_joints(lasting), 0).ok()) return Hold::slides;
  if (const auto weakest = pulled(lasting)) return opened = *weakest, Hold::opens;
  const Values drive = consistent.z_rate;
  const CoordinateUnits& in = consistent.units();
  if (in.largest_momentum(consistent.at().p_z * drive) <= 1e-14 * in.largest_momentum(consistent.at().f))
    return Hold::rests;
  unpushed = false;
  if (lasting.empty() && joints.empty()) return Hold::slides;
  z = (1e-10 * h) * drive;
  if (!consistent(t, y, z, held, 1).ok()) return Hold::slides;
  if ((consistent.at().p_z * drive).dot(consistent.z_rate) > 0) return Hold::slides;
  z.setZero();
  return Hold::rests;
}

std::optional<int> DaeTouching::pulled(const std::vector<int>& contacts) const {
  std::optional<int> weakest;
  for (std::size_t k = 0; k < held.size(); ++k) {
    const int i = held[k];
    if (std::find(contacts.begin(), contacts.end(), i) == contacts.end()) continue;
    if (!(consistent.psi[i] >= -consistent.rounding(k)) &&
        (!weakest || consistent.psi[i] < consistent.psi[*weakest]))
      weakest = i;
  }
  return weakest;
}

// The impulses with as much friction as neither turns the motion along the constraints around nor pulls.
bool DaeTouching::strike(const Values& y, const Values& z) {
  held = with_joints(touching);
  along = z;
  if (!solve(y, z, z, 0, Values::Zero(size.g), along)) return false;
  plain = Lambda;
  share = 1, rubbed = dae.has_friction() && units.largest(along) > 1e-12 * units.largest(z);
  if (!rubbed) return solve(y, z, along, 0, wanted, z_after);
  if (fits(y, z, 1)) return true;
  double low = 0, high = 1;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (fits(y, z, middle) ? low : high) = middle;
  }
  share = low;
  Lambda = plain;
  return solve(y, z, along, low, wanted, z_after);
}

bool DaeTouching::fits(const Values& y, const Values& z, double some) {
  Lambda = plain;
  if (!solve(y, z, along, some, wanted, z_after)) return false;
  for (const int i : touching)
    if (Lambda[i] < -rounding(i)) return false;
  return turns(y) >= 0;
}

// An impulse this small is none.
double DaeTouching::rounding(int i) const {
  return 1e-13 * units.largest_momentum(motion.p) / units.largest_momentum(reaction.r_psi.col(i));
}

// Negative where z_after moves against `along`.
double DaeTouching::turns(const Values& y) {
  const Values impulses = Lambda;
  Values rest = z_after;
  const bool ok = solve(y, z_after, along, 0, Values::Zero(size.g), rest);
  Lambda = impulses;
  if (!ok) return 0;
  dae.motion(0, y, along, motion);
  return (motion.p_z * along).dot(rest);
}

// Newton's change, from rows and columns that are free of units: which pivots are taken depends on none.
Values DaeTouching::unit_free(Dense& jacobian, Values& residual, int m) const {
  const auto all = residual.size();
  Values rows = Values::Ones(all), columns = Values::Ones(all);
  for (int i = 0; i < m; ++i) columns[i] = units[i], rows[i] = 1 / power_of_two(jacobian(i, i) * units[i]);
  jacobian = rows.asDiagonal() * jacobian * columns.asDiagonal();
  for (auto i = static_cast<Eigen::Index>(m); i < all; ++i) {
    rows[i] = 1 / power_of_two(jacobian.row(i).cwiseAbs().maxCoeff());
    jacobian.row(i) *= rows[i];
    columns[i] = 1 / power_of_two(jacobian.col(i).cwiseAbs().maxCoeff());
    jacobian.col(i) *= columns[i];
  }
  residual.array() *= rows.array();
  return columns.asDiagonal() * jacobian.partialPivLu().solve(residual);
}

// p(y, to) = p(y, from) + r(y, at, Lambda) and the wanted rates of what is held, by Newton's method.
bool DaeTouching::solve(const Values& y, const Values& from, const Values& at, double friction,
                        const Values& rates, Values& to) {
  const int m = size.z, k = static_cast<int>(held.size());
  dae.motion(0, y, from, motion);
  units.measure(motion);
  const Values p = motion.p;
  if (friction == 0) Lambda.setZero(size.g);
  to = from;
  Values residual(m + k);
  Dense jacobian(m + k, m + k);
  double last = HUGE_VAL;
  for (int iteration = 0; iteration < 60; ++iteration) {
    dae.motion(0, y, to, motion), dae.constraint(y, to, constraint);
    dae.reaction(y, at, Lambda, friction, reaction);
    residual.head(m) = motion.p - p - reaction.r;
    jacobian.setZero();
    jacobian.topLeftCorner(m, m) = motion.p_z;
    for (int i = 0; i < k; ++i) {
      residual[m + i] = constraint.c[held[i]] - rates[held[i]];
      jacobian.col(m + i).head(m) = -reaction.r_psi.col(held[i]);
      jacobian.row(m + i).head(m) = constraint.c_z.row(held[i]);
    }
    const Values change = unit_free(jacobian, residual, m);
    if (!change.allFinite()) return false;
    to -= change.head(m);
    for (int i = 0; i < k; ++i) Lambda[held[i]] -= change[m + i];
    const double moved = units.largest(change.head(m)), all = units.largest(from) + units.largest(to);
    if (moved <= 1e-15 * all || (moved <= 1e-11 * all && moved >= 0.3 * last)) return true;
    last = moved;
  }
  return false;
}

}  // namespace carom
