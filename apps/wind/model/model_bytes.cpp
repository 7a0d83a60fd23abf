// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device_case.hpp"
#include "solver_setup.hpp"
#include "wind_model.hpp"

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace karman::wind {
namespace {

std::int64_t field_values(ModelField field, UniformGrid const& grid) {
  auto const [nz, ny, nx] = extents(field, grid);
  return std::int64_t{nz} * ny * nx;
}

/// Bytes of the values of a vector.
template <class T>
std::int64_t bytes_of(T const& values) {
  return static_cast<std::int64_t>(values.size() * sizeof(*values.data()));
}

std::int64_t vegetation_bytes(VegetationPlan const& plan) {
  std::int64_t bytes =
      bytes_of(plan.plants) + bytes_of(plan.corners) + bytes_of(plan.ring_ends) + bytes_of(plan.obstacles);
  for (PlantZones const* zones : {&plan.over, &plan.behind})
    bytes += bytes_of(zones->boxes) + bytes_of(zones->tiles.starts) + bytes_of(zones->tiles.candidates);
  return bytes;
}

/// Bytes of the lines of add_sensors() over the columns of `grid`.
std::int64_t sensor_bytes(WindCase const& wind_case, UniformGrid const& grid) {
  std::int64_t const sensors = static_cast<std::int64_t>(wind_case.sensors.size());
  std::int64_t const heights = grid.nz() + (wind_case.terrain.empty() ? 0 : profile_heights);
  return sensors * static_cast<std::int64_t>(sizeof(double)) *
         (std::int64_t{grid.nx()} * grid.ny() + 2 * heights + sensors + 2);
}

std::int64_t zone_bytes(WindCase const& wind_case, UniformGrid const& grid) {
  ZonePlan const plan = plan_zones(wind_case);
  return bytes_of(plan.zones) + bytes_of(plan.corners) + bytes_of(plan.obstacles) + bytes_of(plan.faces) +
         bytes_of(plan.canyons) + bytes_of(plan.side_walls) + bytes_of(plan.courts) + bytes_of(plan.crossings) +
         bytes_of(plan.tiles.starts) + bytes_of(plan.tiles.candidates) + bytes_of(plan.layer_center) +
         bytes_of(plan.layer_speed) + vegetation_bytes(plan.vegetation) + sensor_bytes(wind_case, grid) +
         (wind_case.terrain.empty() || !wind_case.sensors.empty()
              ? 0
              : 3 * profile_heights * static_cast<std::int64_t>(sizeof(double)));
}

/// Bytes of the zones of the direction that needs most.
std::int64_t most_zone_bytes(WindCase const& wind_case, UniformGrid const& grid) {
  std::int64_t most = zone_bytes(wind_case, grid);
  WindCase turned = wind_case;
  for (std::size_t n = 0; wind_case.series && n < wind_case.series->times.size(); ++n) {
    set_wind_of_time(*wind_case.series, n, turned);
    most = std::max(most, zone_bytes(turned, grid));
  }
  if (!wind_case.sweep) return most;
  for (Sector const& sector : wind_case.sweep->sectors) {
    turned.profile.direction = sector.direction;
    most = std::max(most, zone_bytes(turned, grid));
  }
  return most;
}

/// Permanent and temporary memory of the constructor of WindSolver.
template <ExecutionSpace Exec, Real T>
std::int64_t solver_bytes(Exec const& space, WindCase const& wind_case, int processes) {
  constexpr std::int64_t real = sizeof(T), number = sizeof(double), code = sizeof(WallCode);
  DomainPart const part = largest_part(wind_case, processes);
  UniformGrid const& grid = part.own;
  UniformGrid const& ringed = part.ringed;
  std::int64_t const cells = grid.cell_count();
  std::int64_t const faces =
      field_values(ModelField::u, ringed) + field_values(ModelField::v, ringed) + field_values(ModelField::w, ringed);
  // lambda, right-hand side, divergence before; correction; flags.
  std::int64_t kept =
      (faces + (keeps_divergence(wind_case) ? 3 : 2) * cells + ringed.cell_count()) * real + ringed.cell_count();
  kept += grid.nz() * (3 * number + real) + (grid.nz() + 1) * (number + real);
  kept += most_zone_bytes(wind_case, ringed);
  if (!wind_case.terrain.empty()) kept += std::int64_t{ringed.nx()} * ringed.ny() * number;
  bool const sor = wind_case.solver.method == Method::sor;
  bool const cut = cuts_cells(wind_case);
  if (cut) kept += faces * real;
  SorStorage const storage = sor ? sor_storage(wind_case) : SorStorage::packed;
  if (sor) {
    kept += RedBlackSor<Exec, T>::workspace_bytes({grid, open_above_ground()}, {storage});
  } else {
    SevenPointShape const shape(wind_case.grid, open_above_ground(),
                                cut                    ? CoefficientForm::arrays
                                : has_walls(wind_case) ? CoefficientForm::walls
                                                       : CoefficientForm::open,
                                equation_weights(wind_case.solver.alpha));
    kept += part.is_cut() ? Multigrid<Exec, T>::workspace_bytes(space, shape, part.boxes, multigrid_setup())
                          : Multigrid<Exec, T>::workspace_bytes(space, shape, multigrid_setup());
  }
  // Released one after the other: the plan of solid cells; their codes, with the coefficients of all faces on their way
  // to another storage. The mask of solid cells is released before the larger memory of the solver is allocated.
  std::int64_t solids = 0;
  if (!wind_case.buildings.empty()) {
    SolidPlan const solid_plan = plan_solids(wind_case.buildings, wind_case.grid);
    solids = bytes_of(solid_plan.buildings) + bytes_of(solid_plan.corners) + bytes_of(solid_plan.ring_ends) +
             bytes_of(solid_plan.tile_starts) + bytes_of(solid_plan.candidates);
  }
  std::int64_t const unpacked = storage == SorStorage::packed ? 0 : 6 * real;
  OutputSettings const& outputs = wind_case.outputs;
  if (outputs.pedestrian_height || !outputs.probes.empty() || wind_case.sweep || wind_case.series)
    kept += most_samples * sample_bytes;
  std::int64_t set_up = cut ? solids + ringed.cell_count() * 6 * real : std::max(solids, cells * (code + unpacked));
  if (part.is_cut()) {
    // The values of the ring, sent and received: of the correction, three velocities, and the plan of over-relaxation.
    // One more for faces beyond the cells.
    constexpr std::int64_t values_a_cell = 6, descriptions = 4096;
    kept += 2 * values_a_cell * real * (ringed.cell_count() - cells + 4 * std::int64_t{grid.nz() + 1}) + descriptions;
    // A field on its way to or from the host, or a copy of one coefficient.
    set_up =
        std::max(set_up + (cut ? cells * real : 0), field_values(ModelField::w, grid) * real +
                                                        std::int64_t{grid.nz() + 1} * (grid.nx() + grid.ny()) * real);
  }
  return kept + set_up;
}

}  // namespace

std::int64_t model_bytes(Backend backend, WindCase const& wind_case, int processes) {
  return dispatch(backend, [&](auto const& space) {
    using Exec = std::decay_t<decltype(space)>;
    return wind_case.solver.precision == Precision::f32 ? solver_bytes<Exec, float>(space, wind_case, processes)
                                                        : solver_bytes<Exec, double>(space, wind_case, processes);
  });
}

}  // namespace karman::wind
