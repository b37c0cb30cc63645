// Cuts the text of a formula into numbers, names and signs, which are single characters but for <= and >=.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "formula/expression.hpp"

namespace carom::formula {

struct Token {
  enum class Kind { number, name, sign, end };
  Kind kind = Kind::end;
  std::string_view text;   // a name has its prime with it
  std::size_t offset = 0;  // in bytes
  double value = 0;        // of a number

  bool is(char sign) const { return kind == Kind::sign && text[0] == sign; }
};

class Tokens {
 public:
  explicit Tokens(std::string_view text) : text_(text) {}
  Token next();  // at the end, the end again and again; throws a FormulaError at what is no token
  [[noreturn]] void fail(std::size_t offset, const std::string& message) const;
  std::size_t column(std::size_t offset) const;

 private:
  Token number();
  Token name();
  [[noreturn]] void refuse();

  std::string_view text_;
  std::size_t at_ = 0;
};

// How many bytes at the start of `text` are a name without a prime.
std::size_t name_length(std::string_view text);

// A piece of a formula in quotes, for a message.
std::string shown(std::string_view piece);

}  // namespace carom::formula
