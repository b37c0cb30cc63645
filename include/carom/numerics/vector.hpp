// Vectors, matrices and the state of a mechanical system. A size is fixed at compile time or Eigen::Dynamic.
#pragma once

#include <Eigen/Core>

namespace carom {

template <class S, int N>
using Vector = Eigen::Matrix<S, N, 1>;
template <class S, int N>
using Matrix = Eigen::Matrix<S, N, N>;

// A point of phase space: coordinates and their conjugate momenta.
template <class S, int N>
struct State {
  Vector<S, N> q, p;
};

// Of run-time size: what systems behind their interface, steppers and runs take.
using Values = Vector<double, Eigen::Dynamic>;
using Phase = State<double, Eigen::Dynamic>;

}  // namespace carom
