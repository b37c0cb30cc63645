#include "carom/derivative/exponents.hpp"

#include <utility>

namespace carom {
namespace {

// Of q1 .. qn, pn .. p1: with it the frames of a symplectic map stay symplectic (Iwasawa), and exponents
// cancel in pairs to rounding.
Eigen::MatrixXd paired_frame(int n) {
  Eigen::MatrixXd r = Eigen::MatrixXd::Zero(2 * n, 2 * n);
  for (int i = 0; i < n; ++i) r(i, i) = r(2 * n - 1 - i, n + i) = 1;
  return r;
}

}  // namespace

Exponents::Exponents(const RunMethod& method, Grid g, int often, std::int64_t transient)
    : slopes(method),
      by_shadow(method.law.by_shadow() && slopes.step.has_anchor()),
      grid(g),
      every(often),
      skipped(transient),
      block_length(std::max<std::int64_t>(1, (g.steps - transient) / most_blocks)),
      D(paired_frame(method.system.size())),
      anchor(SlopeRow::Zero(2 * method.system.size())),
      sum(Values::Zero(2 * method.system.size())) {}

void Exponents::begin(const GridPoint& point) {
  last = point.z;
  if (!by_shadow) return;
  SlopeRow slope;
  if ((failure = slopes.step.find_anchor(point.t, point.z, {}, slope))) return;
  anchor = slope.head(D.rows());
}

void Exponents::operator()(const GridPoint& point) {
  if (failure) return;
  if (point.n == 0) return begin(point);
  const std::int64_t step = point.n - 1;
  if (!point.changes.empty())
    return void(
        failure = Failure{"a contact begins or ceases to last, where a direction is lost and has no exponent",
                          0, ""});
  if ((failure = slopes.step.take(grid.time(step), last, {point.impacts}, point.z))) return;
  last = point.z;
  carry(slopes.step.S);
  if (step >= skipped) impacts_of_block += static_cast<std::int64_t>(point.impacts.size());
  if (++waiting >= every || !point.impacts.empty()) renew();
  if (point.n == skipped) renew(), sum.setZero();
  if (point.n > skipped && (point.n - skipped) % block_length == 0) {
    renew();
    blocks.push_back(sum / (static_cast<double>(block_length) * grid.step));
    sum.setZero();
    impacts += std::exchange(impacts_of_block, 0);
  }
}

void Exponents::carry(const Slopes& S) {
  next.noalias() = S.leftCols(D.rows()) * D;
  next.noalias() += S.col(slopes.columns.anchor()) * anchor;
  D.swap(next);
}

void Exponents::renew() {
  waiting = 0;
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(D);
  const Eigen::MatrixXd R = qr.matrixQR().triangularView<Eigen::Upper>();
  for (Eigen::Index i = 0; i < sum.size(); ++i) sum[i] += std::log(std::abs(R(i, i)));
  D = qr.householderQ() * Eigen::MatrixXd::Identity(D.rows(), D.cols());
  anchor = R.transpose().triangularView<Eigen::Lower>().solve(anchor.transpose()).transpose();
}

Spectrum Exponents::spectrum() const {
  const Eigen::Index all = sum.size(), half = all / 2;
  const auto count = static_cast<double>(blocks.size());
  Spectrum r{Values::Zero(all), Values::Zero(all), Values::Zero(half), Values::Zero(half)};
  r.time = count * static_cast<double>(block_length) * grid.step, r.impacts = impacts;
  const auto pairs_of = [&](const Values& x) { return Values(x.head(half) + x.tail(half).reverse()); };
  for (const Values& block : blocks) r.exponents += block / count;
  r.pairs = pairs_of(r.exponents);
  for (const Values& block : blocks) {
    r.errors += (block - r.exponents).cwiseAbs2();
    r.pair_errors += (pairs_of(block) - r.pairs).cwiseAbs2();
  }
  const double weight = count > 1 ? count * (count - 1) : std::nan("");
  r.errors = (r.errors / weight).cwiseSqrt(), r.pair_errors = (r.pair_errors / weight).cwiseSqrt();
  return r;
}

}  // namespace carom
