// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "exterior_map.hpp"
#include "mesh_parts.hpp"
#include "naca_profile.hpp"
#include <karman/core/error.hpp>
#include <karman/mesh/flow_mesh_generators.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <string>

namespace karman {
namespace {

using std::numbers::pi;
using Complex = std::complex<double>;

std::string const airfoil_mesh_name = "mesh_airfoil";

void require_airfoil(AirfoilMesh const& shape) {
  std::string const& name = airfoil_mesh_name;
  require(shape.points >= 16 && shape.points % 2 == 0,
          name + ": points: " + std::to_string(shape.points) + ": must be even and at least 16");
  // The map loses digits in proportion to the radius: ten of sixteen at 1e6 chords are left.
  require(shape.far_radius >= 2 && shape.far_radius <= 1e6,
          name + ": far_radius: " + detail::number_text(shape.far_radius) + ": must be from 2 to 1e6 chords");
  require(shape.growth >= 1 && shape.growth <= 2,
          name + ": growth: " + detail::number_text(shape.growth) + ": must be from 1 to 2");
}

/// Radii of circles from 1 to `last`. The first step is about `step`, each next one `growth` times as long.
std::vector<double> layer_radii(double last, double step, double growth, int points) {
  double const steps =
      growth - 1 < 1e-9 ? (last - 1) / step : std::log1p((last - 1) / step * (growth - 1)) / std::log(growth);
  detail::require_countable(2 * std::ceil(steps) * points, airfoil_mesh_name);
  auto const layers = std::max<std::size_t>(1, static_cast<std::size_t>(std::lround(steps)));
  std::vector<double> radii{1};
  for (double height = step; radii.size() <= layers; height *= growth) radii.push_back(radii.back() + height);
  double const scale = (last - 1) / (radii.back() - 1);
  for (double& radius : radii) radius = 1 + (radius - 1) * scale;
  radii.back() = last;
  return radii;
}

/// Makes a ring symmetric about the chord to the last bit.
void mirror(std::vector<Complex>& ring) {
  std::size_t const n = ring.size();
  ring[0] = ring[0].real();
  ring[n / 2] = ring[n / 2].real();
  for (std::size_t i = 1; i < n / 2; ++i) ring[n - i] = std::conj(ring[i]);
}

}  // namespace

MeshData mesh_airfoil(AirfoilMesh const& shape) {
  require_airfoil(shape);
  detail::NacaProfile const profile(shape.digits, airfoil_mesh_name);
  auto const points = static_cast<std::size_t>(shape.points);
  // The map needs enough angles to follow the profile, however few of them are nodes.
  std::size_t const stride = std::max<std::size_t>(1, (255 + points) / points);
  double const step = 2 * pi / shape.points;
  // The scale at infinity is near a quarter of the chord: the count is right to a few layers before the map is made.
  layer_radii(4 * shape.far_radius, step, shape.growth, shape.points);
  detail::ExteriorMap const map(profile, points * stride, airfoil_mesh_name);

  Complex const infinity = map.derivative_at_infinity();
  auto const radii = layer_radii(shape.far_radius / std::abs(infinity), step, shape.growth, shape.points);
  // The image of a large circle is nearly a circle. Its distance from the far field fades towards the airfoil.
  double const turn = profile.symmetric() ? 0 : std::arg(infinity);
  auto const shift = [&] {
    auto places = map.ring(radii.back(), stride);
    for (std::size_t i = 0; i < points; ++i) {
      double const angle = turn + step * static_cast<double>(i);
      places[i] = 0.5 + std::polar(shape.far_radius, angle) - places[i];
    }
    return places;
  }();

  MeshData mesh;
  mesh.nodes.reserve(points * radii.size());
  mesh.triangles.reserve(2 * points * (radii.size() - 1));
  for (std::size_t layer = 0; layer < radii.size(); ++layer) {
    std::vector<Complex> ring;
    if (layer == 0) {
      for (std::size_t i = 0; i < points; ++i) ring.push_back(profile.contour(map.parameters()[i * stride]));
    } else {
      ring = map.ring(radii[layer], stride);
      double const part = (radii[layer] - 1) / (radii.back() - 1);
      for (std::size_t i = 0; i < points; ++i) ring[i] += part * part * shift[i];
    }
    if (profile.symmetric()) mirror(ring);
    for (Complex const& z : ring) mesh.nodes.push_back({z.real(), z.imag()});
  }

  int const n = shape.points;
  int const layers = detail::node_number(radii.size() - 1);
  for (int layer = 0; layer < layers; ++layer) {
    int const inner = layer * n, outer = inner + n;
    for (int i = 0; i < n; ++i) {
      int const next = (i + 1) % n;
      detail::add_better_cut(mesh, {inner + i, outer + i, outer + next, inner + next}, (i + layer) % 2 == 0);
    }
  }
  mesh.regions.assign(mesh.triangles.size(), 1);
  for (int i = 0; i < n; ++i) detail::add_edge(mesh, (i + 1) % n, i, 1);
  for (int i = 0; i < n; ++i) detail::add_edge(mesh, layers * n + i, layers * n + (i + 1) % n, 2);
  mesh.boundary_names = {{1, "airfoil"}, {2, "farfield"}};
  mesh.region_names = {{1, "domain"}};
  return mesh;
}

}  // namespace karman
