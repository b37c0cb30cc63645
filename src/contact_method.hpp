// The part of [method] that belongs to the steppers gvi and direct. Included by method.cpp only.
#pragma once

#include "method.hpp"

namespace carom::detail {

// Fill in the options of gvi or direct, or refuse those that do not fit, by place, key and value.
void add_gvi_options(const Scenario& scenario, Method& method);
void add_direct_options(const Scenario& scenario, Method& method);

// Refuses the keys of gvi and direct for any other stepper.
void refuse_contact_options(const Scenario& scenario, const std::string& stepper);

}  // namespace carom::detail
