// carom list: what can be named in a scenario, and what there is of the papers.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "model/model.hpp"
#include "papers.hpp"
#include "scenario/shipped.hpp"

namespace carom::cli {
namespace {

using Json = nlohmann::ordered_json;

Json systems_json() {
  Json list = Json::array();
  for (const Model& m : built_in_models()) {
    Json parameters = Json::object();
    for (const auto& p : m.parameters) {
      const Json value = p.word.empty() ? Json(p.value) : Json(p.word);
      parameters[p.name] = {{"default", value}, {"range", p.range}};
    }
    list.push_back({{"name", m.name},
                    {"summary", m.summary},
                    {"dof", m.dim},
                    {"coordinates", m.coordinates},
                    {"parameters", parameters},
                    {"contacts", m.contacts},
                    {"start", {{"q", m.start_q}, {"p", m.start_p}}}});
  }
  return list;
}

Json methods_json() {
  Json list = Json::array();
  for (const auto& m : known_methods())
    list.push_back({{"name", m.name}, {"kind", m.kind}, {"summary", m.summary}, {"built", m.built}});
  return list;
}

Json scenarios_json() {
  Json list = Json::array();
  for (const auto& name : shipped_scenarios())
    list.push_back({{"name", name}, {"title", read_scenario(locate_scenario(name)).title}});
  return list;
}

Json papers_json() {
  Json list = Json::array();
  for (const auto& paper : open_papers().papers())
    for (const auto& item : paper.items)
      list.push_back({{"name", item.name},
                      {"paper", paper.number},
                      {"item", item.place},
                      {"title", item.title},
                      {"claim", item.claim}});
  return list;
}

void print_systems() {
  std::size_t width = 0;
  for (const Model& m : built_in_models()) width = std::max(width, m.name.size());
  for (const Model& m : built_in_models()) {
    std::string parameters;
    for (const auto& p : m.parameters)
      parameters += fmt::format("{}{} = {}", parameters.empty() ? "" : ", ", p.name,
                                p.word.empty() ? fmt::format("{}", p.value) : '"' + p.word + '"');
    fmt::print("{0:<{4}}  {1}\n{2:<{4}}  {3}\n", m.name, m.summary, "", parameters, width);
  }
}

std::string several(const std::string& kind) {
  return kind.ends_with('y') ? kind.substr(0, kind.size() - 1) + "ies" : kind + "s";
}

void print_methods() {
  std::string kind;
  for (const auto& m : known_methods()) {
    if (m.kind != kind) fmt::print("{}{}:\n", kind.empty() ? "" : "\n", several(m.kind));
    kind = m.kind;
    fmt::print("  {:<18} {}{}\n", m.name, m.summary, m.built ? "" : " (not built yet)");
  }
}

void print_scenarios() {
  std::size_t width = 0;
  for (const auto& name : shipped_scenarios()) width = std::max(width, name.size());
  for (const Json& s : scenarios_json())
    fmt::print("{:<{}}  {}\n", s["name"].get<std::string>(), width, s["title"].get<std::string>());
}

void print_papers() {
  std::size_t width = 0;
  const auto all = open_papers().papers();
  for (const auto& paper : all)
    for (const auto& item : paper.items) width = std::max(width, item.name.size());
  for (const auto& paper : all) {
    fmt::print("{}{}: {}\n", paper.number == all.front().number ? "" : "\n", paper.number, paper.title);
    for (const auto& item : paper.items)
      fmt::print("  {:<{}}  {}: {}\n", item.name, width, item.place, item.title);
  }
}

// What can be listed: as JSON, and to read.
struct Listing {
  const char* what;
  Json (*json)();
  void (*print)();
};
constexpr Listing listings[] = {{"systems", systems_json, print_systems},
                                {"methods", methods_json, print_methods},
                                {"scenarios", scenarios_json, print_scenarios},
                                {"papers", papers_json, print_papers}};

}  // namespace

int list(const std::string& what, bool json) {
  for (const Listing& listing : listings) {
    if (listing.what != what) continue;
    if (json)
      fmt::print("{}\n", listing.json().dump(2));
    else
      listing.print();
  }
  return done;
}

}  // namespace carom::cli
