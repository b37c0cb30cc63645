// 001, III-C: one step of DTEC through an impact of a point mass, in closed form.
#include <fmt/format.h>

#include "measure.hpp"
#include "point_mass.hpp"

namespace carom::papers::p001 {
namespace of_point_mass_dtec {

constexpr double alpha = 0.3, H = 0.5;  // our choice: of the single steps; a flight takes 2

// The end of a single step over its length, by the formula, by carom's methods and exactly.
struct Ends {
  std::vector<double> h, formula, exact, run_h, dtec, shadow;
  double least = HUGE_VAL;  // of the formula
  double followed = 0;      // the longest step at which dtec of carom agrees with it
  double shadow_off = 0;
};

Ends ends(const Lab& lab) {
  Ends r;
  for (const double h : evenly(0.02, 6, 150)) {
    r.h.push_back(h), r.formula.push_back(dtec_formula(before_impact(h, alpha, H)));
    r.exact.push_back(exact_end(h, alpha, H)), r.least = std::fmin(r.least, r.formula.back());
  }
  for (const double h : evenly(0.2, 6, 30)) {
    const OneStep dtec = one_step(lab, "dtec", h, alpha, H), shadow = one_step(lab, "shadow", h, alpha, H);
    if (std::abs(dtec.q - dtec_formula(before_impact(h, alpha, H))) < 1e-10)
      r.followed = std::fmax(r.followed, h);
    r.run_h.push_back(h), r.dtec.push_back(dtec.q), r.shadow.push_back(shadow.q);
    r.shadow_off = std::fmax(r.shadow_off, std::abs(shadow.q - exact_end(h, alpha, H)));
  }
  return r;
}

// How the end of a short step grows with h, by the formula and exactly, and how the two part.
struct Orders {
  double formula, exact, apart;
};

Orders orders() {
  const auto steps = geometric(0.2, 0.5, 8);
  std::vector<double> formula, exact, apart;
  for (const double h : steps) {
    formula.push_back(dtec_formula(before_impact(h, alpha, H))), exact.push_back(exact_end(h, alpha, H));
    apart.push_back(std::abs(formula.back() - exact.back()));
  }
  return {log_slope(steps, formula), log_slope(steps, exact), log_slope(steps, apart)};
}

Figure figure(const Ends& e, const Recorded& dtec, const Recorded& shadow) {
  Axes ends{.title = "one step that hits after 0.3 h",
            .x_label = "h",
            .y_label = "q after the step",
            .y_range = Interval{-0.05, 1.1},
            .series = {{"DTEC, formula", e.h, e.formula, 1},
                       {"exact", e.h, e.exact, Series::grey, true},
                       {"dtec, carom", e.run_h, e.dtec, 2, false, true},
                       {"ours: shadow", e.run_h, e.shadow, 3, false, true}}};
  Axes energy{.title = "H over many impacts, h = 0.1",
              .x_label = "t",
              .y_label = "H",
              .series = {{"dtec", dtec.trajectory["t"], dtec.trajectory["H"], 2},
                         {"ours: shadow", shadow.trajectory["t"], shadow.trajectory["H"], 3}}};
  return {.axes = {std::move(ends), std::move(energy)}};
}

Finding reproduce(const Lab& lab) {
  const std::string impacts = fmt::format("time.impacts={}", lab.pick(200, 100));
  const Recorded dtec = lab.record(point_mass, {"method.name=dtec", impacts});
  const Recorded shadow = lab.record(point_mass, {"method.name=shadow", impacts});
  const auto steps = steps_with_one_impact(dtec, 0.1);
  const double off = farthest_from(dtec_formula, steps);
  const Ends e = ends(lab);
  const Orders order = orders();
  const bool formula = off<1e-10, linear = std::abs(order.formula - 1) < 0.05, never_negative = e.least> 0;
  const bool unlike_the_exact = order.apart < 1.5;
  Finding f;
  f.verdict = judge({formula, linear, never_negative, unlike_the_exact});
  f.measured = fmt::format(
      "The printed formula agrees with {} steps of dtec to {:.1g}. It grows as h^{:.2f}, and is never "
      "negative (at least {:.2g}). Linear growth is not contrary to the motion, though: the exact end grows "
      "as h^{:.2f}, and the two differ as h^{:.2f}, so that they have the terms of first and second order in "
      "common.",
      steps.size(), off, order.formula, e.least, order.exact, order.apart);
  f.ours = fmt::format(
      "shadow is exact here: {:.1g} off after single steps of any length, with several impacts in them. dtec "
      "of carom follows the formula up to h = {:.2g}. Beyond, a mirrored mass comes down again within the "
      "step; the discrete energy of a whole flight is 0, and the single step no longer ends where the "
      "formula says. Over {} impacts with h = 0.1 H ranges over {:.2g} with dtec, {:.1g} with shadow.",
      e.shadow_off, e.followed, dtec.result.impacts, band(dtec.trajectory["H"]).width(),
      band(shadow.trajectory["H"]).width());
  f.numbers = {{"formula_off", off},
               {"order_of_end", order.formula},
               {"order_of_exact_end", order.exact},
               {"order_of_difference", order.apart},
               {"least_end", e.least},
               {"formula_followed_up_to", e.followed},
               {"shadow_off", e.shadow_off},
               {"band_H_dtec", band(dtec.trajectory["H"]).width()},
               {"band_H_shadow", band(shadow.trajectory["H"]).width()}};
  f.pictures = {{"ours", figure(e, dtec, shadow)}};
  return f;
}

}  // namespace of_point_mass_dtec

Item point_mass_dtec() {
  using namespace of_point_mass_dtec;
  return {.name = "001-point-mass-dtec",
          .place = "section III-C",
          .title = "A point mass through an impact by DTEC",
          .claim =
              "One step of DTEC through an impact has a closed form, which grows linearly in h and never "
              "comes back to the floor, contrary to what a linear potential makes one expect.",
          .parameters = point_mass,
          .methods =
              "dtec (the paper's); ours: shadow of order 8 on svc. Single steps hit the floor after 0.3 h "
              "with H = 0.5 (our choice)",
          .reproduce = reproduce};
}

}  // namespace carom::papers::p001
