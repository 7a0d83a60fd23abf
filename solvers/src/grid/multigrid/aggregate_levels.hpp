// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Levels of aggregated unknowns below the finest grid, and a V cycle over them.
/// Functions with a device lambda are static: nvcc keeps the parts of such a lambda separate for each translation unit.
/// A linker that joined the functions of two of them would mix the parts.
#pragma once

#include "aggregation.hpp"
#include "coarsest.hpp"
#include "grid.hpp"
#include "storage.hpp"
#include "transfer.hpp"
#include <karman/core/backend.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace karman::detail {

/// A sparse matrix for kernels.
template <class T>
struct SparsePointers {
  int rows = 0;
  int const* start = nullptr;
  int const* column = nullptr;
  T const* value = nullptr;

  /// The sum of value * of(column) over one row.
  template <class Of>
  KOKKOS_INLINE_FUNCTION T sum(int row, Of const& of) const {
    T result = 0;
    for (int e = start[row]; e < start[row + 1]; ++e) result += value[e] * of(column[e]);
    return result;
  }
};

/// One level: its network, the interpolation from the next coarser level and its transpose, and vectors.
template <class T>
struct AggregateLevel {
  SparsePointers<T> between, interpolation, restriction;
  T const* to_zero = nullptr;
  T const* gain = nullptr;  ///< 1 / diagonal, zero where an unknown keeps its value
  T* x = nullptr;
  T* other = nullptr;  ///< the next x, while a kernel still reads this one
  T* rhs = nullptr;
  T* step = nullptr;
  T* residual = nullptr;
  double radius = 2;

  KOKKOS_INLINE_FUNCTION T residual_of(int i) const {
    T const self = x[i];
    return rhs[i] - to_zero[i] * self + between.sum(i, [&](int j) { return x[j] - self; });
  }
};

/// step <- keep * step + add * gain * residual, other <- x + step; without `given`, x counts as zero.
template <class Exec, class T>
static void smooth_aggregates(Exec const& space, AggregateLevel<T> const& level, T keep, T add, bool given) {
  Kokkos::parallel_for(
      "karman::multigrid::aggregates_smooth", Kokkos::RangePolicy<Exec>(space, 0, level.between.rows),
      KOKKOS_LAMBDA(int i) {
        T const residual = given ? level.residual_of(i) : level.rhs[i];
        T const before = keep == T(0) ? T(0) : keep * level.step[i];
        T const step = before + add * level.gain[i] * residual;
        level.step[i] = step;
        level.other[i] = (given ? level.x[i] : T(0)) + step;
      });
}

template <class Exec, class T>
static void store_aggregate_residual(Exec const& space, AggregateLevel<T> const& level) {
  Kokkos::parallel_for(
      "karman::multigrid::aggregates_residual", Kokkos::RangePolicy<Exec>(space, 0, level.between.rows),
      KOKKOS_LAMBDA(int i) { level.residual[i] = level.residual_of(i); });
}

/// coarse rhs <- matrix * values.
template <class Exec, class T>
static void restrict_aggregates(Exec const& space, SparsePointers<T> const& matrix, T const* values, T* rhs) {
  Kokkos::parallel_for(
      "karman::multigrid::aggregates_restrict", Kokkos::RangePolicy<Exec>(space, 0, matrix.rows),
      KOKKOS_LAMBDA(int i) { rhs[i] = matrix.sum(i, [&](int j) { return values[j]; }); });
}

template <class Exec, class T>
static void interpolate_aggregates(Exec const& space, SparsePointers<T> const& matrix, T const* coarse, T* x) {
  Kokkos::parallel_for(
      "karman::multigrid::aggregates_interpolate", Kokkos::RangePolicy<Exec>(space, 0, matrix.rows),
      KOKKOS_LAMBDA(int i) { x[i] += matrix.sum(i, [&](int j) { return coarse[j]; }); });
}

/// The same from `work` and to x of a grid. `restriction` encodes a cell as twice its place in an array without ghosts,
/// plus its colour. `interpolation` has a row per cell in natural order.
template <class Exec, class T>
static void restrict_grid(Exec const& space, MultigridGrid<T> const& g, SparsePointers<T> const& restriction, T* rhs) {
  Kokkos::parallel_for(
      "karman::multigrid::aggregates_restrict", Kokkos::RangePolicy<Exec>(space, 0, restriction.rows),
      KOKKOS_LAMBDA(int i) { rhs[i] = restriction.sum(i, [&](int place) { return g.work[place & 1][place >> 1]; }); });
}

template <class Exec, class T>
static void interpolate_grid(Exec const& space, SparsePointers<T> const& interpolation, T const* coarse,
                             MultigridGrid<T> const& g) {
  Kokkos::parallel_for(
      "karman::multigrid::aggregates_interpolate", Kokkos::RangePolicy<Exec>(space, 0, interpolation.rows),
      KOKKOS_LAMBDA(int n) {
        int const i = n % g.layout.nx;
        int const j = n / g.layout.nx % g.layout.ny;
        int const k = n / g.layout.nx / g.layout.ny;
        g.x[color_of(k, j, i)][g.layout.ghosted(k, j, i >> 1)] +=
            interpolation.sum(n, [&](int m) { return coarse[m]; });
      });
}

/// x <- inverse * rhs, a dense matrix.
template <class Exec, class T>
static void solve_aggregates(Exec const& space, AggregateLevel<T> const& level, T const* inverse) {
  int const n = level.between.rows;
  Kokkos::parallel_for(
      "karman::multigrid::aggregates_solve", Kokkos::RangePolicy<Exec>(space, 0, n), KOKKOS_LAMBDA(int i) {
        T sum = 0;
        for (int j = 0; j < n; ++j) sum += inverse[std::int64_t(i) * n + j] * level.rhs[j];
        level.x[i] = sum;
      });
}

/// The levels below a grid whose equations, times minus the volumes, are `network`.
template <class Exec, class T>
class MultigridAggregateCycle {
 public:
  /// `place_of(n)`: see restrict_grid; `volumes`: of the cells in natural order. Fences.
  template <class PlaceOf>
  MultigridAggregateCycle(Exec const& space, MultigridNetwork network, std::vector<double> const& volumes,
                          PlaceOf const& place_of, MultigridStorage<Exec>& storage) {
    std::vector<MultigridAggregates> host = aggregate(std::move(network));
    for (std::size_t n = 0; n < host.size(); ++n) levels_.push_back(level_of(space, host[n], n == 0, storage));
    if (host.size() == 1) return;
    SparseRows to_coarse = transposed(host[0].prolongation);
    for (std::size_t e = 0; e < to_coarse.column.size(); ++e) {
      int const cell = to_coarse.column[e];
      to_coarse.value[e] *= -volumes[static_cast<std::size_t>(cell)];
      to_coarse.column[e] = place_of(cell);
    }
    levels_[0].restriction = upload(space, to_coarse, storage);
    MultigridNetwork const& last = host.back().network;
    if (last.between.rows() <= coarsest_aggregates) {
      inverse_ = storage.template upload<T>(space, inverse_of(last), "karman::multigrid::inverse");
    }
  }

  /// Adds to x of the grid a correction for the smooth part of the residuals in its `work`. Asynchronous.
  void correct(Exec const& space, MultigridGrid<T> const& g) const {
    if (levels_.size() == 1) return;
    restrict_grid(space, g, levels_[0].restriction, levels_[1].rhs);
    cycle(space, 1);
    interpolate_grid(space, levels_[0].interpolation, levels_[1].x, g);
  }

  /// Unknowns of the levels below the grid.
  std::vector<int> sizes() const {
    std::vector<int> result;
    for (std::size_t n = 1; n < levels_.size(); ++n) result.push_back(levels_[n].between.rows);
    return result;
  }

 private:
  /// Sweeps before and after the coarser level: Chebyshev polynomials of this degree for the eigenvalues from an eighth
  /// of the radius to the radius.
  static constexpr int degree = 3;
  static constexpr double range = 8;

  static SparsePointers<T> upload(Exec const& space, SparseRows const& rows, MultigridStorage<Exec>& storage) {
    std::string const label = "karman::multigrid::aggregates";
    return {rows.rows(), storage.template upload<int>(space, rows.start, label),
            storage.template upload<int>(space, rows.column, label),
            storage.template upload<T>(space, rows.value, label)};
  }

  static AggregateLevel<T> level_of(Exec const& space, MultigridAggregates const& host, bool finest,
                                    MultigridStorage<Exec>& storage) {
    AggregateLevel<T> level;
    level.radius = host.radius;
    bool const last = host.prolongation.rows() == 0;
    if (!last) level.interpolation = upload(space, host.prolongation, storage);
    if (finest) return level;
    if (!last) level.restriction = upload(space, transposed(host.prolongation), storage);
    level.between = upload(space, host.network.between, storage);
    std::string const label = "karman::multigrid::aggregates";
    level.to_zero = storage.template upload<T>(space, host.network.to_zero, label);
    std::vector<double> gain = host.network.diagonal();
    for (double& value : gain) value = value > 0 ? 1 / value : 0;
    level.gain = storage.template upload<T>(space, gain, label);
    for (T** vector : {&level.x, &level.other, &level.rhs, &level.step, &level.residual}) {
      *vector = storage.template allocate<T>(space, level.between.rows, label);
    }
    return level;
  }

  /// Two calls leave x in its first array.
  static void smooth(Exec const& space, AggregateLevel<T>& level, bool given) {
    double const middle = 0.5 * level.radius * (1 + 1 / range);
    double const half = 0.5 * level.radius * (1 - 1 / range);
    double rho = half / middle;
    for (int n = 0; n < degree; ++n) {
      double keep = 0, add = 1 / middle;
      if (n > 0) {
        double const next = 1 / (2 * middle / half - rho);
        keep = next * rho;
        add = 2 * next / half;
        rho = next;
      }
      smooth_aggregates<Exec, T>(space, level, static_cast<T>(keep), static_cast<T>(add), given || n > 0);
      std::swap(level.x, level.other);
    }
  }

  void cycle(Exec const& space, std::size_t number) const {
    AggregateLevel<T> level = levels_[number];
    bool const last = number + 1 == levels_.size();
    if (last && inverse_ != nullptr) return solve_aggregates(space, level, static_cast<T const*>(inverse_));
    smooth(space, level, false);
    if (!last) {
      store_aggregate_residual(space, level);
      restrict_aggregates(space, level.restriction, static_cast<T const*>(level.residual), levels_[number + 1].rhs);
      cycle(space, number + 1);
      interpolate_aggregates(space, level.interpolation, static_cast<T const*>(levels_[number + 1].x), level.x);
    }
    smooth(space, level, true);
  }

  std::vector<AggregateLevel<T>> levels_;
  T* inverse_ = nullptr;
};

}  // namespace karman::detail
