#include "terminal.hpp"

#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace carom::cli {
namespace {

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

}  // namespace

Ink::Ink(std::FILE* stream)
    : coloured(isatty(fileno(stream)) && environment("NO_COLOR").empty() && environment("TERM") != "dumb") {}

std::string Ink::dyed(const char* code, const std::string& text) const {
  return coloured && !text.empty() ? std::string("\x1b[") + code + 'm' + text + "\x1b[0m" : text;
}

}  // namespace carom::cli
