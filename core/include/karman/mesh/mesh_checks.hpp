// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Faults and quality of a mesh. On one thread of the host.
#pragma once

#include <karman/mesh/mesh_data.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace karman {

/// Kind of fault.
enum class MeshFault {
  too_large,            ///< more than 2^31 - 1 nodes, triangles or edges
  label_count,          ///< not one label for each triangle or boundary edge
  node_out_of_range,    ///< a node number of a triangle or an edge that no node has
  bad_coordinate,       ///< not finite, or beyond 1e100, where areas overflow
  no_area,              ///< a triangle whose nodes lie on a line, to rounding
  clockwise,            ///< a clockwise triangle
  duplicate_triangle,   ///< a triangle with the nodes of another one
  unused_node,          ///< a node of no triangle
  crowded_edge,         ///< an edge of more than two triangles
  opposed_edge,         ///< an edge of two triangles on the same side of it
  hanging_node,         ///< a node inside a boundary edge, to 1e-9 of the length
  edge_inside,          ///< a listed edge between two triangles
  edge_of_no_triangle,  ///< a listed edge that is no side of a triangle
  edge_backwards,       ///< a listed edge with the domain on its right
  duplicate_edge        ///< an edge listed twice
};

/// All faults of one kind in one line.
struct MeshProblem {
  MeshFault fault;        ///< kind of fault
  std::size_t count = 0;  ///< number of faults
  std::size_t first =
      0;  ///< number of the first triangle, node or listed edge; for an edge between triangles: number of its triangle
  std::string message;  ///< such as "2 triangles run clockwise; the first is triangle 7 (nodes 3, 9, 4)"
};

/// Result of check_mesh().
struct MeshReport {
  std::vector<MeshProblem> problems;  ///< faults, one item per kind
  /// Number of boundary edges that the mesh does not list. They are no fault: complete_boundary() lists them.
  std::size_t unlisted_edges = 0;

  /// True without faults.
  bool good() const { return problems.empty(); }
  /// Messages, one per line.
  std::string text() const;
};

/// Checks all requirements of MeshData. Triangles, nodes and edges are numbered from 0. Numbers out of range end the
/// check. Bad coordinates leave out the checks of areas and hanging nodes.
///
/// A triangle has no area if twice its area is below 8 eps times the product of two of its sides. Below that bound the
/// sign of the computed area means nothing.
/// \par Cost
/// About 100 bytes of memory and 0.3 us per triangle.
MeshReport check_mesh(MeshData const& mesh);

/// Lists every boundary edge of the mesh. Missing edges are appended in the order of their nodes; backward edges are
/// turned; all others stay.
/// \param mesh mesh to change
/// \param default_label label of the appended edges
/// \throws std::invalid_argument for node numbers out of range
void complete_boundary(MeshData& mesh, int default_label);

/// Range of a quantity; 0 without triangles.
struct MeshSpread {
  double least = 0,  ///< least value
      mean = 0,      ///< mean value
      most = 0;      ///< greatest value
};

/// Quality of a mesh, in the units of the nodes; angles in rad.
struct MeshQuality {
  double area = 0;             ///< area of the whole mesh
  double boundary_length = 0;  ///< length of the edges of one triangle only
  MeshSpread triangle_area;    ///< area of each triangle
  MeshSpread edge_length;      ///< length of each edge, counted once
  MeshSpread smallest_angle;   ///< smallest angle of each triangle
  MeshSpread largest_angle;    ///< largest angle of each triangle
  MeshSpread edge_ratio;       ///< longest to shortest edge of each triangle, 1 at best
  MeshSpread radius_ratio;     ///< twice the inradius to the circumradius of each triangle, 1 at best
};

/// Quality of a mesh.
/// \pre The mesh has no faults (check_mesh()).
/// \throws std::invalid_argument for node numbers out of range
MeshQuality mesh_quality(MeshData const& mesh);

}  // namespace karman
