#include "scenario/scenario_text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string_view>

namespace carom::detail {
namespace {

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// Bytes of the UTF-8 character at the start of `text`, 0 if there is none.
std::size_t character_length(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const std::size_t length = lead < 0x80                   ? 1
                             : lead >= 0xC2 && lead < 0xE0 ? 2
                             : lead >= 0xE0 && lead < 0xF0 ? 3
                             : lead >= 0xF0 && lead < 0xF5 ? 4
                                                           : 0;
  if (length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if (!is_continuation(text[i])) return 0;
  }
  return length;
}

// U+0000 to U+001F, U+007F, and the two-byte U+0080 to U+009F, which some terminals obey too.
bool is_control(std::string_view character) {
  const auto first = static_cast<unsigned char>(character[0]);
  if (character.size() == 1) return first < 0x20 || first == 0x7F;
  return character.size() == 2 && first == 0xC2 && static_cast<unsigned char>(character[1]) < 0xA0;
}

std::string escape(std::string_view control) {
  switch (control.back()) {
    case '\n':
      return "\\n";
    case '\t':
      return "\\t";
    case '\r':
      return "\\r";
    default:
      return fmt::format("\\u{:04x}", static_cast<unsigned char>(control.back()));
  }
}

std::size_t boundary_before(const std::string& text, std::size_t position) {
  while (position > 0 && is_continuation(text[position])) --position;
  return position;
}

// A file's path may be long, and its end with line and column says most.
std::string clipped_front(const std::string& text, std::size_t limit) {
  const std::string shown = printable(text);
  if (shown.size() <= limit) return shown;
  return "..." + shown.substr(boundary_before(shown, shown.size() - limit + 3));
}

}  // namespace

std::string written(double number) {
  std::string text = fmt::format("{}", number);
  if (std::isfinite(number) && text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string listed(std::span<const double> numbers, std::string_view between) {
  return fmt::format("{}", fmt::join(numbers, between));
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = character_length(std::string_view(text).substr(i));
    const std::string_view character(text.data() + i, length == 0 ? 1 : length);
    if (character == "\"" || character == "\\") out += '\\';
    // Bytes that are not UTF-8 stay: TOML cannot spell them, and its reader then refuses them by position.
    out += length != 0 && is_control(character) ? escape(character) : std::string(character);
    i += character.size();
  }
  return out + '"';
}

std::string key_part(const std::string& name) {
  constexpr auto bare = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
  const bool is_bare = !name.empty() && name.find_first_not_of(bare) == std::string::npos;
  return is_bare ? name : quoted(name);
}

std::string printable(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = character_length(std::string_view(text).substr(i));
    const std::string_view character(text.data() + i, length == 0 ? 1 : length);
    if (length == 0) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(character[0]));
    } else {
      out += is_control(character) ? escape(character) : std::string(character);
    }
    i += character.size();
  }
  return out;
}

std::string clipped(const std::string& text, std::size_t limit) {
  const std::string shown = printable(text);
  if (shown.size() <= limit) return shown;
  return shown.substr(0, boundary_before(shown, limit - 3)) + "...";
}

std::string complaint(const std::string& place, const std::string& key, const std::string& value,
                      const std::string& why) {
  std::string line = clipped_front(place, 300) + ": ";
  if (!key.empty()) line += clipped(key);
  if (!key.empty() && !value.empty()) line += " = " + clipped(value);
  if (!key.empty()) line += ": ";
  return line + clipped(why, 1200);
}

}  // namespace carom::detail
