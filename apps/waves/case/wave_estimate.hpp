// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Needs of a run and resolution of its mesh, estimated before any solve.
#pragma once

#include "wave_case.hpp"
#include <karman/core/backend_name.hpp>

#include <cstdint>
#include <string>

namespace karman::waves {

struct WaveEstimate {
  std::int64_t nodes = 0, triangles = 0;
  int kept = 0;  ///< components whose fields are written
  /// Wavelength over the longest edge, the least of all triangles, for the shortest period; and the triangle's middle.
  double nodes_per_wavelength = 0;
  double shortest_period = 0;
  double x = 0, y = 0;
  int picard_iterations = 1;      ///< expected
  std::int64_t device_bytes = 0;  ///< in the memory of the backend
  std::int64_t host_bytes = 0;
  std::int64_t disk_bytes = 0;  ///< output and two checkpoints, uncompressed
  double seconds = 0;           ///< a rough guess
};

/// A mesh with fewer nodes to a wavelength is warned about. At ten, plain linear elements are wrong in the wave number
/// by (2 pi / 10)^2 / 24 = 1.6 %; half a lumped mass matrix brings that to fourth order on good meshes.
inline constexpr double least_nodes_per_wavelength = 10;

/// For a run on that backend. Orders the unknowns where factors will be made, see linear_solver_bytes().
WaveEstimate estimate(WaveCase const& wave_case, Backend backend);

/// Are the fields of all components kept, or only those of the one with the largest response?
bool keeps_all(WaveCase const& wave_case);

/// The lines of `--dry-run`.
std::string dry_run_report(WaveCase const& wave_case, WaveEstimate const& need, BackendInfo const& backend);

/// The warning about a coarse mesh; empty when there is none.
std::string mesh_warning(WaveEstimate const& need);

}  // namespace karman::waves
