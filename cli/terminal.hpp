// Colour, where it helps and nowhere else: on a terminal that is not "dumb", unless NO_COLOR is set. Without
// it the text is the same, letter by letter.
//
//   const Ink ink(stdout);
//   fmt::print("{} {}\n", ink.bold("order"), slope);
#pragma once

#include <cstdio>
#include <string>

namespace carom::cli {

class Ink {
 public:
  explicit Ink(std::FILE* stream);
  std::string bold(const std::string& text) const { return dyed("1", text); }
  std::string dim(const std::string& text) const { return dyed("2", text); }
  std::string red(const std::string& text) const { return dyed("31", text); }
  std::string green(const std::string& text) const { return dyed("32", text); }

 private:
  std::string dyed(const char* code, const std::string& text) const;
  bool coloured;
};

}  // namespace carom::cli
