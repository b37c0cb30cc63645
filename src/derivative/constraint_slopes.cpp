#include "carom/derivative/constraint_slopes.hpp"

namespace carom {

ConstraintSlopes::ConstraintSlopes(const DenseSystem& m, const DerivativeColumns& c) : system(m), columns(c) {
  hold({});
}

void ConstraintSlopes::hold(std::span<const int> contacts) {
  held.clear();
  for (int i = 0; i < system.joint_count(); ++i) held.push_back(i);
  for (const int i : contacts) held.push_back(system.joint_count() + i);
  G.setZero(count(), columns.n), drift.setZero(count());
  hessians.assign(held.size(), Eigen::MatrixXd::Zero(columns.n, columns.n));
}

void ConstraintSlopes::look(double t, const Values& q) {
  const int n = columns.n, joints = system.joint_count(), contacts = system.contact_count(),
            extra = 1 + system.parameter_count();
  const auto sized = [](std::vector<double>& memory, int size) {
    memory.resize(static_cast<std::size_t>(size));
    return memory.data();
  };
  const auto look_at = [&](int count, int first) {
    for (int k = 0; k < this->count(); ++k) {
      const int i = held[static_cast<std::size_t>(k)] - first;
      if (i < 0 || i >= count) continue;
      G.row(k) = Eigen::Map<const SlopeRow>(jet.data() + count + i * n, n);
      drift[k] = system.timed() ? jet[static_cast<std::size_t>(count * (1 + n) + i)] : 0;
    }
  };
  if (joints > 0) {
    system.joint_jet(t, q.data(), sized(jet, joints * (2 + n))), look_at(joints, 0);
    system.parameter_joint_slopes(t, q.data(), sized(joint_by_x, extra * joints * (2 + n)));
  }
  if (count() > joints) {
    system.gap_jet(t, q.data(), sized(jet, contacts * (2 + n))), look_at(contacts, joints);
    system.parameter_gap_slopes(t, q.data(), sized(gap_by_x, extra * contacts * (2 + n)));
  }
  sized(bends, system.constraint_count() * n);
  for (int i = 0; i < n; ++i) {
    const Values unit = Values::Unit(n, i);
    system.slope_bends(t, q.data(), unit.data(), bends.data());
    for (std::size_t k = 0; k < held.size(); ++k)
      hessians[k].col(i) = Eigen::Map<const Values>(bends.data() + held[k] * n, n);
  }
}

Eigen::MatrixXd ConstraintSlopes::by_x(int k) const {
  const int n = columns.n, joints = system.joint_count(), i = held[static_cast<std::size_t>(k)];
  const bool joint = i < joints;
  const int count = joint ? joints : system.contact_count(), row = joint ? i : i - joints;
  const double* from = (joint ? joint_by_x : gap_by_x).data();
  Eigen::MatrixXd r(2 + n, 1 + system.parameter_count());
  for (int x = 0; x < r.cols(); ++x)
    r.col(x) = Eigen::Map<const Values>(from + (x * count + row) * (2 + n), 2 + n);
  return r;
}

Slopes ConstraintSlopes::value() const {
  const int own = system.parameter_count();
  Slopes r = Slopes::Zero(count(), columns.count());
  r.leftCols(columns.n) = G;
  for (int k = 0; k < count(); ++k) {
    const Eigen::MatrixXd x = by_x(k);
    r(k, columns.time()) = drift[k];
    r.row(k).segment(columns.parameter(0), own) = x.row(0).tail(own);
  }
  return r;
}

Slopes ConstraintSlopes::push(const Values& lambda) const {
  const int n = columns.n, own = system.parameter_count();
  Slopes r = Slopes::Zero(n, columns.count());
  for (int k = 0; k < count(); ++k) {
    const Eigen::MatrixXd x = by_x(k);
    r.leftCols(n) += lambda[k] * hessians[static_cast<std::size_t>(k)];
    r.col(columns.time()) += lambda[k] * x.col(0).segment(1, n);
    r.middleCols(columns.parameter(0), own) += lambda[k] * x.middleRows(1, n).rightCols(own);
  }
  return r;
}

Slopes ConstraintSlopes::rate(const Values& v) const {
  const int n = columns.n, own = system.parameter_count();
  Slopes r = Slopes::Zero(count(), columns.count());
  for (int k = 0; k < count(); ++k) {
    const Eigen::MatrixXd x = by_x(k);
    const SlopeRow along = v.transpose() * x.middleRows(1, n) + x.row(1 + n);
    r.row(k).head(n) =
        v.transpose() * hessians[static_cast<std::size_t>(k)] + x.col(0).segment(1, n).transpose();
    r(k, columns.time()) = along[0];
    r.row(k).segment(columns.parameter(0), own) = along.tail(own);
  }
  return r;
}

Values ConstraintSlopes::bend(const Values& v) const {
  const Slopes by = rate(v);
  return by.leftCols(columns.n) * v + by.col(columns.time());
}

}  // namespace carom
