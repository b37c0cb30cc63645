// The part of [method] that belongs to the steppers contact, gvi, direct and dae-euler. Included by
// method.cpp only.
#pragma once

#include "scenario/method.hpp"

namespace carom::detail {

inline std::string in_quotes(const std::string& word) { return '"' + word + '"'; }

// Refuses flows and impact laws that the stepper contact has not.
void check_contact_flow(const Scenario& scenario, const std::string& flow, const std::string& law);

// Fill in the options of gvi or direct, or refuse those that do not fit, by place, key and value.
void add_gvi_options(const Scenario& scenario, Method& method);
void add_direct_options(const Scenario& scenario, Method& method);

// Puts the key's word, where it is stated, into `chosen`, or refuses it if it is not known.
void choose(const Scenario& scenario, const char* key, const std::optional<std::string>& stated,
            const std::vector<std::string>& known, std::string& chosen);

// The same as for gvi and direct for dae-euler.
void add_dae_options(const Scenario& scenario, Method& method);
void refuse_dae_options(const Scenario& scenario, const std::string& stepper);

// Whether a contact gives mu, which chooses the stepper "contact"; and whether it may be more than 0.
bool states_friction(const Scenario& s);
bool has_rough_contacts(const Scenario& s);
void check_rough_law(const Scenario& s, const std::string& law);

// Refuses what a contact says of itself, a restitution or where it exists, but for the event loop.
void refuse_own_contacts(const Scenario& scenario, const std::string& stepper);

// Refuses the keys of gvi and direct for any other stepper.
void refuse_contact_options(const Scenario& scenario, const std::string& stepper);

}  // namespace carom::detail
