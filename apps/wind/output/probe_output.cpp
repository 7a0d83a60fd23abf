// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "probe_output.hpp"

#include "common/case/host_work.hpp"
#include "conventions.hpp"
#include "grid_mapping.hpp"
#include "map_files.hpp"
#include <karman/io/csv_writer.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>

namespace karman::wind {
namespace {

constexpr std::array<char const*, 3> axis_names{"x", "y", "z"};
/// A record takes about 30 ns.
constexpr std::int64_t least_samples_a_thread = 4096;
constexpr char const* points_file = "points.csv";

bool is_line(Probe const& probe) { return probe.kind == Probe::Kind::line || probe.kind == Probe::Kind::vertical; }

constexpr std::string_view line_prefix = "line_", line_suffix = ".csv";

std::string line_file(Probe const& probe) { return std::string(line_prefix) + probe.name + std::string(line_suffix); }

double speed_of(std::array<double, 3> const& velocity) { return std::hypot(velocity[0], velocity[1], velocity[2]); }

/// Position of a sample in the coordinates of the case.
std::array<double, 3> position(Probe const& probe, WindCase const& wind_case, std::int64_t n) {
  UniformGrid const& grid = wind_case.grid;
  std::array<double, 3> place = probe.sample(grid, n, wind_case.terrain);
  for (std::size_t axis = 0; axis < 2; ++axis) place[axis] += grid.origin()[axis];
  return place;
}

/// Distance of a sample from the first one.
/// It is that of the line of the case, also where it follows the ground.
double distance(Probe const& probe, UniformGrid const& grid, std::int64_t n) {
  auto const here = probe.sample(grid, n);
  auto const start = probe.sample(grid, 0);
  return std::hypot(here[0] - start[0], here[1] - start[1], here[2] - start[2]);
}

std::vector<double> speeds(SampledProbe const& sampled) {
  std::vector<double> values;
  for (auto const& velocity : sampled.velocity) values.push_back(speed_of(velocity));
  return values;
}

void write_numbers(Hdf5File& file, std::string const& name, std::vector<double> const& values,
                   ArrayExtents const& extents, char const* units, char const* long_name) {
  file.write(name, values.data(), extents);
  describe(file, name, {.units = units, .long_name = long_name});
}

void write_coordinate(Hdf5File& file, WindCase const& wind_case, std::string const& group, std::size_t axis,
                      std::vector<double> const& values) {
  std::string const name = group + '/' + axis_names[axis];
  file.write(name, values.data(), {values.size()});
  describe_coordinate(file, name, axis, !wind_case.terrain.empty());
}

void write_velocity(Hdf5File& file, std::string const& group, SampledProbe const& sampled, ArrayExtents extents) {
  std::string const speed = group + "/speed";
  std::string const velocity = group + "/velocity";
  write_numbers(file, speed, speeds(sampled), extents, "m s-1", "wind speed");
  std::size_t const rank = extents.rank();
  extents.append(3);
  file.write(velocity, sampled.velocity.data()->data(), extents);
  describe(file, velocity, {.units = "m s-1", .long_name = "wind velocity"});
  file.attach_scale(velocity, rank, component_scale);
}

void attach(Hdf5File& file, std::string const& group, std::size_t axis, std::string const& scale) {
  for (char const* name : {"/speed", "/velocity"}) file.attach_scale(group + name, axis, scale);
}

void write_point(Hdf5File& file, WindCase const& wind_case, std::string const& group, SampledProbe const& sampled) {
  auto const place = position(sampled.probe, wind_case, 0);
  file.write(group + "/position", place.data(), {place.size()});
  describe(file, group + "/position", {.units = "m", .long_name = "position"});
  file.attach_scale(group + "/position", 0, component_scale);
  write_velocity(file, group, sampled, {});
}

void write_line(Hdf5File& file, WindCase const& wind_case, std::string const& group, SampledProbe const& sampled) {
  std::size_t const count = sampled.velocity.size();
  std::array<std::vector<double>, 3> places;
  std::vector<double> distances;
  for (std::size_t n = 0; n < count; ++n) {
    auto const place = position(sampled.probe, wind_case, static_cast<std::int64_t>(n));
    for (std::size_t axis = 0; axis < 3; ++axis) places[axis].push_back(place[axis]);
    distances.push_back(distance(sampled.probe, wind_case.grid, static_cast<std::int64_t>(n)));
  }
  write_velocity(file, group, sampled, {count});
  std::string const scale = group + "/distance";
  write_numbers(file, scale, distances, {count}, "m", "distance from the first sample");
  attach(file, group, 0, scale);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    write_coordinate(file, wind_case, group, axis, places[axis]);
    file.attach_scale(group + '/' + axis_names[axis], 0, scale);
  }
  for (char const* name : {"/speed", "/velocity"}) file.write_attribute(group + name, "coordinates", "x y z");
}

/// Coordinates along one axis of a plane.
std::vector<double> line_of_centers(Probe const& plane, WindCase const& wind_case, std::size_t axis, bool rows) {
  auto const shape = plane.shape(wind_case.grid);
  std::vector<double> line;
  for (int n = 0; n < shape[rows ? 0 : 1]; ++n) {
    std::int64_t const index = rows ? std::int64_t{n} * shape[1] : n;
    line.push_back(position(plane, wind_case, index)[axis]);
  }
  return line;
}

/// Axes of the rows and of the columns of a plane.
std::array<std::size_t, 2> axes_of(Probe const& plane) {
  return {plane.axis == Axis::z ? std::size_t{1} : std::size_t{2},
          plane.axis == Axis::x ? std::size_t{1} : std::size_t{0}};
}

void write_plane(Hdf5File& file, WindCase const& wind_case, std::string const& group, SampledProbe const& sampled) {
  write_velocity(file, group, sampled, ArrayExtents(sampled.probe.shape(wind_case.grid)));
  auto const axes = axes_of(sampled.probe);
  for (std::size_t a = 0; a < 2; ++a) {
    write_coordinate(file, wind_case, group, axes[a], line_of_centers(sampled.probe, wind_case, axes[a], a == 0));
    attach(file, group, a, group + '/' + axis_names[axes[a]]);
  }
  auto const normal = static_cast<std::size_t>(sampled.probe.axis);
  file.write_attribute(group, "axis", axis_names[normal]);
  file.write_attribute(group, "position", position(sampled.probe, wind_case, 0)[normal]);
}

}  // namespace

void sample_in_batches(WindModel& model, WindCase const& wind_case, Probe const& probe, KeepVelocities const& keep) {
  UniformGrid const& grid = wind_case.grid;
  VelocityInterpolation const interpolation(grid, wind_case.profile, &wind_case.terrain);
  std::int64_t const count = probe.count(grid);
  std::vector<VelocitySample> samples(static_cast<std::size_t>(std::min(count, most_samples)));
  std::vector<std::array<double, 3>> velocities(samples.size());
  for (std::int64_t first = 0; first < count; first += most_samples) {
    auto const size = static_cast<std::size_t>(std::min(count - first, most_samples));
    app::for_parts(static_cast<std::int64_t>(size), least_samples_a_thread, [&](std::int64_t begin, std::int64_t end) {
      VelocityInterpolation own = interpolation;
      for (std::int64_t n = begin; n < end; ++n)
        samples[static_cast<std::size_t>(n)] = own.at(probe.sample(grid, first + n, wind_case.terrain));
    });
    std::span const found = std::span(velocities).first(size);
    model.sample_velocity(std::span(samples).first(size), found);
    app::for_parts(static_cast<std::int64_t>(size), least_samples_a_thread, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t n = begin; n < end; ++n)
        keep(static_cast<std::size_t>(first + n), found[static_cast<std::size_t>(n)]);
    });
  }
}

SampledProbe sample_probe(WindModel& model, WindCase const& wind_case, Probe const& probe) {
  SampledProbe sampled{probe, {}};
  sampled.velocity.resize(static_cast<std::size_t>(probe.count(wind_case.grid)));
  sample_in_batches(model, wind_case, probe,
                    [&](std::size_t n, std::array<double, 3> const& velocity) { sampled.velocity[n] = velocity; });
  return sampled;
}

std::vector<double> undisturbed_speeds(WindCase const& wind_case, Probe const& probe) {
  UniformGrid const& grid = wind_case.grid;
  VelocityInterpolation interpolation(grid, wind_case.profile, &wind_case.terrain);
  interpolation.set_sensors(wind_case.sensors, wind_case.sensor_passes);
  std::int64_t const count = probe.count(grid);
  std::vector<double> speeds(static_cast<std::size_t>(count));
  app::for_parts(count, least_samples_a_thread, [&](std::int64_t begin, std::int64_t end) {
    VelocityInterpolation own = interpolation;
    for (std::int64_t n = begin; n < end; ++n)
      speeds[static_cast<std::size_t>(n)] = own.undisturbed_speed(own.at(probe.sample(grid, n, wind_case.terrain)));
  });
  return speeds;
}

std::vector<SampledProbe> sample_probes(WindModel& model, WindCase const& wind_case) {
  std::vector<SampledProbe> sampled;
  for (Probe const& probe : wind_case.outputs.probes) sampled.push_back(sample_probe(model, wind_case, probe));
  return sampled;
}

void write_component_scale(Hdf5File& file) {
  constexpr std::array<std::uint8_t, 3> numbers{0, 1, 2};
  file.write(component_scale, numbers.data(), {numbers.size()});
  describe(file, component_scale, {.long_name = "component along x, y and z"});
}

void write_probes(Hdf5File& file, WindCase const& wind_case, std::vector<SampledProbe> const& probes) {
  for (SampledProbe const& sampled : probes) {
    std::string const group = "/probes/" + sampled.probe.name;
    file.make_group(group);
    constexpr std::array<char const*, 4> kinds{"point", "vertical", "line", "plane"};
    file.write_attribute(group, "kind", kinds[static_cast<std::size_t>(sampled.probe.kind)]);
    if (sampled.probe.kind == Probe::Kind::point) write_point(file, wind_case, group, sampled);
    else if (is_line(sampled.probe)) write_line(file, wind_case, group, sampled);
    else write_plane(file, wind_case, group, sampled);
  }
}

void write_pedestrian(Hdf5File& file, WindCase const& wind_case, SampledProbe const& plane,
                      std::vector<double> const& undisturbed) {
  std::string const group = "/pedestrian";
  file.make_group(group);
  file.write_attribute(group, "height", plane.probe.position);
  ArrayExtents const extents(plane.probe.shape(wind_case.grid));
  std::vector<double> const speed = speeds(plane);
  std::vector<double> factor;
  for (std::size_t n = 0; n < speed.size(); ++n) factor.push_back(speed[n] / undisturbed[n]);
  write_numbers(file, group + "/speed", speed, extents, "m s-1", "wind speed at pedestrian height");
  file.write_attribute(group + "/speed", "standard_name", "wind_speed");
  write_numbers(file, group + "/speed_up", factor, extents, "1", "wind speed over that of the undisturbed wind");
  for (std::size_t a = 0; a < 2; ++a) {
    std::size_t const axis = a == 0 ? 1 : 0;
    write_coordinate(file, wind_case, group, axis, line_of_centers(plane.probe, wind_case, axis, a == 0));
    for (char const* name : {"/speed", "/speed_up"}) file.attach_scale(group + name, a, group + '/' + axis_names[axis]);
  }
  for (char const* name : {"/speed", "/speed_up"}) {
    mark_missing(file, group + name, ScalarType::float64);
    map_variable(file, group + name, wind_case.place);
  }
}

std::vector<std::string> probe_files(OutputSettings const& outputs) {
  std::vector<std::string> names;
  bool points = false;
  for (Probe const& probe : outputs.probes) {
    if (is_line(probe)) names.push_back(line_file(probe));
    points = points || probe.kind == Probe::Kind::point;
  }
  if (points) names.emplace_back(points_file);
  return names;
}

std::vector<std::string> probe_files_in(std::filesystem::path const& folder) {
  std::vector<std::string> names{points_file};
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    std::string name = at->path().filename().string();
    std::size_t const least = line_prefix.size() + line_suffix.size();
    if (name.size() > least && name.starts_with(line_prefix) && name.ends_with(line_suffix))
      names.push_back(std::move(name));
  }
  return names;
}

void write_probe_files(std::filesystem::path const& folder, Overwrite overwrite, WindCase const& wind_case,
                       std::vector<SampledProbe> const& probes) {
  auto const row_of = [&](SampledProbe const& sampled, std::size_t n) {
    auto const [x, y, z] = position(sampled.probe, wind_case, static_cast<std::int64_t>(n));
    auto const& velocity = sampled.velocity[n];
    return std::array{x, y, z, velocity[0], velocity[1], velocity[2], speed_of(velocity)};
  };
  for (SampledProbe const& sampled : probes) {
    if (!is_line(sampled.probe)) continue;
    CsvWriter csv(folder / line_file(sampled.probe), {"distance", "x", "y", "z", "u", "v", "w", "speed"}, overwrite);
    for (std::size_t n = 0; n < sampled.velocity.size(); ++n) {
      std::array<double, 8> row{distance(sampled.probe, wind_case.grid, static_cast<std::int64_t>(n))};
      std::ranges::copy(row_of(sampled, n), row.begin() + 1);
      csv.append_row(row);
    }
    csv.commit();
  }
  auto const is_point = [](SampledProbe const& sampled) { return sampled.probe.kind == Probe::Kind::point; };
  if (std::none_of(probes.begin(), probes.end(), is_point)) return;
  CsvWriter csv(folder / points_file, {"name", "x", "y", "z", "u", "v", "w", "speed"}, overwrite);
  for (SampledProbe const& sampled : probes) {
    if (is_point(sampled)) csv.append_row(sampled.probe.name, row_of(sampled, 0));
  }
  csv.commit();
}

SampleNeed sample_need(WindCase const& wind_case) {
  // Velocity and undisturbed speed; while one probe is written its speeds and a factor.
  constexpr std::int64_t kept = 4 * sizeof(double), while_written = 5 * sizeof(double);
  // A number in a CSV file has at most 24 characters, and a comma.
  constexpr std::int64_t in_hdf5 = 8 * sizeof(double), in_csv = 8 * 25 + 64, of_group = 8192;
  UniformGrid const& grid = wind_case.grid;
  OutputSettings const& outputs = wind_case.outputs;
  SampleNeed need;
  std::int64_t largest = 0;
  auto const add = [&](Probe const& probe) {
    std::int64_t const count = probe.count(grid);
    bool const csv = probe.kind != Probe::Kind::plane;
    need.host_bytes += count * kept;
    largest = std::max(largest, count);
    need.disk_bytes += count * (in_hdf5 + (csv ? in_csv : 0)) + of_group;
  };
  for (Probe const& probe : outputs.probes) add(probe);
  if (outputs.pedestrian_height) add(plane_above_ground(*outputs.pedestrian_height));
  need.host_bytes += map_host_bytes(wind_case);
  need.disk_bytes += map_file_bytes(wind_case);
  need.host_bytes += largest * while_written + (largest > 0 ? most_samples * sample_bytes : 0);
  return need;
}

}  // namespace karman::wind
