// From the [method] table of a scenario to what steps it: a flow, and the impact law with its options. What
// is not built yet is refused by name.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "carom/flow/flows.hpp"
#include "scenario/scenario.hpp"

namespace carom {

struct Method {
  std::string label;  // "sva with shadow of order 8", "gauss with 4 stages"
  Flow flow;
  std::string stepper = "event-driven";  // smooth, event-driven, contact, gvi, direct or dae-euler
  std::string impact;                    // empty: the smooth stepper
  int order = 0;          // of the shadow energy (2m), or the number of terms of the modified one
  std::string fraction;   // how parts of a step are taken: flow, gauss, composition, polynomial
  int window = 8;         // nodes over which stable-energy takes its median
  bool friction = false;  // of a contact
  double restitution = 1;
  double tolerance = 0;  // of gauss: above 0, it chooses stages and steps by itself
  double longest_step = std::numeric_limits<double>::infinity();  // that a tolerance chooses
  // Of gvi: how several contacts are reflected, which energy that keeps, where contacts are looked for, and
  // how constraints are taken.
  std::string reflection = "generalized", energy = "hamiltonian", predictor = "free", constraints = "exact";
  // Of direct: the method that the contact forces are put into, and Newmark's parameters.
  std::string scheme = "endpoint";
  double beta = 0.25, gamma = 0.5;
  // Of dae-euler, whose scheme is natural, true or the conjugate of either: how the reaction is divided, and
  // which z it is taken at.
  double alpha = 0.5;
  std::string reaction_at = "ends";
  bool over_systems() const { return stepper == "contact" || stepper == "gvi" || stepper == "direct"; }
};

// Where --set chooses a stepper, what the file says for another one goes: keys that the new one does not
// take.
void drop_keys_of_other_steppers(Scenario& scenario);

// Throws ScenarioError with the place, key and value of what does not fit.
Method make_method(const Scenario& scenario);

// "a second-order variational integrator (Stormer-Verlet) that keeps ..."; `smooth`: no law has anything to
// do.
std::string method_in_words(const Method& method, bool smooth);

// How modified energies are known for a flow: by the series of its one rule, in closed form, or not at all.
enum class ModifiedForm { series, closed, none };
ModifiedForm modified_form(const std::string& flow_name);

struct MethodInfo {
  std::string name, kind, summary;
  bool built;
};
const std::vector<MethodInfo>& known_methods();

}  // namespace carom
