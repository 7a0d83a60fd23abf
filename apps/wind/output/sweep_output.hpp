// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Result of a sweep over the directions of a wind rose, sweep.h5, and the checkpoints of sweeps and series.
#pragma once

#include "common/fields/host_field.hpp"
#include "wind/case/wind_case.hpp"
#include "wind/model/domain_part.hpp"
#include <karman/core/backend_name.hpp>
#include <karman/io/atomic_file.hpp>
#include <karman/io/file_processes.hpp>
#include <karman/io/hdf5_file.hpp>
#include <karman/io/xdmf.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace karman {
class Case;
}

namespace karman::wind {

/// The field of one direction, as far as a sweep keeps it.
struct SweptDirection {
  int iterations = 0;
  double relative_divergence = 0;
  double seconds = 0;  ///< of its first field, solve and map
  bool converged = true;
  /// Wind speed at the height of the maps over that of the undisturbed wind at the reference height, (ny, nx); NaN
  /// where the cell is solid.
  std::vector<float> ratio;         ///< in a series the speed itself, m/s
  std::vector<float> samples = {};  ///< in a series: velocities at the samples of all probes, (samples, 3)
};

/// The finished part of a sweep: the first sectors of the rose.
struct SweepState {
  std::vector<SweptDirection> directions;
  double seconds = 0;          ///< elapsed in their solves, first fields and maps, by all processes at once
  app::HostField lambda = {};  ///< own cells, of the last one in a chain of times: first guess of the next
};

/// Seconds of all directions, one after another.
double summed_seconds(SweepState const& state);

inline constexpr char const* sweep_file = "sweep.h5";
inline constexpr char const* sweep_xdmf_file = "sweep.xdmf";
inline constexpr char const* sweep_checkpoint_file = "sweep.checkpoint";

/// Writes sweep.h5, sweep.xdmf and the files of maps; docs/wind_sweep.md lists their content. Throws FileError.
void write_sweep(std::filesystem::path const& folder, Overwrite overwrite, WindCase const& wind_case,
                 SweepState const& state, BackendInfo const& backend);

/// A new file of maps for several winds, with provenance, height, grid and terrain. Maps are at `height`, m.
Hdf5File create_maps_file(std::filesystem::path const& path, Overwrite overwrite, std::string const& format,
                          WindCase const& wind_case, double height, BackendInfo const& backend);
/// Writes the maps of all winds as one dataset (n, ny, nx), and names each of them: /steps/0 and so on.
void write_maps(Hdf5File& file, std::string const& name, WindCase const& wind_case, SweepState const& state,
                char const* units, char const* long_name);

/// /timings with the elapsed time of the solves and their sum.
void write_timings(Hdf5File& file, SweepState const& state);

/// Describes maps of all winds as one temporal collection, for ParaView and VisIt: `file` has the lines of
/// create_maps_file() and the maps of write_maps(). Every step also has the `constant` maps (ny, nx).
struct MapSeries {
  char const* file;                          ///< in the same folder
  char const* name;                          ///< of their values
  std::vector<double> steps;                 ///< place of each wind on the axis of time
  std::vector<XdmfAttribute> constant = {};  ///< maps of all steps
};
void write_map_series(std::filesystem::path const& path, Overwrite overwrite, WindCase const& wind_case,
                      MapSeries const& series);

/// Storage of its datasets.
inline DatasetOptions compressed(WindCase const& wind_case) {
  return {.chunk = {}, .deflate = wind_case.outputs.compression};
}

/// Bytes of sweep.h5 and of two checkpoints.
std::int64_t sweep_disk_bytes(WindCase const& wind_case);
/// Bytes of the maps in host memory, and of lambda in so many cells of a process.
std::int64_t sweep_host_bytes(WindCase const& wind_case, std::int64_t own_cells);

/// Writes the finished directions, or times of a series. `processes`: those that divide the domain, each with its part
/// of lambda; the first one has the maps. Throws FileError.
void save_sweep(FileProcesses const& processes, std::filesystem::path const& file, WindCase const& wind_case,
                DomainPart const& part, SweepState const& state);

/// Reads them for a sweep that continues. The case may differ in title, limit of iterations and, except for a series,
/// outputs; else throws CaseError with the first difference. Throws FileError for a file that is no whole checkpoint of
/// a sweep. `processes`: of the run; any number of them may have saved. Only the first one gets the maps. Returns a
/// remark for the user, or "".
std::string load_sweep(FileProcesses const& processes, std::filesystem::path const& file, Case const& input,
                       WindCase const& wind_case, DomainPart const& part, SweepState& state);

}  // namespace karman::wind
