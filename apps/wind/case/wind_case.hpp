// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Content of a case of `karman wind`, checked and in the program's own types.
#pragma once

#include "common/case/precision.hpp"
#include "parameterisations.hpp"
#include "wind/case/buildings/building.hpp"
#include "wind/case/outputs/probe.hpp"
#include "wind/case/place/domain_place.hpp"
#include "wind/case/terrain/terrain.hpp"
#include "wind/case/vegetation/plant.hpp"
#include "wind/case/wind/profile.hpp"
#include "wind/case/wind/wind_rose.hpp"
#include "wind/case/wind/wind_sensor.hpp"
#include "wind/case/wind/wind_series.hpp"
#include <karman/core/uniform_grid.hpp>
#include <karman/solvers/grid/red_black_sor_options.hpp>
#include <karman/solvers/transforms/fft_options.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace karman {
class Case;
}

namespace karman::wind {

using app::name;
using app::Precision;

/// How the Lagrange multiplier is found.
enum class Method {
  sor,        ///< red-black over-relaxation
  multigrid,  ///< multigrid cycles
  mg_pcg      ///< conjugate gradients, preconditioned by multigrid cycles
};

/// "sor", "multigrid" or "mg_pcg".
std::string_view name(Method method);

/// Form of the walls on the grid.
enum class WallForm {
  stairs,  ///< a cell is solid or not
  cut      ///< faces are open in part
};

struct SolverSettings {
  Precision precision = Precision::f32;
  WallForm walls = WallForm::stairs;
  Method method = Method::mg_pcg;
  SorStorage storage = SorStorage::packed;  ///< of the wall coefficients; sor
  std::optional<double> omega;              ///< empty: the optimum of the empty domain; sor
  double tolerance = 1e-5;                  ///< of max |div u| / max |div u0|
  bool automatic_tolerance = false;         ///< stops at rounding_divergence() where that is more
  int max_iterations = 20000;
  int check_every = 20;                  ///< iterations between two checks of the divergence; sor
  std::array<double, 2> alpha = {1, 1};  ///< Gauss precision moduli, horizontal and vertical
  double checkpoint_every = 0;           ///< seconds, 0: only when interrupted
};

/// A recorded slice of the iteration.
struct Watch {
  Axis axis = Axis::z;
  int index = 0;  ///< of the layer of cells along the axis
  int every = 20;
};

struct OutputSettings {
  bool faces = true, velocity = true, flag = true, lambda = true, divergence = true;
  int compression = 0;
  std::optional<Precision> precision;       ///< of the written fields; empty: that of the solver
  std::optional<Box> region;                ///< cells of the written fields; empty: all
  std::optional<double> pedestrian_height;  ///< m above the ground; empty: no pedestrian maps
  bool geotiff = false;                     ///< the maps also as GeoTIFF files
  bool geopackage = false;                  ///< their classes also as polygons of a GeoPackage
  bool kmz = false;                         ///< likewise of a KMZ file
  std::vector<Probe> probes;
  std::optional<Watch> watch;
};

/// A case that can be run. Positions of buildings are relative to the domain's corner, so that a shifted case gives the
/// same bits.
struct WindCase {
  std::string title;
  std::string text;   ///< the resolved case as JSON
  DomainPlace place;  ///< coordinate system of all positions
  UniformGrid grid{{1, 1, 1}, {1, 1, 1}};
  Profile profile;                  ///< of several sensors: their mean over the domain
  std::vector<WindSensor> sensors;  ///< empty: `profile` everywhere
  int sensor_passes = 2;            ///< of the interpolation between sensors
  Terrain terrain;                  ///< empty: flat ground at z = 0
  std::vector<Building> buildings;  ///< on the terrain
  std::vector<Plant> vegetation;    ///< on the terrain
  Parameterisations parameterisations;
  SolverSettings solver;
  OutputSettings outputs;
  std::optional<WindSeries> series;  ///< empty: one wind
  std::optional<Sweep> sweep;        ///< empty: one field, of profile.direction
  /// Direction and speed of the undisturbed wind, in words.
  std::string wind_text;
  /// Warnings about a case that can be run, one line each: plausibility_warnings(), then probes inside buildings.
  std::vector<std::string> warnings;
};

/// True if several processes divide the domain of each wind; else they share the winds of a sweep or series, which do
/// not depend on each other.
bool divides_domain(WindCase const& wind_case);
/// True if some cell of the case is solid.
bool has_walls(WindCase const& wind_case);
/// True if walls may cut its cells.
bool cuts_cells(WindCase const& wind_case);

/// Largest speed of the undisturbed wind in the layers, m/s.
double largest_speed(WindCase const& wind_case);
/// Least largest_speed() but 0 with which squares of speeds and of their rounding stay within the range, m/s.
double least_speed(Precision precision);
/// max |div u| that the rounding of velocities leaves, 1/s. An estimate from horizontal wind: twice epsilon U (1/dx +
/// 1/dy) with the largest speed U.
double rounding_divergence(WindCase const& wind_case);

/// Largest number of cells of a process.
inline constexpr std::int64_t most_cells = std::int64_t{1} << 32;

/// Roughness length of the ground in the canopy law of the vegetation, m.
double canopy_roughness(Parameterisations const& settings, Profile const& profile);

/// The JSON Schema of a case, and a commented case to start from.
std::string_view schema();
std::string_view example();

/// Reads a case that fits the schema, all sections, and then checks beyond the schema. Throws CaseError with every
/// problem found: a
/// building outside the domain, below the terrain, overlapping another, too thin to contain a cell centre, or without
/// air above it; a terrain that does not cover the domain; layers
/// that end above 100 km; more than `most_cells` cells for each of the `processes` that divide the domain; outputs
/// outside of the domain.
WindCase read_wind_case(Case const& input, int processes = 1);

}  // namespace karman::wind
