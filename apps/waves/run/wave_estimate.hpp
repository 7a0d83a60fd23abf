// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Needs of a run and resolution of its mesh, estimated before any solve.
#pragma once

#include "common/run/needs.hpp"
#include "waves/case/wave_case.hpp"
#include <karman/core/backend_name.hpp>

#include <cstdint>
#include <string>

namespace karman::waves {

struct WaveEstimate : app::Needs {
  std::int64_t nodes = 0, triangles = 0;
  int kept = 0;  ///< components whose fields are written
  /// Wavelength over the longest edge for the shortest period, the least of all triangles; and the middle of that
  /// triangle.
  double nodes_per_wavelength = 0;
  double shortest_period = 0;
  double x = 0, y = 0;
  int picard_iterations = 1;  ///< expected
};

/// A mesh with fewer nodes per wavelength gets a warning. At ten, the wave number of plain linear elements has an error
/// of (2 pi / 10)^2 / 24 = 1.6 %. A half-lumped mass matrix reduces that to fourth order on good meshes.
inline constexpr double least_nodes_per_wavelength = 10;

/// For a run on that backend. Orders the unknowns where a direct solver will be used, see linear_solver_bytes().
WaveEstimate estimate(WaveCase const& wave_case, Backend backend);

/// The warning about a coarse mesh; empty when there is none.
std::string mesh_warning(WaveEstimate const& need);

}  // namespace karman::waves
