// Impacts of several contacts in space (frictional_impact.hpp): pieces of one direction of each slip, that of
// the middle of the piece.
#include <cmath>

#include "carom/contact/friction/frictional_impact.hpp"
#include "round_cones.hpp"

namespace carom {

void FrictionalImpact::look_at_direction(int i) {
  const double x = w[3 * i + 1], y = w[3 * i + 2], u = std::hypot(x, y);
  q.slip[i] = u > standing ? 1 : 0;
  q.direction[2 * i] = u > 0 ? x / u : 0, q.direction[2 * i + 1] = u > 0 ? y / u : 0;
}

// As friction_for_rates() in the plane: of those that do not slip the minimum over round cones, contact by
// contact.
void FrictionalImpact::friction_in_space(const std::vector<int>& pushed) {
  double change = HUGE_VAL, largest = 0;
  for (const int i : pushed) {
    const double most = q.mu[i] * rate[3 * i];
    for (const int t : {0, 1}) rate[3 * i + 1 + t] = q.slip[i] != 0 ? -most * q.direction[2 * i + t] : 0;
    largest = std::fmax(largest, most);
  }
  for (int sweep = 0; sweep < 1000 && change > 1e-15 * largest; ++sweep) {
    change = 0;
    for (const int i : pushed) {
      if (q.slip[i] != 0 || q.mu[i] == 0) continue;
      const double a = q.w(3 * i + 1, 3 * i + 1), b = q.w(3 * i + 1, 3 * i + 2),
                   c = q.w(3 * i + 2, 3 * i + 2);
      const double stiff = 0.5 * (a + c) + std::hypot(0.5 * (a - c), b), most = q.mu[i] * rate[3 * i];
      std::array<double, 2> to{};
      for (const int t : {0, 1}) {
        double slip = 0;
        for (int r = 0; r < q.rows; ++r) slip += q.w(3 * i + 1 + t, r) * rate[r];
        to[t] = rate[3 * i + 1 + t] - (stiff > 0 ? slip / stiff : 0);
      }
      const double size = std::hypot(to[0], to[1]), scale = size > most ? most / size : 1;
      for (const int t : {0, 1}) {
        change = std::fmax(change, std::abs(scale * to[t] - rate[3 * i + 1 + t]));
        rate[3 * i + 1 + t] = scale * to[t];
      }
    }
  }
}

// Until a slip of what is pressed stops, where it does so without turning, has turned by a tenth or has
// halved.
double FrictionalImpact::until_turned(double end, const std::vector<int>& pushed) {
  constexpr double most_turn = 0.1;
  for (const int i : pushed) {
    if (q.slip[i] == 0) continue;
    const double* const s = &q.direction[2 * i];
    const double* const du = &direction[3 * i + 1];
    const double along = s[0] * du[0] + s[1] * du[1], across = std::abs(s[0] * du[1] - s[1] * du[0]);
    const double u = std::hypot(w[3 * i + 1], w[3 * i + 2]);
    double at = HUGE_VAL;
    bool stop = false;
    if (across > 1e-12 * std::abs(along)) {
      at = most_turn * u / across;
      if (along < 0) at = std::fmin(at, -0.5 * u / along);
    } else if (along < 0) {
      at = -u / along, stop = true;
    }
    if (at > end) continue;
    if (at < end) std::fill(stops.begin(), stops.end(), 0);
    end = at, stops[i] = stop ? 1 : 0;
  }
  return end;
}

// A piece by the directions of its middle, if friction of every contact takes energy with these; else as it
// is.
double FrictionalImpact::by_middle(double s, double end, const std::function<void()>& rates) {
  bool turns = false;
  first_rate = rate, first_direction = direction, first_aim = q.direction;
  const std::vector<int> first_pushed = pushed_now;
  const std::vector<signed char> first_stops = stops;
  for (const int i : pushed_now) {
    if (q.slip[i] == 0 || stops[i] != 0) continue;
    const double x = w[3 * i + 1] + 0.5 * s * direction[3 * i + 1],
                 y = w[3 * i + 2] + 0.5 * s * direction[3 * i + 2];
    const double u = std::hypot(x, y);
    if (!(u > standing)) continue;
    q.direction[2 * i] = x / u, q.direction[2 * i + 1] = y / u, turns = true;
  }
  if (!turns) return s;
  rates();
  q.direction = first_aim;
  const double now = std::fmin(s, until_events(std::fmin(s, end), pushed_now));
  if (pushed_now == first_pushed && now > 0 && rubs_off(now)) return now;
  rate = first_rate, direction = first_direction, pushed_now = first_pushed, stops = first_stops;
  return s;
}

bool FrictionalImpact::rubs_off(double s) const {
  double all = 0;
  for (int i = 0; i < n; ++i) {
    double work = 0;
    for (int r = 3 * i + 1; r < 3 * i + 3; ++r) work += s * rate[r] * (w[r] + 0.5 * s * direction[r]);
    if (work > 0 && q.slip[i] != 0) return false;
    all += work;
  }
  return all <= 0;
}

void FrictionalImpact::convex_in_space(const std::vector<int>& among) {
  if (!cones) cones = std::make_shared<RoundCones>();
  const auto k = static_cast<Eigen::Index>(3 * among.size());
  const auto row = [&](Eigen::Index r) {
    return 3 * among[static_cast<std::size_t>(r / 3)] + static_cast<int>(r % 3);
  };
  Eigen::MatrixXd own(k, k);
  Eigen::VectorXd drive(k);
  cones->cones.clear();
  for (Eigen::Index r = 0; r < k; ++r) {
    drive[r] = w[row(r)];
    if (r % 3 == 0)
      cones->cones.push_back({static_cast<int>(r), q.mu[among[static_cast<std::size_t>(r / 3)]]});
    for (Eigen::Index c = 0; c < k; ++c) own(r, c) = q.w(row(r), row(c));
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> parts(own);
  cones->A = parts.eigenvectors().transpose();
  cones->c = -(cones->A * drive);
  for (Eigen::Index r = 0; r < k; ++r) {
    const double value = parts.eigenvalues()[r],
                 size = value > 1e-13 * parts.eigenvalues()[k - 1] ? std::sqrt(value) : 0;
    cones->A.row(r) *= size, cones->c[r] = size > 0 ? cones->c[r] / size : 0;
  }
  cones->solve(0);
  for (Eigen::Index r = 0; r < k; ++r) rate[row(r)] = cones->P[r];
}

}  // namespace carom
