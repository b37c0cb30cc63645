// M x = b of a symmetric positive definite M, row-major, by M = L D L' in place of M, of run-time size. What
// lies left of the first number of a row stays zero: a chain of any length costs as many products as it has
// links, a diagonal none. With the bits of the same sums over all entries. Tested in
// tests/unit/linear_test.cpp.
#pragma once

namespace carom {

// b becomes x. False where M is not positive definite.
bool solve_positive_in_place(double* m, double* b, int n);

// The two halves of it: `first` holds n numbers, the first column of each row that is not zero.
bool factor_positive(double* m, int* first, int n);
void solve_factored(const double* m, const int* first, double* b, int n);

}  // namespace carom
