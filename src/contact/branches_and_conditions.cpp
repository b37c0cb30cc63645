// Contacts that are not the same everywhere: gaps with branches, one of which a lasting contact follows over
// its kink, and contacts that exist only where a condition holds. Tested in
// tests/cli/formula_contacts_test.py and tests/truth/.
#include <algorithm>
#include <cmath>

#include "carom/contact/contact_stepper.hpp"

namespace carom {

// Whether one of the lasting contacts comes to another branch of its gap until the end of a step.
bool ContactStepper::crosses_kink(double t, const Z& end) {
  if (!branched || lasting.empty()) return false;
  system.branches(t + flow.h, end.q, sides_after);
  for (int k = 0; k < sides.size(); ++k)
    if (!std::isnan(sides[k]) && sides[k] != sides_after[k]) return true;
  return false;
}
// What lasts goes along the branch that it is on; gaps that may close are what they are.
void ContactStepper::hold_branches(double t, const Values& q) {
  if (!branched) return;
  system.branches(t, q, sides);
  for (int k = 0; k < sides.size(); ++k)
    if (std::find(lasting.begin(), lasting.end(), system.branch_contact(k)) == lasting.end())
      sides[k] = std::nan("");
  branched->hold_branches(sides);
}

// Contacts whose condition holds neither here nor at the end of the step, or that are behind their wall
// already: a contact begins to exist where its condition holds and its gap is not negative.
void ContactStepper::find_absent(double t, const Z& at, const Z* end) {
  absent.assign(static_cast<std::size_t>(system.contact_count()), 0);
  system.velocity(t, at.q, at.p, v);
  system.conditions(t, at.q, v, condition);
  condition_after = condition;
  if (end) {
    system.velocity(t + flow.h, end->q, end->p, v);
    system.conditions(t + flow.h, end->q, v, condition_after);
  }
  scales.look(t, at);
  for (int i = 0; i < condition.size(); ++i)
    if ((condition[i] <= 0 && condition_after[i] <= 0) || scales.gaps[i] < -scales.touching(i))
      absent[static_cast<std::size_t>(i)] = 1;
}
bool ContactStepper::holds(double t, const Z& at, std::span<const int> contacts) {
  if (!system.has_conditions() || contacts.empty()) return true;
  system.velocity(t, at.q, at.p, v);
  system.conditions(t, at.q, v, condition);
  return std::all_of(contacts.begin(), contacts.end(), [this](int i) { return condition[i] > 0; });
}
// Whether an event is of a contact whose condition does not hold there. One that the motion would take
// through its wall at once may have one that begins to hold just here, as sin(t) > 0 does.
bool ContactStepper::is_met_in_vain(double now, double rest, const EventSearch::Event& event) {
  const bool sticks = event.kind == Found::stuck;
  if (!(sticks || event.kind == Found::impact) || holds(now + event.at.tau, event.at.z, {&event.contact, 1}))
    return false;
  const double little = event.at.tau + 1e-6 * rest;
  return !(sticks && motion(little, part_end).outcome.ok() &&
           holds(now + little, part_end, {&event.contact, 1}));
}
// Those that last and whose condition has ended are not met again in this step.
void ContactStepper::drop_ended(double t) {
  if (!system.has_conditions()) return;
  for (const int i : lasting)
    if (!holds(t, z, {&i, 1})) absent[static_cast<std::size_t>(i)] = 1;
}
void ContactStepper::drop_absent(std::vector<int>& contacts) const {
  if (!absent.empty()) std::erase_if(contacts, [this](int i) { return !exists(i); });
}

}  // namespace carom
