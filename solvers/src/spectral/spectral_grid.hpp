// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Wavenumbers of the modes of a periodic box, and the modes that are kept.
#pragma once

#include <karman/core/compat.hpp>
#include <karman/solvers/spectral/vorticity_options.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <numbers>

namespace karman::detail {

/// Modes (j, i) of the half plane kx >= 0 and of the whole plane, and their places in memory. With SpectralOrder::rows,
/// these are ny rows of nx / 2 + 1 and of nx modes. In the other orders they are columns of ny modes each, those that
/// hold kept modes: i = 0 ... K of the half plane, then i = -K ... -1 of the whole one.
struct SpectralGrid {
  int nx, ny;
  bool by_columns;
  double kx1, ky1;        ///< lowest wavenumbers
  double most_x, most_y;  ///< radii of the ellipse, or sides of the rectangle, of kept mode numbers
  bool ellipse;
  bool fades;  ///< the modes near the ends fade after each step

  explicit SpectralGrid(VorticitySetup const& setup, bool columns = false)
      : nx(setup.points[0]),
        ny(setup.points[1]),
        by_columns(columns),
        kx1(2 * std::numbers::pi / setup.lengths[0]),
        ky1(2 * std::numbers::pi / setup.lengths[1]),
        most_x(most_of(setup.dealiasing, nx)),
        most_y(most_of(setup.dealiasing, ny)),
        ellipse(setup.dealiasing == Dealiasing::circular),
        fades(setup.dealiasing == Dealiasing::exponential) {}

  KOKKOS_FUNCTION int half() const { return nx / 2 + 1; }
  /// Signed number of a row.
  KOKKOS_FUNCTION int row_number(int j) const { return j <= ny / 2 ? j : j - ny; }
  /// Row of the opposite mode.
  KOKKOS_FUNCTION int opposite_row(int j) const { return j == 0 ? 0 : ny - j; }
  /// Largest column of the half plane with kept modes.
  KOKKOS_FUNCTION int last_column() const { return static_cast<int>(most_x); }
  /// Columns of the whole plane in memory.
  KOKKOS_FUNCTION int columns() const { return by_columns ? 2 * last_column() + 1 : nx; }
  /// Column of the whole plane, as the transform numbers it, of a column in memory.
  KOKKOS_FUNCTION int whole_column(int column) const {
    return column <= last_column() ? column : nx - columns() + column;
  }
  /// The reverse; -1 for a column that is not in memory.
  KOKKOS_FUNCTION int column_in_memory(int i) const {
    if (i <= last_column()) return i;
    return i >= nx - last_column() ? i - nx + columns() : -1;
  }
  /// Column in memory of the opposite mode.
  KOKKOS_FUNCTION int opposite_column(int i) const { return i == 0 ? 0 : columns() - i; }
  /// Place of row j, column `column` in the whole plane.
  KOKKOS_FUNCTION std::int64_t place(int j, int column) const {
    return by_columns ? std::int64_t(column) * ny + j : std::int64_t(j) * nx + column;
  }

  /// The half plane in memory: lines one after the other.
  KOKKOS_FUNCTION int lines() const { return by_columns ? last_column() + 1 : ny; }
  KOKKOS_FUNCTION int line_length() const { return by_columns ? ny : half(); }
  KOKKOS_FUNCTION std::int64_t half_place(int j, int i) const {
    return by_columns ? std::int64_t(i) * ny + j : std::int64_t(j) * half() + i;
  }
  /// Row and column of a place in a line.
  KOKKOS_FUNCTION int row(int line, int at) const { return by_columns ? at : line; }
  KOKKOS_FUNCTION int column(int line, int at) const { return by_columns ? line : at; }
  std::int64_t half_size() const { return std::int64_t(lines()) * line_length(); }

  KOKKOS_FUNCTION double kx(int i) const { return kx1 * i; }
  KOKKOS_FUNCTION double ky(int j) const { return ky1 * row_number(j); }

  /// Whether a mode of the half plane is kept. The mean is not.
  KOKKOS_FUNCTION bool keeps(int j, int i) const {
    double const x = i, y = row_number(j) < 0 ? -row_number(j) : row_number(j);
    if (i == 0 && j == 0) return false;
    if (ellipse) return x * x * (most_y * most_y) + y * y * (most_x * most_x) <= most_x * most_x * (most_y * most_y);
    return x <= most_x && y <= most_y;
  }

  /// Factor of a mode after each step.
  KOKKOS_FUNCTION double fading(int j, int i) const {
    double const x = i / most_x, y = row_number(j) / most_y;
    double factor = 0;
    for (double const part : {x * x, y * y}) {
      double const p4 = part * part, p8 = p4 * p4, p16 = p8 * p8;
      factor += p16 * p16 * p4;  // the 36th power
    }
    return compat::math::exp(-36 * factor);
  }

 private:
  /// Largest number along an axis of n points; the radius of the ellipse lies just below the next one.
  static double most_of(Dealiasing dealiasing, int n) {
    int const third = (n - 1) / 3;
    switch (dealiasing) {
      case Dealiasing::circular: return third + 0.99;
      case Dealiasing::square: return third;
      case Dealiasing::exponential:
      case Dealiasing::none: break;
    }
    return (n - 1) / 2;
  }
};

}  // namespace karman::detail
