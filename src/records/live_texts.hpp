// Live tables whose rows are numbers and one text, read block by block: impacts and changes of contacts.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "records/live_table.hpp"

namespace carom::detail {

// Also what keeps the conversion of step to an integer defined.
inline bool is_step(double value) { return value >= 0 && value < 0x1p53 && value == std::floor(value); }

// Calls use(numbers, text, row) for the first `limit` rows, counted from 1.
void for_each_row(LiveSource& source, std::uint64_t limit, const auto& use) {
  constexpr std::uint64_t block = 1024;
  const std::size_t width = source.layout().row_width();
  const std::uint64_t end = std::min(limit, source.rows());
  std::vector<double> numbers(block * width);
  std::vector<std::string> texts(block);
  for (std::uint64_t first = 0; first < end; first += block) {
    const std::size_t count = std::min(block, end - first);
    source.read(first, count, std::span(numbers).first(count * width));
    source.read_texts(first, std::span(texts).first(count));
    for (std::size_t i = 0; i < count; ++i)
      use(std::span<const double>(numbers).subspan(i * width, width), texts[i], first + i + 1);
  }
}

}  // namespace carom::detail
