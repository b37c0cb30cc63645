#include "scenario/scenario.hpp"

#include <cmath>
#include <limits>

#include "scenario/scenario_text.hpp"

namespace carom {

namespace {

// What of a step counts as none, at the end of a run: times are known to their last bits only. After whole
// steps it is more.
double rounding(const TimeSpec& time) {
  constexpr double eps = std::numeric_limits<double>::epsilon();
  return 4 * eps * std::fmax(std::abs(time.start), std::abs(*time.end)) / time.step;
}
double least_part(const TimeSpec& time) { return std::fmax(1e-9, rounding(time)); }

}  // namespace

std::int64_t TimeSpec::steps() const {
  if (!end) return max_steps;
  const double count = std::floor((*end - start) / step + least_part(*this));
  return count < static_cast<double>(max_steps) ? static_cast<std::int64_t>(count) : max_steps;
}

std::optional<double> TimeSpec::short_end() const {
  if (!end || steps() == max_steps) return std::nullopt;
  const std::int64_t whole = steps();
  const double rest = (*end - start) / step - static_cast<double>(whole);
  return rest > (whole > 0 ? least_part(*this) : rounding(*this)) ? end : std::nullopt;
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
  ScenarioError error(detail::complaint(place, key, value, why));
  error.key = key, error.value = value, error.why = why;
  throw error;
}

}  // namespace carom
