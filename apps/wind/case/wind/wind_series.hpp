// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Readings of the sensors over time.
#pragma once

#include "wind_sensor.hpp"

#include <string>
#include <vector>

namespace karman {
class Case;
struct CaseProblem;
}  // namespace karman

namespace karman::wind {

struct WindCase;

/// Greatest speed of a reading, m/s.
inline constexpr double most_reading = 150;

/// Reading of one sensor.
struct WindReading {
  double speed = 0;        ///< m/s at the height of its profile, the lowest one if measured
  double direction = 270;  ///< degrees, where the wind comes from
};

/// The readings of one time, one per sensor.
struct ReadingsAt {
  double time = 0;  ///< hours
  std::vector<WindReading> readings;
};

/// A series of fields, one per time, and maps at one height.
struct WindSeries {
  std::vector<WindSensor> sensors;  ///< their profiles give the shape
  std::vector<ReadingsAt> times;    ///< increasing
  double height = 1.75;             ///< m above the ground, of the maps
  bool from_previous = true;        ///< lambda of the previous time is the first guess
  std::string start;                ///< date and time of hour 0 in UTC; empty where times are hours
};

/// Reads /series of a case that has one, from the case or a CSV file beside it. Adds a problem for a time that does not
/// increase and a reading that is wrong, in a case also for a missing one. Missing readings of a file are the wind
/// between the other sensors; times without any are left out, with a warning. A sensor of measured speeds must not have
/// zero at its lowest height. Nautical directions count from true north; `north` is the direction of grid north from
/// there.
WindSeries read_series(Case const& input, std::vector<WindSensor> sensors, double top, double north,
                       std::vector<CaseProblem>& problems, std::vector<std::string>& warnings);

/// The wind of a time: sets sensors and profile of `wind_case`, as read_wind() does for the sensors alone.
void set_wind_of_time(WindSeries const& series, std::size_t time, WindCase& wind_case);

}  // namespace karman::wind
