// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Weights of Adams-Bashforth methods for steps of any lengths.
#pragma once

#include <Kokkos_Core.hpp>

namespace karman::detail {

/// Weights w_j that integrate the polynomial through r at the times 0, -h_0, -(h_0 + h_1), ... from 0 to dt:
/// sum over j < nodes of w_j r_j. The earlier steps h must be positive; all weights are 0 where dt is.
/// \param dt length of the step
/// \param earlier lengths of the nodes - 1 steps before it, the last first
/// \param nodes 1 to 4
/// \param weights `nodes` numbers
KOKKOS_INLINE_FUNCTION void adams_weights(double dt, double const* earlier, int nodes, double* weights) {
  if (dt == 0) {
    for (int j = 0; j < nodes; ++j) weights[j] = 0;
    return;
  }
  // Times in units of dt.
  double at[4] = {0, 0, 0, 0};
  for (int j = 1; j < nodes; ++j) at[j] = at[j - 1] - earlier[j - 1] / dt;
  for (int j = 0; j < nodes; ++j) {
    // Coefficients of the product of (s - at_m) / (at_j - at_m) over m != j, the constant first.
    double polynomial[4] = {1, 0, 0, 0};
    double divisor = 1;
    for (int m = 0; m < nodes; ++m) {
      if (m == j) continue;
      divisor *= at[j] - at[m];
      for (int power = 3; power > 0; --power) polynomial[power] = polynomial[power - 1] - at[m] * polynomial[power];
      polynomial[0] *= -at[m];
    }
    double integral = 0;
    for (int power = 0; power < nodes; ++power) integral += polynomial[power] / (power + 1);
    weights[j] = dt * integral / divisor;
  }
}

}  // namespace karman::detail
