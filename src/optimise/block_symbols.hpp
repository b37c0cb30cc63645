// How the formulas of a block are written (blocks.hpp).
#pragma once

#include "optimise/blocks.hpp"

namespace carom {

using Term = formula::Node;

// Hands out the symbols of a block: unknowns first, then constants.
class BlockSymbols {
 public:
  BlockSymbols(formula::Expressions& expressions, int first) : e(expressions) { formulas.first = first; }

  Nodes unknowns(int count) {
    Nodes r;
    for (int i = 0; i < count; ++i) r.push_back(e.symbol(formulas.first + formulas.unknowns++));
    return r;
  }
  Term unknown() { return unknowns(1)[0]; }
  Term constant() { return e.symbol(formulas.first + formulas.unknowns + formulas.constants++); }

  Term add(Term a, Term b) { return e.make(formula::Op::add, a, b); }
  Term sub(Term a, Term b) { return e.make(formula::Op::subtract, a, b); }
  Term mul(Term a, Term b) { return e.make(formula::Op::multiply, a, b); }
  Term mul(double a, Term b) { return mul(e.number(a), b); }
  Term zero() { return e.number(0); }
  Term dot(const Nodes& a, const Nodes& b) {
    Term r = zero();
    for (std::size_t i = 0; i < a.size(); ++i) r = add(r, mul(a[i], b[i]));
    return r;
  }
  void row(Term node) { formulas.rows.push_back(node); }
  std::shared_ptr<const BlockKind> kind(Term cost) {
    formulas.cost = cost;
    return std::make_shared<const BlockKind>(e, formulas);
  }

  formula::Expressions& e;
  BlockFormulas formulas;
};

}  // namespace carom
