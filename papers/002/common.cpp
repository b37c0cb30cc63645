#include "common.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace carom::papers::p002 {
namespace {

std::vector<double> end_of(const Lab& lab, std::string_view scenario, Settings settings,
                           const std::vector<double>& z) {
  const auto half = z.begin() + static_cast<std::ptrdiff_t>(z.size() / 2);
  settings.push_back("initial.q=" + list_of({z.begin(), half}));
  settings.push_back("initial.p=" + list_of({half, z.end()}));
  const RunResult r = lab.complete(scenario, settings);
  std::vector<double> end = r.q;
  end.insert(end.end(), r.p.begin(), r.p.end());
  return end;
}

Eigen::MatrixXd derivative(const Lab& lab, std::string_view scenario, const Settings& settings,
                           const std::vector<double>& z, double spacing) {
  constexpr std::array weights{3.0 / 4, -3.0 / 20, 1.0 / 60};
  const auto n = static_cast<Eigen::Index>(z.size());
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(n, n);
  for (Eigen::Index k = 0; k < n; ++k)
    for (int j = 1; j <= 3; ++j) {
      auto up = z, down = z;
      up[k] += j * spacing, down[k] -= j * spacing;
      const auto a = end_of(lab, scenario, settings, up), b = end_of(lab, scenario, settings, down);
      for (Eigen::Index i = 0; i < n; ++i) A(i, k) += weights[j - 1] * (a[i] - b[i]) / spacing;
    }
  return A;
}

}  // namespace

std::string list_of(const std::vector<double>& values) {
  return fmt::format("[{:.17g}]", fmt::join(values, ", "));
}

std::vector<double> means_of_parts(const std::vector<double>& values, int parts) {
  std::vector<double> r;
  for (int i = 0; i < parts; ++i) {
    const auto from = static_cast<std::ptrdiff_t>(values.size() * i / parts),
               to = static_cast<std::ptrdiff_t>(values.size() * (i + 1) / parts);
    r.push_back(std::accumulate(values.begin() + from, values.begin() + to, 0.0) /
                static_cast<double>(to - from));
  }
  return r;
}

std::vector<double> minus(std::vector<double> values, double shift) {
  for (double& x : values) x -= shift;
  return values;
}

std::vector<double> absolute(std::vector<double> values) {
  for (double& x : values) x = std::abs(x);
  return values;
}

std::vector<double> counted(std::size_t n) {
  std::vector<double> r(n);
  std::iota(r.begin(), r.end(), 1.0);
  return r;
}

std::vector<double> running_largest(const std::vector<double>& values) {
  std::vector<double> r;
  for (const double x : values) r.push_back(std::fmax(r.empty() ? 0.0 : r.back(), std::abs(x)));
  return r;
}

Series thinned_by_decades(const Series& series) {
  Series r = series;
  r.x.clear(), r.y.clear();
  double next = 0;
  for (std::size_t i = 0; i < series.x.size(); ++i) {
    if (series.x[i] < next && i + 1 < series.x.size()) continue;
    r.x.push_back(series.x[i]), r.y.push_back(series.y[i]);
    next = series.x[i] * std::pow(10.0, 0.01);
  }
  return r;
}

double distance(const RunResult& a, const RunResult& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.q.size(); ++i)
    sum += std::pow(a.q[i] - b.q[i], 2) + std::pow(a.p[i] - b.p[i], 2);
  return std::sqrt(sum);
}

SymplecticDefect symplectic_defect(const Lab& lab, std::string_view scenario, const Settings& settings,
                                   const std::vector<double>& q, const std::vector<double>& p,
                                   double spacing) {
  std::vector<double> z = q;
  z.insert(z.end(), p.begin(), p.end());
  const auto n = static_cast<Eigen::Index>(q.size());
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(2 * n, 2 * n);
  J.topRightCorner(n, n).setIdentity(), J.bottomLeftCorner(n, n) = -Eigen::MatrixXd::Identity(n, n);
  const Eigen::MatrixXd A = derivative(lab, scenario, settings, z, spacing),
                        finer = derivative(lab, scenario, settings, z, spacing / 2);
  return {(A.transpose() * J * A - J).cwiseAbs().maxCoeff(), A.cwiseAbs().maxCoeff(),
          (A - finer).cwiseAbs().maxCoeff()};
}

}  // namespace carom::papers::p002
