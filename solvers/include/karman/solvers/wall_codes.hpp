// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Face coefficients of the 7-point operator from walls and sides, as arrays or packed in two bytes.
#pragma once

#include <karman/core/types.hpp>
#include <karman/core/uniform_grid.hpp>

#include <array>
#include <cstdint>

namespace karman {

/// Condition on a side of the domain. `value` is the boundary value g, zero unless the solver is told otherwise.
enum class Boundary {
  fixed,      ///< lambda = g at the centre of a ghost cell, one spacing beyond the outermost centre; coefficient 1
  dirichlet,  ///< lambda = g on the side itself, half a spacing beyond the outermost centre; coefficient 2
  neumann,    ///< zero normal derivative; coefficient 0 (a flux q enters through the right-hand side)
  periodic    ///< the next cell is the first one of the opposite side, which is periodic too; coefficient 1
};

/// The six sides of the domain in the order of the face coefficients e, f, g, h, m, n.
enum class Side { east, west, north, south, top, bottom };

/// Condition on every side.
struct Boundaries {
  Boundary east = Boundary::dirichlet,  ///< towards +x
      west = Boundary::dirichlet,       ///< towards -x
      north = Boundary::dirichlet,      ///< towards +y
      south = Boundary::dirichlet,      ///< towards -y
      top = Boundary::dirichlet,        ///< towards +z
      bottom = Boundary::dirichlet;     ///< towards -z

  /// Condition on one side.
  Boundary operator[](Side side) const {
    return std::array{east, west, north, south, top, bottom}[static_cast<std::size_t>(side)];
  }
  /// Periodic axes x, y, z.
  /// \throws std::invalid_argument for an axis with one periodic side
  std::array<bool, 3> periodic() const;
  /// The same condition on all six sides.
  static Boundaries all(Boundary b) { return {b, b, b, b, b, b}; }
  /// For a grid of one layer used as a two-dimensional domain: nothing crosses the top and the bottom.
  static Boundaries planar(Boundary b) { return {b, b, b, b, Boundary::neumann, Boundary::neumann}; }
};

/// Face coefficients as arrays of shape (nz, ny, nx), in the notation of Larson (2008): e, f toward +x, -x; g, h toward
/// +y, -y; m, n toward +z, -z: 1 for an open face, 0 for a wall, a fraction for a partly open one, 2 for a
/// Boundary::dirichlet side. o, p, q give the weight of the cell itself in x, y, z,
///
///     own weight = 2 wx o / dx^2 + 2 wy p / dy^2 + q wz (1 / dz_t + 1 / dz_b) / dz_k.
///
/// The consistent choice, chosen by empty Views, is o = (e + f) / 2, p = (g + h) / 2 and q the mean of m and n
/// weighted with 1 / dz_t and 1 / dz_b; larger ones damp (o = 1/2 between two walls).
/// A cell whose six faces are all 0 keeps its value.
template <ExecutionSpace Exec, Real T>
struct FaceCoefficients {
  /// One coefficient per cell.
  using Coefficient = Field<Exec, T>;
  Coefficient e;  ///< face toward +x
  Coefficient f;  ///< face toward -x
  Coefficient g;  ///< face toward +y
  Coefficient h;  ///< face toward -y
  Coefficient m;  ///< face toward +z
  Coefficient n;  ///< face toward -z
  Coefficient o;  ///< own weight in x; empty: the consistent choice
  Coefficient p;  ///< own weight in y
  Coefficient q;  ///< own weight in z

  // Written out: as an aggregate, g++ 12 fills members that are left out with zero bytes instead of empty Views (seen
  // with Kokkos 4.6), and the first assignment to one crashes.
  /// Empty arrays.
  FaceCoefficients() {}
  /// Faces with the consistent own weights.
  FaceCoefficients(Coefficient const& e_, Coefficient const& f_, Coefficient const& g_, Coefficient const& h_,
                   Coefficient const& m_, Coefficient const& n_)
      : e(e_), f(f_), g(g_), h(h_), m(m_), n(n_) {}
  /// Faces and own weights.
  FaceCoefficients(Coefficient const& e_, Coefficient const& f_, Coefficient const& g_, Coefficient const& h_,
                   Coefficient const& m_, Coefficient const& n_, Coefficient const& o_, Coefficient const& p_,
                   Coefficient const& q_)
      : e(e_), f(f_), g(g_), h(h_), m(m_), n(n_), o(o_), p(p_), q(q_) {}
};

/// The same in two bytes per cell: bits 0-1 e, 2-3 f, 4-5 g, 6-7 h, 8-9 m, 10-11 n, each 0 -> 0, 1 -> 1/2, 2 -> 1,
/// 3 -> 2; bits 12, 13, 14: o, p, q are 1 (set) or 1/2 (clear); they count only where bit 15 is set, elsewhere the
/// consistent choice holds.
using WallCode = std::uint16_t;

/// Wall codes of shape (nz, ny, nx).
template <ExecutionSpace Exec>
using WallCodes = Field<Exec, WallCode>;

/// The code of a cell with six open faces.
inline constexpr WallCode open_cell_code = 0x0aaa;

/// Codes of a domain with solid cells: a face between two fluid cells is open, a face to a solid cell is a wall. A face
/// on a side has the coefficient of its Boundary. Across a periodic axis the neighbours are the cells of the opposite
/// side.
/// Solid cells keep their value. An axis of one cell that is periodic couples that cell with itself: its faces are
/// closed.
/// `solid`: (nz, ny, nx), non-zero where the cell is solid; an empty View means none.
/// Asynchronous on `space`. 1 B read and 2 B written per cell. Throws std::invalid_argument when extents differ or one
/// side of an axis alone is periodic.
template <ExecutionSpace Exec>
WallCodes<Exec> make_wall_codes(Exec const& space, UniformGrid const& grid, Boundaries const& boundaries,
                                ConstField<Exec, std::uint8_t> const& solid = {});

/// Expands codes into arrays, for example to change single coefficients by hand afterwards; o, p, q stay empty when no
/// code gives them. Fences `space`. Throws std::invalid_argument when extents differ.
template <ExecutionSpace Exec, Real T>
FaceCoefficients<Exec, T> unpack(Exec const& space, UniformGrid const& grid, WallCodes<Exec> const& codes);

/// Packs arrays into codes. Fences `space`. Throws std::invalid_argument when a coefficient is none of the
/// values of a code, with the first such cell, or when extents differ.
template <ExecutionSpace Exec, Real T>
WallCodes<Exec> pack(Exec const& space, UniformGrid const& grid, FaceCoefficients<Exec, T> const& coefficients);

}  // namespace karman
