// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// One grid of a multigrid hierarchy for kernels, and the equation of one of its cells.
#pragma once

#include "grid/sor/split_layout.hpp"
#include <karman/core/detail/pack.hpp>
#include <karman/solvers/detail/wall_code_bits.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace karman::detail {

/// Source of the openness of the faces: all open as in their table; wall codes; six arrays.
enum class MultigridWalls { none, codes, arrays };

/// A grid of nx * ny * nz cells with widths that may differ along each axis, in the axes of its layout. The equation of
/// a cell, divided by its volume, has one coefficient per face: (table of the axis) * (openness of the face). The
/// tables give weight / (width * distance of the centres); towards a side with a value, the distance to that value.
/// Plain pointers, so that kernels take it by value and several grids can share one array.
template <class T>
struct MultigridGrid {
  /// A difference of weights this small, relative to a cell's own weight, is rounding.
  static constexpr T negligible = sizeof(T) == 4 ? T(1e-6) : T(1e-14);

  SplitLayout layout;
  MultigridWalls walls = MultigridWalls::none;
  bool periodic[3] = {};
  bool coarsened[3] = {};  ///< along this axis the next grid joins cells in pairs
  /// Cells along each axis that a sweep relaxes. The last plane of an odd periodic axis is excluded: its cells have
  /// neighbours of their own colour across the seam and follow later.
  int swept[3] = {};

  T const* along_x = nullptr;  ///< per shift s (0, 1), direction (east, west) and half index, rows of inner_pitch
  T const* along_y = nullptr;  ///< per direction (north, south) and row
  T const* along_z = nullptr;  ///< per direction (up, down) and layer
  WallCode const* codes[2] = {};
  T const* face[2][6] = {};
  T const* excess[2] = {};  ///< own weight less the sum of the faces; may be absent

  T* x[2] = {};     ///< with ghosts
  T* rhs[2] = {};   ///< without ghosts
  T* work[2] = {};  ///< without ghosts: residuals, or the factors of a line solve

  T const* share[3] = {};  ///< width of a cell as a fraction of that of its coarse cell
  T const* pull[3] = {};   ///< weight in prolongation of the coarse neighbour on the cell's own side of its coarse cell
  T const* width[3] = {};
  std::uint64_t const* reach[2] = {};  ///< without ghosts: see MultigridReach; may be absent

  /// Offset of the neighbour in y. 0 in a planar grid, whose table along y is zero.
  KOKKOS_INLINE_FUNCTION std::int64_t row() const { return layout.ghost_rows == 0 ? 0 : layout.pitch; }
  KOKKOS_INLINE_FUNCTION std::int64_t cells() const { return std::int64_t(layout.nx) * layout.ny * layout.nz; }
  KOKKOS_INLINE_FUNCTION int extent(int axis) const {
    return axis == 0 ? layout.nx : axis == 1 ? layout.ny : layout.nz;
  }
  /// Cells of one colour in a row of that shift that a sweep relaxes.
  KOKKOS_INLINE_FUNCTION int swept_count(int s) const { return (swept[0] - s + 1) >> 1; }
  /// Bits of the odd periodic axes on whose last plane the cell lies (bit 0: x).
  KOKKOS_INLINE_FUNCTION unsigned seams_of(int k, int j, int i) const {
    return (i < swept[0] ? 0u : 1u) | (j < swept[1] ? 0u : 2u) | (k < swept[2] ? 0u : 4u);
  }
  /// All axes that have such a plane.
  KOKKOS_INLINE_FUNCTION unsigned seams() const { return seams_of(layout.nz - 1, layout.ny - 1, layout.nx - 1); }
};

/// Reach of prolongation through the six faces of a coarse cell: one byte each, 255 for a face as open as the others.
struct MultigridReach {
  static constexpr std::uint64_t open = 0xffffffffffffull;
  KOKKOS_INLINE_FUNCTION static std::uint64_t pack(double fraction, int face) {
    return static_cast<std::uint64_t>(fraction * 255 + 0.5) << (8 * face);
  }
  template <class T>
  KOKKOS_INLINE_FUNCTION static T fraction(std::uint64_t reach, int face) {
    return T(static_cast<int>(reach >> (8 * face) & 0xffu)) * (T(1) / T(255));
  }
};

/// Stores the first `count` of a pack.
template <int N, class T>
KOKKOS_INLINE_FUNCTION void store_some(T* address, Pack<T, N> const& values, int count) {
  if (count == N) {
    store_pack<N>(address, values);
  } else {
    for (int n = 0; n < N; ++n) {
      if (n < count) address[n] = values[n];
    }
  }
}

/// The six coefficients of a cell and its own weight, which is their sum and the excess.
template <class T>
struct MultigridStencil {
  T east, west, north, south, up, down;
  T own;
};

/// Excess of the own weight over the sum of the faces; zero where it is rounding.
template <class T>
KOKKOS_INLINE_FUNCTION T excess_of(MultigridStencil<T> const& a) {
  T const more = a.own - ((a.east + a.west) + (a.north + a.south) + (a.up + a.down));
  T const least = MultigridGrid<T>::negligible * a.own;
  return more > least || more < -least ? more : T(0);
}

/// The stencil of N adjacent cells of one colour before any wall: from the tables alone.
template <class T, int N>
struct MultigridTables {
  Pack<T, N> east, west;
  T north, south, up, down;
};

template <int N, class T>
KOKKOS_INLINE_FUNCTION MultigridTables<T, N> load_tables(MultigridGrid<T> const& g, int s, int k, int j, int h) {
  T const* const x = g.along_x + std::int64_t(2 * s) * g.layout.inner_pitch + h;
  return {load_pack<N>(x), load_pack<N>(x + g.layout.inner_pitch),
          g.along_y[j],    g.along_y[g.layout.ny + j],
          g.along_z[k],    g.along_z[g.layout.nz + k]};
}

/// The stencil of cell n of these, with six open faces.
template <class T, int N>
KOKKOS_INLINE_FUNCTION MultigridStencil<T> open_stencil(MultigridTables<T, N> const& t, int n) {
  return {t.east[n],
          t.west[n],
          t.north,
          t.south,
          t.up,
          t.down,
          (t.east[n] + t.west[n]) + (t.north + t.south) + (t.up + t.down)};
}

/// Openness of the faces of N adjacent cells, from the walls.
template <MultigridWalls walls, class T, int N>
struct MultigridOpenings;

template <class T, int N>
struct MultigridOpenings<MultigridWalls::none, T, N> {
  KOKKOS_INLINE_FUNCTION MultigridOpenings(MultigridGrid<T> const&, int, std::int64_t) {}
  template <bool branches>
  KOKKOS_INLINE_FUNCTION MultigridStencil<T> stencil(MultigridTables<T, N> const& t, int n) const {
    return open_stencil(t, n);
  }
};

template <class T, int N>
struct MultigridOpenings<MultigridWalls::codes, T, N> {
  Pack<WallCode, N> code;
  KOKKOS_INLINE_FUNCTION MultigridOpenings(MultigridGrid<T> const& g, int color, std::int64_t inner)
      : code(load_pack<N>(g.codes[color] + inner)) {}
  template <bool branches>
  KOKKOS_INLINE_FUNCTION MultigridStencil<T> stencil(MultigridTables<T, N> const& t, int n) const {
    unsigned const c = code[n];
    // On a device most warps have open cells alone and skip the decoding. On the host a branch would cost the vector
    // registers.
    if constexpr (branches) {
      if (c == open_cell_code) return open_stencil(t, n);
    }
    T const half = T(0.5);
    MultigridStencil<T> a{half * t.east[n] * T(doubled_face(c, 0)),
                          half * t.west[n] * T(doubled_face(c, 1)),
                          half * t.north * T(doubled_face(c, 2)),
                          half * t.south * T(doubled_face(c, 3)),
                          half * t.up * T(doubled_face(c, 4)),
                          half * t.down * T(doubled_face(c, 5)),
                          T(0)};
    T const faces = (a.east + a.west) + (a.north + a.south) + (a.up + a.down);
    T const given = half * (t.east[n] + t.west[n]) * T(doubled_half_weight(c, 0)) +
                    half * (t.north + t.south) * T(doubled_half_weight(c, 1)) +
                    half * (t.up + t.down) * T(doubled_half_weight(c, 2));
    // A factor instead of a branch, to keep the host's vector registers.
    T const use_given = T(static_cast<int>(c >> 15)) * T(1 - static_cast<int>(keeps_its_value(c)));
    a.own = faces + use_given * (given - faces);
    return a;
  }
};

template <class T, int N>
struct MultigridOpenings<MultigridWalls::arrays, T, N> {
  Pack<T, N> face[6];
  Pack<T, N> excess;
  KOKKOS_INLINE_FUNCTION MultigridOpenings(MultigridGrid<T> const& g, int color, std::int64_t inner) {
    for (int f = 0; f < 6; ++f) face[f] = load_pack<N>(g.face[color][f] + inner);
    if (g.excess[color] != nullptr) {
      excess = load_pack<N>(g.excess[color] + inner);
    } else {
      for (int n = 0; n < N; ++n) excess[n] = T(0);
    }
  }
  template <bool branches>
  KOKKOS_INLINE_FUNCTION MultigridStencil<T> stencil(MultigridTables<T, N> const& t, int n) const {
    MultigridStencil<T> a{t.east[n] * face[0][n],
                          t.west[n] * face[1][n],
                          t.north * face[2][n],
                          t.south * face[3][n],
                          t.up * face[4][n],
                          t.down * face[5][n],
                          T(0)};
    a.own = (a.east + a.west) + (a.north + a.south) + (a.up + a.down) + excess[n];
    return a;
  }
};

/// The stencil of one cell of a grid without walls or with arrays. Chosen when the kernel runs: for grids so small that
/// the choice costs nothing.
template <class T>
KOKKOS_INLINE_FUNCTION MultigridStencil<T> stencil_of(MultigridGrid<T> const& g, int color, int k, int j, int h) {
  int const s = SplitLayout::shift(k, j, color);
  auto const tables = load_tables<1>(g, s, k, j, h);
  std::int64_t const inner = g.layout.inner(k, j, h);
  if (g.walls == MultigridWalls::none) {
    return MultigridOpenings<MultigridWalls::none, T, 1>(g, color, inner).template stencil<true>(tables, 0);
  }
  if (g.walls == MultigridWalls::codes) {
    return MultigridOpenings<MultigridWalls::codes, T, 1>(g, color, inner).template stencil<true>(tables, 0);
  }
  return MultigridOpenings<MultigridWalls::arrays, T, 1>(g, color, inner).template stencil<true>(tables, 0);
}

/// rhs - A x of a cell, zero where a cell keeps its value. `near` are the values of the six neighbours in the order of
/// the stencil. `open`: no cell has walls or an excess.
template <bool open = false, class T>
KOKKOS_INLINE_FUNCTION T residual_of(MultigridStencil<T> const& a, T self, T const (&near)[6], T rhs) {
  // Differences first: they are small near convergence, so that the rounding of x itself has no effect.
  T const flux = (a.east * (near[0] - self) + a.west * (near[1] - self)) +
                 (a.north * (near[2] - self) + a.south * (near[3] - self)) +
                 (a.up * (near[4] - self) + a.down * (near[5] - self));
  if constexpr (open) return rhs - flux;
  T const faces = (a.east + a.west) + (a.north + a.south) + (a.up + a.down);
  T const keeps = T(static_cast<int>(a.own == T(0)));
  return (T(1) - keeps) * (rhs - (flux - (a.own - faces) * self));
}

/// -1 / own weight, zero where a cell keeps its value. Its product with the residual is the change of x that makes the
/// residual zero.
template <class T>
KOKKOS_INLINE_FUNCTION T gain_of(MultigridStencil<T> const& a) {
  T const keeps = T(static_cast<int>(a.own == T(0)));
  return (keeps - T(1)) / (a.own + keeps);
}

/// Values of the six neighbours of a cell of one colour.
template <class T, class V>
KOKKOS_INLINE_FUNCTION void neighbors_of(MultigridGrid<T> const& g, V const* other, int s, std::int64_t index,
                                         T (&near)[6]) {
  near[0] = static_cast<T>(other[index + s]);
  near[1] = static_cast<T>(other[index + s - 1]);
  near[2] = static_cast<T>(other[index + g.row()]);
  near[3] = static_cast<T>(other[index - g.row()]);
  near[4] = static_cast<T>(other[index + g.layout.plane()]);
  near[5] = static_cast<T>(other[index - g.layout.plane()]);
}

/// Relaxes one cell. Without `self_given` or `other_given`, x of the own or of the other colour counts as zero. A cell
/// that keeps its value gets zero, because x is a correction.
template <class T>
KOKKOS_INLINE_FUNCTION void relax_at(MultigridGrid<T> const& g, T omega, int color, int k, int j, int h,
                                     bool self_given = true, bool other_given = true) {
  std::int64_t const index = g.layout.ghosted(k, j, h);
  T near[6] = {};
  if (other_given) {
    neighbors_of(g, static_cast<T const*>(g.x[1 - color]), SplitLayout::shift(k, j, color), index, near);
  }
  T const self = self_given ? g.x[color][index] : T(0);
  auto const stencil = stencil_of(g, color, k, j, h);
  T const gain = gain_of(stencil);
  T const moved = self + omega * gain * residual_of(stencil, self, near, g.rhs[color][g.layout.inner(k, j, h)]);
  g.x[color][index] = gain == T(0) ? T(0) : moved;
}

/// rhs - A x of one cell.
template <class T>
KOKKOS_INLINE_FUNCTION T residual_at(MultigridGrid<T> const& g, int color, int k, int j, int h) {
  std::int64_t const index = g.layout.ghosted(k, j, h);
  T near[6];
  neighbors_of(g, g.x[1 - color], SplitLayout::shift(k, j, color), index, near);
  return residual_of(stencil_of(g, color, k, j, h), g.x[color][index], near, g.rhs[color][g.layout.inner(k, j, h)]);
}

}  // namespace karman::detail
