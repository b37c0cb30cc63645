#include "given_command.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>

namespace carom::cli {
namespace fs = std::filesystem;

namespace {

std::string& kept_command() {
  static std::string text;
  return text;
}

std::string shown_path(const std::string& path) {
  if (!path.starts_with('/')) return path;
  std::error_code error;
  const fs::path from_here = fs::path(path).lexically_relative(fs::current_path(error));
  const bool below = !error && !from_here.empty() && *from_here.begin() != "..";
  if (below) return from_here.string();
  const fs::path named = fs::path(path).lexically_normal();
  return (named.has_filename() ? named : named.parent_path()).filename().string();
}

// "--out=/there/it" has a path, "--set title=/x" is the user's own text.
std::string shown_word(const std::string& word) {
  const std::size_t equals = word.find('=');
  if (word.starts_with("--") && equals != std::string::npos)
    return word.substr(0, equals + 1) + shown_path(word.substr(equals + 1));
  return shown_path(word);
}

std::string quoted_for_shell(const std::string& word) {
  constexpr std::string_view plain = "-_./=,:+@%";
  const bool safe = !word.empty() && std::all_of(word.begin(), word.end(), [&](unsigned char c) {
    return std::isalnum(c) != 0 || plain.find(static_cast<char>(c)) != std::string_view::npos;
  });
  if (safe) return word;
  std::string r = "'";
  for (const char c : word) c == '\'' ? r += "'\\''" : r += c;
  return r + "'";
}

}  // namespace

std::string shown_command(const std::vector<std::string>& words) {
  std::string r = "carom";
  for (const std::string& word : words) r += " " + quoted_for_shell(shown_word(word));
  return r;
}

void keep_command(const std::vector<std::string>& words) { kept_command() = shown_command(words); }
const std::string& given_command() { return kept_command(); }

}  // namespace carom::cli
