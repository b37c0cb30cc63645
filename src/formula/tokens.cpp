#include "formula/tokens.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "scenario/scenario_text.hpp"

namespace carom::formula {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_beyond_ascii(char c) { return static_cast<unsigned char>(c) >= 0x80; }
bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

struct Hint {
  std::string_view character, advice;
};
// What is typed or pasted in place of the signs that formulas have.
constexpr std::array hints{
    Hint{"**", "use ^ for powers"},
    Hint{"−", "use - for minus"},
    Hint{"–", "use - for minus"},
    Hint{"×", "use * for products"},
    Hint{"·", "use * for products"},
    Hint{"⋅", "use * for products"},
    Hint{"∙", "use * for products"},
    Hint{"÷", "use / for quotients"},
    Hint{"²", "use ^2"},
    Hint{"³", "use ^3"},
    Hint{"√", "use sqrt(...)"},
    Hint{"’", "use ' for velocities"},
    Hint{"′", "use ' for velocities"},
    Hint{"´", "use ' for velocities"},
    Hint{"\u00a0", "use a plain space"},
    Hint{"[", "use ( and )"},
    Hint{"]", "use ( and )"},
    Hint{"{", "use ( and )"},
    Hint{"}", "use ( and )"},
    Hint{"|", "use abs(...)"},
    Hint{"≤", "use <="},
    Hint{"≥", "use >="},
    Hint{"==", "formulas compare by <, >, <= and >="},
    Hint{"=", "a formula is one side only"},
};

std::string_view advice_for(std::string_view text) {
  for (const Hint& hint : hints) {
    if (text.starts_with(hint.character)) return hint.advice;
  }
  return "";
}

std::size_t character_length(std::string_view text) {
  std::size_t length = 1;
  while (is_beyond_ascii(text[0]) && length < text.size() && length < 4 && is_continuation(text[length]))
    ++length;
  return length;
}

}  // namespace

std::size_t name_length(std::string_view text) {
  std::size_t length = 0;
  while (length < text.size()) {
    const char c = text[length];
    if (is_beyond_ascii(c) ? !advice_for(text.substr(length)).empty()
                           : !is_letter(c) && !(is_digit(c) && length > 0))
      break;
    length += character_length(text.substr(length));
  }
  return length;
}

std::string shown(std::string_view piece) { return '"' + detail::clipped(std::string(piece), 40) + '"'; }

std::size_t Tokens::column(std::size_t offset) const {
  const auto before = text_.substr(0, offset);
  return 1 + static_cast<std::size_t>(
                 std::count_if(before.begin(), before.end(), [](char c) { return !is_continuation(c); }));
}

void Tokens::fail(std::size_t offset, const std::string& message) const {
  throw FormulaError(message, column(offset));
}

Token Tokens::next() {
  at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size());
  const std::string_view rest = text_.substr(at_);
  if (rest.empty()) return {Token::Kind::end, rest, at_};
  if (is_digit(rest[0]) || (rest[0] == '.' && rest.size() > 1 && is_digit(rest[1]))) return number();
  if (name_length(rest) > 0) return name();
  if (rest.starts_with("**") || std::string_view("+-*/^(),<>").find(rest[0]) == std::string_view::npos)
    refuse();
  const std::size_t length = rest.starts_with("<=") || rest.starts_with(">=") ? 2 : 1;
  const Token token{Token::Kind::sign, rest.substr(0, length), at_};
  at_ += length;
  return token;
}

Token Tokens::number() {
  const std::string_view rest = text_.substr(at_);
  double value = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
  const auto length = static_cast<std::size_t>(end - rest.data());
  if (error != std::errc()) fail(at_, "number " + shown(rest.substr(0, length)) + " out of range");
  if (length < rest.size() && rest[length] == '.') {
    const std::size_t all = std::min(rest.find_first_not_of("0123456789.", length), rest.size());
    fail(at_, "malformed number " + shown(rest.substr(0, all)));
  }
  const Token token{Token::Kind::number, rest.substr(0, length), at_, value};
  at_ += length;
  return token;
}

Token Tokens::name() {
  const std::string_view rest = text_.substr(at_);
  std::size_t length = name_length(rest);
  if (rest.substr(length).starts_with("'")) ++length;
  if (rest.substr(length).starts_with("'"))
    fail(at_ + length, "unexpected \"'\" after " + shown(rest.substr(0, length)) +
                           ": formulas have velocities, no accelerations");
  const Token token{Token::Kind::name, rest.substr(0, length), at_};
  at_ += length;
  return token;
}

void Tokens::refuse() {
  const std::string_view rest = text_.substr(at_), advice = advice_for(rest);
  const std::size_t length = rest.starts_with("**") ? 2 : character_length(rest);
  const std::string what = rest[0] == '\'' ? "\"'\" must follow a name, without a space"
                                           : "unexpected " + shown(rest.substr(0, length));
  fail(at_, advice.empty() ? what : what + "; " + std::string(advice));
}

}  // namespace carom::formula
