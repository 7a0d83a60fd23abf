// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The incident waves along the boundary.
#pragma once

#include "boundary_table.hpp"
#include "mild_slope_kernels.hpp"
#include "wave_problem.hpp"

#include <vector>

namespace karman::waves {

/// Values for the edges of incident boundaries.
struct IncidentField {
  std::vector<IncidentEdge> edges;  ///< one a boundary edge of the mesh, zero where nothing comes in; empty: nowhere
  double power = 0;                 ///< that the waves bring in, W, rho = 1000 kg/m^3, as the discrete equation has it
};

/// The waves of one angular frequency along all incident boundaries.
///
/// Over an even depth they are plane waves. Else their phase is the integral of the local wave number along the
/// boundary, by the trapezoidal rule from edge to edge; from one incident stretch to the next that is not joined to it,
/// in one step. It is as IncidentWave says at the incident node from where the wave comes: the one furthest back along
/// its direction; with Refraction, of those whose depth is nearest to the one given. Direction and amplitude are as
/// Refraction says. A wave that is refracted so far that it cannot be at a
/// place (the sine would be above 1) is taken along the contours there.
IncidentField incident_field(WaveProblem const& problem, BoundaryTable const& boundary, double omega,
                             std::vector<IncidentWave> const& waves);

}  // namespace karman::waves
