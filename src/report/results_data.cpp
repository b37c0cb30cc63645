#include "report/results_data.hpp"

#include <fmt/format.h>

#include <fstream>

#include "report/base64.hpp"

namespace carom::detail {
namespace fs = std::filesystem;

namespace {

using Results = nlohmann::ordered_json;

std::string number_in_results(const Results& x) {
  return x.is_number() ? fmt::format("{:.10g}", x.get<double>()) : "-";
}

Results table_of_results(const std::string& caption, Results columns, Results rows) {
  return {{"caption", caption}, {"columns", std::move(columns)}, {"rows", std::move(rows)}};
}

Results tables_of_sensitivity(const Results& r) {
  Results columns = {"", "value"}, rows = Results::array(), impacts = Results::array();
  for (const auto& name : r["columns"]) columns.push_back("by " + name.get<std::string>());
  for (std::size_t i = 0; i < r["rows"].size(); ++i) {
    Results row = {r["rows"][i], number_in_results(r["values"][i])};
    for (const auto& slope : r["slopes"][i]) row.push_back(number_in_results(slope));
    rows.push_back(row);
  }
  for (const auto& impact : r["impacts"])
    impacts.push_back({impact["contact"], number_in_results(impact["t"]),
                       number_in_results(impact["rate_before"]), impact["energy"]});
  Results tables = Results::array();
  tables.push_back(table_of_results("Derivatives", columns, rows));
  if (!impacts.empty())
    tables.push_back(table_of_results("The sequence of impacts that they hold for",
                                      {"contact", "t", "gap rate before", "kept energy"}, impacts));
  Results changes = Results::array();
  for (const auto& change : r.value("changes", Results::array()))
    changes.push_back({change["contact"], number_in_results(change["t"]), change["change"]});
  if (!changes.empty())
    tables.push_back(table_of_results("Contacts that last", {"contact", "t", ""}, changes));
  return tables;
}

std::string multipliers_in_results(const Results& orbit) {
  std::string r;
  for (const auto& m : orbit["multipliers"]) {
    const double re = m[0], im = m[1];
    r += (r.empty() ? "" : ", ") +
         (im == 0 ? fmt::format("{:.6g}", re) : fmt::format("{:.6g}{:+.6g}i", re, im));
  }
  return r;
}

Results tables_of_orbits(const Results& r) {
  const bool branch = r.contains("parameter");
  const std::string parameter = branch ? r["parameter"].get<std::string>() : "period";
  const auto row_of = [&](const std::string& name, const Results& orbit) {
    return Results{name,
                   number_in_results(orbit[parameter]),
                   multipliers_in_results(orbit),
                   orbit["stable"].get<bool>() ? "stable" : "unstable",
                   std::to_string(orbit["impacts"].size()),
                   number_in_results(orbit["slowest_approach"])};
  };
  Results rows = Results::array();
  for (const auto& event : r["events"]) rows.push_back(row_of(event["kind"], event["at"]));
  for (std::size_t i = 0; i < r["orbits"].size(); ++i)
    rows.push_back(row_of(fmt::format("orbit {}", i + 1), r["orbits"][i]));
  Results tables = Results::array();
  tables.push_back(table_of_results(
      branch ? "The branch, where something happens to it and orbit by orbit" : "The periodic orbit",
      {"", parameter, "multipliers", "", "impacts", "slowest approach"}, rows));
  return tables;
}

Results tables_of_exponents(const Results& r) {
  Results rows = Results::array(), pairs = Results::array();
  for (std::size_t i = 0; i < r["exponents"].size(); ++i)
    rows.push_back(
        {std::to_string(i + 1), number_in_results(r["exponents"][i]), number_in_results(r["errors"][i])});
  for (std::size_t i = 0; i < r["pairs"].size(); ++i)
    pairs.push_back({fmt::format("{} and {}", i + 1, r["exponents"].size() - i),
                     number_in_results(r["pairs"][i]), number_in_results(r["pair_errors"][i])});
  return {table_of_results("Lyapunov exponents", {"", "value", "standard error"}, rows),
          table_of_results("Sums of pairs, zero where the map is symplectic", {"", "value", "standard error"},
                           pairs)};
}

Results tables_of_sections(const Results& r) {
  constexpr std::size_t most = 1000;  // section.json has them all
  Results columns = {"", "t"}, rows = Results::array();
  for (const auto& name : r["coordinates"]) columns.push_back(name);
  for (const auto& name : r["coordinates"]) columns.push_back(name.get<std::string>() + "'");
  for (std::size_t i = 0; i < std::min(most, r["points"].size()); ++i) {
    const auto& at = r["points"][i];
    Results row = {std::to_string(i + 1), number_in_results(at["t"])};
    for (const char* key : {"q", "v"})
      for (const auto& x : at[key]) row.push_back(number_in_results(x));
    rows.push_back(row);
  }
  return Results::array({table_of_results(
      fmt::format("Where {} = 0: {} points", r["formula"].get<std::string>(), r["points"].size()), columns,
      rows)});
}

Results picture_in(const fs::path& folder) {
  for (const char* name : {"branch.svg", "section.svg"}) {
    std::ifstream file(folder / name);
    if (file) return base64(std::string{std::istreambuf_iterator<char>(file), {}});
  }
  return nullptr;
}

}  // namespace

std::string kind_of_results(const fs::path& folder) {
  for (const char* kind : {"sensitivity", "orbit", "section", "lyapunov"})
    if (fs::exists(folder / (std::string(kind) + ".json"))) return kind;
  return "";
}

Results results_json(const fs::path& folder, const Results& r) {
  const std::string kind = kind_of_results(folder);
  Results out = {{"sentence", ""}, {"tables", Results::array()}, {"picture", picture_in(folder)}};
  if (!r.is_object()) return out;
  if (r.contains("reason") && r["reason"].is_string()) out["sentence"] = r["reason"];
  if (kind == "sensitivity" && !r["slopes"].empty()) out["tables"] = tables_of_sensitivity(r);
  if (kind == "orbit") out["tables"] = tables_of_orbits(r), out["sentence"] = r.value("ended", "");
  if (kind == "section") out["tables"] = tables_of_sections(r);
  if (kind == "lyapunov") out["tables"] = tables_of_exponents(r);
  return out;
}

}  // namespace carom::detail
