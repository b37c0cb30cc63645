// One run as the page's data has it (report/README.md, `runs`).
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "report/drawing.hpp"
#include "report/space_json.hpp"

namespace carom::detail {

using Json = nlohmann::ordered_json;

inline std::string dumped(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

struct RunPart {
  std::filesystem::path folder;
  std::string label;
  Json followed = nullptr;
};

// What the runs of a page have in common.
struct PageOfRuns {
  const Scenario& scenario;
  const Model& model;
  std::optional<Drawing> drawing;
  const SpaceView* space;  // in place of it; or null
  std::vector<std::string> quantities;  // the user's own, by name
  std::size_t points, frames;           // how many of each a run may have
};

// Adds the run's animation to what is shown.
std::string run_json(const RunPart& part, const PageOfRuns& page, Shown& shown);

}  // namespace carom::detail
