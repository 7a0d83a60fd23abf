// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Coefficients of the 7-point operator, cell by cell, from any storage.
#pragma once

#include <karman/solvers/detail/wall_code_bits.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace karman::detail {

/// The row of one cell: A x = sum over the faces of face * (neighbour - self) - (sum of excess) * self. All zero in a
/// cell without equation, and on missing axes.
template <class T>
struct CellCoefficients {
  T face[6];    ///< in the order of Side, including weights and spacings
  T excess[3];  ///< excess of given own weights, added to the diagonal of x, y, z

  /// Minus the diagonal of the matrix of one axis.
  KOKKOS_INLINE_FUNCTION T own(int axis) const { return face[2 * axis] + face[2 * axis + 1] + excess[axis]; }
  /// Minus the diagonal; zero in a cell without equation.
  KOKKOS_INLINE_FUNCTION T own() const {
    return (face[0] + face[1]) + (face[2] + face[3]) + (face[4] + face[5]) + (excess[0] + excess[1] + excess[2]);
  }
};

/// Weights of an open face: x, y of the whole grid, z of a layer towards the layers above and below. Zero on missing
/// axes.
template <class T>
struct FaceWeights {
  T x, y, up, down;
};

/// Weights of the faces above and below a layer, aligned to be loaded as one unit.
template <class T>
struct alignas(2 * sizeof(T)) LayerFaceWeights {
  T up, down;
};

/// The coefficients that a code encodes. Factors 0 and 1 instead of branches, so that a host compiler vectorises.
template <class T>
KOKKOS_INLINE_FUNCTION CellCoefficients<T> decoded(unsigned code, FaceWeights<T> const& w) {
  T const hx = T(0.5) * w.x, hy = T(0.5) * w.y, hu = T(0.5) * w.up, hd = T(0.5) * w.down;
  CellCoefficients<T> c;
  c.face[0] = hx * T(doubled_face(code, 0));
  c.face[1] = hx * T(doubled_face(code, 1));
  c.face[2] = hy * T(doubled_face(code, 2));
  c.face[3] = hy * T(doubled_face(code, 3));
  c.face[4] = hu * T(doubled_face(code, 4));
  c.face[5] = hd * T(doubled_face(code, 5));
  T const given = T(static_cast<int>(code >> 15)) * T(static_cast<int>(!keeps_its_value(code)));
  c.excess[0] = given * (hx * T(2 * doubled_half_weight(code, 0)) - (c.face[0] + c.face[1]));
  c.excess[1] = given * (hy * T(2 * doubled_half_weight(code, 1)) - (c.face[2] + c.face[3]));
  c.excess[2] = given * ((hu + hd) * T(doubled_half_weight(code, 2)) - (c.face[4] + c.face[5]));
  return c;
}

/// Shared parts of the three storages.
template <class T>
struct CellFrame {
  int nx, ny, nz;
  T ax, ay;
  LayerFaceWeights<T> const* layers;  ///< nz of them
  unsigned present;                   ///< bits of the faces of present axes, and the bits of own weights

  KOKKOS_INLINE_FUNCTION std::int64_t index(int k, int j, int i) const { return (std::int64_t(k) * ny + j) * nx + i; }
  KOKKOS_INLINE_FUNCTION FaceWeights<T> weights(int k) const {
    LayerFaceWeights<T> const layer = layers[k];
    return {ax, ay, layer.up, layer.down};
  }
};

/// Access is by rows: `cells.row(k, j)` gives an object for the cells i of a row. That object offers `row(i)` or, for W
/// neighbours at an aligned i on a device, `row.template pack<W>(i)`.

/// W adjacent values, aligned so that a device loads them with one instruction.
template <class T, int W>
struct alignas(W * sizeof(T)) SideBySide {
  T value[W];
  KOKKOS_INLINE_FUNCTION static SideBySide load(T const* address) {
    return *reinterpret_cast<SideBySide const*>(address);
  }
};

/// W cells one by one.
template <int W, class T, class Row>
KOKKOS_INLINE_FUNCTION Kokkos::Array<CellCoefficients<T>, W> one_by_one(Row const& row, int i) {
  Kokkos::Array<CellCoefficients<T>, W> c;
  for (int n = 0; n < W; ++n) c[n] = row(i + n);
  return c;
}

/// All faces open except faces of the sides.
template <class T>
struct BoxCells {
  CellFrame<T> frame;
  unsigned sides[6];  ///< the two bits of each side, in their place

  struct Row {
    FaceWeights<T> w;
    unsigned inside, first, last;  ///< codes of the cells 1 to nx - 2, and their bits that apply to the first and the
                                   /// last one
    unsigned west, east;
    int nx;
    KOKKOS_INLINE_FUNCTION CellCoefficients<T> operator()(int i) const {
      unsigned code = inside;
      if (i == 0) code = (code & first) | west;
      if (i == nx - 1) code = (code & last) | east;
      return decoded(code, w);
    }
    template <int W>
    KOKKOS_INLINE_FUNCTION Kokkos::Array<CellCoefficients<T>, W> pack(int i) const {
      return one_by_one<W, T>(*this, i);
    }
  };
  KOKKOS_INLINE_FUNCTION Row row(int k, int j) const {
    unsigned code = open_cell_code;
    if (j == frame.ny - 1) code = (code & ~0x030u) | sides[2];
    if (j == 0) code = (code & ~0x0c0u) | sides[3];
    if (k == frame.nz - 1) code = (code & ~0x300u) | sides[4];
    if (k == 0) code = (code & ~0xc00u) | sides[5];
    return {frame.weights(k),         code & frame.present,     ~0x00cu, ~0x003u,
            sides[1] & frame.present, sides[0] & frame.present, frame.nx};
  }
  KOKKOS_INLINE_FUNCTION CellCoefficients<T> operator()(int k, int j, int i) const { return row(k, j)(i); }
  /// True when the cells 1 to nx - 2 of a row have the same coefficients.
  KOKKOS_INLINE_FUNCTION bool row_is_uniform(int, int) const { return true; }
};

/// Wall codes.
template <class T>
struct PackedCells {
  CellFrame<T> frame;
  WallCode const* codes;
  std::uint8_t const* uniform_rows;  ///< one per row; null on a device, which does not use it

  struct Row {
    FaceWeights<T> w;
    WallCode const* codes;
    unsigned present;
    KOKKOS_INLINE_FUNCTION CellCoefficients<T> operator()(int i) const { return decoded(codes[i] & present, w); }
    template <int W>
    KOKKOS_INLINE_FUNCTION Kokkos::Array<CellCoefficients<T>, W> pack(int i) const {
      auto const loaded = SideBySide<WallCode, W>::load(codes + i);
      Kokkos::Array<CellCoefficients<T>, W> c;
      for (int n = 0; n < W; ++n) {
        unsigned const code = loaded.value[n] & present;
        // Most warps have open cells alone and skip the decoding.
        if (code == (open_cell_code & present)) {
          c[n] = {{w.x, w.x, w.y, w.y, w.up, w.down}, {T(0), T(0), T(0)}};
        } else {
          c[n] = decoded(code, w);
        }
      }
      return c;
    }
  };
  KOKKOS_INLINE_FUNCTION Row row(int k, int j) const {
    return {frame.weights(k), codes + frame.index(k, j, 0), frame.present};
  }
  KOKKOS_INLINE_FUNCTION CellCoefficients<T> operator()(int k, int j, int i) const { return row(k, j)(i); }
  KOKKOS_INLINE_FUNCTION bool row_is_uniform(int k, int j) const {
    return uniform_rows[std::int64_t(k) * frame.ny + j] != 0;
  }
};

/// Arrays.
template <class T>
struct ArrayCells {
  CellFrame<T> frame;
  T const* face[6];
  T const* half_weight[3];  ///< zero arrays where weights are not given, with `given` zero: no branch, no extra load
  T given;

  struct Row {
    FaceWeights<T> w;
    T const* face[6];
    T const* half_weight[3];
    T given;
    KOKKOS_INLINE_FUNCTION CellCoefficients<T> of(T const (&f)[6], T const (&h)[3]) const {
      CellCoefficients<T> c{{w.x * f[0], w.x * f[1], w.y * f[2], w.y * f[3], w.up * f[4], w.down * f[5]}, {}};
      T const faces = (c.face[0] + c.face[1]) + (c.face[2] + c.face[3]) + (c.face[4] + c.face[5]);
      T const counts = given * T(static_cast<int>(faces != T(0)));
      c.excess[0] = counts * (T(2) * w.x * h[0] - (c.face[0] + c.face[1]));
      c.excess[1] = counts * (T(2) * w.y * h[1] - (c.face[2] + c.face[3]));
      c.excess[2] = counts * ((w.up + w.down) * h[2] - (c.face[4] + c.face[5]));
      return c;
    }
    KOKKOS_INLINE_FUNCTION CellCoefficients<T> operator()(int i) const {
      T const f[6] = {face[0][i], face[1][i], face[2][i], face[3][i], face[4][i], face[5][i]};
      T const h[3] = {half_weight[0][i], half_weight[1][i], half_weight[2][i]};
      return of(f, h);
    }
    template <int W>
    KOKKOS_INLINE_FUNCTION Kokkos::Array<CellCoefficients<T>, W> pack(int i) const {
      SideBySide<T, W> f[6], h[3];
      for (int n = 0; n < 6; ++n) f[n] = SideBySide<T, W>::load(face[n] + i);
      for (int n = 0; n < 3; ++n) h[n] = SideBySide<T, W>::load(half_weight[n] + i);
      Kokkos::Array<CellCoefficients<T>, W> c;
      for (int n = 0; n < W; ++n) {
        T const ff[6] = {f[0].value[n], f[1].value[n], f[2].value[n], f[3].value[n], f[4].value[n], f[5].value[n]};
        T const hh[3] = {h[0].value[n], h[1].value[n], h[2].value[n]};
        c[n] = of(ff, hh);
      }
      return c;
    }
  };
  KOKKOS_INLINE_FUNCTION Row row(int k, int j) const {
    std::int64_t const n = frame.index(k, j, 0);
    Row row{frame.weights(k), {}, {}, given};
    for (int f = 0; f < 6; ++f) row.face[f] = face[f] + n;
    for (int h = 0; h < 3; ++h) row.half_weight[h] = half_weight[h] + n;
    return row;
  }
  KOKKOS_INLINE_FUNCTION CellCoefficients<T> operator()(int k, int j, int i) const { return row(k, j)(i); }
  KOKKOS_INLINE_FUNCTION bool row_is_uniform(int, int) const { return false; }
};

/// Storage of the coefficients.
enum class CellStorage { box, packed, arrays };

/// Any of the three, chosen at run time, for kernels that are not worth an instantiation each. Valid as long as the
/// operator, or a copy of it.
template <class Exec, class T>
struct SevenPointCells {
  CellStorage storage = CellStorage::box;
  BoxCells<T> box{};
  PackedCells<T> packed{};
  ArrayCells<T> arrays{};
  bool periodic[3] = {false, false, false};  ///< present and periodic axes

  KOKKOS_INLINE_FUNCTION CellFrame<T> const& frame() const {
    return storage == CellStorage::box ? box.frame : storage == CellStorage::packed ? packed.frame : arrays.frame;
  }
  /// The matrix row of cell (k, j, i).
  KOKKOS_INLINE_FUNCTION CellCoefficients<T> operator()(int k, int j, int i) const {
    return storage == CellStorage::box      ? box(k, j, i)
           : storage == CellStorage::packed ? packed(k, j, i)
                                            : arrays(k, j, i);
  }

  struct Row {
    SevenPointCells cells;
    int k, j;
    KOKKOS_INLINE_FUNCTION CellCoefficients<T> operator()(int i) const { return cells(k, j, i); }
    template <int W>
    KOKKOS_INLINE_FUNCTION Kokkos::Array<CellCoefficients<T>, W> pack(int i) const {
      return one_by_one<W, T>(*this, i);
    }
  };
  KOKKOS_INLINE_FUNCTION Row row(int k, int j) const { return {*this, k, j}; }
  KOKKOS_INLINE_FUNCTION bool row_is_uniform(int, int) const { return false; }

  /// Calls use(cells) with the one of the three that applies.
  template <class Use>
  void with_storage(Use const& use) const {
    switch (storage) {
      case CellStorage::box: return use(box);
      case CellStorage::packed: return use(packed);
      case CellStorage::arrays: return use(arrays);
    }
  }
};

}  // namespace karman::detail
