// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Output files of a run: wind.h5, wind.xdmf, history.csv, and CSV files of the probes.
#pragma once

#include "watch_record.hpp"
#include "wind/model/projection.hpp"
#include <karman/core/backend_name.hpp>
#include <karman/io/atomic_file.hpp>
#include <karman/io/file_processes.hpp>

#include <filesystem>

namespace karman::wind {

/// Facts of the run in the output beside its fields.
struct RunRecord {
  BackendInfo backend;
  ProjectionEnd end = ProjectionEnd::converged;
  double set_up_seconds = 0;
  double initial_field_seconds = 0;
  double solve_seconds = 0;
};

/// The names of the files, in the output folder.
inline constexpr char const* fields_file = "wind.h5";
inline constexpr char const* xdmf_file = "wind.xdmf";
inline constexpr char const* history_file = "history.csv";
inline constexpr char const* checkpoint_file = "wind.checkpoint";

/// Cells whose fields are written, (x, y, z).
Box written_cells(WindCase const& wind_case);

/// Number type of the written reals.
ScalarType written_type(WindCase const& wind_case);

/// The files that a run of a case writes: of write_output(), or of its sweep or series.
std::vector<std::string> output_files(WindCase const& wind_case);

/// With Overwrite::yes: removes the results of earlier runs in a folder, of sweeps and series too, except `kept`.
/// Throws FileError.
void remove_earlier_results(std::filesystem::path const& folder, std::vector<std::string> const& kept,
                            Overwrite overwrite);

/// Writes the files. docs/wind.md and docs/wind_outputs.md list the content of wind.h5. Of several processes
/// each writes its part of the fields, the first one all else. `processes`: of the model. Throws FileError.
void write_output(FileProcesses const& processes, std::filesystem::path const& folder, Overwrite overwrite,
                  WindCase const& wind_case, WindModel& model, ProjectionState const& state, WatchRecord const& watch,
                  RunRecord const& record);

}  // namespace karman::wind
