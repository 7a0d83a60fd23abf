// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Face coefficients of the 7-point operator, as arrays or packed in two bytes per cell.
#pragma once

#include <karman/core/communicator.hpp>
#include <karman/core/types.hpp>
#include <karman/core/uniform_grid.hpp>
#include <karman/solvers/grid/boundary_options.hpp>

#include <array>
#include <cstdint>

namespace karman {

/// Face coefficients as arrays of shape (nz, ny, nx): 1 for an open face, 0 for a wall, a fraction for a partly open
/// one, 2 for a Boundary::dirichlet side. Each cell may give weights of its own in x, y, z,
///
///     own weight = 2 wx own_x / dx^2 + 2 wy own_y / dy^2 + wz own_z (1 / dz_t + 1 / dz_b) / dz_k.
///
/// Empty Views take the consistent choice: own_x = (east + west) / 2, own_y = (north + south) / 2, and own_z the mean
/// of top and bottom weighted with 1 / dz_t and 1 / dz_b. Larger ones damp (own_x = 1/2 between two walls).
/// A cell whose six faces are all 0 keeps its value. In the notation of Larson (2008) the faces are e, f, g, h, m, n
/// and the own weights o, p, q.
///
/// \tparam Exec execution space
/// \tparam T float or double
template <ExecutionSpace Exec, Real T>
struct FaceCoefficients {
  /// One coefficient per cell.
  using Coefficient = Field<Exec, T>;
  Coefficient east;    ///< towards +x
  Coefficient west;    ///< towards -x
  Coefficient north;   ///< towards +y
  Coefficient south;   ///< towards -y
  Coefficient top;     ///< towards +z
  Coefficient bottom;  ///< towards -z
  Coefficient own_x;   ///< own weight in x, or empty
  Coefficient own_y;   ///< own weight in y, or empty
  Coefficient own_z;   ///< own weight in z, or empty

  // Written out: in an aggregate, g++ 12 fills omitted members with zero bytes instead of empty Views (seen with
  // Kokkos 4.6). The first assignment to such a member crashes.
  /// Empty arrays.
  FaceCoefficients() {}
  /// Faces with the consistent own weights.
  FaceCoefficients(Coefficient const& east_, Coefficient const& west_, Coefficient const& north_,
                   Coefficient const& south_, Coefficient const& top_, Coefficient const& bottom_)
      : east(east_), west(west_), north(north_), south(south_), top(top_), bottom(bottom_) {}
  /// Faces and own weights.
  FaceCoefficients(Coefficient const& east_, Coefficient const& west_, Coefficient const& north_,
                   Coefficient const& south_, Coefficient const& top_, Coefficient const& bottom_,
                   Coefficient const& own_x_, Coefficient const& own_y_, Coefficient const& own_z_)
      : east(east_),
        west(west_),
        north(north_),
        south(south_),
        top(top_),
        bottom(bottom_),
        own_x(own_x_),
        own_y(own_y_),
        own_z(own_z_) {}

  /// The faces in the order of Side.
  std::array<Coefficient, 6> faces() const { return {east, west, north, south, top, bottom}; }
  /// The own weights in x, y, z.
  std::array<Coefficient, 3> own_weights() const { return {own_x, own_y, own_z}; }
  /// True when any own weight is given; then all three must be.
  bool has_own_weights() const { return own_x.size() != 0 || own_y.size() != 0 || own_z.size() != 0; }
};

/// FaceCoefficients in two bytes per cell. Bits 0-1 hold east, 2-3 west, 4-5 north, 6-7 south, 8-9 top, 10-11 bottom,
/// each 0 -> 0, 1 -> 1/2, 2 -> 1, 3 -> 2. Bits 12, 13, 14 hold own_x, own_y, own_z: 1 (set) or 1/2 (clear). They count
/// only where bit 15 is set; elsewhere the consistent choice holds.
using WallCode = std::uint16_t;

/// Wall codes of shape (nz, ny, nx).
template <ExecutionSpace Exec>
using WallCodes = Field<Exec, WallCode>;

/// The code of a cell with six open faces.
inline constexpr WallCode open_cell_code = 0x0aaa;

/// Codes of a domain with solid cells. A face between two fluid cells is open, and one to a solid cell is a wall. A
/// face on a side has the coefficient of its Boundary. Across a periodic axis a cell has the cells of the opposite side
/// as neighbours. Solid cells keep their value. An axis of one cell that is periodic couples that cell with itself: its
/// faces are closed.
///
/// \param space execution space instance
/// \param grid the cells
/// \param boundaries conditions on the sides of the whole grid
/// \param solid shape (nz, ny, nx), non-zero where the cell is solid; an empty View means none
/// \param communicator processes that hold the parts of the grid; they pass the solid cells along their faces
/// \return codes of shape (nz, ny, nx)
/// \throws std::invalid_argument when extents differ, one side of an axis alone is periodic, or some processes give
/// solid cells and others none.
/// \par Cost
/// 1 byte read and 2 bytes written per cell.
/// \par Synchrony
/// Asynchronous on `space`; fences it with more than one process.
template <ExecutionSpace Exec>
WallCodes<Exec> make_wall_codes(Exec const& space, UniformGrid const& grid, Boundaries const& boundaries,
                                ConstField<Exec, std::uint8_t> const& solid = {},
                                Communicator const& communicator = {});

/// Expands codes into arrays, for example to change single coefficients by hand afterwards.
///
/// \param space execution space instance
/// \param grid the cells
/// \param codes shape (nz, ny, nx)
/// \return coefficients; own weights stay empty when no code gives them
/// \throws std::invalid_argument when extents differ.
/// \par Synchrony
/// Fences `space`.
template <ExecutionSpace Exec, Real T>
FaceCoefficients<Exec, T> unpack(Exec const& space, UniformGrid const& grid, WallCodes<Exec> const& codes);

/// Packs arrays into codes.
///
/// \param space execution space instance
/// \param grid the cells
/// \param coefficients values that a code can hold
/// \return codes of shape (nz, ny, nx)
/// \throws std::invalid_argument when extents differ, or when a code cannot hold a coefficient; names the first such
/// cell.
/// \par Synchrony
/// Fences `space`.
template <ExecutionSpace Exec, Real T>
WallCodes<Exec> pack(Exec const& space, UniformGrid const& grid, FaceCoefficients<Exec, T> const& coefficients);

}  // namespace karman
