// Which contacts last: those that begin to, that are released, and that stick because the motion does not
// leave them. Tested in tests/laws/contact_edge_cases_test.cpp and contact_rest_test.cpp.
#include <algorithm>

#include "carom/contact/contact_stepper.hpp"

namespace carom {

void ContactStepper::release(double t) {
  touching.pressed(t, z.q, z.p, lasting);
  next_lasting.clear();
  for (const int i : lasting)
    if ((!contains(touching.opening(), i) || contains(late, i)) && holds(t, z, {&i, 1}))
      next_lasting.push_back(i);
  change_lasting(t, no_tail);
}

// A contact whose curve does not leave it although nothing presses it stays; if it was released in this step,
// that came too early: it is held to the end of the step.
std::optional<Failure> ContactStepper::stick(double t, int contact) {
  if (!options.lasting) return stays_closed(contact);
  next_lasting = lasting;
  next_lasting.insert(std::upper_bound(next_lasting.begin(), next_lasting.end(), contact), contact);
  touching.project(t, z.q, z.p, next_lasting);
  const auto released = std::find_if(changes.begin(), changes.end(), [&](const ContactChange& change) {
    return change.contact == contact && !change.begins;
  });
  if (released == changes.end()) {
    change_lasting(t, no_tail);
    return std::nullopt;
  }
  changes.erase(released);
  late.push_back(contact);
  lasting = next_lasting;
  return std::nullopt;
}

// What lasts from here on; a flow without steps along contacts lets those go that nothing presses.
bool ContactStepper::choose_lasting(double t) {
  if (!touching.choose_lasting(t, z.q, z.p, next_lasting)) return false;
  if (!holds_contacts) std::erase_if(next_lasting, [this](int i) { return !(touching.push_of(i) > 0); });
  return true;
}

std::optional<Failure> ContactStepper::refuse_lasting(const std::vector<int>& pressed) const {
  if (options.lasting) return std::nullopt;
  for (const int i : pressed)
    if (touching.push_of(i) > 0) return stays_closed(i);
  return std::nullopt;
}

// C becomes what was chosen; tells what changed.
void ContactStepper::change_lasting(double t, const Tail& tail) {
  for (const int i : lasting)
    if (!contains(next_lasting, i)) changes.push_back({t, i, false, t});
  for (const int i : next_lasting)
    if (!contains(lasting, i)) changes.push_back({t, i, true, t + tail(i)});
  lasting = next_lasting;
}

}  // namespace carom
