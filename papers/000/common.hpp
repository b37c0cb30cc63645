// What the items of 000 share: its cart-pendulum, its family of starts, and the methods by name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "item.hpp"

namespace carom::papers::p000 {

// 000, 5.1 and 5.2; items change the start, the method and the step.
inline constexpr std::string_view cart_pendulum = R"([system]
name = "cart-pendulum"
parameters = {m1 = 1.0, m2 = 0.2, L = 2.0, g = 10.0}

[initial]
q = [4.2, 0.0]    # (β, 0), β from 3.2 to 5.2 in 51 even values
v = [0.0, 2.744]  # (0, 3.5 - 0.18 β)

[method]
name = "cva"      # and the others that are named below

[time]
step = 0.01       # and 0.032
end = 5.0
)";

using Set = std::vector<std::string>;  // as --set has it
Set operator+(Set a, const Set& b);

// The paper's four, on the flows that it gives them.
Set cva();     // H at the impact, on svc
Set vci();     // the discrete energy, on svc
Set mcva_a();  // four orders of the modified Hamiltonian, on sva
Set mcva_c();  // three terms of its series, on svc
Set cva_on(const std::string& flow);
// And ours.
Set shadow(const std::string& flow);  // of order 8
Set shadow_8();                       // kahan-li8 with shadow of order 12
Set gauss_to(double tolerance);

Set start(double beta);
Set step(double h);

// The family of starts, and where it goes: positions at the grid points by Gauss collocation of order 16.
struct Family {
  std::vector<double> betas;
  double h;
  std::vector<Columns> exact;
};
Family family(const Lab& lab, int count, double h);

// √(h Σ |q - q_exact|²) over the grid points, one for each start; throws where a run does not complete.
std::vector<double> errors(const Lab& lab, const Family& family, const Set& method);

std::vector<double> ratios(const std::vector<double>& a, const std::vector<double>& b);  // a/b

}  // namespace carom::papers::p000
