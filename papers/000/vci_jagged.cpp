// 000, 5.2: the error of VCI over the starts is jagged, because the lengths of its partial steps are.
#include <fmt/format.h>

#include "common.hpp"
#include "measure.hpp"

namespace carom::papers::p000 {
namespace of_vci_jagged {

// How far the logarithm of the error is from that of its neighbours' mean: the mean of |second difference|.
double jaggedness(const std::vector<double>& error) {
  double sum = 0;
  for (std::size_t i = 1; i + 1 < error.size(); ++i)
    sum += std::abs(std::log10(error[i - 1]) - 2 * std::log10(error[i]) + std::log10(error[i + 1]));
  return sum / static_cast<double>(error.size() - 2);
}

double total_variation(const std::vector<double>& error) {
  double sum = 0;
  for (std::size_t i = 1; i < error.size(); ++i) sum += std::abs(std::log10(error[i] / error[i - 1]));
  return sum;
}

// Where in its step the first impact of a start happens, 0 to 1.
double first_fraction(const Lab& lab, double beta, double h) {
  const double t = lab.record(cart_pendulum, start(beta) + step(h) + vci()).impacts["t"].front();
  return t / h - std::floor(t / h);
}

// How much the error jumps from one start to the next beyond what the smooth cva does, apart for neighbours
// whose first partial steps differ by more than half a step, and for the others.
struct Jumps {
  std::vector<double> uneven, even;
  double largest = 0;
};
Jumps jumps(const Lab& lab, const Family& starts, const std::vector<double>& vci,
            const std::vector<double>& cva) {
  Jumps r;
  double last = first_fraction(lab, starts.betas[0], starts.h);
  for (std::size_t i = 1; i < starts.betas.size(); ++i) {
    const double now = first_fraction(lab, starts.betas[i], starts.h);
    const double jump = std::abs(std::log10(vci[i] / vci[i - 1]) - std::log10(cva[i] / cva[i - 1]));
    (std::abs(now - last) > 0.5 ? r.uneven : r.even).push_back(jump);
    r.largest = std::fmax(r.largest, jump);
    last = now;
  }
  return r;
}

struct At {
  std::vector<double> betas, cva, vci, mcva_a, shadow;
  Jumps jumps;
};
At measure_at(const Lab& lab, double h) {
  const Family starts = family(lab, 51, h);
  At r{starts.betas,
       errors(lab, starts, cva()),
       errors(lab, starts, vci()),
       errors(lab, starts, mcva_a()),
       errors(lab, starts, shadow("svc")),
       {}};
  r.jumps = jumps(lab, starts, r.vci, r.cva);
  return r;
}

Axes axes_of(const char* title, const At& at) {
  return {.title = title,
          .x_label = "β",
          .y_label = "L² error of q",
          .log_y = true,
          .series = {{.label = "cva (svc)", .x = at.betas, .y = at.cva, .colour = 0},
                     {.label = "vci (svc)", .x = at.betas, .y = at.vci, .colour = 1},
                     {.label = "mcva-a (sva)", .x = at.betas, .y = at.mcva_a, .colour = 2},
                     {.label = "ours: shadow (svc)", .x = at.betas, .y = at.shadow, .colour = 3}}};
}

Finding reproduce(const Lab& lab) {
  const At large = measure_at(lab, 0.032), small = measure_at(lab, 0.01);
  const double vci_large = jaggedness(large.vci), cva_large = jaggedness(large.cva),
               vci_small = jaggedness(small.vci), cva_small = jaggedness(small.cva);
  const double uneven = median(large.jumps.uneven), even = median(large.jumps.even);
  Finding f;
  f.verdict = judge({vci_large > 3 * cva_large && vci_small > 3 * cva_small,
                     large.jumps.largest > small.jumps.largest && vci_large > vci_small, uneven > 2 * even});
  f.measured = fmt::format(
      "Mean |second difference| of log10 error over 51 values of β: vci {:.3g}, cva {:.3g}, mcva-a {:.3g} at "
      "h = 0.032, and {:.3g}, {:.3g}, {:.3g} at h = 0.01; total variation vci {:.3g}, cva {:.3g} and vci "
      "{:.3g}, cva {:.3g}. The largest jump of vci beyond cva's from one start to the next is {:.2g} in "
      "log10 at h = 0.032 and {:.2g} at 0.01, so that by jumps and by means the larger step is {} the more "
      "jagged one. At h = 0.032 it jumps by {:.2g} (median of {}) where the place of the first impact in its "
      "step changes by more than half a step, and by {:.2g} elsewhere.",
      vci_large, cva_large, jaggedness(large.mcva_a), vci_small, cva_small, jaggedness(small.mcva_a),
      total_variation(large.vci), total_variation(large.cva), total_variation(small.vci),
      total_variation(small.cva), large.jumps.largest, small.jumps.largest,
      large.jumps.largest > small.jumps.largest && vci_large > vci_small ? "in both ways"
                                                                         : "not in both ways",
      uneven, large.jumps.uneven.size(), even);
  f.ours = fmt::format("shadow on svc: {:.3g} at h = 0.032 and {:.3g} at h = 0.01.", jaggedness(large.shadow),
                       jaggedness(small.shadow));
  f.numbers = {{"vci_h032", vci_large},
               {"cva_h032", cva_large},
               {"vci_h01", vci_small},
               {"cva_h01", cva_small},
               {"variation_vci_h032", total_variation(large.vci)},
               {"variation_cva_h032", total_variation(large.cva)},
               {"largest_jump_h032", large.jumps.largest},
               {"largest_jump_h01", small.jumps.largest},
               {"jump_uneven", uneven},
               {"jump_even", even},
               {"shadow_h032", jaggedness(large.shadow)}};
  f.pictures = {{"", {.width = 960, .axes = {axes_of("h = 0.032", large), axes_of("h = 0.01", small)}}}};
  return f;
}

}  // namespace of_vci_jagged

Item vci_jagged() {
  using namespace of_vci_jagged;
  return {.name = "000-vci-jagged",
          .place = "section 5.2",
          .title = "The error of VCI over the starts is jagged",
          .claim =
              "The error of VCI over the starts is jagged, especially at the larger step, where successive "
              "starts have short and long partial steps before an impact.",
          .parameters = cart_pendulum,
          .methods = "vci, beside cva and mcva-a (the paper's); shadow on svc (ours)",
          .reproduce = reproduce};
}

}  // namespace carom::papers::p000
