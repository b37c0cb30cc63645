// 001, III-E: MHC and CTEC are one for the point mass, and why.
#include <fmt/format.h>

#include "carom/system/mechanics.hpp"
#include "carom/systems/point_mass.hpp"
#include "measure.hpp"
#include "point_mass.hpp"

namespace carom::papers::p001 {
namespace of_point_mass_mhc {

// H_qq, H_qp and H_pp, largest over a few states.
struct SecondDerivatives {
  double qq = 0, qp = 0, pp = 0;
};

SecondDerivatives second_derivatives() {
  using X = Vector<double, 2>;
  const PointMass system;
  const auto energy = [&system](const auto& x) {
    using S = typename std::decay_t<decltype(x)>::Scalar;
    return hamiltonian(system, 0.0, State<S, 1>{Vector<S, 1>(x[0]), Vector<S, 1>(x[1])});
  };
  SecondDerivatives r;
  for (const X& x : {X(1.0, 0.0), X(0.0, -1.4), X(0.3, 0.8)}) {
    const auto second = hessian(energy, x).hessian;
    r.qq = std::fmax(r.qq, std::abs(second(0, 0)));
    r.qp = std::fmax(r.qp, std::abs(second(0, 1)));
    r.pp = std::fmax(r.pp, std::abs(second(1, 1)));
  }
  return r;
}

Finding reproduce(const Lab& lab) {
  const double h = 0.1;
  const std::string impacts = fmt::format("time.impacts={}", lab.pick(200, 100));
  const auto record = [&](const std::string& name) {
    return lab.record(point_mass, {"method.name=" + name, impacts});
  };
  const Recorded ctec = record("ctec"), mhc = record("mhc"), mcva = record("mcva-c"),
                 shadow = record("shadow"), dtec = record("dtec");
  const auto off = [&](const Recorded& r) {
    return farthest_from(ctec_formula, steps_with_one_impact(r, h));
  };
  std::vector<double> difference;
  for (std::size_t i = 0; i < mhc.trajectory.rows(); ++i)
    difference.push_back((mhc.trajectory["shadow_energy"][i] - mhc.trajectory["H"][i]) / (h * h));
  const Band constant = band(difference);
  const SecondDerivatives d = second_derivatives();
  Finding f;
  f.verdict = judge({off(mhc) < 1e-10, off(mcva) < 1e-10, d.qp < 1e-12, d.pp < 1e-12});
  f.measured = fmt::format(
      "Steps of mhc agree with (27) to {:.1g}, those that keep H̃ at the impact, (28), to {:.1g}. The reason "
      "given has a misprint: H_qq = {:g}, H_qp = {:g}, H_pp = {:g}, so that it is H_qq and H_qp that vanish. "
      "What is left of H̃ − H is a constant, {:.6f} h² to {:.6f} h² along the run (−1/24 = {:.6f}).",
      off(mhc), off(mcva), d.qq, d.qp, d.pp, constant.low, constant.high, -1.0 / 24);
  f.ours = fmt::format("Steps of shadow agree with (27) to {:.1g}; those of dtec are {:.1g} off.",
                       off(shadow), off(dtec));
  f.numbers = {{"mhc_off", off(mhc)},
               {"modified_energy_off", off(mcva)},
               {"shadow_off", off(shadow)},
               {"dtec_off", off(dtec)},
               {"H_qq", d.qq},
               {"H_qp", d.qp},
               {"H_pp", d.pp},
               {"modified_minus_H_low", constant.low},
               {"modified_minus_H_high", constant.high}};
  const auto curve = [](std::string label, const Recorded& r, int colour, bool dashed = false) {
    return Series{.label = std::move(label),
                  .x = r.trajectory["t"],
                  .y = r.trajectory["H"],
                  .colour = colour,
                  .dashed = dashed};
  };
  Axes axes{.x_label = "t",
            .y_label = "H",
            .series = {curve("dtec", dtec, 2), curve("ctec", ctec, 1), curve("mhc", mhc, 0, true),
                       curve("ours: shadow", shadow, 3, true)}};
  f.pictures = {{"ours", {.title = "H of a point mass", .width = 620, .axes = {std::move(axes)}}}};
  return f;
}

}  // namespace of_point_mass_mhc

Item point_mass_mhc() {
  using namespace of_point_mass_mhc;
  return {.name = "001-point-mass-mhc",
          .place = "section III-E",
          .title = "A point mass through an impact by MHC",
          .claim =
              "For the point mass (26) and (28) are equivalent, so that (27) holds for MHC as well; H_qp and "
              "H_pp vanish.",
          .parameters = point_mass,
          .methods = "mhc, and modified-energy on svc for (28) (the paper's); ours: shadow of order 8",
          .reproduce = reproduce};
}

}  // namespace carom::papers::p001
