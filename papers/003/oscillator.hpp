// The nonlinear oscillator of 003, 8.0.1.
#pragma once

#include <string_view>

namespace carom::papers::p003 {

inline constexpr std::string_view oscillator = R"([system]
name = "nonlinear-oscillator"   # V = sum |q_i|^2 (|q_i|^2 - 1)^2, g = |q_1 - q_2| - r1 - r2
parameters = {m = 1.0, r1 = 1.0, r2 = 1.0}

[initial]
q = [0.0, -1.4, 0.0, 1.4]
p = [1.0, 0.0, -1.0, 0.0]

[method]
stepper = "gvi"           # direct and event-driven in (a) and (b)
flow = "midpoint"
energy = "hamiltonian"

[time]
step = 0.1
end = 10000.0             # our choice: the paper does not state it
)";

}  // namespace carom::papers::p003
