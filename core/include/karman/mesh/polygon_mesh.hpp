// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Triangulation of any polygon with holes, made on the host without Kokkos.
#pragma once

#include <karman/mesh/mesh_data.hpp>

#include <array>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace karman {

/// Closed chain of straight segments, in either sense of turning. Segment i goes from point i to the next, the last one
/// back to the first; its label is labels[i].
struct PolygonRing {
  std::vector<std::array<double, 2>> points;  ///< corners (x, y)
  std::vector<int> labels;                    ///< label of each segment

  /// Adds a point and the label of the segment that starts there.
  void add(double x, double y, int label) {
    points.push_back({x, y});
    labels.push_back(label);
  }
  /// Adds the points of an arc, without the last one: the next segment starts there.
  /// \param center centre of the arc
  /// \param radius radius of the arc
  /// \param from angle of the first point, radians
  /// \param to angle of the last point, radians; anticlockwise when to > from
  /// \param size greatest length of a piece
  /// \param label label of all pieces
  void add_arc(std::array<double, 2> center, double radius, double from, double to, double size, int label);
};

/// Domain inside `outer` and outside all holes. Rings neither touch nor cross themselves or each other.
struct Polygon {
  PolygonRing outer;                          ///< outer boundary
  std::vector<PolygonRing> holes;             ///< boundaries of the holes
  std::map<int, std::string> boundary_names;  ///< names of the labels, where given
};

/// Options of mesh_polygon().
struct PolygonMeshOptions {
  double size = 0.1;                                    ///< wanted length of edges
  std::function<double(double x, double y)> size_at{};  ///< overrides `size` if given; positive and finite everywhere
  double minimum_angle = 28;                            ///< degrees, 0 to 30
  int smoothing = 8;                                    ///< rounds of smoothing, 0: none
  int most_nodes = 5'000'000;  ///< greatest number of nodes; more are an error, the sign of a size too small
};

/// Meshes a polygon by Delaunay refinement.
///
/// Segments are cut into pieces of about the wanted size. Their constrained Delaunay triangulation is refined, greatest
/// triangles first. A new node makes a triangle of the wanted size with the shortest edge of a bad one (an
/// "off-centre"), or is its circumcentre. A node too close to a piece of the boundary halves the piece instead.
/// Smoothing then moves interior nodes and flips edges, never below the wanted angle.
///
/// Properties of every mesh:
/// - All points of the rings are nodes. All segments are edges, or chains of edges, with their labels.
/// - The triangulation is constrained Delaunay and meets the requirements of MeshData.
/// - Angles below `minimum_angle` are refined away where corners of the domain have 60 degrees or more. Termination is
///   proven up to 20.7 degrees with corners of 90 or more, and observed up to 30.
/// - Segments at sharper corners are not cut below a tenth of the first pieces there: small angles can remain. No piece
///   is cut below 1e-4 of the shortest first one.
/// - Edges come out between about 0.6 and 1.5 of the wanted size, shorter at details of the polygon. The angles
///   smooth sizes that change by more than about half of the distance, at the price of more nodes.
/// - Points of the rings come first, in order and with the points that cut the segments between them. Boundary edges
///   follow the rings. Region 1 is "domain".
///
/// \param polygon outer ring and holes
/// \param options wanted sizes, angle and limits
/// \return the mesh
/// \pre Differences of coordinates are between 1e-60 and 1e60 in size.
/// \par Cost
/// O(n log n) time for n nodes, about 10 microseconds and 500 bytes per node.
/// \par Reproducibility
/// The same polygon gives the same bits on processors of the same kind. Decisions on sides and circles are exact.
/// \throws std::invalid_argument for a bad ring, with the number of the ring and its segment: fewer than three points,
/// a wrong number of labels, coordinates that are not finite, touching or crossing rings, holes outside
/// \throws std::invalid_argument for sizes that are not positive and finite, with their place, and for more than
/// most_nodes nodes
/// \par Source
/// Ruppert 1995, Shewchuk 2002 (refinement), Üngör 2009 (off-centres), Rebay 1993 (size of the front).
MeshData mesh_polygon(Polygon const& polygon, PolygonMeshOptions const& options = {});

}  // namespace karman
