// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The incident waves along the boundary.
#pragma once

#include "boundary_table.hpp"
#include "mild_slope_kernels.hpp"
#include "waves/case/wave_problem.hpp"

#include <vector>

namespace karman::waves {

/// Values for the edges of incident boundaries.
struct IncidentField {
  std::vector<IncidentEdge> edges;  ///< one per boundary edge of the mesh, zero where no wave enters; empty: nowhere
  double power = 0;                 ///< power of the incident waves, W, rho = 1000 kg/m^3, as in the discrete equation
};

/// The waves of one angular frequency along all incident boundaries.
///
/// Over an even depth they are plane waves. Else their phase is the integral of the local wave number along the
/// boundary. It is taken by the trapezoidal rule from edge to edge, and in one step between separate incident
/// stretches. IncidentWave holds at the incident node of the wave's origin: the one furthest back along its direction.
/// With Refraction it is the one furthest back among those whose depth is closest to the given one. Refraction also
/// determines direction and amplitude. Where refraction would need a sine above 1, the wave follows the contours.
IncidentField incident_field(WaveProblem const& problem, BoundaryTable const& boundary, double omega,
                             std::vector<IncidentWave> const& waves);

}  // namespace karman::waves
