// Measured places: from their file, and as what a fit costs,
//
//   Σ (q(t*) - measured)²,   q(t*) = q_i + h Σ_l β_l(c) v_l,   c = (t* - T)/h - i,   β_l(c) = ∫ ℓ_l from 0 to
//   c
//
// with the polynomials ℓ_l of the flow's velocities. T and h are unknowns where impacts are, so c is one,
// too.
#include <fmt/format.h>

#include <Eigen/LU>

#include <sstream>

#include "files/files.hpp"
#include "optimise/block_symbols.hpp"
#include "optimise/transcription.hpp"
#include "scenario/scenario_set.hpp"
#include "scenario/scenario_text.hpp"
#include "scenario/suggest.hpp"

namespace carom {
namespace {

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> r;
  std::stringstream cells(line);
  for (std::string cell; std::getline(cells, cell, ',');) {
    const auto begin = cell.find_first_not_of(" \t\r\""), end = cell.find_last_not_of(" \t\r\"");
    r.push_back(begin == std::string::npos ? "" : cell.substr(begin, end - begin + 1));
  }
  return r;
}

// NaN for an empty cell; nothing for one that is no number.
std::optional<double> number_in(const std::string& cell) {
  if (cell.empty()) return std::nan("");
  char* end = nullptr;
  const double x = std::strtod(cell.c_str(), &end);
  return *end == 0 ? std::optional(x) : std::nullopt;
}

// Coefficients of c, c², ... of β_l.
std::vector<std::vector<double>> integrals_of(const ControlRule& rule) {
  const int s = rule.velocities;
  if (s == 1) return {{1.0}};
  Eigen::MatrixXd V(s, s);
  for (int i = 0; i < s; ++i)
    for (int k = 0; k < s; ++k) V(i, k) = std::pow(rule.c[static_cast<std::size_t>(i)], k);
  const Eigen::MatrixXd inverse = V.inverse();
  std::vector<std::vector<double>> r(static_cast<std::size_t>(s));
  for (int l = 0; l < s; ++l)
    for (int k = 0; k < s; ++k) r[static_cast<std::size_t>(l)].push_back(inverse(k, l) / (k + 1));
  return r;
}

}  // namespace

MeasuredPlaces read_measured(const ControlProblem& problem, const std::string& folder,
                             const std::vector<std::string>& coordinates) {
  MeasuredPlaces r;
  if (problem.data.empty()) return r;
  const auto refuse = [&](const std::string& why) {
    problem.reject("fit.data", detail::quoted(problem.data), why);
  };
  const std::string path =
      problem.data.front() == '/' || folder.empty() ? problem.data : folder + "/" + problem.data;
  std::stringstream lines(detail::read_file(path));
  std::string line;
  std::getline(lines, line);
  r.columns = cells_of(line);
  if (r.columns.size() < 2 || r.columns[0] != "t")
    refuse("its first line must be t and coordinates, as in t,x,y");
  r.columns.erase(r.columns.begin());
  for (const std::string& name : r.columns)
    if (std::find(coordinates.begin(), coordinates.end(), name) == coordinates.end())
      refuse(fmt::format("its column \"{}\" is no coordinate{}", name, suggestion(name, coordinates)));
  for (int number = 2; std::getline(lines, line); ++number) {
    const auto cells = cells_of(line);
    if (cells.empty()) continue;
    std::vector<double> numbers;
    for (const std::string& cell : cells) {
      const auto x = number_in(cell);
      if (!x) refuse(fmt::format("line {} has \"{:.40}\", which is no number", number, cell));
      numbers.push_back(x.value_or(0));
    }
    numbers.resize(r.columns.size() + 1, std::nan(""));
    r.times.push_back(numbers[0]);
    r.values.emplace_back(numbers.begin() + 1, numbers.begin() + 1 + std::ssize(r.columns));
  }
  if (r.times.empty()) refuse("has no measurements");
  return r;
}

std::shared_ptr<const BlockKind> Transcription::make_measurement() {
  BlockSymbols s(f.names.expressions, f.names.all_inputs());
  const Term q = s.unknown();
  const Nodes v = s.unknowns(rule.velocities);
  const Term T = s.unknown(), D = s.unknown(), t = s.constant(), i = s.constant(), share = s.constant(),
             value = s.constant();
  const Term h = s.mul(D, share), c = s.sub(s.e.make(formula::Op::divide, s.sub(t, T), h), i);
  Term moved = s.zero();
  const auto integrals = integrals_of(rule);
  for (std::size_t l = 0; l < integrals.size(); ++l) {
    Term beta = s.zero();
    for (std::size_t k = integrals[l].size(); k-- > 0;)
      beta = s.mul(c, s.add(s.e.number(integrals[l][k]), beta));
    moved = s.add(moved, s.mul(beta, v[l]));
  }
  const Term off = s.sub(s.add(q, s.mul(h, moved)), value);
  return s.kind(s.mul(off, off));
}

void Transcription::add_measurements(const MeasuredPlaces& measured) {
  if (measured.times.empty()) return;
  const auto kind = make_measurement();
  for (std::size_t m = 0; m < measured.times.size(); ++m) {
    const double t = measured.times[m];
    std::size_t k = 0;
    double begin = start_time;
    while (k + 1 < phases.size() && t > begin + guess.durations[k]) begin += guess.durations[k++];
    const double N = static_cast<double>(phases[k].steps), x = (t - begin) / guess.durations[k] * N;
    if (!(x >= -1e-9 && x <= N * (1 + 1e-9)))
      problem.reject("fit.data", detail::quoted(problem.data),
                     fmt::format("t = {:.10g} is outside of the motion", t));
    const auto i = std::clamp<std::int64_t>(static_cast<std::int64_t>(x), 0, phases[k].steps - 1);
    phase_of_measurement.push_back(k);
    for (std::size_t column = 0; column < measured.columns.size(); ++column) {
      const double value = measured.values[m][column];
      if (std::isnan(value)) continue;
      const auto& names = f.names.coordinates();
      const auto at = static_cast<std::size_t>(
          std::find(names.begin(), names.end(), measured.columns[column]) - names.begin());
      std::vector<int> all = {phases[k].q[static_cast<std::size_t>(i)][at]};
      for (int l = 0; l < rule.velocities; ++l)
        all.push_back(phases[k].v[static_cast<std::size_t>(i)][static_cast<std::size_t>(l * f.n) + at]);
      all.push_back(phases[k].begin), all.push_back(phases[k].duration);
      program.add_block(kind, all, {t, static_cast<double>(i), 1 / N, value}, {}, {}, {});
    }
  }
}

std::string Transcription::misplaced(const MeasuredPlaces& measured, const std::vector<double>& x) const {
  for (std::size_t m = 0; m < measured.times.size(); ++m) {
    const ControlPhase& phase = phases[phase_of_measurement[m]];
    const double begin = x[static_cast<std::size_t>(phase.begin)],
                 length = x[static_cast<std::size_t>(phase.duration)];
    if (measured.times[m] < begin - 1e-9 * length || measured.times[m] > begin + (1 + 1e-9) * length)
      return fmt::format(
          "the measurement at t = {:.10g} comes to one side of an impact and to the other in turn",
          measured.times[m]);
  }
  return "";
}

}  // namespace carom
