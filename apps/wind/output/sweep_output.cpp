// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sweep_output.hpp"

#include "comfort.hpp"
#include "common/case/case_checkpoint.hpp"
#include "common/case/host_work.hpp"
#include "common/fields/grid_scales.hpp"
#include "common/fields/provenance.hpp"
#include "conventions.hpp"
#include "grid_mapping.hpp"
#include "map_files.hpp"
#include "series_output.hpp"
#include "terrain_output.hpp"
#include "wind/case/buildings/geometry_hash.hpp"
#include "wind/model/wind_model.hpp"
#include <karman/io/checkpoint.hpp>
#include <karman/io/config.hpp>
#include <karman/io/error.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <span>
#include <utility>

namespace karman::wind {
namespace {

using nlohmann::json;

constexpr int sweep_format_version = 1;
CheckpointFormat const checkpoint_format{"karman.wind_sweep", 4};

constexpr std::size_t row_columns = 4;

/// The classes of a cell take 0.2 us per sector.
constexpr std::int64_t least_classified_cells = 256;

/// Group of the maps of each wind. XDMF can select a part of a dataset, but libXdmf 3 reads another part then.
constexpr char const* map_steps = "/steps";

std::size_t map_size(WindCase const& wind_case) {
  return static_cast<std::size_t>(wind_case.grid.ny()) * static_cast<std::size_t>(wind_case.grid.nx());
}

ArrayExtents map_extents(WindCase const& wind_case) { return {wind_case.grid.ny(), wind_case.grid.nx()}; }

/// Parts of a case that determine the fields.
json essence(json const& wind_case) {
  if (wind_case.contains("series"))
    return app::without(wind_case, {"/title", "/solver/checkpoint_every", "/solver/max_iterations"});
  return app::without(wind_case, {"/title", "/outputs", "/solver/checkpoint_every", "/solver/max_iterations"});
}

/// Makes lines of centres of the columns, below `lines`, the coordinates of a map. Its last axes are y and x.
void place_map(Hdf5File& file, std::string const& name, WindCase const& wind_case, std::string const& lines) {
  std::size_t const axes = file.info(name).extents.rank();
  file.attach_scale(name, axes - 2, lines + "/y_center");
  file.attach_scale(name, axes - 1, lines + "/x_center");
  map_variable(file, name, wind_case.place);
}

/// Maps of the classes, and of the times above each speed.
struct ComfortMaps {
  std::vector<std::uint8_t> lawson, nen, danger;
  std::array<std::vector<float>, comfort_speeds.size()> exceedance;
};

ComfortMaps comfort_maps(WindCase const& wind_case, SweepState const& state) {
  std::vector<Sector> const& sectors = wind_case.sweep->sectors;
  std::size_t const size = map_size(wind_case);
  ComfortMaps maps{std::vector(size, no_class), std::vector(size, no_class), std::vector(size, no_class), {}};
  for (auto& map : maps.exceedance) map.assign(size, std::nanf(""));
  app::for_parts(static_cast<std::int64_t>(size), least_classified_cells, [&](std::int64_t begin, std::int64_t end) {
    std::vector<float> ratios(sectors.size());
    for (auto cell = static_cast<std::size_t>(begin); cell < static_cast<std::size_t>(end); ++cell) {
      for (std::size_t n = 0; n < sectors.size(); ++n) ratios[n] = state.directions[n].ratio[cell];
      // Solid for one direction, solid for all.
      if (std::isnan(ratios.front())) continue;
      Comfort const comfort = comfort_of(sectors, ratios);
      maps.lawson[cell] = static_cast<std::uint8_t>(comfort.lawson);
      maps.nen[cell] = static_cast<std::uint8_t>(comfort.nen);
      maps.danger[cell] = static_cast<std::uint8_t>(comfort.danger);
      for (std::size_t n = 0; n < comfort_speeds.size(); ++n) maps.exceedance[n][cell] = comfort.exceedance[n];
    }
  });
  return maps;
}

void write_comfort(Hdf5File& file, WindCase const& wind_case, ComfortMaps const& maps) {
  ArrayExtents const extents = map_extents(wind_case);
  auto const write = [&](std::string const& name, auto const& map, char const* meaning, char const* units) {
    file.write(name, ConstArray(map.data(), extents), compressed(wind_case));
    file.write_attribute(name, "units", units);
    file.write_attribute(name, "long_name", meaning);
    mark_missing(file, name, file.info(name).type);
    place_map(file, name, wind_case, "/comfort");
  };
  auto const name_classes = [&](std::string const& name, std::size_t count, char const* meanings) {
    constexpr std::array<std::uint8_t, 5> values{0, 1, 2, 3, 4};
    file.write_attribute(name, "flag_values", std::span(values).first(count));
    file.write_attribute(name, "flag_meanings", meanings);
  };
  file.make_group("/comfort");
  // GDAL looks for the coordinates of a map in its own group alone.
  for (std::size_t axis = 0; axis < 2; ++axis) {
    std::string const line = std::string(axis == 0 ? "x" : "y") + "_center";
    UniformGrid const& grid = wind_case.grid;
    std::vector<double> centers;
    for (int n = 0; n < (axis == 0 ? grid.nx() : grid.ny()); ++n)
      centers.push_back(grid.origin()[axis] + (n + 0.5) * (axis == 0 ? grid.dx() : grid.dy()));
    file.write("/comfort/" + line, centers.data(), {centers.size()});
    describe_coordinate(file, "/comfort/" + line, axis);
  }
  write("/comfort/lawson", maps.lawson,
        "Lawson 1990: 0 sitting, 1 standing, 2 strolling, 3 business walking, 4 uncomfortable, 255 no air", "1");
  name_classes("/comfort/lawson", 5, "sitting standing strolling business_walking uncomfortable");
  write("/comfort/nen8100", maps.nen, "NEN 8100: 0 A, 1 B, 2 C, 3 D, 4 E, 255 no air", "1");
  name_classes("/comfort/nen8100", 5, "A B C D E");
  write("/comfort/danger", maps.danger, "NEN 8100: 0 no danger, 1 limited risk, 2 dangerous, 255 no air", "1");
  name_classes("/comfort/danger", 3, "no_danger limited_risk dangerous");
  for (std::size_t n = 0; n < comfort_speeds.size(); ++n) {
    char name[64];
    std::snprintf(name, sizeof name, "/comfort/above_%g", comfort_speeds[n]);
    char meaning[64];
    std::snprintf(meaning, sizeof meaning, "fraction of the year with more than %g m/s", comfort_speeds[n]);
    write(name, maps.exceedance[n], meaning, "1");
  }
}

/// Maps of all winds; samples in a series.
std::int64_t kept_map_bytes(WindCase const& wind_case) {
  std::int64_t const map = static_cast<std::int64_t>(map_size(wind_case));
  auto const float_bytes = static_cast<std::int64_t>(sizeof(float));
  if (!wind_case.series) return float_bytes * static_cast<std::int64_t>(wind_case.sweep->sectors.size()) * map;
  std::int64_t const times = static_cast<std::int64_t>(wind_case.series->times.size());
  return float_bytes * times * (map + 3 * probe_samples(wind_case));
}

/// Classes of the sweep and times above each speed.
std::int64_t comfort_bytes(WindCase const& wind_case) {
  if (!wind_case.sweep) return 0;
  return static_cast<std::int64_t>(map_size(wind_case)) * (3 + 4 * static_cast<std::int64_t>(comfort_speeds.size()));
}

/// Of so many cells.
std::int64_t lambda_bytes(WindCase const& wind_case, std::int64_t cells) {
  bool const chain = wind_case.series && wind_case.series->from_previous;
  return chain ? cells * app::real_size(wind_case.solver.precision) : 0;
}

}  // namespace

double summed_seconds(SweepState const& state) {
  double sum = 0;
  for (SweptDirection const& swept : state.directions) sum += swept.seconds;
  return sum;
}

void write_timings(Hdf5File& file, SweepState const& state) {
  file.make_group("/timings");
  file.write_attribute("/timings", "solve", state.seconds);
  file.write_attribute("/timings", "solve_summed", summed_seconds(state));
}

Hdf5File create_maps_file(std::filesystem::path const& path, Overwrite overwrite, std::string const& format,
                          WindCase const& wind_case, double height, BackendInfo const& backend) {
  Hdf5File file = Hdf5File::create(path, overwrite);
  app::write_provenance(
      file, {format, sweep_format_version, wind_case.title, backend, wind_case.solver.precision, wind_case.text});
  file.write_attribute("/", "height", height);
  app::write_grid_lines(file, wind_case.grid, "");
  app::write_cell_centers(file, wind_case.grid, "");
  constexpr std::array axes{"x", "y", "z"};
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    for (char const* place : {"", "_center"})
      describe_coordinate(file, std::string("/grid/") + axes[axis] + place, axis, !wind_case.terrain.empty());
  }
  follow_conventions(file);
  write_grid_mapping(file, wind_case.place);
  write_terrain(file, wind_case);
  return file;
}

void write_maps(Hdf5File& file, std::string const& name, WindCase const& wind_case, SweepState const& state,
                char const* units, char const* long_name) {
  std::vector<float> values;
  values.reserve(state.directions.size() * map_size(wind_case));
  for (SweptDirection const& swept : state.directions)
    values.insert(values.end(), swept.ratio.begin(), swept.ratio.end());
  ArrayExtents const extents(state.directions.size(), wind_case.grid.ny(), wind_case.grid.nx());
  file.write(name, ConstArray(values.data(), extents), compressed(wind_case));
  file.write_attribute(name, "units", units);
  file.write_attribute(name, "long_name", long_name);
  mark_missing(file, name, ScalarType::float32);
  place_map(file, name, wind_case, "/grid");
  file.name_planes(name, map_steps);
}

void write_map_series(std::filesystem::path const& path, Overwrite overwrite, WindCase const& wind_case,
                      MapSeries const& series) {
  UniformGrid const& grid = wind_case.grid;
  auto const line = [&](char const* name, int cells) {
    return XdmfDataset{series.file, name, ScalarType::float64, {cells + 1}};
  };
  XdmfRectilinearGrid const columns{line("/grid/x", grid.nx()), line("/grid/y", grid.ny()), {}, true};
  // Readers expect ascending times; sectors of a rose come in any order.
  std::vector<std::size_t> order(series.steps.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return series.steps[a] < series.steps[b]; });
  XdmfDocument document;
  for (std::size_t const n : order) {
    std::vector<XdmfAttribute> attributes{
        {series.name,
         XdmfCenter::cell,
         {series.file, std::string(map_steps) + '/' + std::to_string(n), ScalarType::float32, map_extents(wind_case)}}};
    attributes.insert(attributes.end(), series.constant.begin(), series.constant.end());
    document.add_step("wind", series.steps[n], columns, attributes);
  }
  document.write(path, overwrite);
}

void write_sweep(std::filesystem::path const& folder, Overwrite overwrite, WindCase const& wind_case,
                 SweepState const& state, BackendInfo const& backend) {
  Sweep const& sweep = *wind_case.sweep;
  Hdf5File file =
      create_maps_file(folder / sweep_file, overwrite, "karman.wind_sweep", wind_case, sweep.height, backend);
  file.write_attribute("/", "reference_height", sweep.reference_height);
  file.create_table("/directions", {"direction", "frequency", "scale", "shape", "iterations", "relative_divergence",
                                    "seconds", "converged"});
  for (std::size_t n = 0; n < sweep.sectors.size(); ++n) {
    Sector const& sector = sweep.sectors[n];
    SweptDirection const& swept = state.directions[n];
    file.append_row("/directions",
                    std::array{sector.direction, sector.frequency, sector.scale, sector.shape, double(swept.iterations),
                               swept.relative_divergence, swept.seconds, swept.converged ? 1.0 : 0.0});
  }
  std::vector<double> directions;
  for (Sector const& sector : sweep.sectors) directions.push_back(sector.direction);
  file.write("/direction", directions.data(), {directions.size()});
  describe(file, "/direction", {"degree", "direction where the wind comes from", "wind_from_direction"});
  write_maps(file, "/speed_ratio", wind_case, state, "1",
             "wind speed over that of the undisturbed wind at the reference height");
  file.attach_scale("/speed_ratio", 0, "/direction");
  write_timings(file, state);
  ComfortMaps maps;
  if (sweep.has_statistics) {
    maps = comfort_maps(wind_case, state);
    write_comfort(file, wind_case, maps);
  }
  file.commit();
  MapSeries series{sweep_file, "speed ratio", std::move(directions)};
  if (sweep.has_statistics) {
    for (char const* name : {"nen8100", "lawson", "danger"}) {
      series.constant.push_back(
          {name,
           XdmfCenter::cell,
           {sweep_file, std::string("/comfort/") + name, ScalarType::uint8, map_extents(wind_case)}});
    }
  }
  write_map_series(folder / sweep_xdmf_file, overwrite, wind_case, series);
  if (!sweep.has_statistics) return;
  write_comfort_files(folder, overwrite, wind_case,
                      {std::move(maps.nen), std::move(maps.lawson), std::move(maps.danger)});
}

std::int64_t sweep_host_bytes(WindCase const& wind_case, std::int64_t own_cells) {
  std::int64_t const maps = kept_map_bytes(wind_case);
  // The samples of a part of a map; once more all maps while they are written.
  return maps + std::max(maps, most_samples * sample_bytes) + comfort_bytes(wind_case) +
         lambda_bytes(wind_case, own_cells) + map_host_bytes(wind_case);
}

std::int64_t sweep_disk_bytes(WindCase const& wind_case) {
  constexpr std::int64_t tables_and_text = std::int64_t{1} << 20;
  // A name of a map in sweep.h5 or series.h5 and its lines in the XDMF file.
  constexpr std::int64_t of_step = 4096;
  auto const steps =
      static_cast<std::int64_t>(wind_case.series ? wind_case.series->times.size() : wind_case.sweep->sectors.size());
  std::int64_t const positions =
      wind_case.series ? 3 * static_cast<std::int64_t>(sizeof(double)) * probe_samples(wind_case) : 0;
  // The result and two checkpoints, or two checkpoints beside a third one that is not complete.
  return of_step * steps + positions +
         3 * (kept_map_bytes(wind_case) + lambda_bytes(wind_case, wind_case.grid.cell_count())) +
         comfort_bytes(wind_case) + tables_and_text + terrain_bytes(wind_case) + map_file_bytes(wind_case);
}

void save_sweep(FileProcesses const& processes, std::filesystem::path const& file, WindCase const& wind_case,
                DomainPart const& part, SweepState const& state) {
  // An array of the first process alone.
  auto const of_first = [&](std::string name, std::vector<float> const& values, ArrayExtents const& whole) {
    ArrayExtents zeros;
    while (zeros.rank() < whole.rank()) zeros.append(0);
    ConstArray const own(values.data(), processes.is_first() ? whole : zeros);
    return CheckpointArray{std::move(name), own, {}, ArrayPart{whole, zeros}};
  };
  auto const samples = static_cast<std::size_t>(wind_case.series ? 3 * probe_samples(wind_case) : 0);
  std::vector<CheckpointArray> arrays;
  std::vector<double> rows;
  for (std::size_t n = 0; n < state.directions.size(); ++n) {
    SweptDirection const& swept = state.directions[n];
    arrays.push_back(of_first("ratio_" + std::to_string(n), swept.ratio, map_extents(wind_case)));
    if (samples > 0) arrays.push_back(of_first("samples_" + std::to_string(n), swept.samples, {samples}));
    rows.insert(rows.end(),
                {double(swept.iterations), swept.relative_divergence, swept.seconds, swept.converged ? 1.0 : 0.0});
  }
  arrays.push_back({"directions", {rows.data(), {state.directions.size(), row_columns}}});
  if (!state.lambda.empty()) {
    Box const own = part.own.own_box();
    std::array<int, 3> const place{0, own.begin[1], own.begin[0]};
    arrays.push_back({"lambda",
                      state.lambda.array(),
                      {},
                      ArrayPart{ArrayExtents(extents(ModelField::lambda, wind_case.grid)), ArrayExtents(place)}});
  }
  json const metadata{
      {"case", json::parse(wind_case.text)}, {"geometry", geometry_hash(wind_case)}, {"seconds", state.seconds}};
  write_checkpoint(file, checkpoint_format, metadata.dump(), arrays, processes);
}

std::string load_sweep(FileProcesses const& processes, std::filesystem::path const& file, Case const& input,
                       WindCase const& wind_case, DomainPart const& part, SweepState& state) {
  Checkpoint const checkpoint = Checkpoint::open_latest(file, checkpoint_format, processes);
  try {
    json const metadata = json::parse(checkpoint.metadata());
    app::require_same_case(essence(metadata.at("case")), essence(input.json()), input, checkpoint.path());
    require_same_geometry(metadata, wind_case, input, checkpoint.path());
    state.seconds = metadata.at("seconds").get<double>();
  } catch (json::exception const& error) {
    throw FileError(checkpoint.path().string(), "read the metadata of", error.what());
  }
  std::vector<double> const rows = app::read_rows(checkpoint, "directions", row_columns);
  std::size_t const count = rows.size() / row_columns;
  if (count > (wind_case.series ? wind_case.series->times.size() : wind_case.sweep->sectors.size())) {
    throw FileError(checkpoint.path().string(), "read directions in", "more of them than the case has");
  }
  for (std::size_t n = 0; n < count; ++n) {
    double const* const row = rows.data() + n * row_columns;
    SweptDirection swept{static_cast<int>(row[0]), row[1], row[2], row[3] != 0, {}, {}};
    state.directions.push_back(std::move(swept));
  }
  processes.in_all([&] {
    for (std::size_t n = 0; processes.is_first() && n < count; ++n) {
      SweptDirection& swept = state.directions[n];
      swept.ratio.resize(map_size(wind_case));
      checkpoint.read("ratio_" + std::to_string(n), swept.ratio.data(), map_extents(wind_case));
      if (!wind_case.series || probe_samples(wind_case) == 0) continue;
      swept.samples.resize(static_cast<std::size_t>(3 * probe_samples(wind_case)));
      checkpoint.read("samples_" + std::to_string(n), swept.samples.data(), {swept.samples.size()});
    }
    // A series that was stopped after its restart at an unconverged time has none.
    if (!wind_case.series || count == 0 || !checkpoint.has("lambda")) return;
    state.lambda = app::HostField(app::scalar_type(wind_case.solver.precision),
                                  ArrayExtents(extents(ModelField::lambda, part.own)));
    Box const own = part.own.own_box();
    // One process reads the whole array, whose hash is verified.
    if (part.is_cut()) checkpoint.read_box("lambda", state.lambda.array(), {0, own.begin[1], own.begin[0]});
    else checkpoint.read("lambda", state.lambda.array());
  });
  return checkpoint.warning();
}

}  // namespace karman::wind
