#include "sweep/fields.hpp"

#include <fmt/format.h>

#include <cmath>
#include <tuple>

namespace carom {
namespace {

using Result = const RunResult&;

double or_nan(const std::optional<double>& x) { return x.value_or(std::nan("")); }

// A member may have fewer coordinates than the first one.
double element(const std::vector<double>& x, std::size_t i) { return i < x.size() ? x[i] : std::nan(""); }

double of_shadow(Result r, double Constancy::*member) {
  return r.shadow ? r.shadow->energy.*member : std::nan("");
}

double of_momentum(Result r, std::size_t i, double Constancy::*member) {
  return i < r.momenta.size() ? r.momenta[i].*member : std::nan("");
}

void add_energy(std::vector<RunField>& list) {
  list.push_back({"energy.initial", [](Result r) { return r.energy.initial; }});
  list.push_back({"energy.final", [](Result r) { return r.energy.final; }});
  list.push_back({"energy.max_abs_error", [](Result r) { return r.energy.max_abs_error; }});
  list.push_back({"energy.drift_per_time", [](Result r) { return r.drift_per_time; }});
  list.push_back({"energy.work", [](Result r) { return r.work; }});
  list.push_back({"energy.friction", [](Result r) { return r.friction; }});
  list.push_back({"energy.loss", [](Result r) { return r.loss; }});
  list.push_back({"energy.remainder", [](Result r) { return r.remainder; }});
  list.push_back({"shadow_energy.initial", [](Result r) { return of_shadow(r, &Constancy::initial); }, true});
  list.push_back({"shadow_energy.max_abs_error",
                  [](Result r) { return of_shadow(r, &Constancy::max_abs_error); }, true});
}

void add_quantity(std::vector<RunField>& list, const std::string& name) {
  for (const auto& [word, member] :
       {std::pair{"initial", &QuantityRange::initial}, std::pair{"final", &QuantityRange::final},
        std::pair{"min", &QuantityRange::min}, std::pair{"max", &QuantityRange::max}})
    list.push_back({fmt::format("quantities.{}.{}", name, word), [name, member = member](Result r) {
                      for (const QuantityRange& x : r.quantities)
                        if (x.name == name) return x.*member;
                      return std::nan("");
                    }});
}

void add_rest(std::vector<RunField>& list) {
  list.push_back({"gap.min", [](Result r) { return or_nan(r.smallest_gap); }});
  list.push_back({"joints.max_abs", [](Result r) { return or_nan(r.largest_joint); }});
  list.push_back({"contacts.begun", [](Result r) { return static_cast<double>(r.contacts.begun); }});
  list.push_back({"contacts.released", [](Result r) { return static_cast<double>(r.contacts.released); }});
  list.push_back({"contacts.rest", [](Result r) { return or_nan(r.contacts.rest); }});
  list.push_back({"warnings.count", [](Result r) { return static_cast<double>(r.warnings.size()); }, true});
  list.push_back(
      {"cost.newton_iterations", [](Result r) { return static_cast<double>(r.newton_iterations); }});
  list.push_back({"cost.impact_solves", [](Result r) { return static_cast<double>(r.impact_solves); }});
  list.push_back({"cost.fallbacks", [](Result r) { return static_cast<double>(r.fallbacks); }});
}

}  // namespace

std::vector<RunField> run_fields(const RunShape& shape) {
  std::vector<RunField> list;
  list.push_back({"final.t", [](Result r) { return r.t; }});
  for (const auto& [letter, word, member] :
       {std::tuple{"q", "coordinates", &RunResult::q}, std::tuple{"v", "velocities", &RunResult::v},
        std::tuple{"p", "momenta", &RunResult::p}})
    for (std::size_t i = 0; i < shape.coordinates.size(); ++i) {
      const auto value = [i, member = member](Result r) { return element(r.*member, i); };
      list.push_back({fmt::format("final.{}.{}", letter, i), value});
      list.push_back({fmt::format("final.{}.{}", word, shape.coordinates[i]), value});
    }
  list.push_back({"time.steps", [](Result r) { return static_cast<double>(r.steps); }});
  list.push_back({"impacts.count", [](Result r) { return static_cast<double>(r.impacts); }});
  list.push_back({"impacts.last", [](Result r) { return r.last_impact; }});
  add_energy(list);
  for (std::size_t i = 0; i < shape.momenta; ++i)
    for (const auto& [name, member] :
         {std::pair{"initial", &Constancy::initial}, std::pair{"max_abs_error", &Constancy::max_abs_error}})
      list.push_back({fmt::format("momenta.{}.{}", i, name),
                      [i, member = member](Result r) { return of_momentum(r, i, member); }});
  for (const std::string& name : shape.quantities) add_quantity(list, name);
  add_rest(list);
  return list;
}

}  // namespace carom
