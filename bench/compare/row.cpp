#include "compare/row.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace carom::bench {

std::optional<double> Row::ratio() const {
  if (!carom || !peer || !(carom->seconds > 0) || !(peer->seconds > 0)) return std::nullopt;
  return carom->seconds / peer->seconds;
}

bool Row::meets_target() const {
  if (!skipped.empty() || !carom || !target.holds) return false;
  if (target.ratio && !(ratio() && *ratio() <= *target.ratio)) return false;
  return !target.error || (carom->error && *carom->error <= *target.error);
}

namespace {

std::string time_text(double seconds) {
  if (seconds < 1e-6) return fmt::format("{:.3g} ns", 1e9 * seconds);
  if (seconds < 1e-3) return fmt::format("{:.3g} us", 1e6 * seconds);
  if (seconds < 1) return fmt::format("{:.3g} ms", 1e3 * seconds);
  return fmt::format("{:.3g} s", seconds);
}

std::string side_text(const Row& row, const Side& side) {
  std::string text = fmt::format("{}, {}", side.name, side.settings);
  if (side.seconds > 0) text += fmt::format(": {} per {}", time_text(side.seconds), row.per);
  if (side.error) text += fmt::format("; {} {:.1e}", row.error, *side.error);
  if (!side.remark.empty()) text += "; " + side.remark;
  return text;
}

nlohmann::ordered_json number(std::optional<double> x) {
  if (x && std::isfinite(*x)) return *x;
  return nullptr;
}

nlohmann::ordered_json side_json(const std::optional<Side>& side) {
  if (!side) return nullptr;
  return {{"name", side->name},
          {"settings", side->settings},
          {"seconds", side->seconds > 0 ? number(side->seconds) : nullptr},
          {"error", number(side->error)},
          {"remark", side->remark}};
}

}  // namespace

void write_table(std::ostream& out, std::span<const Row> rows) {
  int met = 0, shown = 0;
  for (const Row& row : rows) {
    fmt::print(out, "{}\n", row.problem);
    if (row.carom) fmt::print(out, "    {}\n", side_text(row, *row.carom));
    if (row.peer) fmt::print(out, "    {}\n", side_text(row, *row.peer));
    if (!row.skipped.empty()) {
      fmt::print(out, "    skipped: {}\n", row.skipped);
      continue;
    }
    const auto ratio = row.ratio();
    fmt::print(out, "    {}{}: {}\n", ratio ? fmt::format("ratio {:.3g}; ", *ratio) : "", row.target.text,
               row.meets_target() ? "met" : "MISSED");
    ++shown, met += row.meets_target();
  }
  fmt::print(out, "\n{} of {} targets met", met, shown);
  const auto skipped = static_cast<int>(rows.size()) - shown;
  fmt::print(out, "{}\n", skipped > 0 ? fmt::format(", {} skipped", skipped) : "");
}

void write_json(std::ostream& out, std::span<const Row> rows) {
  auto list = nlohmann::ordered_json::array();
  for (const Row& row : rows) {
    nlohmann::ordered_json item{{"problem", row.problem},
                                {"carom", side_json(row.carom)},
                                {"peer", side_json(row.peer)},
                                {"seconds_per", row.per},
                                {"error_of", row.error},
                                {"ratio", number(row.ratio())},
                                {"target", row.target.text},
                                {"largest_ratio", number(row.target.ratio)},
                                {"largest_error", number(row.target.error)},
                                {"meets_target", row.meets_target()}};
    if (!row.skipped.empty()) item["skipped"] = row.skipped;
    list.push_back(std::move(item));
  }
  out << list.dump(1) << '\n';
}

}  // namespace carom::bench
