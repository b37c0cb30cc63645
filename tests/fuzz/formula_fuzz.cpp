// Arbitrary text as a formula: it is refused with a message inside the text, or it can be differentiated
// twice, compiled, evaluated and printed. Build with clang++ -fsanitize=fuzzer,address,undefined, and run
// with -dict=tests/fuzz/formula.dict tests/fuzz/corpus/formula.
#include <array>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "formula/kinks.hpp"
#include "formula/parse.hpp"
#include "formula/print.hpp"
#include "formula/to_c.hpp"

namespace {

using carom::formula::Expressions;
using carom::formula::FormulaError;
using carom::formula::Node;

constexpr int inputs = 5;
const std::array<std::string, inputs> names{"x", "x'", "y", "y'", "t"};

void check(bool holds) {
  if (!holds) std::abort();
}

template <class S>
void evaluate(const carom::formula::Program& program) {
  std::vector<S> in{S(0.5), S(-1.5), S(0.0), S(2.0), S(1e3)};
  in.resize(static_cast<std::size_t>(program.inputs()), S(1.0));
  std::vector<S> out(static_cast<std::size_t>(program.outputs()), S(0.0));
  program(std::span<const S>(in), std::span<S>(out));
}

void exercise(std::string_view text) {
  Expressions e;
  carom::formula::Symbols symbols{{"m", e.number(2.0)}};
  for (int i = 0; i < inputs; ++i) symbols[names[static_cast<std::size_t>(i)]] = e.symbol(i);
  Node f = carom::formula::none;
  try {
    f = parse(e, text, symbols);
  } catch (const FormulaError& error) {
    check(error.column >= 1 && error.column <= text.size() + 1);
    return;
  }
  std::vector<Node> outputs{f};
  for (int i = 0; i < inputs; ++i) outputs.push_back(e.derivative(f, i));
  for (int i = 1; i <= inputs; ++i)
    for (int j = 0; j < i; ++j) outputs.push_back(e.derivative(outputs[static_cast<std::size_t>(i)], j));
  const std::array at_rest{std::pair{1, e.number(0)}, std::pair{3, e.symbol(0)}};
  outputs.push_back(e.substitute(outputs.back(), at_rest));
  std::vector<carom::formula::Branch> branches;
  outputs.push_back(carom::formula::branched(e, f, inputs, branches));
  for (const auto& branch : branches) outputs.push_back(choice_of(e, branch));
  const auto program = compile(e, outputs, inputs + static_cast<int>(branches.size()));
  evaluate<double>(program);
  evaluate<carom::Dual2<double, 1>>(program);
  check(!to_c(std::array<const carom::formula::Program*, 1>{&program}).empty());
  check(!to_javascript(e, f, names).empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    exercise({reinterpret_cast<const char*>(data), size});
  } catch (const FormulaError& error) {
    check(error.column == 0);  // grown too large after it was read
  }
  return 0;
}
