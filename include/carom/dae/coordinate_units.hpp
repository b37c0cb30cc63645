// Units of the coordinates of a DAE against each other, as the mass tells them: what is compared in them, and
// the pivots that are taken, depend on no units. All are 1 where p is no momentum. Tested in
// tests/laws/units_test.cpp.
#pragma once

#include <vector>

#include "carom/dae/dae.hpp"
#include "carom/numerics/unit_of_mass.hpp"

namespace carom {

class CoordinateUnits {
 public:
  void measure(const DaeMotion& motion) {
    const Dense& M = motion.p_z;
    sigma.setOnes(M.cols());
    if (motion.v.size() != sigma.size()) return;
    for (int i = 1; i < sigma.size(); ++i) sigma[i] = unit_of_mass(M(0, 0), M(i, i));
  }
  const Values& each() const { return sigma; }
  double operator[](int i) const { return i < sigma.size() ? sigma[i] : 1; }

  // The largest of velocities or positions, and of momenta or forces, in the unit of the first.
  double largest(const auto& v) const {
    double most = 0;
    for (int i = 0; i < v.size(); ++i) most = std::fmax(most, std::abs(v[i]) / (*this)[i]);
    return most;
  }
  // Of the coordinates of one unit (Dae::units).
  double largest_of(int unit, const auto& v, const std::vector<int>& coupled) const {
    double most = 0;
    for (int i = 0; i < v.size(); ++i)
      if (coupled.empty() || coupled[static_cast<std::size_t>(i)] == unit)
        most = std::fmax(most, std::abs(v[i]) / (*this)[i]);
    return most;
  }
  double largest_momentum(const auto& p) const {
    double most = 0;
    for (int i = 0; i < p.size(); ++i) most = std::fmax(most, std::abs(p[i]) * (*this)[i]);
    return most;
  }
  // What slopes make of the largest velocities or positions of those that are coupled to each (Dae::units).
  double size_along(const auto& row, const Values& v, const std::vector<int>& coupled) const {
    double all = 0;
    for (int i = 0; i < row.size(); ++i)
      if (row[i] != 0) all += std::abs(row[i]) * (*this)[i] * largest_beside(i, v, coupled);
    return all;
  }

 private:
  double largest_beside(int i, const Values& v, const std::vector<int>& coupled) const {
    double most = 0;
    for (int k = 0; k < v.size(); ++k)
      if (coupled.empty() || coupled[static_cast<std::size_t>(k)] == coupled[static_cast<std::size_t>(i)])
        most = std::fmax(most, std::abs(v[k]) / (*this)[k]);
    return most;
  }

  Values sigma;
};

}  // namespace carom
