// Reads a JSON file; null where there is none. For sources that use the JSON library anyway.
#pragma once

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "records/table.hpp"

namespace carom {

inline nlohmann::ordered_json read_json(const std::filesystem::path& path) {
  std::ifstream file(path);
  if (!file) return nullptr;
  nlohmann::ordered_json json = nlohmann::ordered_json::parse(file, nullptr, false);
  if (json.is_discarded()) throw RecordError(path, "is not JSON");
  return json;
}

}  // namespace carom
