// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Residual of the fast Poisson solver's equation, cell by cell, with its boundary values.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/core/compat.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace karman::detail {

/// The differences of one axis: cell n has the weights lower[n] and upper[n]. On a side they are multiplied with its
/// coefficient, and the value beyond is a boundary value. With `periodic` it is the cell at the other end. In a
/// part of the box `cells` and the weights belong to the part. A cut side has the values of the neighbouring process.
template <class T>
struct AxisDifferences {
  T const* lower;
  T const* upper;
  T low_coefficient, high_coefficient;
  T const* low_values;  ///< null: zero
  T const* high_values;
  int cells;
  bool present, periodic;
  T const* cells_below;  ///< null where the lower side is not cut
  T const* cells_above;
};

/// (columns, middle, row) = (k, j, i), i contiguous. `Cut`: sides may be cut.
template <class T, bool Cut>
struct BoxEquation {
  AxisDifferences<T> axes[3];  ///< row, middle, columns

  /// The boundary value next to cell n of an axis times its weight, and the contributions of the neighbouring cells.
  struct Part {
    T inner, boundary, weight;
  };

  KOKKOS_FUNCTION Part part(int axis, T const* x, std::int64_t cell, int n, std::int64_t stride,
                            std::int64_t on_side) const {
    AxisDifferences<T> const& a = axes[axis];
    if (!a.present) return {T(0), T(0), T(0)};
    T const own = x[cell];
    T inner = T(0), boundary = T(0), weight = T(0);
    bool const cut_below = Cut && a.cells_below != nullptr, cut_above = Cut && a.cells_above != nullptr;
    if (n > 0 || a.periodic || cut_below) {
      bool const beyond = cut_below && n == 0;
      T const value = beyond ? a.cells_below[on_side] : x[n > 0 ? cell - stride : cell + (a.cells - 1) * stride];
      inner += a.lower[n] * (value - own);
      weight += a.lower[n];
    } else {
      T const w = a.lower[0] * a.low_coefficient;
      inner -= w * own;
      weight += w;
      if (a.low_values != nullptr) boundary += w * a.low_values[on_side];
    }
    if (n < a.cells - 1 || a.periodic || cut_above) {
      bool const beyond = cut_above && n == a.cells - 1;
      T const value =
          beyond ? a.cells_above[on_side] : x[n < a.cells - 1 ? cell + stride : cell - (a.cells - 1) * stride];
      inner += a.upper[n] * (value - own);
      weight += a.upper[n];
    } else {
      T const w = a.upper[n] * a.high_coefficient;
      inner -= w * own;
      weight += w;
      if (a.high_values != nullptr) boundary += w * a.high_values[on_side];
    }
    return {inner, boundary, weight};
  }
};

struct LargestOfBox {
  double residual = 0, right = 0, size = 0;

  void join(LargestOfBox const& other) {
    residual = std::max(residual, other.residual);
    right = std::max(right, other.right);
    size = std::max(size, other.size);
  }
};

/// Largest |residual|, |b| and weight |x| of all cells.
template <ExecutionSpace Exec, class T, bool Cut>
struct MeasureBox {
  BoxEquation<T, Cut> equation;
  T const* x;
  T const* rhs;
  bool dry;  ///< reads nothing: for the first call, at which Kokkos allocates workspace of reductions

  using Maximum = Kokkos::Max<double>;

  KOKKOS_FUNCTION void operator()(std::int64_t cell, double& residual, double& right, double& size) const {
    if (dry) return;
    std::int64_t const nx = equation.axes[0].cells, ny = equation.axes[1].cells;
    // Division of 32 bits where a cell's number fits: several times faster on a device.
    std::int64_t const line = cell >> 32 == 0 ? std::uint32_t(cell) / std::uint32_t(nx) : cell / nx;
    int const k = static_cast<int>(line >> 32 == 0 ? std::uint32_t(line) / std::uint32_t(ny) : line / ny);
    int const j = static_cast<int>(line - k * ny), i = static_cast<int>(cell - line * nx);
    auto const in_x = equation.part(0, x, cell, i, 1, k * ny + j);
    auto const in_y = equation.part(1, x, cell, j, nx, k * nx + i);
    auto const in_z = equation.part(2, x, cell, k, nx * ny, j * nx + i);
    T const b = rhs[cell] - (in_x.boundary + in_y.boundary + in_z.boundary);
    T const r = b - (in_x.inner + in_y.inner + in_z.inner);
    raise(residual, double(r));
    raise(right, double(b));
    raise(size, double(in_x.weight + in_y.weight + in_z.weight) * double(x[cell]));
  }

  LargestOfBox run(Exec const& space) const {
    LargestOfBox result;
    std::int64_t const cells = std::int64_t(equation.axes[0].cells) * equation.axes[1].cells * equation.axes[2].cells;
    Kokkos::parallel_reduce("karman::fast_poisson::residual",
                            Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(space, 0, cells), *this,
                            Maximum(result.residual), Maximum(result.right), Maximum(result.size));
    return result;
  }

 private:
  /// NaN counts as infinite: a maximum over threads would lose it.
  KOKKOS_FUNCTION static void raise(double& largest, double value) {
    double const magnitude = compat::math::fabs(value);
    if (!(magnitude <= largest)) largest = magnitude == magnitude ? magnitude : HUGE_VAL;
  }
};

/// b = rhs less the contributions of one side's boundary values, in the cells at that side.
template <ExecutionSpace Exec, class T>
struct SubtractSide {
  T* field;
  T const* values;
  T weight;
  std::int64_t first, slow_stride, fast_stride;  ///< of the side's cells in the field
  int slow, fast;

  KOKKOS_FUNCTION void operator()(std::int64_t n) const {
    std::int64_t const a = n / fast, b = n - a * fast;
    field[first + a * slow_stride + b * fast_stride] -= weight * values[n];
  }

  void run(Exec const& space) const {
    Kokkos::parallel_for(
        "karman::fast_poisson::side",
        Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(space, 0, std::int64_t(slow) * fast), *this);
  }
};

}  // namespace karman::detail
