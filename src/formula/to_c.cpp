#include "formula/to_c.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

namespace carom::formula {
namespace {

// What the C library has; all else is written in operators.
constexpr const char* head = R"(#if defined(__FLT_EVAL_METHOD__) && __FLT_EVAL_METHOD__ != 0
#error "doubles are rounded later than in carom"
#endif
#ifdef __cplusplus
extern "C" {
#endif
double sin(double), cos(double), tan(double), asin(double), acos(double), atan(double);
double sinh(double), cosh(double), tanh(double), exp(double), log(double);
double floor(double), pow(double, double), atan2(double, double);
void sincos(double, double*, double*);
extern void (*const carom_functions[])(const double*, double*);
)";

// Reads back exactly, in C and in C++ before and after 2017; the sign of zero is kept.
std::string number(double x) {
  if (std::isnan(x)) return "__builtin_nan(\"\")";
  if (std::isinf(x)) return x > 0 ? "__builtin_inf()" : "(-__builtin_inf())";
  return fmt::format("({:a})", x);
}

const char* name_of_function(Code code) {
  switch (code) {
    case Code::sin:
      return "sin";
    case Code::cos:
      return "cos";
    case Code::tan:
      return "tan";
    case Code::asin:
      return "asin";
    case Code::acos:
      return "acos";
    case Code::atan:
      return "atan";
    case Code::sinh:
      return "sinh";
    case Code::cosh:
      return "cosh";
    case Code::tanh:
      return "tanh";
    case Code::exp:
      return "exp";
    case Code::log:
      return "log";
    case Code::floor:
      return "floor";
    case Code::sqrt:
      return "__builtin_sqrt";
    default:
      assert(code == Code::abs);
      return "__builtin_fabs";
  }
}

// sincos() of the GNU library rounds as its sin() and cos() do, in less time.
std::string sine_and_cosine(const Instruction& i) {
#ifdef __GLIBC__
  return fmt::format("sincos(r{}, &s, &c); r{} = c; r{} = s;", i.a, i.b, i.to);
#else
  return fmt::format("s = sin(r{0}); c = cos(r{0}); r{1} = c; r{2} = s;", i.a, i.b, i.to);
#endif
}

// What Program::result() computes.
std::string value(const Instruction& i, std::span<const double> constants) {
  const auto k = [&] { return number(constants[i.b]); };
  switch (i.code) {
    case Code::load:
      return k();
    case Code::add:
      return fmt::format("r{} + r{}", i.a, i.b);
    case Code::add_constant:
      return fmt::format("r{} + {}", i.a, k());
    case Code::subtract:
      return fmt::format("r{} - r{}", i.a, i.b);
    case Code::subtract_from_constant:
      return fmt::format("{} - r{}", k(), i.a);
    case Code::multiply:
      return fmt::format("r{} * r{}", i.a, i.b);
    case Code::multiply_constant:
      return fmt::format("r{} * {}", i.a, k());
    case Code::divide:
      return fmt::format("r{} / r{}", i.a, i.b);
    case Code::divide_by_constant:
      return fmt::format("r{} / {}", i.a, k());
    case Code::divide_constant:
      return fmt::format("{} / r{}", k(), i.a);
    case Code::negate:
      return fmt::format("-r{}", i.a);
    case Code::square:
      return fmt::format("r{0} * r{0}", i.a);
    case Code::power_constant:
      return fmt::format("pow(r{}, {})", i.a, k());
    case Code::power:
      return fmt::format("pow(r{}, r{})", i.a, i.b);
    case Code::atan2:
      return fmt::format("atan2(r{}, r{})", i.a, i.b);
    case Code::sign:
      return fmt::format("r{0} > 0 ? 1.0 : r{0} < 0 ? -1.0 : r{0}", i.a);
    case Code::if_less:
      return fmt::format("r{} < r{} ? r{} : r{}", i.a, i.b, i.c, i.d);
    case Code::min:
      return fmt::format("r{1} < r{0} ? r{1} : r{0}", i.a, i.b);
    case Code::max:
      return fmt::format("r{0} < r{1} ? r{1} : r{0}", i.a, i.b);
    default:
      return fmt::format("{}(r{})", name_of_function(i.code), i.a);
  }
}

// Which registers an instruction reads; those that are no registers read nothing.
std::vector<std::uint16_t> reads_of(const Instruction& i) {
  switch (i.code) {
    case Code::load:
      return {};
    case Code::add:
    case Code::subtract:
    case Code::multiply:
    case Code::divide:
    case Code::power:
    case Code::atan2:
    case Code::min:
    case Code::max:
      return {i.a, i.b};
    case Code::if_less:
      return {i.a, i.b, i.c, i.d};
    default:
      return {i.a};
  }
}
std::vector<std::uint16_t> writes_of(const Instruction& i) {
  if (i.code == Code::sin_cos) return {i.to, i.b};
  return {i.to};
}

// Instructions that become one function: compilers take the square of a function's length. What it needs of
// earlier ones it reads, and what later ones need it writes.
struct Block {
  std::span<const Instruction> instructions;
  std::set<std::uint16_t> reads, writes, touches;
};
constexpr std::size_t longest_block = 96;

std::vector<Block> blocks_of(const Program& program) {
  const auto all = program.instructions();
  std::vector<Block> blocks;
  for (std::size_t i = 0; i < all.size(); i += longest_block)
    blocks.push_back({all.subspan(i, std::min(longest_block, all.size() - i)), {}, {}, {}});
  std::set<std::uint16_t> needed(program.results().begin(), program.results().end());
  for (auto next = blocks.rbegin(); next != blocks.rend(); ++next) {
    Block& block = *next;
    const auto needed_later = needed;
    for (auto at = block.instructions.rbegin(); at != block.instructions.rend(); ++at) {
      const Instruction& i = *at;
      for (const auto r : writes_of(i)) {
        needed.erase(r), block.touches.insert(r);
        if (needed_later.contains(r)) block.writes.insert(r);
      }
      for (const auto r : reads_of(i)) needed.insert(r), block.touches.insert(r);
    }
    std::set_intersection(needed.begin(), needed.end(), block.touches.begin(), block.touches.end(),
                          std::inserter(block.reads, block.reads.end()));
  }
  return blocks;
}

void append_statements(std::string& text, const Program& program, const Block& block) {
  text += "  double s, c";
  for (const auto r : block.touches)
    if (!block.reads.contains(r)) text += fmt::format(", r{}", r);
  text += ";\n";
  for (const Instruction& i : block.instructions)
    text += i.code == Code::sin_cos ? "  " + sine_and_cosine(i) + "\n"
                                    : fmt::format("  r{} = {};\n", i.to, value(i, program.constants()));
}

// `out` may be `in`: all is read before anything is written.
void append_short_function(std::string& text, std::size_t which, const Program& program, Block block) {
  text += fmt::format("static void f{}(const double* in, double* out) {{\n", which);
  for (const auto r : program.results())
    if (!block.touches.contains(r)) block.reads.insert(r);
  for (const auto r : block.reads) text += fmt::format("  double r{0} = in[{0}];\n", r);
  append_statements(text, program, block);
  for (std::size_t k = 0; k < program.results().size(); ++k)
    text += fmt::format("  out[{}] = r{};\n", k, program.results()[k]);
  text += "}\n";
}

void append_long_function(std::string& text, std::size_t which, const Program& program,
                          const std::vector<Block>& blocks) {
  std::string calls;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    text += fmt::format("__attribute__((noinline)) static void f{}_{}(double* r) {{\n", which, b);
    for (const auto r : blocks[b].reads) text += fmt::format("  double r{0} = r[{0}];\n", r);
    append_statements(text, program, blocks[b]);
    for (const auto r : blocks[b].writes) text += fmt::format("  r[{0}] = r{0};\n", r);
    text += "}\n";
    calls += fmt::format("  f{}_{}(r);\n", which, b);
  }
  text += fmt::format("static void f{}(const double* in, double* out) {{\n  double r[{}];\n", which,
                      program.registers());
  for (int i = 0; i < program.inputs(); ++i) text += fmt::format("  r[{0}] = in[{0}];\n", i);
  text += calls;
  for (std::size_t k = 0; k < program.results().size(); ++k)
    text += fmt::format("  out[{}] = r[{}];\n", k, program.results()[k]);
  text += "}\n";
}

void append_function(std::string& text, std::size_t which, const Program& program) {
  const auto blocks = blocks_of(program);
  if (blocks.size() > 1) return append_long_function(text, which, program, blocks);
  append_short_function(text, which, program, blocks.empty() ? Block{} : blocks[0]);
}

}  // namespace

std::string to_c(std::span<const Program* const> programs) {
  std::string text = head, table;
  for (std::size_t i = 0; i < programs.size(); ++i) {
    append_function(text, i, *programs[i]);
    table += fmt::format("{}f{}", i ? ", " : "", i);
  }
  return text + fmt::format(R"(void (*const carom_functions[])(const double*, double*) = {{{}}};
#ifdef __cplusplus
}}
#endif
)",
                            table);
}

}  // namespace carom::formula
