// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The three storages of the coefficients. Each is an object that gives a kernel the equation of one cell.
#pragma once

#include "base/view_array.hpp"
#include <karman/core/detail/pack.hpp>
#include <karman/solvers/detail/wall_code_bits.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace karman::detail {

template <class Exec, class T>
using Array = Kokkos::View<T*, typename Exec::memory_space>;
/// Read-only arrays, which a device may read through its read-only path and ahead of stores to other arrays.
template <class Exec, class T>
using ReadArray = Kokkos::View<T const*, typename Exec::memory_space, Kokkos::MemoryTraits<Kokkos::RandomAccess>>;

/// Coefficients of a layer: weights of the upper and the lower neighbour, and 1 / own weight of an open cell. Aligned
/// to be loaded as one unit.
template <class T>
struct alignas(4 * sizeof(T)) LayerWeights {
  T up, down, open_inverse;
};

/// The six neighbours of a cell.
template <class T>
struct Neighbors {
  T east, west, north, south, top, bottom;
};

/// The equation of a cell at the present iterate, by its residual. The change of x that makes the residual zero is
/// residual * inverse.
template <class T>
struct CellEquation {
  T residual, inverse;
};

/// Open box: the operator without walls. A planar problem has no neighbours in y.
template <bool Planar = false, class T>
KOKKOS_INLINE_FUNCTION CellEquation<T> open_equation(T self, Neighbors<T> const& nb, T rhs, T ax, T ay,
                                                     LayerWeights<T> const& layer) {
  // Differences first: they are small near convergence, so that the rounding of x itself has no effect.
  T r = ax * ((nb.east - self) + (nb.west - self));
  if constexpr (!Planar) r += ay * ((nb.north - self) + (nb.south - self));
  return {r + layer.up * (nb.top - self) + layer.down * (nb.bottom - self) - rhs, layer.open_inverse};
}

/// Cells with open_cell_code in a row of one colour: not all inner ones, all between the first and the last, or all.
enum class OpenRow : std::uint8_t { no, inner, whole };

/// SorStorage::packed.
template <class Exec, class T>
struct PackedWalls {
  static constexpr bool has_open_rows = true;
  static constexpr bool bounds_registers = true;
  static constexpr bool scales_residual = false;
  ReadArray<Exec, WallCode> codes;
  T ax, ay;

  KOKKOS_INLINE_FUNCTION CellEquation<T> decoded(unsigned code, T self, Neighbors<T> const& nb, T rhs,
                                                 LayerWeights<T> const& layer) const {
    // The factors, 0, 1/2, 1 or 2, are exact: an open cell gets the same bits as from open_equation(). So it has no
    // effect on results which rows take that short cut, nor where processes cut them.
    auto const factor = [&](int face) { return T(0.5) * T(doubled_face(code, face)); };
    T const e = factor(0), f = factor(1), g = factor(2), h = factor(3), m = factor(4), n = factor(5);
    T const faces = (e + f) * ax + (g + h) * ay + m * layer.up + n * layer.down;
    T const given = ax * T(doubled_half_weight(code, 0)) + ay * T(doubled_half_weight(code, 1)) +
                    T(0.5) * (layer.up + layer.down) * T(doubled_half_weight(code, 2));
    // Factors 0 and 1 instead of branches: a compiler may not speculate a division, so a branch would prevent
    // vectorisation.
    T const keeps = T(static_cast<int>(keeps_its_value(code)));
    T const excess = (T(1) - keeps) * T(static_cast<int>(code >> 15)) * (given - faces);
    T const r = ax * (e * (nb.east - self) + f * (nb.west - self)) +
                ay * (g * (nb.north - self) + h * (nb.south - self)) + layer.up * (m * (nb.top - self)) +
                layer.down * (n * (nb.bottom - self)) - excess * self - (T(1) - keeps) * rhs;
    return {r, T(1) / (faces + excess + keeps)};
  }

  /// Input of `equation` for N adjacent cells, as one load.
  template <int N>
  KOKKOS_INLINE_FUNCTION Pack<WallCode, N> fetch(std::int64_t inner) const {
    return load_pack<N>(codes.data() + inner);
  }
  KOKKOS_INLINE_FUNCTION CellEquation<T> equation(unsigned code, std::int64_t, T self, Neighbors<T> const& nb, T rhs,
                                                  LayerWeights<T> const& layer) const {
    // On a device most warps have open cells alone and skip the decoding. On the host a branch would prevent
    // vectorisation; there the flags of open rows serve instead.
    if constexpr (!bool(Kokkos::SpaceAccessibility<Exec, Kokkos::HostSpace>::accessible)) {
      if (code == open_cell_code) return open_equation(self, nb, rhs, ax, ay, layer);
    }
    return decoded(code, self, nb, rhs, layer);
  }
};

/// M coefficients of N adjacent cells, each moved in one access.
template <class T, int N, int M>
struct CoefficientPacks {
  Pack<T, N> coefficient[M];

  struct Cell {
    T coefficient[M];
  };
  KOKKOS_INLINE_FUNCTION Cell operator[](int n) const {
    Cell cell;
    for (int m = 0; m < M; ++m) cell.coefficient[m] = coefficient[m][n];
    return cell;
  }
};

/// SorStorage::coefficients: given face coefficients; own weights given, or the sum of the faces.
template <class Exec, class T, bool GivenWeights>
struct CoefficientWalls {
  static constexpr bool has_open_rows = false;
  static constexpr bool bounds_registers = false;  // they would be spilled
  static constexpr bool scales_residual = false;
  static constexpr int half_weights = GivenWeights ? 3 : 0;
  ViewArray<ReadArray<Exec, T>, 6> face;
  ViewArray<ReadArray<Exec, T>, GivenWeights ? 3 : 1> half_weight;
  T ax, ay;

  template <int N>
  KOKKOS_INLINE_FUNCTION CoefficientPacks<T, N, 6 + half_weights> fetch(std::int64_t inner) const {
    CoefficientPacks<T, N, 6 + half_weights> packs;
    for (int n = 0; n < 6; ++n) packs.coefficient[n] = load_pack<N>(face[n].data() + inner);
    for (int n = 0; n < half_weights; ++n) packs.coefficient[6 + n] = load_pack<N>(half_weight[n].data() + inner);
    return packs;
  }
  template <class Cell>
  KOKKOS_INLINE_FUNCTION CellEquation<T> equation(Cell const& cell, std::int64_t, T self, Neighbors<T> const& nb, T rhs,
                                                  LayerWeights<T> const& layer) const {
    auto const& c = cell.coefficient;
    T const e = ax * c[0], f = ax * c[1];
    T const g = ay * c[2], h = ay * c[3];
    T const m = layer.up * c[4], n = layer.down * c[5];
    T const faces = (e + f) + (g + h) + (m + n);
    T const keeps = T(static_cast<int>(faces == T(0)));
    T r = (e * (nb.east - self) + f * (nb.west - self)) + (g * (nb.north - self) + h * (nb.south - self)) +
          (m * (nb.top - self) + n * (nb.bottom - self)) - (T(1) - keeps) * rhs;
    T own = faces + keeps;
    if constexpr (GivenWeights) {
      T const given = T(2) * ax * c[6] + T(2) * ay * c[7] + (layer.up + layer.down) * c[8];
      T const excess = (T(1) - keeps) * (given - faces);
      own += excess;
      r -= excess * self;
    }
    return {r, T(1) / own};
  }
};

/// SorStorage::folded: coefficients and right-hand side already divided by the cell's own weight. Only the residual
/// still needs that weight. A cell that keeps its value has coefficients, right-hand side and `own` zero.
template <class Exec, class T>
struct FoldedWalls {
  static constexpr bool has_open_rows = false;
  static constexpr bool bounds_registers = true;
  static constexpr bool scales_residual = true;
  ViewArray<ReadArray<Exec, T>, 6> face;
  ReadArray<Exec, T> own;

  template <int N>
  KOKKOS_INLINE_FUNCTION Pack<char, N> fetch(std::int64_t) const {
    return {};
  }
  KOKKOS_INLINE_FUNCTION CellEquation<T> equation(char, std::int64_t inner, T self, Neighbors<T> const& nb, T rhs,
                                                  LayerWeights<T> const&) const {
    T const e = face[0](inner), f = face[1](inner), g = face[2](inner), h = face[3](inner), m = face[4](inner),
            n = face[5](inner);
    T const sum = (e * nb.east + f * nb.west) + (g * nb.north + h * nb.south) + (m * nb.top + n * nb.bottom);
    T const keeps = T(static_cast<int>((e + f) + (g + h) + (m + n) == T(0)));
    return {sum - (T(1) - keeps) * (self + rhs), T(1)};
  }
  /// Factor from the folded residual to that of the equation as stated.
  KOKKOS_INLINE_FUNCTION T residual_scale(std::int64_t inner) const { return own(inner); }
};

}  // namespace karman::detail
