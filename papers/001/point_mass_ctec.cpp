// 001, III-D: one step of CTEC through an impact of a point mass, (27).
#include <fmt/format.h>

#include "measure.hpp"
#include "point_mass.hpp"

namespace carom::papers::p001 {
namespace of_point_mass_ctec {

constexpr double alpha = 0.3, H = 0.5;  // our choice: of the single steps; a flight takes 2

struct Ends {
  std::vector<double> h, formula, exact, run_h, ctec, shadow;
  double ctec_off = 0, shadow_off = 0;  // from the exact motion
  int below = 0, bounced_again = 0;     // steps where (27) is negative; of these, with more than one impact
};

Ends ends(const Lab& lab) {
  Ends r;
  for (const double h : evenly(0.02, 6, 150)) {
    r.h.push_back(h), r.formula.push_back(ctec_formula(before_impact(h, alpha, H)));
    r.exact.push_back(exact_end(h, alpha, H));
  }
  for (const double h : evenly(0.2, 6, 30)) {
    const OneStep ctec = one_step(lab, "ctec", h, alpha, H), shadow = one_step(lab, "shadow", h, alpha, H);
    const double exact = exact_end(h, alpha, H);
    r.run_h.push_back(h), r.ctec.push_back(ctec.q), r.shadow.push_back(shadow.q);
    r.ctec_off = std::fmax(r.ctec_off, std::abs(ctec.q - exact));
    r.shadow_off = std::fmax(r.shadow_off, std::abs(shadow.q - exact));
    const bool negative = ctec_formula(before_impact(h, alpha, H)) < 0;
    r.below += negative, r.bounced_again += negative && ctec.impacts > 1;
  }
  return r;
}

// The coefficient of ((1-α) h)² in the end of a step, by extrapolation to h = 0.
double second_coefficient(double (*formula)(const StepWithImpact&)) {
  const auto at = [&](double h) {
    const double tau = (1 - alpha) * h;
    return (formula(before_impact(h, alpha, H)) - tau * std::sqrt(2 * H)) / (tau * tau);
  };
  return 2 * at(5e-5) - at(1e-4);
}

Finding reproduce(const Lab& lab) {
  const std::string impacts = fmt::format("time.impacts={}", lab.pick(200, 100));
  const Recorded ctec = lab.record(point_mass, {impacts});
  const Recorded shadow = lab.record(point_mass, {"method.name=shadow", impacts});
  const auto steps = steps_with_one_impact(ctec, 0.1);
  const double off = farthest_from(ctec_formula, steps);
  const Ends e = ends(lab);
  const double own = second_coefficient(ctec_formula), of_dtec = second_coefficient(dtec_formula);
  const double energy = band(ctec.trajectory["H"]).width();
  Finding f;
  f.verdict = judge(
      {off<1e-10, std::abs(own + 0.5) < 1e-3, e.below> 0 && e.bounced_again == e.below, e.ctec_off < 1e-10});
  f.measured = fmt::format(
      "(27) agrees with {} steps of ctec to {:.1g}. In all {} single steps where it is negative, a second "
      "impact follows in the same step; all steps, up to h = 6, end within {:.1g} of the exact motion. Its "
      "term of second order is {:.4f} (1−α)²h². That does not tell it from DTEC, whose formula has {:.4f} "
      "(1−α)²h².",
      steps.size(), off, e.below, e.ctec_off, own, of_dtec);
  f.ours = fmt::format(
      "shadow ends within {:.1g} of the exact motion, too. Over {} impacts with h = 0.1 H ranges over {:.1g} "
      "with ctec and {:.1g} with shadow.",
      e.shadow_off, ctec.result.impacts, energy, band(shadow.trajectory["H"]).width());
  f.numbers = {{"formula_off", off},
               {"steps_below_floor", e.below},
               {"steps_bounced_again", e.bounced_again},
               {"ctec_off_exact", e.ctec_off},
               {"second_coefficient_ctec", own},
               {"second_coefficient_dtec", of_dtec},
               {"shadow_off_exact", e.shadow_off},
               {"band_H_ctec", energy},
               {"band_H_shadow", band(shadow.trajectory["H"]).width()}};
  Axes axes{.title = "one step that hits after 0.3 h",
            .x_label = "h",
            .y_label = "q after the step",
            .y_range = Interval{-1, 1.2},
            .series = {{"CTEC, (27)", e.h, e.formula, 1},
                       {"exact", e.h, e.exact, Series::grey, true},
                       {"ctec, carom", e.run_h, e.ctec, 2, false, true},
                       {"ours: shadow", e.run_h, e.shadow, 3, true, false}}};
  f.pictures = {{"ours", {.width = 620, .axes = {std::move(axes)}}}};
  return f;
}

}  // namespace of_point_mass_ctec

Item point_mass_ctec() {
  using namespace of_point_mass_ctec;
  return {.name = "001-point-mass-ctec",
          .place = "section III-D",
          .title = "A point mass through an impact by CTEC",
          .claim =
              "One step of CTEC through an impact is (27), whose term of order h² is that of the linear "
              "potential, so that several impacts can happen in one step.",
          .parameters = point_mass,
          .methods =
              "ctec (the paper's); ours: shadow of order 8 on svc. Single steps hit the floor after 0.3 h "
              "with H = 0.5 (our choice)",
          .reproduce = reproduce};
}

}  // namespace carom::papers::p001
