// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Meshes of simple domains, made on the host without Kokkos. polygon_mesh.hpp meshes any other polygon.
#pragma once

#include <karman/mesh/mesh_data.hpp>

#include <array>
#include <vector>

namespace karman {

// All of these give a mesh as MeshData asks for it: triangles anticlockwise, every boundary edge listed once with the
// domain on its left, and named labels; region 1 everywhere unless said otherwise. Lengths in the caller's unit.
// Sizes are wanted lengths of edges: edges come out between about 0.7 and 1.5 of them, and angles, but in rectangles
// of very different spacings, between 30 and 120 degrees. The same arguments give the same bits. Cost: O(nodes) time,
// some 100 bytes a node. Errors: std::invalid_argument for lengths that are not positive and finite, sizes too small
// for 2^31 - 1 nodes, and what each function names.

/// How the cells of a rectangle are cut.
enum class DiagonalPattern {
  right,        ///< every cell from its lower left to its upper right corner
  left,         ///< every cell from its lower right to its upper left corner
  alternating,  ///< both in turn ("union jack"): symmetric, nodes with 4 and 8 triangles
  crossed       ///< both at once, with a node in the middle of each cell
};

/// Coordinates from `from` to `to` (from < to) with steps in geometric progression from about `first_step` to about
/// `last_step`; equal steps when those are equal. The ends are exact.
std::vector<double> graded_coordinates(double from, double to, double first_step, double last_step);

/// The rectangle between two corners in cells of at most `size` x `size`.
struct RectangleMesh {
  std::array<double, 2> low{0, 0};
  std::array<double, 2> high{1, 1};
  double size = 0.1;
  DiagonalPattern diagonals = DiagonalPattern::alternating;
};
/// Boundaries 1 "south" (least y), 2 "east" (greatest x), 3 "north", 4 "west". Nodes are numbered row by row from the
/// south west corner, x fastest; the middle nodes of a crossed mesh follow them, cell by cell.
MeshData mesh_rectangle(RectangleMesh const& shape);

/// A graded rectangle: one cell between any two neighbours of `x` and of `y`, which ascend strictly, at least two of
/// each. Labels and numbers as above.
MeshData mesh_rectangle(std::vector<double> const& x, std::vector<double> const& y,
                        DiagonalPattern diagonals = DiagonalPattern::alternating);

/// The channel 0 <= x <= length, 0 <= y <= width.
struct ChannelMesh {
  double length = 10;
  double width = 1;
  double size = 0.1;
  DiagonalPattern diagonals = DiagonalPattern::alternating;
};
/// Boundaries 1 "wall" (both sides), 2 "inflow" (x = 0), 3 "outflow" (x = length).
MeshData mesh_channel(ChannelMesh const& shape);

/// The disc about `centre`, in rings of 6, 12, 18, ... nodes.
struct DiscMesh {
  double radius = 1;
  double size = 0.1;
  std::array<double, 2> centre{0, 0};
};
/// Boundary 1 "rim", a regular polygon with its nodes on the circle. Node 0 is the centre.
MeshData mesh_disc(DiscMesh const& shape);

/// The annulus between two circles about `centre`, with sizes that change linearly from one to the other.
struct AnnulusMesh {
  double inner_radius = 0.5;
  double outer_radius = 1;
  double inner_size = 0.1;
  double outer_size = 0.1;
  std::array<double, 2> centre{0, 0};
};
/// Boundaries 1 "inner", 2 "outer".
MeshData mesh_annulus(AnnulusMesh const& shape);

/// A rectangular harbour in a straight coast: water in -length <= x <= 0, |y| <= width/2, which opens over its full
/// width at x = 0 into a sea that is the half disc x >= 0 of `sea_radius` about the middle of the mouth.
struct HarbourMesh {
  double length = 0.3111;
  double width = 0.0604;
  double sea_radius = 0.5;
  double mouth_size = 0.005;  ///< at the mouth and across the harbour
  double back_size = 0.005;   ///< along the harbour, at its back; at least mouth_size
  double sea_size = 0.02;     ///< on the semicircle; at least mouth_size
  double growth = 0.2;        ///< of the size with the distance from the mouth, in the sea
};
/// Boundaries 1 "open" (the semicircle), 2 "coast" (x = 0 beside the mouth), 3 "quay" (the sides of the harbour),
/// 4 "back" (x = -length). Regions 1 "harbour", 2 "sea". Throws also when the sea does not reach beyond the mouth.
MeshData mesh_harbour(HarbourMesh const& shape);

/// Water around a circular island: a shelf from the shore to `shelf_radius`, the sea from there to `sea_radius`. Sizes
/// grow linearly over the shelf and stay then; with sea_size = shore_size * shelf_radius / shore_radius there are as
/// many edges to a long wave everywhere when the depth of the shelf goes with the square of the radius.
struct IslandMesh {
  double shore_radius = 10'000;
  double shelf_radius = 30'000;
  double sea_radius = 60'000;
  double shore_size = 1'000;
  double sea_size = 3'000;
  std::array<double, 2> centre{0, 0};
};
/// Boundaries 1 "shore", 2 "open". Regions 1 "shelf", 2 "sea"; a ring of nodes lies on the edge of the shelf.
MeshData mesh_island(IslandMesh const& shape);

}  // namespace karman
