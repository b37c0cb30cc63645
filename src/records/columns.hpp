// What the formats share: rows taken apart into columns, and numbers as text.
#pragma once

#include <functional>
#include <string>

#include "records/table.hpp"

namespace carom::detail {

// Throws std::invalid_argument for a layout with a text column.
void refuse_text(const Layout& layout);

// Calls `use` for each block of rows and each column in turn, with the column's numbers of these rows.
void for_each_column_block(
    TableSource& source,
    const std::function<void(std::size_t column, std::uint64_t first, std::span<const double> numbers)>& use);

// Puts one column's numbers of some rows in their places among the rows.
void place_column(const Layout& layout, std::size_t column, std::span<const double> from,
                  std::span<double> rows);

// The shortest text that reads back as the same double; nan, inf and -inf.
void append_number(std::string& text, double value);

}  // namespace carom::detail
