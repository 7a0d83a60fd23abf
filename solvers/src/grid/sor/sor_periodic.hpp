// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Periodic axes of red-black SOR: ghosts that repeat the opposite side, and the seam of an axis with an odd number of
/// cells. At the seam two cells of one colour are neighbours.
/// Functions with a device lambda are static: nvcc keeps the parts of such a lambda separate for each translation unit.
/// A linker that joined the functions of two of them would mix the parts.
#pragma once

#include "base/light_weight.hpp"
#include "split_fields.hpp"
#include "split_layout.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace karman::detail {

/// A cell of the plane normal to `axis` at index `at`, from its place (slow, fast) in that plane.
struct SeamCell {
  int k, j, i;
  KOKKOS_INLINE_FUNCTION SeamCell(int axis, int at, std::int64_t slow, std::int64_t fast)
      : k(axis == 2 ? at : static_cast<int>(slow)),
        j(axis == 1   ? at
          : axis == 0 ? static_cast<int>(fast)
                      : static_cast<int>(slow)),
        i(axis == 0 ? at : static_cast<int>(fast)) {}
  KOKKOS_INLINE_FUNCTION int color() const { return (k + j + i + 4) & 1; }
  /// The half index; i + 2 keeps the shifted index positive, and -1 belongs to half index -1.
  KOKKOS_INLINE_FUNCTION int half() const { return ((i + 2) >> 1) - 1; }
};

inline int cells_along(SplitLayout const& layout, int axis) {
  return axis == 0 ? layout.nx : axis == 1 ? layout.ny : layout.nz;
}

template <class Exec>
auto seam_plane(Exec const& space, SplitLayout const& layout, int axis) {
  // Makes the last index the fast one on every backend.
  using Order = Kokkos::Rank<2, Kokkos::Iterate::Right, Kokkos::Iterate::Right>;
  return Kokkos::MDRangePolicy<Exec, Order, Kokkos::IndexType<std::int64_t>>(
      space, {0, 0}, {axis == 2 ? layout.ny : layout.nz, axis == 0 ? layout.ny : layout.nx});
}

/// Copies the cells of one colour at both ends of a periodic axis to the ghosts beyond the other end. With an odd
/// number of cells those ghosts lie among the values of the other colour. With `as_zero` the ghosts become zero.
template <class Exec, class T>
static void wrap_ghosts(Exec const& space, SplitLayout const& layout, int axis, int color, bool as_zero,
                        Colors<Exec, T> const& colors) {
  int const n = cells_along(layout, axis);
  Kokkos::parallel_for(
      "karman::sor::wrap", seam_plane(space, layout, axis), KOKKOS_LAMBDA(std::int64_t slow, std::int64_t fast) {
        for (int end = 0; end < 2; ++end) {
          SeamCell const cell(axis, end == 0 ? 0 : n - 1, slow, fast);
          SeamCell const ghost(axis, end == 0 ? n : -1, slow, fast);
          if (cell.color() != color) continue;
          colors[ghost.color()](layout.ghosted(ghost.k, ghost.j, ghost.half())) =
              as_zero ? T(0) : colors[color](layout.ghosted(cell.k, cell.j, cell.half()));
        }
      });
}

/// Saves the values of one colour on the last plane of an axis, or restores them.
template <class Exec, class T>
static void keep_seam(Exec const& space, SplitLayout const& layout, int axis, int color, bool put_back,
                      Colors<Exec, T> const& colors, Array<Exec, T> const& kept) {
  int const last = cells_along(layout, axis) - 1;
  std::int64_t const row = axis == 0 ? layout.ny : layout.nx;
  Kokkos::parallel_for(
      "karman::sor::seam", seam_plane(space, layout, axis), KOKKOS_LAMBDA(std::int64_t slow, std::int64_t fast) {
        SeamCell const cell(axis, last, slow, fast);
        if (cell.color() != color) return;
        T& value = colors[color](layout.ghosted(cell.k, cell.j, cell.half()));
        T& copy = kept(slow * row + fast);
        if (put_back) {
          value = copy;
        } else {
          copy = value;
        }
      });
}

/// Relaxes the cells of the sweep's colour on the last planes of exactly the odd axes of `chosen` (bit 0: x). No two of
/// them are neighbours.
template <class Exec, class Sweep>
static void relax_seam(Exec const& space, Sweep const& sweep, unsigned odd_axes, unsigned chosen) {
  SplitLayout const layout = sweep.layout;
  int const axis = (chosen & 1u) != 0 ? 0 : (chosen & 2u) != 0 ? 1 : 2;
  int const last = cells_along(layout, axis) - 1;
  Kokkos::parallel_for(
      "karman::sor::relax_seam", light_weight(seam_plane(space, layout, axis)),
      KOKKOS_LAMBDA(std::int64_t slow, std::int64_t fast) {
        SeamCell const cell(axis, last, slow, fast);
        unsigned const on = (cell.i == layout.nx - 1 ? 1u : 0u) | (cell.j == layout.ny - 1 ? 2u : 0u) |
                            (cell.k == layout.nz - 1 ? 4u : 0u);
        if (cell.color() == sweep.color && (on & odd_axes) == chosen) sweep.relax_one(cell.k, cell.j, cell.half());
      });
}

}  // namespace karman::detail
