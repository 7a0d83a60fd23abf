// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Meshes of standard cases of compressible flow, made on the host without Kokkos. The flow comes from the left.
///
/// All generators meet the requirements of MeshData, list every boundary edge, and name all labels. The region is 1
/// "domain". Meshes of symmetric shapes are symmetric to the last bit where noted.
/// \par Units
/// Lengths are in the unit of the caller, chords for the airfoil; angles in degrees.
/// \par Cost
/// O(nodes) time, about 100 bytes per node. A million triangles take 0.2 s, around an airfoil 0.4 s.
/// \par Reproducibility
/// The same arguments give the same bits on processors of the same kind.
/// \throws std::invalid_argument for arguments outside their range, with name and value, and for more than 2^31 - 1
/// nodes or triangles
#pragma once

#include <karman/mesh/mesh_data.hpp>
#include <karman/mesh/mesh_generators.hpp>

#include <string>

namespace karman {

/// O-mesh around an airfoil of the NACA four-digit series, chord 1 from (0, 0) to (1, 0).
///
/// The trailing edge is closed and sharp: the last coefficient of the thickness is -0.1036. Rings of `points` nodes
/// surround the airfoil. The outermost one is a regular polygon in the circle of `far_radius` around (0.5, 0).
struct AirfoilMesh {
  std::string digits = "0012";  ///< camber, its place, thickness (two digits, "01" to "40"); "00" first: symmetric
  int points = 128;             ///< nodes on the airfoil: even, at least 16
  double far_radius = 50;       ///< radius of the far field, 2 to 1e6
  double growth = 1.08;         ///< ratio of the heights of neighbouring layers far from the airfoil, 1 to 2
};
/// Meshes the air around an airfoil. Boundaries: 1 "airfoil", 2 "farfield". Nodes are numbered ring by ring from the
/// airfoil outward, each ring anticlockwise from the trailing edge.
///
/// The rings are circles in the plane that a conformal map opens onto the exterior of the airfoil. So lines cross at
/// right angles. Cells at the airfoil are about as high as wide. Cells farther out become (growth - 1) points / 2 pi
/// times as high as wide. Points cluster at both edges of the airfoil. The shortest edges lie at the trailing edge:
/// about 9 / points^1.9 chords. Angles of the default mesh lie between 27 and 115 degrees, least at the trailing edge.
/// Meshes of symmetric airfoils are symmetric to the last bit.
/// \par Cost
/// Besides that of all generators, O(points^2) time for the map: below 0.01 s for 128 points, 0.3 s for 4,000.
/// \throws std::invalid_argument also for profiles without a map: some of much camber at a tenth of the chord
/// \par Source
/// Abbott and von Doenhoff 1959 (profiles), Theodorsen 1931 (map), Vassberg and Jameson 2010 (O-meshes).
MeshData mesh_airfoil(AirfoilMesh const& shape);

/// Front of a circular cylinder around the origin, up to a curve ahead of its bow shock.
///
/// Rays leave the cylinder at equal angles. The outer curve lies ahead of Billig's hyperbola. Along each ray, its
/// distance from the cylinder is `clearance` times that of the hyperbola.
struct BowShockMesh {
  double radius = 0.5;     ///< radius of the cylinder
  double mach = 3;         ///< Mach number of the flow, above 1
  double angle = 90;       ///< angle between the upstream direction and the outermost rays, 10 to 135 degrees
  double clearance = 1.4;  ///< distance of the outer curve over that of the shock, at least 1
  int around = 128;        ///< cells between the outermost rays, at least 2
  int radial = 48;         ///< cells along a ray, at least 1
  double growth = 1;       ///< ratio of neighbouring steps along a ray, outward; 1: equal steps
  bool half = false;       ///< only y >= 0
  DiagonalPattern diagonals = DiagonalPattern::alternating;  ///< direction of the diagonals
};
/// Meshes the front of a cylinder. Boundaries: 1 "cylinder", 2 "inflow" (outer curve), 3 "outflow" (outermost rays), 4
/// "symmetry" (y = 0, of a half only). Nodes are numbered in arcs from the cylinder outward, each arc from its lower
/// end. A whole front of alternating diagonals and an even number of cells around is symmetric to the last bit.
///
/// Rays and outer curve meet at about 45 degrees at the ends of a front of 90 degrees. So an alternating pattern breaks
/// where the other diagonal makes the smallest angle at least 1.4 times as large. Angles of the default mesh lie
/// between 17 and 120 degrees.
/// \throws std::invalid_argument also where the outermost rays do not cross the shock
/// \par Source
/// Billig 1967 (shape of the shock).
MeshData mesh_bow_shock(BowShockMesh const& shape);

/// Channel whose bottom rises from a corner on: 0 <= x <= length, between the bottom and y = height.
struct WedgeMesh {
  double length = 1.5;  ///< extent in x
  double height = 1;    ///< height at the inflow
  double corner = 0.5;  ///< x of the corner, inside the channel
  double angle = 10;    ///< slope of the ramp in degrees, -45 to 45; negative: expansion
  double size = 0.02;   ///< greatest step in x and, at the inflow, in y
  DiagonalPattern diagonals = DiagonalPattern::alternating;  ///< direction of the diagonals
};
/// Meshes a channel with a ramp. Boundaries: 1 "inflow" (x = 0), 2 "outflow" (x = length), 3 "wall" (bottom), 4 "top".
/// The corner is a node. Columns are vertical, of equal steps each. An alternating pattern breaks where the other
/// diagonal makes the smallest angle at least 1.4 times as large. Angles of the default mesh lie between 35 and 100
/// degrees.
/// \throws std::invalid_argument also for a ramp that reaches the top
MeshData mesh_wedge(WedgeMesh const& shape);

/// Tunnel 0 <= x <= length, 0 <= y <= height with a step up to `step_height` from x = `step_at` on.
struct StepMesh {
  double length = 3;                                         ///< extent in x
  double height = 1;                                         ///< extent in y
  double step_at = 0.6;                                      ///< x of the step, inside the tunnel
  double step_height = 0.2;                                  ///< height of the step, below that of the tunnel
  double size = 0.02;                                        ///< greatest step of the cells in x and y
  DiagonalPattern diagonals = DiagonalPattern::alternating;  ///< direction of the diagonals
};
/// Meshes a tunnel with a forward-facing step. Boundaries: 1 "inflow" (x = 0), 2 "outflow" (x = length), 3 "wall" (all
/// others). Every corner is a node.
/// \par Source
/// Woodward and Colella 1984 (Mach 3 flow, default lengths).
MeshData mesh_step(StepMesh const& shape);

}  // namespace karman
