// What the scenario tests share: the smallest file, and the message that a bad one is refused with.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "scenario/scenario.hpp"

namespace carom {

using Overrides = std::vector<std::string>;

inline const std::string column = "[system]\nname = \"column\"\n";
inline const std::string minimal =
    column + "[time]\nend = 1\n";  // lines 1 to 4; what a test adds begins at line 5

inline std::string error_of(const std::string& text, const Overrides& overrides = {}) {
  try {
    parse_scenario(text, "my.toml", overrides);
  } catch (const ScenarioError& error) {
    return error.what();
  }
  return "no error";
}

inline std::string file_error_of(const std::string& path) {
  try {
    read_scenario(path);
  } catch (const ScenarioError& error) {
    return error.what();
  }
  return "no error";
}

inline bool is_one_clean_line(const std::string& message) {
  const auto is_control = [](unsigned char c) { return c < 0x20 || c == 0x7F; };
  return message.size() < 2000 && std::none_of(message.begin(), message.end(), is_control);
}

inline void expect_error(const std::string& text, const std::string& message,
                         const Overrides& overrides = {}) {
  EXPECT_EQ(error_of(text, overrides), message) << text;
}

}  // namespace carom
