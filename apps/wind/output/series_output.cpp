// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "series_output.hpp"

#include "common/case/direction.hpp"
#include "conventions.hpp"
#include "map_files.hpp"
#include "wind/case/wind/sensor_wind.hpp"

#include <array>
#include <string>
#include <vector>

namespace karman::wind {
namespace {

void write_times(Hdf5File& file, WindCase const& wind_case, SweepState const& state) {
  WindSeries const& series = *wind_case.series;
  file.create_table("/times",
                    {"time", "speed", "direction", "iterations", "relative_divergence", "seconds", "converged"});
  std::string names;
  std::vector<double> readings;
  WindCase present = wind_case;
  for (std::size_t n = 0; n < series.times.size(); ++n) {
    SweptDirection const& swept = state.directions[n];
    set_wind_of_time(series, n, present);
    file.append_row("/times", std::array{series.times[n].time, present.profile.speed,
                                         app::within_turn(present.profile.direction), double(swept.iterations),
                                         swept.relative_divergence, swept.seconds, swept.converged ? 1.0 : 0.0});
    for (WindReading const& reading : series.times[n].readings)
      readings.insert(readings.end(), {reading.speed, app::within_turn(reading.direction)});
  }
  for (WindSensor const& sensor : series.sensors) names += (names.empty() ? "" : "\n") + sensor.name;
  file.write("/readings", ConstArray(readings.data(), ArrayExtents(series.times.size(), series.sensors.size(), 2)));
  file.write_attribute("/readings", "names", names);
  file.write_attribute("/readings", "long_name", "speed in m/s and direction in degrees from grid north, per sensor");
}

/// /probes/NAME: velocity (times, samples, 3) and position (samples, 3).
void write_probes(Hdf5File& file, WindCase const& wind_case, SweepState const& state) {
  auto const& probes = wind_case.outputs.probes;
  if (probes.empty()) return;
  UniformGrid const& grid = wind_case.grid;
  file.make_group("/probes");
  std::size_t first = 0;
  for (Probe const& probe : probes) {
    std::string const group = "/probes/" + probe.name;
    std::size_t const count = static_cast<std::size_t>(probe.count(grid));
    std::vector<float> velocity;
    std::vector<double> position;
    velocity.reserve(state.directions.size() * 3 * count);
    for (SweptDirection const& swept : state.directions) {
      auto const begin = swept.samples.begin() + static_cast<std::ptrdiff_t>(3 * first);
      velocity.insert(velocity.end(), begin, begin + static_cast<std::ptrdiff_t>(3 * count));
    }
    for (std::size_t n = 0; n < count; ++n) {
      auto const at = probe.sample(grid, static_cast<std::int64_t>(n), wind_case.terrain);
      for (std::size_t axis = 0; axis < 3; ++axis)
        position.push_back(at[axis] + (axis < 2 ? grid.origin()[axis] : 0.0));
    }
    file.make_group(group);
    file.write(group + "/velocity", ConstArray(velocity.data(), ArrayExtents(state.directions.size(), count, 3)),
               compressed(wind_case));
    file.write_attribute(group + "/velocity", "units", "m s-1");
    file.write(group + "/position", ConstArray(position.data(), ArrayExtents(count, 3)));
    file.write_attribute(group + "/position", "units", "m");
    first += count;
  }
}

}  // namespace

std::int64_t probe_samples(WindCase const& wind_case) {
  std::int64_t count = 0;
  for (Probe const& probe : wind_case.outputs.probes) count += probe.count(wind_case.grid);
  return count;
}

void write_series(std::filesystem::path const& folder, Overwrite overwrite, WindCase const& wind_case,
                  SweepState const& state, BackendInfo const& backend) {
  Hdf5File file = create_maps_file(folder / series_file, overwrite, "karman.wind_series", wind_case,
                                   wind_case.series->height, backend);
  write_times(file, wind_case, state);
  write_maps(file, "/speed", wind_case, state, "m s-1", "wind speed at the height of the maps");
  std::vector<double> hours;
  for (ReadingsAt const& at : wind_case.series->times) hours.push_back(at.time);
  file.write("/time", hours.data(), {hours.size()});
  std::string const& start = wind_case.series->start;
  std::string const units = start.empty() ? "h" : "hours since " + start;
  describe(file, "/time", {units.c_str(), "time", start.empty() ? "" : "time"});
  file.write_attribute("/time", "axis", "T");
  file.attach_scale("/speed", 0, "/time");
  write_probes(file, wind_case, state);
  write_timings(file, state);
  file.commit();
  write_map_series(folder / series_xdmf_file, overwrite, wind_case, {series_file, "speed", hours});
  std::vector<std::vector<float> const*> speeds;
  for (SweptDirection const& swept : state.directions) speeds.push_back(&swept.ratio);
  write_series_files(folder, overwrite, wind_case, speeds);
}

}  // namespace karman::wind
