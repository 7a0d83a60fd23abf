// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Readings of sensors in CSV files.
#pragma once

#include "wind_series.hpp"

#include <optional>
#include <string>
#include <vector>

namespace karman {
class Case;
struct CaseProblem;
}  // namespace karman

namespace karman::wind {

/// One row of a file.
struct SeriesRow {
  double time = 0;                                   ///< hours
  std::vector<std::optional<WindReading>> readings;  ///< one per sensor, empty for a missing one
};

/// The rows of a file.
struct SeriesRows {
  std::vector<SeriesRow> rows;
  std::string start;  ///< date and time of hour 0 in UTC; empty where the file counts hours
};

/// Reads /series/file: a head `time, NAME speed, NAME direction, ...`, the sensors in any order, and a row per time.
///
/// A byte-order mark is skipped. Times are hours, or dates with times by seconds_of(), which become hours since the
/// first row, and increase. Fields may be in quotes. Columns may have a unit: "mast speed (km/h)". Speeds in m/s, km/h,
/// kn, mph or ft/s, directions in degrees. Columns "NAME gust" are ignored. A reading is missing where its field is
/// empty, NA, NaN, null or the number /series/missing. A speed of 0 is a calm and needs no direction. Adds a problem
/// for the first fault.
SeriesRows read_series_file(Case const& input, std::vector<WindSensor> const& sensors,
                            std::vector<CaseProblem>& problems);

}  // namespace karman::wind
