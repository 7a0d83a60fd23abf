// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Probes and pedestrian maps: samples, and their files.
#pragma once

#include "wind/model/wind_model.hpp"
#include <karman/io/atomic_file.hpp>
#include <karman/io/hdf5_file.hpp>

#include <array>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace karman::wind {

/// Velocities at the samples of a probe.
struct SampledProbe {
  Probe probe;
  std::vector<std::array<double, 3>> velocity;  ///< m/s, NaN in solid cells
};

/// Takes the velocity at sample n, m/s, NaN in solid cells. Several threads call it at once.
using KeepVelocities = std::function<void(std::size_t n, std::array<double, 3> const& velocity)>;
/// Samples a probe in the present field, `most_samples` at a time, whose records are in host memory, too. Waits.
void sample_in_batches(WindModel& model, WindCase const& wind_case, Probe const& probe, KeepVelocities const& keep);

/// All velocities of a probe. Waits.
SampledProbe sample_probe(WindModel& model, WindCase const& wind_case, Probe const& probe);

/// Samples every probe of the case. Waits.
std::vector<SampledProbe> sample_probes(WindModel& model, WindCase const& wind_case);

/// Speed of the undisturbed wind at the samples of a probe, m/s.
std::vector<double> undisturbed_speeds(WindCase const& wind_case, Probe const& probe);

/// Scale of the components of a velocity, which write_component_scale() makes.
inline constexpr char const* component_scale = "/component";
void write_component_scale(Hdf5File& file);

/// Writes /probes/NAME of every probe; docs/wind_outputs.md lists its content. Needs the scale of the components.
void write_probes(Hdf5File& file, WindCase const& wind_case, std::vector<SampledProbe> const& probes);

/// Writes /pedestrian: maps (ny, nx) of speed and speed-up factor at one height. `undisturbed`: undisturbed_speeds().
void write_pedestrian(Hdf5File& file, WindCase const& wind_case, SampledProbe const& plane,
                      std::vector<double> const& undisturbed);

/// Names of the CSV files of a case: points.csv for all points, line_NAME.csv for each line.
std::vector<std::string> probe_files(OutputSettings const& outputs);
/// Names that such files of any case may have: points.csv, and all line_*.csv in a folder.
std::vector<std::string> probe_files_in(std::filesystem::path const& folder);

/// Writes these files into a folder.
void write_probe_files(std::filesystem::path const& folder, Overwrite overwrite, WindCase const& wind_case,
                       std::vector<SampledProbe> const& probes);

/// Bytes of the samples of a case in host memory, and on the disk.
struct SampleNeed {
  std::int64_t host_bytes = 0;
  std::int64_t disk_bytes = 0;
};
SampleNeed sample_need(WindCase const& wind_case);

}  // namespace karman::wind
