// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "case_mesh.hpp"

#include "common/case/direction.hpp"
#include "common/case/texts.hpp"
#include "common/mesh/mesh_of_file.hpp"
#include "common/mesh/mesh_refinements.hpp"
#include "common/mesh/mesh_shapes.hpp"
#include "nodal_values.hpp"
#include "wave_options_json.hpp"
#include <karman/io/case_options.hpp>
#include <karman/io/config.hpp>
#include <karman/io/error.hpp>
#include <karman/mesh/plane_box.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace karman::waves {
namespace {

using app::formatted;

using app::degree;
constexpr double mean_earth_radius = 6371009, mercator_radius = 6378137;

/// Longitude and latitude in degrees of web Mercator metres.
std::array<double, 2> from_mercator(std::array<double, 2> const& point) {
  return {point[0] / mercator_radius / degree,
          (2 * std::atan(std::exp(point[1] / mercator_radius)) - 0.5 * std::numbers::pi) / degree};
}

CoordinateMap read_map(Case const& input, MeshData const& mesh) {
  CoordinateMap map;
  map.kind = read_options<CoordinateMap::Kind>(input, "/mesh/coordinates");
  map.unit = input.get<double>("/mesh/unit");
  if (map.kind == CoordinateMap::Kind::plane) return map;
  PlaneBox box;
  for (auto const& node : mesh.nodes) box.hold(map.kind == CoordinateMap::Kind::mercator ? from_mercator(node) : node);
  auto const& [low, high] = box;
  constexpr double furthest_north = 85;
  if (!(low[0] >= -360 && high[0] <= 360 && low[1] >= -furthest_north && high[1] <= furthest_north)) {
    throw input.error("/mesh/coordinates",
                      "expected plane coordinates: the nodes lie in " + app::place_text(low[0], low[1]) + " to " +
                          app::place_text(high[0], high[1]) + " degrees, beyond 85 north or south");
  }
  map.middle = {0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1])};
  // One plane serves as long as the length of a degree of longitude varies little.
  double const middle = std::cos(map.middle[1] * degree);
  double const error =
      std::max(std::abs(std::cos(low[1] * degree) / middle - 1), std::abs(std::cos(high[1] * degree) / middle - 1));
  constexpr double largest_error = 0.01;
  if (error > largest_error) {
    throw input.error("/mesh/coordinates",
                      formatted("expected plane coordinates: latitudes %g to %g distort lengths by %.2g %%; "
                                "project the mesh",
                                low[1], high[1], 100 * error));
  }
  return map;
}

}  // namespace

std::array<double, 2> CoordinateMap::operator()(std::array<double, 2> const& point) const {
  if (kind == Kind::plane) return {unit * point[0], unit * point[1]};
  auto const place = kind == Kind::mercator ? from_mercator(point) : point;
  double const radius = mean_earth_radius * degree;
  return {radius * std::cos(middle[1] * degree) * (place[0] - middle[0]), radius * (place[1] - middle[1])};
}

CaseMesh make_case_mesh(Case const& input, double bytes_per_node) {
  CaseMesh result;
  app::MeshNeed const need{bytes_per_node, input.get<int>("/mesh/refine")};
  if (input.get<std::string>("/mesh/kind") == "file") {
    result.from_file = true;
    // Values of a file belong to the nodes in their order, so none may be left out then.
    bool const by_node =
        has_values_of_file(input, "/bathymetry/depth") || has_values_of_file(input, "/friction/rate") ||
        has_values_of_file(input, "/friction/coefficient") || has_values_of_file(input, "/friction/roughness");
    result.mesh = app::mesh_of_file(input, by_node ? app::UnusedNodes::keep : app::UnusedNodes::drop, result.remarks);
    result.map = read_map(input, result.mesh);
    for (auto& node : result.mesh.nodes) node = result.map(node);
  } else {
    result.mesh = app::mesh_of_shape(input, need);
  }
  if (need.refinements > 0) result.unrefined = result.mesh;
  result.parents = app::refine(input, need, result.mesh, result.remarks);
  return result;
}

}  // namespace karman::waves
