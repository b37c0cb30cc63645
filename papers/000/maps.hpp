// One-step maps and modified Hamiltonians of 000, section 3, for the items that a scenario cannot measure.
#pragma once

#include <array>

namespace carom::papers::p000 {

using Point = std::array<double, 4>;  // q1, q2, p1, p2

enum class Example {
  separable,    // H = |p|²/2 + |q|²/2 + q1² q2 - q2³/3 (Hénon and Heiles)
  nonseparable  // the cart-pendulum of 5.1
};

// Φ_h by discrete Legendre transforms, (13) to (15): of svc from its L_d, and of sva.
Point step_of_svc(Example example, double h, const Point& z);
Point step_of_sva(Example example, double h, const Point& z);
// Φ_h by a generating function, (19) and (20): of (21) and (24) from the L_d of svc, and of (25), which is
// sva's.
Point step_by_right_hamiltonian(Example example, double h, const Point& z);
Point step_by_sva_function(Example example, double h, const Point& z);

// For the cart-pendulum: the first terms (1 to 4) of (27) for svc, the two of sva in closed form, and H~ of
// either from the iterates.
double series_of_svc(int terms, double h, const Point& z);
double closed_form_of_sva(double h, const Point& z);
double shadow_of_svc(double h, const Point& z, int order = 16);
double shadow_of_sva(double h, const Point& z);
// The flow of that series over a step h, by Gauss collocation of order 8.
Point flow_of_series(int terms, double h, const Point& z);

// What an L_d costs: its value at the ends of a step from z by the formula, less the action of the step; of
// sva the formula has its midpoint halfway, for to find it needs a solve.
double explicit_defect_of_svc(double h, const Point& z);
double explicit_defect_of_sva(double h, const Point& z);

}  // namespace carom::papers::p000
