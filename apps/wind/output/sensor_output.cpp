// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sensor_output.hpp"

#include "common/case/direction.hpp"
#include "wind/case/wind/sensor_wind.hpp"

#include <array>
#include <string>

namespace karman::wind {

void write_sensors(Hdf5File& file, WindCase const& wind_case) {
  if (wind_case.sensors.empty()) return;
  SensorWind const wind(wind_case.sensors, wind_case.sensor_passes);
  std::string names;
  file.create_table("/sensors",
                    {"x", "y", "height", "speed", "direction", "interpolated_speed", "interpolated_direction"});
  for (WindSensor const& sensor : wind_case.sensors) {
    double const height = sensor.profile.height;
    auto const read = sensor.profile.velocity(height);
    auto const found = wind.velocity(sensor.x, sensor.y, height);
    file.append_row("/sensors", std::array{wind_case.grid.origin()[0] + sensor.x, wind_case.grid.origin()[1] + sensor.y,
                                           height, speed_of(read), app::within_turn(direction_of(read)),
                                           speed_of(found), app::within_turn(direction_of(found))});
    names += (names.empty() ? "" : "\n") + sensor.name;
  }
  file.write_attribute("/sensors", "names", names);
  file.write_attribute("/sensors", "passes", wind_case.sensor_passes);
}

std::int64_t sensor_table_bytes(WindCase const& wind_case) {
  constexpr std::int64_t row = 7 * sizeof(double) + 100;
  return row * static_cast<std::int64_t>(wind_case.sensors.size());
}

}  // namespace karman::wind
