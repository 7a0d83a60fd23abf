// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Meshes of simple domains, made on the host without Kokkos. polygon_mesh.hpp meshes any other polygon.
///
/// All generators meet the requirements of MeshData, list every boundary edge, and name all labels. The region is 1
/// unless noted. A size is a wanted edge length: edges come out between about 0.7 and 1.5 of it. Angles lie between 30
/// and 120 degrees, except in rectangles of very different spacings.
/// \par Units
/// Lengths are in the unit of the caller.
/// \par Cost
/// O(nodes) time, about 100 bytes per node.
/// \par Reproducibility
/// The same arguments give the same bits.
/// \throws std::invalid_argument for lengths that are not positive and finite, and for sizes too small for 2^31 - 1
/// nodes
#pragma once

#include <karman/mesh/mesh_data.hpp>

#include <array>
#include <vector>

namespace karman {

/// Direction in which the cells of a rectangle are cut.
enum class DiagonalPattern {
  right,        ///< every cell from its lower left to its upper right corner
  left,         ///< every cell from its lower right to its upper left corner
  alternating,  ///< both in turn ("union jack"): symmetric, nodes with 4 and 8 triangles
  crossed       ///< both at once, with a node in the middle of each cell
};

/// Graded coordinates with steps in geometric progression.
/// \param from first coordinate, exact
/// \param to last coordinate, exact, greater than `from`
/// \param first_step approximate first step
/// \param last_step approximate last step; equal steps if it is `first_step`
/// \return ascending coordinates
std::vector<double> graded_coordinates(double from, double to, double first_step, double last_step);

/// Rectangle between two corners in cells of at most `size` x `size`.
struct RectangleMesh {
  std::array<double, 2> low{0, 0};                           ///< lower left corner
  std::array<double, 2> high{1, 1};                          ///< upper right corner
  double size = 0.1;                                         ///< wanted edge length
  DiagonalPattern diagonals = DiagonalPattern::alternating;  ///< direction of the diagonals
};
/// Meshes a rectangle. Boundaries: 1 "south" (least y), 2 "east" (greatest x), 3 "north", 4 "west". Nodes are numbered
/// row by row from the south west corner, x fastest. The middle nodes of a crossed mesh follow them, cell by cell.
MeshData mesh_rectangle(RectangleMesh const& shape);

/// Meshes a graded rectangle: one cell between any two neighbours of `x` and of `y`. Labels and numbers as for a
/// RectangleMesh.
/// \param x strictly ascending coordinates, at least two
/// \param y strictly ascending coordinates, at least two
/// \param diagonals direction of the diagonals
/// \return the mesh
MeshData mesh_rectangle(std::vector<double> const& x, std::vector<double> const& y,
                        DiagonalPattern diagonals = DiagonalPattern::alternating);

/// Channel 0 <= x <= length, 0 <= y <= width.
struct ChannelMesh {
  double length = 10;                                        ///< extent in x
  double width = 1;                                          ///< extent in y
  double size = 0.1;                                         ///< wanted edge length
  DiagonalPattern diagonals = DiagonalPattern::alternating;  ///< direction of the diagonals
};
/// Meshes a channel. Boundaries: 1 "wall" (both sides), 2 "inflow" (x = 0), 3 "outflow" (x = length).
MeshData mesh_channel(ChannelMesh const& shape);

/// Disc around `centre`, in rings of 6, 12, 18, ... nodes.
struct DiscMesh {
  double radius = 1;                   ///< radius
  double size = 0.1;                   ///< wanted edge length
  std::array<double, 2> center{0, 0};  ///< centre
};
/// Meshes a disc. Boundary: 1 "rim", a regular polygon with its nodes on the circle. Node 0 is the centre.
MeshData mesh_disc(DiscMesh const& shape);

/// Annulus between two circles around `centre`. The size changes linearly from one to the other.
struct AnnulusMesh {
  double inner_radius = 0.5;           ///< radius of the inner circle
  double outer_radius = 1;             ///< radius of the outer circle
  double inner_size = 0.1;             ///< wanted edge length on the inner circle
  double outer_size = 0.1;             ///< wanted edge length on the outer circle
  std::array<double, 2> center{0, 0};  ///< centre
};
/// Meshes an annulus. Boundaries: 1 "inner", 2 "outer".
MeshData mesh_annulus(AnnulusMesh const& shape);

/// Rectangular harbour in a straight coast. The harbour is the water -length <= x <= 0, |y| <= width/2. Its mouth
/// is its full width at x = 0. The sea is the half disc x >= 0 of `sea_radius` around the middle of the mouth.
struct HarbourMesh {
  double length = 0.3111;     ///< length of the harbour
  double width = 0.0604;      ///< width of the harbour
  double sea_radius = 0.5;    ///< radius of the sea
  double mouth_size = 0.005;  ///< wanted edge length at the mouth and across the harbour
  double back_size = 0.005;   ///< wanted edge length at the back, along the harbour; at least mouth_size
  double sea_size = 0.02;     ///< wanted edge length on the semicircle; at least mouth_size
  double growth = 0.2;        ///< growth of the size in the sea, per distance from the mouth
};
/// Meshes a harbour. Boundaries: 1 "open" (the semicircle), 2 "coast" (x = 0 beside the mouth), 3 "quay" (sides of the
/// harbour), 4 "back" (x = -length). Regions: 1 "harbour", 2 "sea".
/// \throws std::invalid_argument also for a sea that does not reach beyond the mouth
MeshData mesh_harbour(HarbourMesh const& shape);

/// Water around a circular island: a shelf from the shore to `shelf_radius`, then the sea up to `sea_radius`. The size
/// grows linearly over the shelf and stays constant in the sea. Choose sea_size = shore_size * shelf_radius /
/// shore_radius for a shelf whose depth grows with the square of the radius. Long waves then have the same number of
/// edges per wavelength everywhere.
struct IslandMesh {
  double shore_radius = 10'000;        ///< radius of the shore
  double shelf_radius = 30'000;        ///< outer radius of the shelf
  double sea_radius = 60'000;          ///< outer radius of the sea
  double shore_size = 1'000;           ///< wanted edge length on the shore
  double sea_size = 3'000;             ///< wanted edge length in the sea
  std::array<double, 2> center{0, 0};  ///< centre
};
/// Meshes the water around an island. Boundaries: 1 "shore", 2 "open". Regions: 1 "shelf", 2 "sea". A ring of nodes
/// lies on the edge of the shelf.
MeshData mesh_island(IslandMesh const& shape);

}  // namespace karman
