#include "formula/kinks.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <unordered_map>

#include "formula/program.hpp"

namespace carom::formula {
namespace {

// What decides which way an operation goes, or none.
Node kink_of(Expressions& e, const Part& part) {
  const Node a = part.operands[0], b = part.operands[1];
  switch (part.op) {
    case Op::abs:
    case Op::sign:
    case Op::floor:
      return a;
    case Op::min:
    case Op::max:
    case Op::if_less:
      return e.make(Op::subtract, a, b);
    default:
      return none;
  }
}

// What changes, and only then, where an operation that jumps does: 0 and 1 for the sides of an if.
Node branch_of(Expressions& e, Node node) {
  const Part part = e[node];
  if (part.op == Op::floor || part.op == Op::sign) return node;
  if (part.op != Op::if_less) return none;
  return e.make(Op::if_less, part.operands[0], part.operands[1], e.number(1), e.number(0));
}

// One input is moved, all others rest somewhere.
class JumpSearch {
 public:
  JumpSearch(Expressions& e, Node of, int inputs) : in_(static_cast<std::size_t>(inputs)) {
    std::vector<Node> outputs{of};
    for (const Node part : e.parts_of(of)) {
      const Node branch = branch_of(e, part);
      if (branch != none && !e.constant(branch)) outputs.push_back(branch);
    }
    if (outputs.size() == 1) return;
    for (int i = 0; i < inputs; ++i)
      if (std::any_of(outputs.begin() + 1, outputs.end(), [&](Node b) { return e.depends_on(b, i); }))
        moved_.push_back(i);
    program_ = compile(e, outputs, inputs);
    from_.resize(outputs.size()), to_ = middle_ = from_;
    changes_.resize(outputs.size());
  }

  std::optional<Jump> operator()() {
    std::mt19937_64 random(1);
    for (const double scale : {1.0, 1e-3, 1e3})
      for (const int input : moved_)
        for (int line = 0; line < 2; ++line) {
          for (double& x : in_) x = scale * (static_cast<double>(random() >> 11) * 0x1p-52 - 1);
          if (const auto jump = along(input)) return jump;
        }
    return std::nullopt;
  }

 private:
  using Values = std::vector<double>;
  static constexpr int most_changes = 12;    // of a branch along a line
  static constexpr double most_floor = 1e6;  // from there on rounding moves the jumps of a floor

  void look(int input, double x, Values& out) {
    in_[static_cast<std::size_t>(input)] = x;
    program_(std::span<const double>(in_), std::span(out));
  }
  double value(int input, double x) { return look(input, x, middle_), middle_[0]; }

  // From -1e12 through zero to 1e12, each a third larger than the one before.
  std::optional<Jump> along(int input) {
    constexpr double growth = 1.33, least = 1e-12, most = 1e12;
    double x = -most;
    std::fill(changes_.begin(), changes_.end(), 0);
    look(input, x, from_);
    while (x < most) {
      const double next = x < -least ? x / growth : x < least ? x + least / 2 : x * growth;
      look(input, next, to_);
      for (std::size_t k = 1; k < from_.size(); ++k)
        if (from_[k] != to_[k] && std::abs(from_[k]) < most_floor && ++changes_[k] <= most_changes)
          if (const auto jump = between(input, k, x, next)) return jump;
      x = next, std::swap(from_, to_);
    }
    return std::nullopt;
  }

  // The branch changes between the two. At the change the formula must not, measured by what it is nearby,
  // and by how fast it changes on either side: neighbouring numbers may lie far apart.
  std::optional<Jump> between(int input, std::size_t branch, double low, double high) {
    const double width = 1e-3 * (high - low), first = from_[branch];
    for (int i = 0; i < 100; ++i) {
      const double x = 0.5 * (low + high);
      if (x == low || x == high) break;
      look(input, x, middle_);
      (middle_[branch] == first ? low : high) = x;
    }
    const double near = 2 * (high - low);  // sign(0) is neither side, and 1 lies twice as far from the next
    low -= near, high += near;
    const double before = value(input, low), after = value(input, high);
    const double slope =
        std::abs(before - value(input, low - 8 * near)) + std::abs(after - value(input, high + 8 * near));
    const double scale = std::max({std::abs(value(input, low - width)), std::abs(value(input, high + width)),
                                   std::abs(before), std::abs(after)});
    if (!std::isfinite(scale) || !(std::abs(after - before) > std::max(slope, 1e-6 * scale)))
      return std::nullopt;
    return Jump{input, low, before, after};
  }

  Program program_;
  Values in_, from_, to_, middle_;
  std::vector<int> moved_, changes_;
};

}  // namespace

Node choice_of(Expressions& e, const Branch& branch) {
  if (branch.whole) return e.make(Op::floor, branch.of);
  return e.make(Op::if_less, branch.of, e.number(0), e.number(-1), e.number(1));
}

namespace {

// A part whose operands are branched already, as a choice by the input of its branch.
Node chosen(Expressions& e, const Part& part, Node input) {
  const Node zero = e.number(0), a = part.operands[0], b = part.operands[1];
  switch (part.op) {
    case Op::abs:
      return e.make(Op::if_less, input, zero, e.make(Op::negate, a), a);
    case Op::sign:
    case Op::floor:
      return input;
    case Op::min:
      return e.make(Op::if_less, input, zero, a, b);
    case Op::max:
      return e.make(Op::if_less, input, zero, b, a);
    default:
      return e.make(Op::if_less, input, zero, part.operands[2], part.operands[3]);
  }
}

}  // namespace

Node branched(Expressions& e, Node of, int first, std::vector<Branch>& branches) {
  std::unordered_map<Node, Node> made;
  for (const Node i : e.parts_of(of)) {
    Part part = e[i];  // a copy: the arena grows
    const Node kink = kink_of(e, part);
    if (part.op == Op::number || part.op == Op::symbol) {
      made[i] = i;
      continue;
    }
    const Branch branch{kink, part.op == Op::floor};
    for (Node& operand : part.operands)
      if (operand != none) operand = made.at(operand);
    if (kink == none || e.constant(kink)) {
      made[i] = e.make(part.op, part.operands[0], part.operands[1], part.operands[2], part.operands[3]);
      continue;
    }
    const auto known = std::find(branches.begin(), branches.end(), branch);
    const auto place = static_cast<int>(known - branches.begin());
    if (known == branches.end()) branches.push_back(branch);
    made[i] = chosen(e, part, e.symbol(first + place));
  }
  return made.at(of);
}

std::optional<Jump> find_jump(Expressions& expressions, Node of, int inputs) {
  return JumpSearch(expressions, of, inputs)();
}

}  // namespace carom::formula
