// What contacts say of their friction, as expressions: mu, and the slip u = T(t, q) v + w(t, q), stated as it
// is, as the rate of a slide s(t, q), which is preferred: what sticks then stays in place to rounding, or by
// a point and a wall (point_contacts.hpp). In space there are two numbers of each for every contact. Tested
// in tests/cli/friction_test.py and friction_space_test.py.
#pragma once

#include <vector>

#include "formula/formula_names.hpp"

namespace carom {

struct SlipExpressions {
  int each = 1;                        // numbers of a slip: two as soon as one contact gives two
  std::vector<double> mu;              // per contact; what sticks
  std::vector<formula::Node> sliding;  // likewise, while it slides: of the speed, which is input 0
  std::vector<formula::Node> sliding_slopes;
  std::vector<char> is_split;  // whether the two differ
  std::vector<char> has_slide;
  std::vector<formula::Node> slopes;  // T, row by row; zero where a contact has no friction
  std::vector<formula::Node> drifts;  // w
  std::vector<formula::Node> bends;   // v·∂u/∂q + ∂u/∂t
  std::vector<formula::Node> slides;
  bool any() const;  // whether one rubs

  void add_contact(const Scenario& scenario, FormulaNames& names, const std::string& key,
                   const ContactSpec& contact);
  void add_frictionless(FormulaNames& names);

 private:
  void add_slip(FormulaNames& names, formula::Node slip, formula::Node slide);
  void add_mu(const Scenario& scenario, FormulaNames& names, const std::string& key,
              const ContactSpec& contact);
};

// Of all contacts of a scenario.
int slips_each(const Scenario& scenario);

}  // namespace carom
