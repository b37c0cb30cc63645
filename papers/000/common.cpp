#include "common.hpp"

#include <fmt/format.h>

#include "measure.hpp"

namespace carom::papers::p000 {
namespace {

Set named(const char* name) { return {fmt::format("method.name={}", name)}; }

Recorded completed(const Lab& lab, const Set& set) {
  Recorded r = lab.record(cart_pendulum, set);
  if (r.result.status != "completed") throw std::runtime_error(r.result.reason);
  return r;
}

}  // namespace

Set operator+(Set a, const Set& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Set cva() { return named("cva"); }
Set vci() { return named("vci"); }
Set mcva_a() { return named("mcva-a"); }
Set mcva_c() { return named("mcva-c"); }

Set cva_on(const std::string& flow) {
  return {"method={flow = \"" + flow + "\", impact = \"continuous-energy\"}"};
}
Set shadow(const std::string& flow) {
  return {"method={flow = \"" + flow + "\", impact = \"shadow\", order = 8}"};
}
Set shadow_8() { return {"method={flow = \"kahan-li8\", base = \"sva\", impact = \"shadow\", order = 12}"}; }
Set gauss_to(double tolerance) {
  return {fmt::format("method={{flow = \"gauss\", tolerance = {}}}", tolerance)};
}

Set start(double beta) {
  return {fmt::format("initial.q=[{}, 0.0]", beta), fmt::format("initial.v=[0.0, {}]", 3.5 - 0.18 * beta)};
}
Set step(double h) { return {fmt::format("time.step={}", h)}; }

Family family(const Lab& lab, int count, double h) {
  Family r{evenly(3.2, 5.2, count), h, {}};
  for (const double beta : r.betas) {
    const Set gauss = {"method={flow = \"gauss\", stages = 8, impact = \"continuous-energy\"}"};
    r.exact.push_back(completed(lab, start(beta) + step(h) + gauss).trajectory);
  }
  return r;
}

std::vector<double> errors(const Lab& lab, const Family& family, const Set& method) {
  std::vector<double> r;
  for (std::size_t i = 0; i < family.betas.size(); ++i) {
    const Columns own = completed(lab, start(family.betas[i]) + step(family.h) + method).trajectory;
    const Columns& exact = family.exact[i];
    double sum = 0;
    for (const char* q : {"q1", "q2"})
      for (std::size_t n = 0; n < own.rows(); ++n) sum += std::pow(own[q][n] - exact[q][n], 2);
    r.push_back(std::sqrt(family.h * sum));
  }
  return r;
}

std::vector<double> ratios(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> r;
  for (std::size_t i = 0; i < a.size(); ++i) r.push_back(a[i] / b[i]);
  return r;
}

}  // namespace carom::papers::p000
