#include "run/orbit_json.hpp"

#include <nlohmann/json.hpp>

namespace carom {
namespace {

using Json = nlohmann::ordered_json;

std::vector<double> listed_numbers(const Values& x) { return {x.begin(), x.end()}; }
Json finite(double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); }
std::string written_json(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json json_of(const Orbit& o, const std::string& parameter) {
  Json multipliers = Json::array();
  for (const auto& m : o.multipliers) multipliers.push_back({m.real(), m.imag()});
  Json r = {{"q", listed_numbers(o.z.q)}, {"p", listed_numbers(o.z.p)}, {"period", o.period}};
  if (!parameter.empty()) r[parameter] = o.parameter;
  r["residual"] = o.residual, r["iterations"] = o.iterations;
  r["multipliers"] = multipliers, r["determinant"] = o.determinant, r["stable"] = o.stable();
  r["impacts"] = o.impacts, r["slowest_approach"] = finite(o.slowest), r["closest_pass"] = finite(o.closest);
  return r;
}

}  // namespace

std::string orbit_json(const Branch& branch, const std::string& parameter, const std::string& command,
                       const std::vector<Settled>& settled) {
  Json orbits = Json::array(), events = Json::array();
  for (const Orbit& o : branch.orbits) orbits.push_back(json_of(o, parameter));
  for (const BranchEvent& e : branch.events)
    events.push_back({{"kind", e.kind}, {"at", json_of(e.at, parameter)}});
  Json r = {{"schema_version", 1}, {"command", command}, {"orbits", orbits}, {"events", events}};
  if (!parameter.empty()) r["parameter"] = parameter, r["ended"] = branch.ended;
  for (const Settled& here : settled) {
    Json points = Json::array();
    for (const Phase& z : here.points)
      points.push_back({{"q", listed_numbers(z.q)}, {"p", listed_numbers(z.p)}});
    r["settled"].push_back({{parameter, here.parameter},
                            {"points", points},
                            {"failed", here.failed.empty() ? Json(nullptr) : Json(here.failed)}});
  }
  return written_json(r);
}

std::string section_json(const Section& section, const std::string& formula, const std::string& command) {
  Json points = Json::array();
  for (const SectionPoint& at : section.points)
    points.push_back({{"t", at.t},
                      {"q", listed_numbers(at.z.q)},
                      {"v", listed_numbers(at.v)},
                      {"p", listed_numbers(at.z.p)},
                      {"rising", at.rising}});
  return written_json({{"schema_version", 1},
                       {"command", command},
                       {"status", section.failure ? "failed" : "completed"},
                       {"reason", section.failure ? Json(*section.failure) : Json(nullptr)},
                       {"formula", formula},
                       {"coordinates", section.coordinates},
                       {"points", points}});
}

std::string spectrum_json(const SpectrumRun& run, const std::string& command) {
  const Spectrum& s = run.spectrum;
  return written_json({{"schema_version", 1},
                       {"command", command},
                       {"status", run.status},
                       {"reason", run.reason.empty() ? Json(nullptr) : Json(run.reason)},
                       {"time", s.time},
                       {"impacts", s.impacts},
                       {"exponents", listed_numbers(s.exponents)},
                       {"errors", listed_numbers(s.errors)},
                       {"pairs", listed_numbers(s.pairs)},
                       {"pair_errors", listed_numbers(s.pair_errors)},
                       {"slowest_approach", finite(run.slowest)}});
}

}  // namespace carom
