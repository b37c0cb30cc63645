// What the event loop says where it cannot go on: each failure names the contacts, and the number that told
// it.
#include <algorithm>

#include "carom/contact/contact_stepper.hpp"

namespace carom {

Failure ContactStepper::no_slope(int contact) const {
  return {
      "the gap has no slope where it is zero, so that nothing says which way the contact pushes: state it as "
      "a "
      "function that passes through zero, such as y instead of y^3 or abs(y)",
      0, system.contact_name(contact)};
}
Failure ContactStepper::stays_closed(int contact) const {
  return {
      "a contact stays closed, or impacts accumulate on it; the event-driven stepper has no lasting contact",
      gaps[contact], system.contact_name(contact)};
}
Failure ContactStepper::no_motion(const Outcome& outcome) const {
  return {describe(outcome.status), outcome.residual, contact_names(system, lasting), "residual"};
}
Failure ContactStepper::about_touched(const char* reason, double rate) const {
  return {reason, rate, contact_names(system, touched), "gap rate"};
}
Failure ContactStepper::squeezed() const {
  const double fastest = touching.forces.bias.size() > 0 ? touching.forces.bias.minCoeff() : 0;
  return {"no forces keep the contacts that touch from closing", fastest, contact_names(system, touched),
          "gap acceleration"};
}
Failure ContactStepper::too_many() const {
  std::vector<int> names;
  for (const auto& impact : impacts.all())
    for (const int i : impact.contacts)
      if (std::find(names.begin(), names.end(), i) == names.end()) names.push_back(i);
  const char* why =
      met_kink ? " impacts and releases in one step: a gap has a valley; state its sides as gaps of their own"
               : " impacts and releases in one step: they accumulate, or the step is far too large";
  return {"more than " + std::to_string(options.most_events) + why, static_cast<double>(impacts.all().size()),
          contact_names(system, names), "impacts"};
}

}  // namespace carom
