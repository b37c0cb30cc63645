// How values are spelled in TOML, and how anything a user typed is made fit to stand in an error message.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace carom::detail {

// The shortest decimal that reads back to the same double, with a point or an exponent so that it stays one.
std::string written(double number);

// "1, 0.5, 3": in one place, because fmt::join of doubles takes a second to compile.
std::string listed(std::span<const double> numbers, std::string_view between = ", ");

// A TOML basic string, quotes included.
std::string quoted(const std::string& text);

// A name as it stands in a dotted key: bare where TOML allows it, else quoted.
std::string key_part(const std::string& name);

// Control characters and bytes that are not UTF-8 as escapes: safe for a terminal and on one line.
std::string printable(const std::string& text);

// Printable, and at most `limit` bytes with "..." in place of the rest.
std::string clipped(const std::string& text, std::size_t limit = 80);

// One line under 2000 bytes: "place: key = value: why"; without "= value" or the key where those are empty.
std::string complaint(const std::string& place, const std::string& key, const std::string& value,
                      const std::string& why);

}  // namespace carom::detail
