// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The undisturbed wind of a case: one profile, or several sensors.
#pragma once

#include "wind/case/wind_case.hpp"

#include <vector>

namespace karman {
class Case;
struct CaseProblem;
}  // namespace karman

namespace karman::wind {

/// Reads /wind into `wind_case`, whose grid is set. One sensor gives its profile, like a case without sensors. Of
/// several, `profile` becomes SensorWind::mean(). Adds problems like read_profile(). Adds one for a sensor farther than
/// /wind/buffer outside of the domain, and for two of one place or name. A sensor within the buffer is a warning.
/// Nautical directions of sensors count from true north and become directions from grid north of `place`.
/// With a problem, `wind_case` has no wind. Returns
/// all sensors, the only one too.
std::vector<WindSensor> read_wind(Case const& input, WindCase& wind_case, std::vector<CaseProblem>& problems);

/// Adds a problem for each sensor with its lowest reading inside a building.
void check_sensors(std::vector<WindSensor> const& sensors, WindCase const& wind_case, Case const& input,
                   std::vector<CaseProblem>& problems);

/// True if the directions of sensors count from true north and turn to grid north: if they are nautical.
bool turns_readings(Case const& input);

/// The undisturbed wind in words.
std::string describe_wind(Case const& input, WindCase const& wind_case);

}  // namespace karman::wind
