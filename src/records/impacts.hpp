// The impacts of a run: a live table while it goes on, impacts.csv when it is over.
// Tested in tests/unit/records_impacts_test.cpp.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "records/table.hpp"

namespace carom {

struct ImpactRow {
  double t = 0;
  std::int64_t step = 0;  // the step in which it happened, counted from 1
  std::string contact;    // several that closed together are joined by " + "
  std::vector<double> q, p_before, p_after;
  double impulse = 0, rate_before = 0, rate_after = 0;
  bool operator==(const ImpactRow&) const = default;
};

struct ImpactRows {
  std::vector<ImpactRow> rows;  // the first ones
  std::uint64_t total = 0;
};

// t, step, q, p_before, p_after, impulse, rate_before, rate_after, and the text `contact`.
[[nodiscard]] Layout impact_layout(std::size_t dim, std::size_t contact_width,
                                   const std::vector<std::string>& coordinates = {});

// Streams the live table `live` into the file `csv`, all or nothing: time,step,contact,x,...,p_before.x,...,
// p_after.x,...,impulse,gap_rate_before,gap_rate_after, with the names of the coordinates x, ..., or q.0, ...
// Throws FileError and RecordError, as all of these.
void export_impacts(const std::filesystem::path& live, const std::filesystem::path& csv,
                    const std::vector<std::string>& coordinates = {});

// The first `limit` impacts and how many there are, from the file or from the live table.
[[nodiscard]] ImpactRows read_impacts(const std::filesystem::path& csv, std::size_t limit);
[[nodiscard]] ImpactRows read_live_impacts(const std::filesystem::path& live, std::size_t limit);

}  // namespace carom
