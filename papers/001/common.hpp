// What the items of 001 share: the double pendulum's energies, levels between impacts, errors of motions.
#pragma once

#include <string>
#include <vector>

#include "item.hpp"

namespace carom::papers::p001 {

// H~ as 001, III-A prints it, H + h²/24 (2 H_qq(H_p, H_p) + 2 H_qp(H_p, H_q) - H_pp(H_q, H_q)), along a run
// of the double pendulum with the parameters of the paper.
std::vector<double> printed_energy(const Columns& trajectory, double h);

// The method of the paper to the letter: stable values (medians over `window` nodes) of the H~ it prints, on
// svc. carom's mhc takes the modified Hamiltonian that belongs to svc instead.
struct PrintedMhc {
  std::vector<double> t, q1, q2, H;
  std::vector<double> impacts;
};
struct PendulumStart {
  double q1 = 0.5647, q2 = 1.1106, p1 = 3.7270, p2 = 0.2415;  // of Fig. 2
};
PrintedMhc printed_mhc(double h, double end, int window, const PendulumStart& start = {});

// Medians of an energy over the flights between impacts: what 001 calls stable values.
std::vector<double> levels(const std::vector<double>& t, const std::vector<double>& energy,
                           const std::vector<double>& impacts);

// √(h Σ |q - q_ref|²) over grid points that both have.
double l2_error(double h, const std::vector<double>& q1, const std::vector<double>& q2,
                const Columns& reference);
double l2_error(double h, const Recorded& run, const Recorded& reference);

// "step=0.01" and the like.
std::string setting(std::string_view key, double value);

}  // namespace carom::papers::p001
