#include "optimise/blocks.hpp"

#include <cmath>

namespace carom {

BlockKind::BlockKind(formula::Expressions& e, const BlockFormulas& f)
    : unknowns(f.unknowns), constants(f.constants), rows(static_cast<int>(f.rows.size())), first(f.first) {
  using formula::Node;
  using formula::Op;
  const int weights = f.first + f.unknowns + f.constants;
  const auto is_zero = [&e](Node node) { return e.constant(node) == 0.0; };
  Nodes all = {f.cost};
  all.insert(all.end(), f.rows.begin(), f.rows.end());
  Nodes slope_nodes, bend_nodes;
  Node total = e.number(0);
  for (int r = -1; r < rows; ++r) {
    const Node value = all[static_cast<std::size_t>(r + 1)];
    total = e.make(Op::add, total, e.make(Op::multiply, e.symbol(weights + r + 1), value));
    const auto varies = e.symbols_of(value, f.first, f.unknowns);
    for (int k = 0; k < f.unknowns; ++k) {
      if (!varies[static_cast<std::size_t>(k)]) continue;
      const Node slope = e.derivative(value, f.first + k);
      if (is_zero(slope)) continue;
      slope_nodes.push_back(slope);
      r < 0 ? cost_columns.push_back(k) : row_columns.push_back({r, k});
    }
  }
  for (int i = 0; i < f.unknowns; ++i) {
    const Node slope = e.derivative(total, f.first + i);
    const auto varies = e.symbols_of(slope, f.first, f.unknowns);
    for (int k = 0; k <= i; ++k) {
      if (!varies[static_cast<std::size_t>(k)]) continue;
      const Node bend = e.derivative(slope, f.first + k);
      if (!is_zero(bend)) bend_nodes.push_back(bend), bend_columns.push_back({i, k});
    }
  }
  value_program = formula::compile(e, all, weights),
  slope_program = formula::compile(e, slope_nodes, weights);
  bend_program = formula::compile(e, bend_nodes, weights + 1 + rows);
}

const double* BlockKind::filled(const double* in, const double* weights, int inputs) const {
  thread_local std::vector<double> all;
  all.assign(static_cast<std::size_t>(inputs), 0.0);
  std::copy_n(in, unknowns + constants, all.begin() + first);
  if (weights) std::copy_n(weights, 1 + rows, all.begin() + first + unknowns + constants);
  return all.data();
}
void BlockKind::values(const double* in, double* out) const {
  const auto inputs = static_cast<std::size_t>(value_program.inputs());
  value_program(std::span<const double>(filled(in, nullptr, value_program.inputs()), inputs),
                std::span<double>(out, static_cast<std::size_t>(value_program.outputs())));
}
void BlockKind::slopes(const double* in, double* out) const {
  const auto inputs = static_cast<std::size_t>(slope_program.inputs());
  slope_program(std::span<const double>(filled(in, nullptr, slope_program.inputs()), inputs),
                std::span<double>(out, static_cast<std::size_t>(slope_program.outputs())));
}
void BlockKind::bends(const double* in, const double* weights, double* out) const {
  const auto inputs = static_cast<std::size_t>(bend_program.inputs());
  bend_program(std::span<const double>(filled(in, weights, bend_program.inputs()), inputs),
               std::span<double>(out, static_cast<std::size_t>(bend_program.outputs())));
}

int BlockProgram::add_unknown(std::string name, double guess, double lowest, double highest) {
  names.push_back(std::move(name)), low.push_back(lowest), high.push_back(highest);
  start.push_back(std::clamp(guess, lowest, highest));
  return static_cast<int>(start.size()) - 1;
}

void BlockProgram::add_block(std::shared_ptr<const BlockKind> kind, std::vector<int> unknowns,
                             std::vector<double> constants, const std::vector<double>& lows,
                             const std::vector<double>& highs, std::vector<std::string> row_names) {
  const int first_row = static_cast<int>(row_low.size());
  const auto of = [&unknowns](int k) { return unknowns[static_cast<std::size_t>(k)]; };
  for (const Place& p : kind->row_columns) slope_places.push_back({first_row + p.row, of(p.column)});
  for (const Place& p : kind->bend_columns)
    bend_places.push_back({std::max(of(p.row), of(p.column)), std::min(of(p.row), of(p.column))});
  row_low.insert(row_low.end(), lows.begin(), lows.end()),
      row_high.insert(row_high.end(), highs.begin(), highs.end());
  blocks.push_back(
      {std::move(kind), std::move(unknowns), std::move(constants), first_row, std::move(row_names)});
}

const double* BlockProgram::gather(const Block& block, const double* x) const {
  thread_local std::vector<double> in;
  in.clear();
  for (const int k : block.unknowns) in.push_back(x[k]);
  in.insert(in.end(), block.constants.begin(), block.constants.end());
  return in.data();
}

template <class Each>
void BlockProgram::each_value(const double* x, const Each& each) const {
  thread_local std::vector<double> out;
  for (const Block& block : blocks) {
    out.resize(static_cast<std::size_t>(block.kind->rows) + 1);
    block.kind->values(gather(block, x), out.data());
    each(block, out.data());
  }
}

bool BlockProgram::cost(const double* x, double& f) const {
  f = 0;
  each_value(x, [&f](const Block&, const double* out) { f += out[0]; });
  return std::isfinite(f);
}
bool BlockProgram::rows(const double* x, double* g) const {
  bool finite = true;
  each_value(x, [&](const Block& block, const double* out) {
    for (int r = 0; r < block.kind->rows; ++r)
      g[block.first_row + r] = out[r + 1], finite = finite && std::isfinite(out[r + 1]);
  });
  return finite;
}

bool BlockProgram::cost_slopes(const double* x, double* into) const {
  thread_local std::vector<double> out;
  std::fill_n(into, start.size(), 0.0);
  bool finite = true;
  for (const Block& block : blocks) {
    const auto& columns = block.kind->cost_columns;
    if (columns.empty()) continue;
    out.resize(columns.size() + block.kind->row_columns.size());
    block.kind->slopes(gather(block, x), out.data());
    for (std::size_t k = 0; k < columns.size(); ++k) {
      into[block.unknowns[static_cast<std::size_t>(columns[k])]] += out[k];
      finite = finite && std::isfinite(out[k]);
    }
  }
  return finite;
}
bool BlockProgram::slopes(const double* x, double* into) const {
  thread_local std::vector<double> out;
  const double* const begin = into;
  for (const Block& block : blocks) {
    const std::size_t first = block.kind->cost_columns.size(), count = block.kind->row_columns.size();
    out.resize(first + count);
    block.kind->slopes(gather(block, x), out.data());
    into = std::copy_n(out.data() + first, count, into);
  }
  return std::all_of(begin, static_cast<const double*>(into), [](double s) { return std::isfinite(s); });
}
bool BlockProgram::bends(const double* x, double weight, const double* row_weights, double* into) const {
  thread_local std::vector<double> weights;
  const double* const begin = into;
  for (const Block& block : blocks) {
    weights.assign(1, weight);
    weights.insert(weights.end(), row_weights + block.first_row,
                   row_weights + block.first_row + block.kind->rows);
    block.kind->bends(gather(block, x), weights.data(), into);
    into += block.kind->bend_columns.size();
  }
  return std::all_of(begin, static_cast<const double*>(into), [](double s) { return std::isfinite(s); });
}

BlockProgram::Violation BlockProgram::worst(const std::vector<double>& x) const {
  Violation r;
  each_value(x.data(), [&](const Block& block, const double* out) {
    for (int k = 0; k < block.kind->rows; ++k) {
      const auto row = static_cast<std::size_t>(block.first_row + k);
      const double by = std::fmax(row_low[row] - out[k + 1], out[k + 1] - row_high[row]);
      if (by > r.by) r = {block.row_names[static_cast<std::size_t>(k)], by};
    }
  });
  return r;
}
std::string BlockProgram::not_finite(const std::vector<double>& x) const {
  std::string r;
  each_value(x.data(), [&](const Block& block, const double* out) {
    if (r.empty() && !std::isfinite(out[0])) r = "the cost";
    for (int k = 0; k < block.kind->rows; ++k)
      if (r.empty() && !std::isfinite(out[k + 1])) r = block.row_names[static_cast<std::size_t>(k)];
  });
  return r;
}

}  // namespace carom
