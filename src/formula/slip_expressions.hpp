// What contacts say of their friction, as expressions: mu, and the slip u = T(t, q) v + w(t, q), stated as it
// is or as the rate of a slide s(t, q), which is preferred: what sticks then stays in place to rounding.
// Tested in tests/cli/friction_test.py.
#pragma once

#include <vector>

#include "formula/formula_names.hpp"

namespace carom {

struct SlipExpressions {
  std::vector<double> mu;  // per contact
  std::vector<char> has_slide;
  std::vector<formula::Node> slopes;  // T, row by row; zero where a contact has no friction
  std::vector<formula::Node> drifts;  // w
  std::vector<formula::Node> bends;   // v·∂u/∂q + ∂u/∂t
  std::vector<formula::Node> slides;
  bool any() const;  // whether one rubs

  void add_contact(const Scenario& scenario, FormulaNames& names, const std::string& key,
                   const ContactSpec& contact);
  void add_frictionless(FormulaNames& names);
};

}  // namespace carom
