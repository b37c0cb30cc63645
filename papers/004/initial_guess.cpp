// 004, end of section 3.2: where Newton's method should look for the inconsistent multiplier.
#include <fmt/format.h>

#include "dae_start.hpp"
#include "measure.hpp"

namespace carom::papers::p004 {
namespace of_initial_guess {

// For each step but the first, which has no step before it.
double iterations(const Lab& lab, const DaeStart& start, int n, bool from_last) {
  lab.check_stop();
  DaeEuler euler = start.euler({});
  Values y = start.y, z = start.z;
  advance(euler, 1.0 / n, false, y, z);
  double sum = 0;
  for (int k = 1; k < n; ++k) {
    if (from_last) euler.Psi0 = euler.Psi1;
    sum += advance(euler, 1.0 / n, false, y, z);
  }
  return sum / (n - 1);
}

Finding reproduce(const Lab& lab) {
  Finding f;
  f.tables = {{"Newton iterations for each step",
               {"problem", "h", "Ψ0 from the last Ψ0", "Ψ0 from the last Ψ1"},
               {}}};
  Figure figure{.axes = {{.title = "(4.1)"}, {.title = "(4.2)"}}};
  Band saved[2];  // iterations for each step, by problem
  for (const Problem* problem : {&exponential, &mass_on_cubic}) {
    const std::size_t which = problem == &exponential ? 0 : 1;
    Axes& axes = figure.axes[which];
    axes.x_label = "stepsize h", axes.y_label = "Newton iterations per step", axes.log_x = true;
    axes.series = {{.label = "Ψ0 from the last Ψ0", .markers = true},
                   {.label = "Ψ0 from the last Ψ1", .markers = true}};
    const DaeStart start = problem == &exponential ? dae_exponential() : dae_mass(0.1);
    std::vector<double> savings;
    for (const int n : step_counts(2560)) {
      const double advised = iterations(lab, start, n, false), other = iterations(lab, start, n, true);
      f.tables[0].rows.push_back({std::string(problem->number), fmt::format("1/{}", n),
                                  fmt::format("{:.2f}", advised), fmt::format("{:.2f}", other)});
      savings.push_back(other - advised);
      for (Series& series : axes.series) series.x.push_back(1.0 / n);
      axes.series[0].y.push_back(advised), axes.series[1].y.push_back(other);
    }
    saved[which] = band(savings);
  }
  f.verdict = judge({saved[0].low > 0, saved[1].low > 0});
  f.measured = fmt::format(
      "Started from the last Ψ0, Newton's method saves {:.2f} to {:.2f} iterations a step on (4.1), for h "
      "from 1/10 to 1/2560, and {:.2f} to {:.2f} on (4.2), where both starts are about as good.",
      saved[0].low, saved[0].high, saved[1].low, saved[1].high);
  f.ours = "carom starts as the paper advises.";
  f.numbers = {{"least_saving_41", saved[0].low},
               {"largest_saving_41", saved[0].high},
               {"least_saving_42", saved[1].low},
               {"largest_saving_42", saved[1].high}};
  f.pictures = {{"", std::move(figure)}};
  return f;
}

}  // namespace of_initial_guess

Item initial_guess() {
  using namespace of_initial_guess;
  return {.name = "004-initial-guess",
          .place = "section 3.2, end",
          .title = "Where Newton's method starts",
          .claim =
              "For the inconsistent Ψ0 the value of Ψ0 from the step before is the better start than the "
              "last multiplier of the step before.",
          .parameters = "Both problems of section 4 (see 004-fig-4.1 and 004-fig-4.3)",
          .methods =
              "se1 with scheme true, (3.5), by Newton's method with exact derivatives (the paper has "
              "modified Newton iterations)",
          .reproduce = reproduce};
}

}  // namespace carom::papers::p004
