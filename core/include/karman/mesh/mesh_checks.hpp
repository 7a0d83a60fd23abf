// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What is wrong with a mesh, and how good it is. On one thread of the host.
#pragma once

#include <karman/mesh/mesh_data.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace karman {

enum class MeshFault {
  too_large,            ///< more than 2^31 - 1 nodes, triangles or edges
  label_count,          ///< not one label for each triangle or boundary edge
  node_out_of_range,    ///< a triangle or an edge names a node that is not there
  bad_coordinate,       ///< not finite, or beyond 1e100, where areas overflow
  no_area,              ///< a triangle whose nodes lie on a line, to rounding
  clockwise,            ///< a triangle that runs clockwise
  duplicate_triangle,   ///< the nodes of another one
  unused_node,          ///< no triangle has it
  crowded_edge,         ///< of more than two triangles
  opposed_edge,         ///< of two triangles that both lie on the same side of it
  hanging_node,         ///< inside a boundary edge, to 1e-9 of its length
  edge_inside,          ///< a listed edge that two triangles share
  edge_of_no_triangle,  ///< a listed edge that is no side of a triangle
  edge_backwards,       ///< a listed edge with the domain on its right
  duplicate_edge        ///< listed twice
};

/// All faults of one kind in one line: how many there are, and which is the first.
struct MeshProblem {
  MeshFault fault;
  std::size_t count = 0;
  std::size_t first = 0;  ///< number of the triangle, node or listed edge; of an edge between triangles: its triangle
  std::string message;    ///< such as "2 triangles run clockwise; the first is triangle 7 (nodes 3, 9, 4)"
};

struct MeshReport {
  std::vector<MeshProblem> problems;
  /// Boundary edges that the mesh does not list. No fault: complete_boundary() lists them.
  std::size_t unlisted_edges = 0;

  bool good() const { return problems.empty(); }
  /// The messages, one a line.
  std::string text() const;
};

/// Looks for everything that MeshData promises. Triangles, nodes and edges are numbered from 0. Where numbers are out
/// of range nothing else can be looked at; where coordinates are bad, no areas and hanging nodes.
/// Cost: some 100 bytes of memory and 0.3 us a triangle. A triangle has no area where twice its area is below 8 eps of
/// the product of two of its sides: the sign of the computed area means nothing there.
MeshReport check_mesh(MeshData const& mesh);

/// Lists every boundary edge of the mesh: those that are missing get `default_label`, in the order of their nodes, and
/// those that run backwards are turned. Others are left as they are. Node numbers must be in range, otherwise
/// std::invalid_argument.
void complete_boundary(MeshData& mesh, int default_label);

/// The least, mean and greatest of a figure; 0 without triangles.
struct MeshSpread {
  double least = 0, mean = 0, most = 0;
};

/// In the units of the nodes; angles in rad.
struct MeshQuality {
  double area = 0;             ///< of the whole mesh
  double boundary_length = 0;  ///< of the edges with a triangle on one side only
  MeshSpread triangle_area;
  MeshSpread edge_length;     ///< each edge counts once
  MeshSpread smallest_angle;  ///< of each triangle
  MeshSpread largest_angle;   ///< of each triangle
  MeshSpread edge_ratio;      ///< longest to shortest edge of each triangle, 1 at best
  MeshSpread radius_ratio;    ///< twice the inscribed circle's radius to the circumscribed one's, 1 at best
};

/// Of a mesh that check_mesh() finds right. Throws std::invalid_argument when node numbers are out of range.
MeshQuality mesh_quality(MeshData const& mesh);

}  // namespace karman
