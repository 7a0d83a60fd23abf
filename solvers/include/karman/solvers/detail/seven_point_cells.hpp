// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The coefficients of the 7-point operator, cell by cell, from whatever they are stored in.
#pragma once

#include <karman/solvers/detail/wall_code_bits.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace karman::detail {

/// The row of one cell: A l = sum over the faces of face * (neighbour - self) - (sum of excess) * self. All zero in a
/// cell that has no equation, and on axes that are not there.
template <class T>
struct CellCoefficients {
  T face[6];    ///< e, f, g, h, m, n with the weights and the spacings in them
  T excess[3];  ///< what o, p, q add to the diagonal of x, y, z

  /// Minus the diagonal of the matrix of one axis.
  KOKKOS_INLINE_FUNCTION T own(int axis) const { return face[2 * axis] + face[2 * axis + 1] + excess[axis]; }
  /// Minus the diagonal; zero in a cell that has no equation.
  KOKKOS_INLINE_FUNCTION T own() const {
    return (face[0] + face[1]) + (face[2] + face[3]) + (face[4] + face[5]) + (excess[0] + excess[1] + excess[2]);
  }
};

/// Weights of an open face: x, y of the whole grid, z of a layer towards the layers above and below. Zero on axes that
/// are not there.
template <class T>
struct FaceWeights {
  T x, y, up, down;
};

/// Weights of the faces above and below a layer, aligned to be read in one piece.
template <class T>
struct alignas(2 * sizeof(T)) LayerFaceWeights {
  T up, down;
};

/// The coefficients that a code stands for. Factors 0 and 1 instead of branches, so that a host compiler vectorises.
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

/// What the three storages share.
template <class T>
struct CellFrame {
  int nx, ny, nz;
  T ax, ay;
  LayerFaceWeights<T> const* layers;  ///< nz of them
  unsigned present;                   ///< bits of the faces of axes that are there, and the bits of o, p, q

  KOKKOS_INLINE_FUNCTION std::int64_t index(int k, int j, int i) const { return (std::int64_t(k) * ny + j) * nx + i; }
  KOKKOS_INLINE_FUNCTION FaceWeights<T> weights(int k) const {
    LayerFaceWeights<T> const layer = layers[k];
    return {ax, ay, layer.up, layer.down};
  }
};

/// All faces open but those of the sides.
template <class T>
struct BoxCells {
  CellFrame<T> frame;
  unsigned sides[6];  ///< the two bits of each side, in their place

  KOKKOS_INLINE_FUNCTION unsigned code(int k, int j, int i) const {
    unsigned code = open_cell_code;
    if (i == frame.nx - 1) code = (code & ~0x003u) | sides[0];
    if (i == 0) code = (code & ~0x00cu) | sides[1];
    if (j == frame.ny - 1) code = (code & ~0x030u) | sides[2];
    if (j == 0) code = (code & ~0x0c0u) | sides[3];
    if (k == frame.nz - 1) code = (code & ~0x300u) | sides[4];
    if (k == 0) code = (code & ~0xc00u) | sides[5];
    return code & frame.present;
  }
  KOKKOS_INLINE_FUNCTION CellCoefficients<T> operator()(int k, int j, int i) const {
    return decoded(code(k, j, i), frame.weights(k));
  }
  /// True when the cells 1 to nx - 2 of a row have the same coefficients.
  KOKKOS_INLINE_FUNCTION bool row_is_uniform(int, int) const { return true; }
};

/// Wall codes.
template <class T>
struct PackedCells {
  CellFrame<T> frame;
  WallCode const* codes;
  std::uint8_t const* uniform_rows;  ///< one a row; on a device null

  KOKKOS_INLINE_FUNCTION CellCoefficients<T> operator()(int k, int j, int i) const {
    return decoded(codes[frame.index(k, j, i)] & frame.present, frame.weights(k));
  }
  KOKKOS_INLINE_FUNCTION bool row_is_uniform(int k, int j) const {
    return uniform_rows[std::int64_t(k) * frame.ny + j] != 0;
  }
};

/// Arrays; the last three are null without given weights.
template <class T>
struct ArrayCells {
  CellFrame<T> frame;
  T const* face[6];
  T const* half_weight[3];

  KOKKOS_INLINE_FUNCTION CellCoefficients<T> operator()(int k, int j, int i) const {
    std::int64_t const n = frame.index(k, j, i);
    FaceWeights<T> const w = frame.weights(k);
    CellCoefficients<T> c;
    c.face[0] = w.x * face[0][n];
    c.face[1] = w.x * face[1][n];
    c.face[2] = w.y * face[2][n];
    c.face[3] = w.y * face[3][n];
    c.face[4] = w.up * face[4][n];
    c.face[5] = w.down * face[5][n];
    c.excess[0] = c.excess[1] = c.excess[2] = T(0);
    if (half_weight[0] != nullptr) {
      T const faces = (c.face[0] + c.face[1]) + (c.face[2] + c.face[3]) + (c.face[4] + c.face[5]);
      T const open = T(static_cast<int>(faces != T(0)));
      c.excess[0] = open * (T(2) * w.x * half_weight[0][n] - (c.face[0] + c.face[1]));
      c.excess[1] = open * (T(2) * w.y * half_weight[1][n] - (c.face[2] + c.face[3]));
      c.excess[2] = open * ((w.up + w.down) * half_weight[2][n] - (c.face[4] + c.face[5]));
    }
    return c;
  }
  KOKKOS_INLINE_FUNCTION bool row_is_uniform(int, int) const { return false; }
};

/// Any of the three, chosen at run time: for kernels that are not worth an instantiation each.
template <class Exec, class T>
class SevenPointCells {
 public:
  enum class Storage { box, packed, arrays };
  Storage storage = Storage::box;
  BoxCells<T> box{};
  PackedCells<T> packed{};
  ArrayCells<T> arrays{};
  bool periodic[3] = {false, false, false};  ///< axes that are there and periodic

  KOKKOS_INLINE_FUNCTION CellFrame<T> const& frame() const { return box.frame; }
  /// The row of cell (k, j, i).
  KOKKOS_INLINE_FUNCTION CellCoefficients<T> operator()(int k, int j, int i) const {
    return storage == Storage::box ? box(k, j, i) : storage == Storage::packed ? packed(k, j, i) : arrays(k, j, i);
  }
};

}  // namespace karman::detail
