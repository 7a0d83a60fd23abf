// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Options and reports of mesh_motion.hpp. Standard library only.
#pragma once

#include <karman/solvers/solve_report.hpp>

#include <array>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

namespace karman {

/// Stiffness of a triangle of area A against deformation, kappa in the integral of kappa grad(N_i) . grad(N_j).
enum class MotionWeight {
  area,          ///< 1: the integral grows with the area. Linear displacements are reproduced exactly
  inverse_area,  ///< 1 / A: small triangles deform less than large ones
  quality        ///< 1 / (A mu^2), mu the shape_quality: small and flat triangles deform least
};

/// "area", "inverse_area" or "quality".
std::string_view name(MotionWeight weight);

/// Set-up of a MeshMotion.
struct MeshMotionSetup {
  MotionWeight weight = MotionWeight::quality;  ///< stiffness of the triangles
  /// Least number of nodes from which algebraic multigrid preconditions the solves, without periodic groups. Its
  /// iterations hardly grow with the mesh; those with the diagonal grow with the square root of the nodes.
  int multigrid_from = 20'000;
};

/// Options of one solve.
struct MeshMotionOptions {
  double tolerance = 1e-8;     ///< of the residual, relative to the right-hand side, in the 2-norm
  int max_iterations = 10000;  ///< limit for each component
  int check_every = 10;        ///< iterations between two checks of the residual, which wait for the device
};

/// Report of one solve.
struct MeshMotionReport {
  std::array<SolveReport, 2> components;  ///< of the displacements in x and y
  /// Both components have converged.
  bool converged() const { return components[0].converged && components[1].converged; }
  /// Iterations of both components.
  int iterations() const { return components[0].iterations + components[1].iterations; }
};

/// State of a deformed mesh.
struct MeshState {
  double least_quality = std::numeric_limits<double>::infinity();  ///< least mu, negative for an inverted triangle
  double least_area = std::numeric_limits<double>::infinity();     ///< negative for an inverted triangle
  std::int64_t inverted = 0;                                       ///< triangles whose area is not positive

  /// All triangles have a positive area.
  bool valid() const { return inverted == 0; }
};

/// Position of a rigid body, relative to that in the mesh as it was made.
struct RigidPose {
  double angle = 0;    ///< of the rotation about the pivot, anticlockwise, in radians
  double shift_x = 0;  ///< of the pivot
  double shift_y = 0;  ///< of the pivot
};

/// Set-up of a RigidBodyMotion.
struct RigidBodySetup {
  std::array<double, 2> pivot = {0, 0};         ///< axis of the rotation in the mesh as it was made
  MotionWeight weight = MotionWeight::quality;  ///< stiffness of the triangles, for the blending field
  /// Boundaries along which nodes slide: their displacement follows from the inside. For straight walls along the
  /// motion, such as walls of a piston. Nodes that other boundaries share stay with these.
  std::vector<int> sliding = {};
  bool turns = true;  ///< the pose may have an angle; without it, angles are ignored and a step costs less
};

}  // namespace karman
