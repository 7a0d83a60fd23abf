// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A problem of compressible flow in a program's own types. No Kokkos.
#pragma once

#include "common/mesh/point_finder.hpp"
#include "common/precision.hpp"
#include <karman/mesh/mesh_data.hpp>
#include <karman/solvers/euler_boundary.hpp>
#include <karman/solvers/euler_rhs_options.hpp>
#include <karman/solvers/time_integrators_options.hpp>

#include <array>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace karman::euler {

using app::Precision;

/// Density, momentum in x and y, total energy, each per volume.
using Conservative = std::array<double, 4>;

/// Walls on which the pressure is summed.
struct ForceGroup {
  std::string name;
  std::set<int> labels;
  double length = 1;                         ///< m, chord of the coefficients
  std::array<double, 2> moment_at{0.25, 0};  ///< m
};

/// One problem. Units: those of the case, SI by default.
struct FlowProblem {
  MeshData mesh;
  std::map<int, EulerBoundary> boundaries;   ///< by label; labels of periodic sides need none
  std::vector<std::array<int, 2>> periodic;  ///< pairs of labels
  EulerState flow;                           ///< reference state
  EulerRhsSetup scheme;                      ///< with gamma
  TimeIntegratorSetup integrator;
  StepControl control;
  std::vector<ForceGroup> forces;
  std::vector<app::PointInMesh> gauges;
  double averages_from = std::numeric_limits<double>::infinity();  ///< s; infinity: no averages
  Precision precision = Precision::f64;
};

/// Pressure of a state.
inline double pressure_of(double gamma, Conservative const& u) {
  return (gamma - 1) * (u[3] - 0.5 * (u[1] * u[1] + u[2] * u[2]) / u[0]);
}

}  // namespace karman::euler
