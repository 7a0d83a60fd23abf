// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Splits fields of users, (k, j, i), into the arrays of red-black SOR, one per colour, and merges them again.
/// Functions with a device lambda are static: nvcc keeps the parts of such a lambda separate for each translation unit.
/// A linker that joined the functions of two of them would mix the parts.
#pragma once

#include "base/view_array.hpp"
#include "sor_walls.hpp"
#include "split_layout.hpp"
#include <karman/core/types.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>

namespace karman::detail {

/// A pair of arrays, red and black.
template <class Exec, class T>
using Colors = ViewArray<Array<Exec, T>, 2>;

/// Rows and half indices of a layout; the kernels below visit both colours of each.
template <class Exec>
auto half_cells(Exec const& space, SplitLayout const& layout) {
  // Makes the last index the fast one on every backend; the default of a device is the first.
  using Order = Kokkos::Rank<3, Kokkos::Iterate::Right, Kokkos::Iterate::Right>;
  return Kokkos::MDRangePolicy<Exec, Order, Kokkos::IndexType<std::int64_t>>(space, {0, 0, 0},
                                                                             {layout.nz, layout.ny, layout.half});
}

/// A planar problem is solved with y as z. The kernel then loops over y, and missing layers cost nothing.
template <class V>
KOKKOS_INLINE_FUNCTION auto& at(V const& field, bool planar, std::int64_t k, std::int64_t j, std::int64_t i) {
  return planar ? field(0, k, i) : field(k, j, i);
}

/// Copies a field, or zero, into the interior of arrays with ghosts.
template <class Exec, class T>
static void split_ghosted(Exec const& space, SplitLayout const& layout, bool planar, bool as_zero,
                          ConstField<Exec, T> const& field, Colors<Exec, T> const& colors) {
  Kokkos::parallel_for(
      "karman::sor::split_lambda", half_cells(space, layout),
      KOKKOS_LAMBDA(std::int64_t k, std::int64_t j, std::int64_t h) {
        for (int color = 0; color < 2; ++color) {
          int const s = SplitLayout::shift(static_cast<int>(k), static_cast<int>(j), color);
          std::int64_t const i = 2 * h + s;
          if (i < layout.nx) {
            colors[color](layout.ghosted(static_cast<int>(k), static_cast<int>(j), static_cast<int>(h))) =
                as_zero ? T(0) : at(field, planar, k, j, i);
          }
        }
      });
}

/// Codes of a planar problem in the axes of its layout: north, south and own_y take the place of top, bottom and own_z.
/// The faces in y, now an axis of weight zero, count as open, without their half weight. An open cell then keeps
/// open_cell_code and the short cut of the kernels.
KOKKOS_INLINE_FUNCTION constexpr WallCode planar_code(unsigned code) {
  if (keeps_its_value(code & 0xf0ffu)) return 0;
  unsigned const north_south = code >> 4 & 0xfu;
  unsigned const own_y = code >> 13 & 1u;
  return static_cast<WallCode>((code & 0x900fu) | 0x00a0u | north_south << 8 | own_y << 14);
}

/// Conversions of values on the way into the arrays of the solver.
struct AsIs {
  template <class T>
  KOKKOS_INLINE_FUNCTION T operator()(T value) const {
    return value;
  }
};
struct ToPlanarCode {
  unsigned present = 0xffff;  ///< without the faces of a missing axis
  KOKKOS_INLINE_FUNCTION WallCode operator()(WallCode code) const { return planar_code(code & present); }
};
struct ToPresentCode {
  unsigned present;
  KOKKOS_INLINE_FUNCTION WallCode operator()(WallCode code) const { return static_cast<WallCode>(code & present); }
};

/// Copies a field into arrays without ghosts.
template <class Exec, class In, class T, class Convert>
static void split_inner(Exec const& space, SplitLayout const& layout, bool planar, In const& field,
                        Colors<Exec, T> const& colors, Convert const& convert) {
  Kokkos::parallel_for(
      "karman::sor::split", half_cells(space, layout), KOKKOS_LAMBDA(std::int64_t k, std::int64_t j, std::int64_t h) {
        for (int color = 0; color < 2; ++color) {
          int const s = SplitLayout::shift(static_cast<int>(k), static_cast<int>(j), color);
          std::int64_t const i = 2 * h + s;
          if (i < layout.nx) {
            colors[color](layout.inner(static_cast<int>(k), static_cast<int>(j), static_cast<int>(h))) =
                convert(at(field, planar, k, j, i));
          }
        }
      });
}

/// Copies arrays with ghosts back into a field.
template <class Exec, class T>
static void merge(Exec const& space, SplitLayout const& layout, bool planar, Colors<Exec, T> const& colors,
                  Field<Exec, T> const& field) {
  Kokkos::parallel_for(
      "karman::sor::merge", half_cells(space, layout), KOKKOS_LAMBDA(std::int64_t k, std::int64_t j, std::int64_t h) {
        for (int color = 0; color < 2; ++color) {
          int const s = SplitLayout::shift(static_cast<int>(k), static_cast<int>(j), color);
          std::int64_t const i = 2 * h + s;
          if (i < layout.nx) {
            at(field, planar, k, j, i) =
                colors[color](layout.ghosted(static_cast<int>(k), static_cast<int>(j), static_cast<int>(h)));
          }
        }
      });
}

/// Writes the ghosts of one side. `side` as in karman::Side, in the axes of the layout; `values` indexed (slow, fast)
/// of the two axes along the side.
template <class Exec, class T>
static void set_ghosts(Exec const& space, SplitLayout const& layout, int side, ConstPlane<Exec, T> const& values,
                       Colors<Exec, T> const& colors) {
  using Policy = Kokkos::MDRangePolicy<Exec, Kokkos::Rank<2>, Kokkos::IndexType<std::int64_t>>;
  int const axis = side / 2;
  int const beyond = side % 2 == 0 ? (axis == 0 ? layout.nx : axis == 1 ? layout.ny : layout.nz) : -1;
  Kokkos::parallel_for(
      "karman::sor::ghosts",
      Policy(space, {0, 0}, {static_cast<std::int64_t>(values.extent(0)), static_cast<std::int64_t>(values.extent(1))}),
      KOKKOS_LAMBDA(std::int64_t slow, std::int64_t fast) {
        int const a = static_cast<int>(slow);
        int const b = static_cast<int>(fast);
        int const i = axis == 0 ? beyond : b;
        int const j = axis == 1 ? beyond : (axis == 0 ? b : a);
        int const k = axis == 2 ? beyond : a;
        // i + 2 keeps the shifted index positive; -1 belongs to half index -1.
        int const h = ((i + 2) >> 1) - 1;
        colors[(k + j + i + 4) & 1](layout.ghosted(k, j, h)) = values(slow, fast);
      });
}

/// Marks the open rows of one colour.
template <class Exec>
static void mark_open_rows(Exec const& space, SplitLayout const& layout, Array<Exec, WallCode> const& codes, int color,
                           Array<Exec, OpenRow> const& open_row) {
  using Policy = Kokkos::MDRangePolicy<Exec, Kokkos::Rank<2>, Kokkos::IndexType<std::int64_t>>;
  Kokkos::parallel_for(
      "karman::sor::open_rows", Policy(space, {0, 0}, {layout.nz, layout.ny}),
      KOKKOS_LAMBDA(std::int64_t k, std::int64_t j) {
        int const kk = static_cast<int>(k);
        int const jj = static_cast<int>(j);
        int const count = layout.count(SplitLayout::shift(kk, jj, color));
        auto const is_open = [&](int h) { return codes(layout.inner(kk, jj, h)) == open_cell_code; };
        bool open = count > 0;
        for (int h = 1; h < count - 1; ++h) open = open && is_open(h);
        bool const whole = open && is_open(0) && is_open(count - 1);
        open_row(k * layout.ny + j) = whole ? OpenRow::whole : open ? OpenRow::inner : OpenRow::no;
      });
}

/// Divides the face coefficients of one colour by the cells' own weights and keeps those weights.
template <class Exec, class T>
static void fold(Exec const& space, SplitLayout const& layout, int color, T ax, T ay,
                 Kokkos::View<LayerWeights<T> const*, typename Exec::memory_space> const& layers,
                 ViewArray<Array<Exec, T>, 6> const& face, ViewArray<Array<Exec, T>, 3> const& half_weight,
                 Array<Exec, T> const& own_weight) {
  bool const given = half_weight[0].size() != 0;
  Kokkos::parallel_for(
      "karman::sor::fold", half_cells(space, layout), KOKKOS_LAMBDA(std::int64_t k, std::int64_t j, std::int64_t h) {
        int const kk = static_cast<int>(k);
        int const jj = static_cast<int>(j);
        if (h >= layout.count(SplitLayout::shift(kk, jj, color))) return;
        std::int64_t const cell = layout.inner(kk, jj, static_cast<int>(h));
        LayerWeights<T> const layer = layers(k);
        T const weight[6] = {ax, ax, ay, ay, layer.up, layer.down};
        T faces = 0;
        for (int n = 0; n < 6; ++n) faces += weight[n] * face[n](cell);
        T own = faces;
        if (given) {
          own = T(2) * ax * half_weight[0](cell) + T(2) * ay * half_weight[1](cell) +
                (layer.up + layer.down) * half_weight[2](cell);
        }
        if (faces == T(0)) own = 0;
        for (int n = 0; n < 6; ++n) face[n](cell) = own == T(0) ? T(0) : weight[n] * face[n](cell) / own;
        own_weight(cell) = own;
      });
}

/// Divides the right-hand side of one colour by the cells' own weights.
template <class Exec, class T>
static void fold_rhs(Exec const& space, Array<Exec, T> const& rhs, Array<Exec, T> const& own_weight) {
  Kokkos::parallel_for(
      "karman::sor::fold_rhs",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(space, 0, static_cast<std::int64_t>(rhs.size())),
      KOKKOS_LAMBDA(std::int64_t cell) {
        T const own = own_weight(cell);
        rhs(cell) = own == T(0) ? T(0) : rhs(cell) / own;
      });
}

}  // namespace karman::detail
