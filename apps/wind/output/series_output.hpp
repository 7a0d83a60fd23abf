// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Result of a series of readings: series.h5.
#pragma once

#include "sweep_output.hpp"

namespace karman::wind {

inline constexpr char const* series_file = "series.h5";
inline constexpr char const* series_xdmf_file = "series.xdmf";
inline constexpr char const* series_checkpoint_file = "series.checkpoint";

/// Writes series.h5, series.xdmf and the files of maps; docs/wind_sensors.md lists their content. Throws FileError.
void write_series(std::filesystem::path const& folder, Overwrite overwrite, WindCase const& wind_case,
                  SweepState const& state, BackendInfo const& backend);

/// Number of samples of all probes of a case.
std::int64_t probe_samples(WindCase const& wind_case);

}  // namespace karman::wind
