#include "scenario/scenario.hpp"

#include <cmath>

#include "scenario/scenario_text.hpp"

namespace carom {

std::int64_t TimeSpec::steps() const {
  if (!end) return max_steps;
  const double count = std::floor((*end - start) / step + 1e-9);
  return count < static_cast<double>(max_steps) ? static_cast<std::int64_t>(count) : max_steps;
}

void Scenario::reject(const std::string& key, const std::string& value, const std::string& why) const {
  std::string place = source.file.empty() ? "scenario" : source.file;
  for (std::string known = key; !known.empty();) {
    const auto found = source.places.find(known);
    if (found != source.places.end()) {
      place = found->second;
      break;
    }
    const std::size_t dot = known.rfind('.');
    known.resize(dot == std::string::npos ? 0 : dot);
  }
  throw ScenarioError(detail::complaint(place, key, value, why));
}

}  // namespace carom
