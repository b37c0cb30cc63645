// What the items of 002 share.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lab.hpp"
#include "report/svg_plot.hpp"

namespace carom::papers::p002 {

using Settings = std::vector<std::string>;  // as of --set

// The paper's method and what stands beside it, on svc where nothing else is said.
inline const std::string vci = "method.name=vci", cva = "method.name=cva", shadow = "method.name=shadow";

std::string list_of(const std::vector<double>& values);  // [1.5, 2], as TOML

// Of equal parts of a run, in their order.
std::vector<double> means_of_parts(const std::vector<double>& values, int parts);

std::vector<double> minus(std::vector<double> values, double shift);
std::vector<double> absolute(std::vector<double> values);
std::vector<double> counted(std::size_t n);  // 1, 2, ..., n
std::vector<double> running_largest(const std::vector<double>& values);

// For pictures with a logarithmic axis of x: a hundred points in a decade.
Series thinned_by_decades(const Series& series);

// |(q, p) - (q, p)'| of two ends.
double distance(const RunResult& a, const RunResult& b);

// Largest entry of A'JA - J, where A is the derivative of the run's end in its start (q, p), from central
// differences of sixth order; `settings` come before the start.
struct SymplecticDefect {
  double defect = 0;
  double expansion = 0;   // largest entry of A
  double difference = 0;  // of A with half the spacing: how well A is known
};
SymplecticDefect symplectic_defect(const Lab& lab, std::string_view scenario, const Settings& settings,
                                   const std::vector<double>& q, const std::vector<double>& p,
                                   double spacing);

}  // namespace carom::papers::p002
