// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Passes of an implicit step in time over the nodes.
#pragma once

#include "newton_kernels.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace karman::detail {

/// to = sum of weight times field; `to` may be one of them.
template <class Exec, class T>
struct SumOfFields {
  static constexpr int most = 4;
  ConstEulerField<Exec, T> of[most];
  double weight[most];
  int count;
  EulerField<Exec, T> to;

  KOKKOS_FUNCTION void operator()(int node) const {
    for (int c = 0; c < 4; ++c) {
      // The first one last: changes of a flow are added to it after their sum.
      double sum = 0;
      for (int n = count - 1; n >= 0; --n) sum += weight[n] * double(of[n](node, c));
      to(node, c) = static_cast<T>(sum);
    }
  }
};

/// inverse_dt = one number in all nodes.
template <class Exec, class T>
struct SameSteps {
  T value;
  Vector<Exec, T> inverse_dt;
  KOKKOS_FUNCTION void operator()(int node) const { inverse_dt(node) = value; }
};

/// Square of (g + rate) |U| in one node, for the round-off of a residual.
template <class Exec, class T>
struct SizeOfNode {
  NewtonScales<Exec, T> scales;
  ConstEulerField<Exec, T> u;
  ConstVector<Exec, T> rates;
  double g;
  KOKKOS_FUNCTION double operator()(std::int64_t node) const {
    double sum = 0;
    for (int c = 0; c < 4; ++c) {
      double const value = double(scales.of(node, c)) * double(u(node, c));
      sum += value * value;
    }
    double const rate = g + double(rates(node));
    return rate * rate * sum;
  }
};

/// Square of the unknowns of one node.
template <class Exec, class T>
struct SquareOfNode {
  ConstVector<Exec, T> x;
  KOKKOS_FUNCTION double operator()(std::int64_t node) const {
    double sum = 0;
    for (int c = 0; c < 4; ++c) sum += double(x(4 * node + c)) * double(x(4 * node + c));
    return sum;
  }
};

}  // namespace karman::detail
