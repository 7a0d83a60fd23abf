// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Triangles in any polygon with holes, made on the host without Kokkos.
#pragma once

#include <karman/mesh/mesh_data.hpp>

#include <array>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace karman {

/// A closed chain of straight segments, in either sense of turning: segment i goes from point i to the next, the last
/// back to the first, and has labels[i].
struct PolygonRing {
  std::vector<std::array<double, 2>> points;
  std::vector<int> labels;

  /// Adds a point, and the label of the segment that starts there.
  void add(double x, double y, int label) {
    points.push_back({x, y});
    labels.push_back(label);
  }
  /// Adds the points of an arc from angle `from` to angle `to` (radians, anticlockwise when to > from) in pieces of at
  /// most `size`, all with that label, without the last point: where the arc ends the next segment starts.
  void add_arc(std::array<double, 2> centre, double radius, double from, double to, double size, int label);
};

/// What lies inside `outer` and outside all holes. Rings neither touch nor cross themselves or each other.
struct Polygon {
  PolygonRing outer;
  std::vector<PolygonRing> holes;
  std::map<int, std::string> boundary_names;
};

/// Wanted lengths of edges, and more.
struct PolygonMeshOptions {
  double size = 0.1;                                    ///< wanted length of edges
  std::function<double(double x, double y)> size_at{};  ///< if given, instead of `size`: positive and finite everywhere
  double minimum_angle = 28;                            ///< degrees, 0 to 30
  int smoothing = 8;                                    ///< rounds of smoothing, 0: none
  int most_nodes = 5'000'000;                           ///< more of them are an error: a size was too small
};

/// Meshes a polygon by Delaunay refinement.
///
/// Segments are cut into pieces of about the wanted size; their constrained Delaunay triangulation is refined, the
/// greatest triangles first, by nodes that make a triangle of the wanted size with the shortest edge of a bad one
/// (an "off-centre") or by its circumcentre; a node that would come too close to a piece of the boundary halves the
/// piece instead. Interior nodes are then moved to improve their triangles, never below the angle asked for, with edges
/// flipped in between.
///
/// What holds for every mesh: all points of the rings are nodes, all segments are edges or chains of edges with their
/// labels; the triangulation is a constrained Delaunay one and as MeshData asks for. Angles below `minimum_angle` are
/// refined away where the corners of the domain have 60 degrees or more (proven to end for up to 20.7 degrees and
/// corners of 90 or more, seen to end for up to 30). Segments at a sharper corner are not cut below a tenth of the
/// first pieces there: small angles can remain at such corners. No piece is cut below 1e-4 of the shortest first one.
/// Sizes are wishes: edges come out between about 0.6 and 1.5 of them, shorter where the polygon has detail. A
/// size that changes by more than about half of the distance is smoothed by the angles asked for, at the price of more
/// nodes.
///
/// The points of the rings come first, in their order and with those that cut the segments between them; boundary edges
/// follow the rings; region 1 is "domain". The same polygon gives the same bits on processors of the same kind.
/// Decisions on sides and circles are exact. Coordinates: differences between 1e-60 and 1e60 in size.
///
/// Cost: O(n log n) time for n nodes, about 10 microseconds and 500 bytes a node. Errors: std::invalid_argument that
/// names the ring and its segment for rings with fewer than three points, with too few labels, with coordinates that
/// are not finite, that touch or cross, for holes that are not inside; for sizes that are not positive and finite, with
/// the place; for more than most_nodes nodes. Source: Ruppert 1995, Shewchuk 2002 (refinement), Üngör 2009
/// (off-centres), Rebay 1993 (size of the front).
MeshData mesh_polygon(Polygon const& polygon, PolygonMeshOptions const& options = {});

}  // namespace karman
