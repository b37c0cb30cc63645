#include "report/contact_places.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

namespace carom {
namespace {

constexpr double parallel = 0.98;  // cos² of the angle between J'n and ∇g
constexpr double near = 0.05;      // of the view: as far as drawn radii may be from the true ones
constexpr double some = 1e-4;      // of ∇g: less says nothing
constexpr int most_coordinates = 400;
constexpr std::size_t most_solids = 300;

// How much of a gradient a force F at a point with slopes J (2 x coordinates) can make: J'F is fitted to it.
struct Explained {
  double part = 0;  // 0 to 1
  Vector2 force = Vector2::Zero();
};

Explained explain(const Eigen::MatrixXd& J, const Eigen::VectorXd& gap) {
  const Eigen::Matrix2d A = J * J.transpose();
  const Vector2 b = J * gap;
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> by(A);
  Explained r;
  for (const int k : {0, 1}) {  // a pendulum's bob moves in one direction only: A is then singular
    const double eigenvalue = by.eigenvalues()[k];
    if (!(eigenvalue > 1e-9 * by.eigenvalues()[1])) continue;
    const Vector2 e = by.eigenvectors().col(k);
    r.force += e * (e.dot(b) / eigenvalue);
  }
  r.part = b.dot(r.force) / gap.squaredNorm();
  return r;
}

}  // namespace

ContactPlaces::ContactPlaces(Drawing drawing, std::shared_ptr<const System> system, std::vector<double> reach,
                             double size)
    : drawing_(std::move(drawing)),
      system_(std::move(system)),
      reach_(std::move(reach)),
      size_(size),
      shapes_(drawing_) {
  in_.resize(static_cast<std::size_t>(drawing_.geometry.inputs()));
  out_.resize(static_cast<std::size_t>(drawing_.geometry.outputs()));
  if (system_)
    for (int i = 0; i < system_->contact_count(); ++i) numbers_.emplace(system_->contact_name(i), i);
}

void ContactPlaces::look(double t, const std::vector<double>& q) {
  std::copy_n(q.begin(), std::min(q.size(), in_.size() / 2), in_.begin());
  in_.back() = t;
  drawing_.geometry(std::span<const double>(in_), std::span<double>(out_));
  shapes_.move(out_);
}

// Of the drawing by q. Where there are many coordinates, only by those that the gap depends on: such systems
// are made of separate bodies.
ContactPlaces::Slopes ContactPlaces::slopes_along(const std::vector<double>& dense) const {
  Slopes r;
  const std::size_t drawn = std::min(dense.size(), in_.size() / 2);
  for (std::size_t i = 0; i < drawn; ++i)
    if (drawn <= most_coordinates || dense[i] != 0) r.at.push_back(static_cast<int>(i));
  r.gap.resize(static_cast<Eigen::Index>(r.at.size()));
  for (std::size_t k = 0; k < r.at.size(); ++k) {
    const auto i = static_cast<std::size_t>(r.at[k]);
    r.gap[static_cast<Eigen::Index>(k)] = dense[i] * reach_[i];
  }
  return r;
}

ContactPlaces::Slopes ContactPlaces::slopes_of(double t, const std::vector<double>& q, int contact) const {
  SparseRows rows;
  system_->gap_slopes(t, Eigen::Map<const Values>(q.data(), static_cast<Eigen::Index>(q.size())),
                      std::span<const int>(&contact, 1), rows);
  std::vector<double> dense(q.size(), 0);
  for (std::size_t k = 0; k < rows[0].at.size(); ++k)
    dense[static_cast<std::size_t>(rows[0].at[k])] += rows[0].slopes[k];
  return slopes_along(dense);
}

// By differences: a millionth of the way that a coordinate goes.
void ContactPlaces::differentiate(Slopes& slopes) {
  const auto rows = static_cast<Eigen::Index>(2 * drawing_.points.size());
  slopes.points.resize(rows, slopes.gap.size());
  std::vector<double> above(out_.size()), below(out_.size());
  for (Eigen::Index k = 0; k < slopes.gap.size(); ++k) {
    const auto i = static_cast<std::size_t>(slopes.at[static_cast<std::size_t>(k)]);
    const double x = in_[i], step = 1e-6 * reach_[i];
    in_[i] = x + step, drawing_.geometry(std::span<const double>(in_), std::span<double>(above));
    in_[i] = x - step, drawing_.geometry(std::span<const double>(in_), std::span<double>(below));
    in_[i] = x;
    for (Eigen::Index row = 0; row < rows; ++row) {
      const auto n = static_cast<std::size_t>(row);
      slopes.points(row, k) = (above[n] - below[n]) / 2e-6;
    }
  }
}

// How the nearest points of two shapes move away from each other, by coordinates.
Eigen::MatrixXd ContactPlaces::parting(const Slopes& slopes, const Pair& pair, const Nearest& at) const {
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(2, slopes.gap.size());
  const auto add = [&](int point, double factor) {
    if (point >= 0) J += factor * slopes.points.middleRows(2 * point, 2);
  };
  const Shape &a = shapes_.shapes()[pair.a], &b = shapes_.shapes()[pair.b];
  add(a.point_a, 1 - at.along_a), add(a.point_b, at.along_a);
  add(b.point_a, at.along_b - 1), add(b.point_b, -at.along_b);
  return J;
}

std::optional<ContactPlaces::Pair> ContactPlaces::touching(const Slopes& slopes) const {
  const auto& shapes = shapes_.shapes();
  std::optional<Pair> best;
  double least = near * size_;
  for (std::size_t a = shapes_.walls(); a < shapes.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) {
      const Nearest at = nearest(shapes[a], shapes[b], 1e-9 * size_);
      if (!(std::abs(at.distance) < least)) continue;
      const Eigen::MatrixXd J = parting(slopes, {a, b}, at);
      const Eigen::VectorXd opens = J.transpose() * at.normal;
      const double along = opens.dot(slopes.gap), sizes = opens.squaredNorm() * slopes.gap.squaredNorm();
      const bool fits =
          at.normal.isZero() ? explain(J, slopes.gap).part > parallel : along * along > parallel * sizes;
      if (fits) best = {a, b}, least = std::abs(at.distance);
    }
  return best;
}

// The solid, or the two solids, or else the point, that explain most; one is preferred to two.
std::optional<Vector2> ContactPlaces::explaining(const Slopes& slopes, Eigen::MatrixXd* of) const {
  const auto& solids = shapes_.solids();
  double most = some;
  std::optional<Vector2> best;
  const auto middle = [&](int point) {
    return Vector2(out_[2 * static_cast<std::size_t>(point)], out_[2 * static_cast<std::size_t>(point) + 1]);
  };
  const auto J_of = [&](int point) { return slopes.points.middleRows(2 * point, 2); };
  const auto consider = [&](const Explained& by, const Vector2& place, const auto& J) {
    if (!(by.part > most + 1e-6)) return;
    best = place, most = by.part;
    if (of) *of = J;
  };
  for (const Solid& solid : solids) {
    const Explained by = explain(J_of(solid.point), slopes.gap);
    const double size = by.force.norm();
    if (!(size > 0)) continue;
    const Vector2 towards = -by.force / size;  // the gap opens along the force
    consider(by, middle(solid.point) + solid.reach(towards) * towards, J_of(solid.point));
  }
  for (std::size_t a = 0; a < solids.size() && solids.size() <= most_solids; ++a)
    for (std::size_t b = 0; b < a; ++b)
      consider(explain(J_of(solids[a].point) - J_of(solids[b].point), slopes.gap),
               0.5 * (middle(solids[a].point) + middle(solids[b].point)),
               J_of(solids[a].point) - J_of(solids[b].point));
  for (int point = 0; point < static_cast<int>(drawing_.points.size()); ++point)
    consider(explain(J_of(point), slopes.gap), middle(point), J_of(point));
  return best;
}

// The pair that was found before, as long as it still touches.
std::optional<Vector2> ContactPlaces::known_place(int contact) const {
  const auto known = known_.find(contact);
  if (known == known_.end()) return std::nullopt;
  const Shape &a = shapes_.shapes()[known->second.a], &b = shapes_.shapes()[known->second.b];
  const Nearest at = nearest(a, b, 1e-9 * size_);
  if (!(std::abs(at.distance) < 1e-6 * size_)) return std::nullopt;
  return between(a, b, at);
}

std::optional<Vector2> ContactPlaces::place(Slopes slopes, int contact) {
  if (!(slopes.gap.squaredNorm() > 0)) return std::nullopt;
  differentiate(slopes);
  const auto pair = touching(slopes);
  if (!pair) return explaining(slopes);
  if (contact >= 0) known_.insert_or_assign(contact, *pair);
  const Shape &a = shapes_.shapes()[pair->a], &b = shapes_.shapes()[pair->b];
  return between(a, b, nearest(a, b, 1e-9 * size_));
}

// J'F = N λ_n + T' λ_t, with J of the points that touch.
std::optional<ContactPlaces::Push> ContactPlaces::push(double t, const std::vector<double>& q, int contact,
                                                       double normal, std::span<const double> friction) {
  if (!system_ || static_cast<int>(friction.size()) != system_->slips_each()) return std::nullopt;
  look(t, q);
  Slopes slopes = slopes_of(t, q, contact);
  if (!(slopes.gap.squaredNorm() > 0)) return std::nullopt;
  differentiate(slopes);
  SparseRows rows;
  system_->slip_slopes(t, Eigen::Map<const Values>(q.data(), static_cast<Eigen::Index>(q.size())),
                       std::span<const int>(&contact, 1), rows);
  std::vector<double> dense(q.size(), 0);
  for (std::size_t k = 0; k < friction.size(); ++k) {
    const auto T = rows[static_cast<int>(k)];
    for (std::size_t e = 0; e < T.at.size(); ++e)
      dense[static_cast<std::size_t>(T.at[e])] += T.slopes[e] * friction[k];
  }
  Eigen::VectorXd reaction = normal * slopes.gap;
  for (std::size_t k = 0; k < slopes.at.size(); ++k) {
    const auto i = static_cast<std::size_t>(slopes.at[k]);
    reaction[static_cast<Eigen::Index>(k)] += dense[i] * reach_[i];
  }
  const auto known = known_.find(contact);
  const auto pair = known != known_.end() ? std::optional(known->second) : touching(slopes);
  Push r;
  Eigen::MatrixXd J;
  if (pair) {
    known_.insert_or_assign(contact, *pair);
    const Shape &a = shapes_.shapes()[pair->a], &b = shapes_.shapes()[pair->b];
    const Nearest at = nearest(a, b, 1e-9 * size_);
    r.place = between(a, b, at), J = parting(slopes, *pair, at);
  } else {
    const auto place = explaining(slopes, &J);
    if (!place) return std::nullopt;
    r.place = *place;
  }
  r.force = explain(J, reaction).force;
  return r.place.allFinite() && r.force.allFinite() ? std::optional(r) : std::nullopt;
}

std::vector<int> ContactPlaces::numbers_of(const std::string& contacts) const {
  std::vector<int> r;
  for (std::size_t from = 0; from <= contacts.size();) {
    const std::size_t to = std::min(contacts.find(" + ", from), contacts.size());
    if (const auto number = numbers_.find(contacts.substr(from, to - from)); number != numbers_.end())
      r.push_back(number->second);
    from = to + 3;
  }
  return r;
}

std::vector<Vector2> ContactPlaces::of(double t, const std::vector<double>& q,
                                       const std::vector<double>& impulse, const std::string& contacts) {
  std::vector<Vector2> r;
  const auto add = [&r](const std::optional<Vector2>& place) {
    if (place && place->allFinite()) r.push_back(*place);
  };
  look(t, q);
  if (!system_) add(place(slopes_along(impulse), -1));
  const Eigen::Map<const Values> at(q.data(), static_cast<Eigen::Index>(q.size()));
  for (const int contact : numbers_of(contacts)) {
    if (Vector2 own; system_->contact_place(t, at, contact, own.data())) {
      add(own);
      continue;
    }
    const auto known = known_place(contact);
    add(known ? known : place(slopes_of(t, q, contact), contact));
  }
  return r;
}

}  // namespace carom
