#include "formula/expression.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>

namespace carom::formula {

std::size_t Expressions::KeyHash::operator()(const Key& key) const {
  std::uint64_t hash = key.value ^ static_cast<std::uint64_t>(key.op);
  for (const Node operand : key.operands) {
    hash = (hash ^ static_cast<std::uint32_t>(operand)) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 29;
  }
  return static_cast<std::size_t>(hash);
}

Node Expressions::store(const Part& part) {
  const std::uint64_t value = part.op == Op::symbol ? static_cast<std::uint64_t>(part.symbol)
                                                    : std::bit_cast<std::uint64_t>(part.value);
  const Key key{part.op, part.operands, value};
  if (const auto found = known_.find(key); found != known_.end()) return found->second;
  if (parts_.size() >= max_parts) {
    throw FormulaError("too large: the formulas and their derivatives have more than " +
                       std::to_string(max_parts) + " parts");
  }
  parts_.push_back(part);
  const Node node = static_cast<Node>(parts_.size()) - 1;
  known_.emplace(key, node);
  return node;
}

// What reaches this place could not be simplified: numbers among themselves, or x/0, are then not finite.
Node Expressions::store(Op op, Node a, Node b, Node c, Node d) {
  Part part{.op = op, .operands = {a, b, c, d}};
  bool only_numbers = true;
  for (const Node operand : part.operands) {
    if (operand == none) continue;
    only_numbers = only_numbers && is(operand, Op::number);
    part.singular = part.singular || (*this)[operand].singular;
    part.symbols |= (*this)[operand].symbols;
  }
  part.singular = part.singular || only_numbers || (op == Op::divide && is(b, 0.0));
  return store(part);
}

Node Expressions::number(double value) {
  if (value == 0) value = 0;  // one zero, without a sign
  return store(Part{.op = Op::number, .singular = !std::isfinite(value), .value = value});
}

Node Expressions::symbol(int index) {
  assert(index >= 0);
  return store(Part{.op = Op::symbol, .symbol = index, .symbols = std::uint64_t{1} << (index % 64)});
}

std::optional<double> Expressions::constant(Node node) const {
  if (!is(node, Op::number)) return std::nullopt;
  return (*this)[node].value;
}

std::vector<bool> Expressions::parts_of(std::span<const Node> roots) const {
  Node last = none;
  for (const Node root : roots) last = std::max(last, root);
  std::vector<bool> used(static_cast<std::size_t>(last + 1), false);
  for (const Node root : roots) used[static_cast<std::size_t>(root)] = true;
  for (Node node = last; node >= 0; --node) {
    if (!used[static_cast<std::size_t>(node)]) continue;
    for (const Node operand : (*this)[node].operands) {
      if (operand != none) used[static_cast<std::size_t>(operand)] = true;
    }
  }
  return used;
}

std::vector<Node> Expressions::parts_of(Node root, const std::function<bool(Node)>& asked) const {
  std::vector<Node> found;
  if (!asked(root)) return found;
  if (++searches_ == 0) std::fill(seen_.begin(), seen_.end(), 0), ++searches_;
  seen_.resize(parts_.size(), 0);
  found.push_back(root), seen_[static_cast<std::size_t>(root)] = searches_;
  for (std::size_t k = 0; k < found.size(); ++k)
    for (const Node operand : (*this)[found[k]].operands) {
      if (operand == none || seen_[static_cast<std::size_t>(operand)] == searches_ || !asked(operand))
        continue;
      found.push_back(operand), seen_[static_cast<std::size_t>(operand)] = searches_;
    }
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<bool> Expressions::symbols_of(Node node, int first_symbol, int count) const {
  std::vector<bool> found(static_cast<std::size_t>(count), false);
  for (const Node i : parts_of(node)) {
    if (!is(i, Op::symbol)) continue;
    const int which = (*this)[i].symbol - first_symbol;
    if (which >= 0 && which < count) found[static_cast<std::size_t>(which)] = true;
  }
  return found;
}

bool Expressions::depends_on(Node node, int symbol) const {
  const auto found = parts_of(node, [&](Node part) { return may_depend(part, symbol); });
  return std::any_of(found.begin(), found.end(),
                     [&](Node part) { return is(part, Op::symbol) && (*this)[part].symbol == symbol; });
}

bool Expressions::depends_on_any(Node node, int first_symbol, int count) const {
  const auto found = symbols_of(node, first_symbol, count);
  return std::find(found.begin(), found.end(), true) != found.end();
}

Node Expressions::substitute(Node in, std::span<const std::pair<int, Node>> replacements) {
  const auto used = parts_of(in);
  const std::map<int, Node> by(replacements.begin(), replacements.end());
  std::unordered_map<Node, Node> image;
  for (const Node node : used) {
    const Part part = (*this)[node];  // a copy: the arena grows
    Node& to = image[node] = node;
    if (part.op == Op::number) continue;
    if (part.op == Op::symbol) {
      if (const auto found = by.find(part.symbol); found != by.end()) to = found->second;
      continue;
    }
    std::array<Node, 4> mapped = part.operands;
    for (Node& operand : mapped) {
      if (operand != none) operand = image.at(operand);
    }
    if (mapped != part.operands) to = make(part.op, mapped[0], mapped[1], mapped[2], mapped[3]);
  }
  return image.at(in);
}

}  // namespace carom::formula
