// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mesh_resolution.hpp"

#include "dispersion.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace karman::waves {

MeshResolution mesh_resolution(MeshData const& mesh, std::vector<double> const& wave_number) {
  MeshResolution result;
  double inverses = 0;
  for (auto const& triangle : mesh.triangles) {
    double longest = 0, k = 0;
    std::array<double, 2> middle{};
    for (std::size_t n = 0; n < 3; ++n) {
      auto const& a = mesh.nodes[static_cast<std::size_t>(triangle[n])];
      auto const& b = mesh.nodes[static_cast<std::size_t>(triangle[(n + 1) % 3])];
      longest = std::max(longest, std::hypot(b[0] - a[0], b[1] - a[1]));
      k = std::max(k, wave_number[static_cast<std::size_t>(triangle[n])]);
      middle[0] += a[0] / 3, middle[1] += a[1] / 3;
    }
    double const count = 2 * std::numbers::pi / (k * longest);
    inverses += 1 / count;
    if (count >= result.least) continue;
    result.least = count;
    result.coarsest = middle;
  }
  if (inverses > 0) result.mean = static_cast<double>(mesh.triangles.size()) / inverses;
  return result;
}

MeshResolution mesh_resolution(MeshData const& mesh, std::vector<double> const& depth, double period) {
  std::vector<double> wave_number(depth.size());
  double const omega = angular_frequency(period);
  std::transform(depth.begin(), depth.end(), wave_number.begin(),
                 [omega](double h) { return dispersion(omega, h).wave_number; });
  return mesh_resolution(mesh, wave_number);
}

}  // namespace karman::waves
