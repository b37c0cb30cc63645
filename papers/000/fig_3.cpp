// 000, Fig. 3: three energies along runs of MCVAA and MCVAC: H, the discrete energy, and the truncated
// modified Hamiltonian.
#include <fmt/format.h>

#include "common.hpp"
#include "maps.hpp"
#include "measure.hpp"

namespace carom::papers::p000 {
namespace of_fig_3 {

constexpr double h = 0.01;
constexpr std::string_view scenario = R"([system]
name = "cart-pendulum"
parameters = {m1 = 1.0, m2 = 0.2, L = 2.0, g = 10.0}

[initial]
q = [3.2, 0.0]    # (β, 0), β = 3.2
v = [0.0, 2.924]  # (0, 3.5 - 0.18 β)

[method]
name = "mcva-a"   # and "mcva-c"

[time]
step = 0.01
end = 5.0
)";

// Of one run, at the grid points: energies in mJ above H(0).
struct Energies {
  std::vector<double> t, H, discrete, modified, impacts;
};

template <class Modified>
Energies energies(const Recorded& run, const Modified& modified_at) {
  const Columns& rows = run.trajectory;
  Energies r{rows["t"], rows["H"], rows["discrete_energy"], {}, run.impacts["t"]};
  for (std::size_t n = 0; n < rows.rows(); ++n)
    r.modified.push_back(modified_at({rows["q1"][n], rows["q2"][n], rows["p1"][n], rows["p2"][n]}));
  // A step with an impact in it has no discrete energy of its own.
  for (const double n : run.impacts["step"]) r.discrete[static_cast<std::size_t>(n)] = std::nan("");
  const double start = r.H.front();
  for (auto* energy : {&r.H, &r.discrete, &r.modified})
    for (double& E : *energy) E = 1000 * (E - start);
  return r;
}

// One vertical dashed line for each impact, as one curve with gaps.
Series impact_lines(const Energies& e, double low, double high) {
  Series r{.label = "impacts", .colour = Series::grey, .dashed = true};
  for (const double t : e.impacts) {
    r.x.insert(r.x.end(), {t, t, std::nan("")});
    r.y.insert(r.y.end(), {low, high, std::nan("")});
  }
  return r;
}

Axes axes_of(const char* title, const char* modified, const Energies& e) {
  return {.title = title,
          .x_label = "t in s",
          .y_label = "energy − H(0) in mJ",
          .y_range = Interval{-17, 4},
          .series = {{.label = "H", .x = e.t, .y = e.H},
                     {.label = "−D3 L_d", .x = e.t, .y = e.discrete},
                     {.label = modified, .x = e.t, .y = e.modified},
                     impact_lines(e, -17, 4)}};
}

bool best_is_modified(const Energies& e) {
  const double own = band(e.modified).width();
  return own < 0.5 * band(e.H).width() && own < 0.5 * band(e.discrete).width();
}

std::string widths(const Energies& e) {
  return fmt::format("{:.2g}, {:.2g} and {:.2g} mJ", band(e.H).width(), band(e.discrete).width(),
                     band(e.modified).width());
}

Finding reproduce(const Lab& lab) {
  const auto of_sva = [](const Point& z) { return closed_form_of_sva(h, z); };
  const auto of_svc = [](const Point& z) { return series_of_svc(3, h, z); };
  const Energies a = energies(lab.record(scenario, mcva_a()), of_sva),
                 c = energies(lab.record(scenario, mcva_c()), of_svc);
  const Energies own_a =
      energies(lab.record(scenario, shadow("sva")), [](const Point& z) { return shadow_of_sva(h, z); });
  const Energies own_c =
      energies(lab.record(scenario, shadow("svc")), [](const Point& z) { return shadow_of_svc(h, z); });
  Finding f;
  f.verdict =
      judge({a.impacts.size() == 3 && c.impacts.size() == 3, best_is_modified(a), best_is_modified(c)});
  f.measured = fmt::format(
      "Impacts: {} and {}. H, −D3 L_d and the truncated modified Hamiltonian range over {} with mcva-a, over "
      "{} with mcva-c (of {:.2f} J).",
      a.impacts.size(), c.impacts.size(), widths(a), widths(c),
      lab.record(scenario, mcva_a()).trajectory["H"].front());
  f.ours = fmt::format("With shadow, H, −D3 L_d and the shadow energy range over {} on sva, over {} on svc.",
                       widths(own_a), widths(own_c));
  f.numbers = {{"band_H_mcva_a", band(a.H).width()},
               {"band_discrete_mcva_a", band(a.discrete).width()},
               {"band_modified_mcva_a", band(a.modified).width()},
               {"band_H_mcva_c", band(c.H).width()},
               {"band_discrete_mcva_c", band(c.discrete).width()},
               {"band_modified_mcva_c", band(c.modified).width()},
               {"band_shadow_sva", band(own_a.modified).width()},
               {"band_shadow_svc", band(own_c.modified).width()}};
  f.pictures = {
      {"",
       {.width = 960, .axes = {axes_of("MCVAA", "H̃ to order 4", a), axes_of("MCVAC", "H̃ to order 3", c)}}},
      {"ours",
       {.title = "Three energies with the shadow law",
        .width = 960,
        .axes = {axes_of("ours: shadow on sva", "shadow energy", own_a),
                 axes_of("ours: shadow on svc", "shadow energy", own_c)}}}};
  return f;
}

}  // namespace of_fig_3

Item fig_3() {
  using namespace of_fig_3;
  return {.name = "000-fig-3",
          .place = "Fig. 3",
          .title = "Three energies along MCVAA and MCVAC",
          .claim =
              "From β = 3.2 with h = 0.01, over three impacts, MCVAA and MCVAC both conserve the truncated "
              "modified Hamiltonian best, while H and the discrete energy vary.",
          .parameters = scenario,
          .methods = "mcva-a on sva, mcva-c on svc (the paper's); shadow of order 8 on sva and svc (ours)",
          .reproduce = reproduce};
}

}  // namespace carom::papers::p000
