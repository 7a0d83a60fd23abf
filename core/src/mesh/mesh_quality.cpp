// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "array_index.hpp"
#include "mesh_sides.hpp"
#include <karman/mesh/mesh_checks.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

namespace karman {

namespace {

using Point = std::array<double, 2>;

using detail::at;

/// Collects the least, the mean and the greatest value.
class Spread {
 public:
  void add(double value) {
    least_ = std::min(least_, value);
    most_ = std::max(most_, value);
    sum_ += value;
    ++count_;
  }
  MeshSpread result() const { return count_ == 0 ? MeshSpread{} : MeshSpread{least_, sum_ / double(count_), most_}; }
  double sum() const { return sum_; }

 private:
  double least_ = std::numeric_limits<double>::infinity(), most_ = -least_, sum_ = 0;
  std::size_t count_ = 0;
};

}  // namespace

MeshQuality mesh_quality(MeshData const& mesh) {
  detail::require_node_numbers(mesh, "mesh_quality");
  Spread area, edge_length, smallest, largest, edge_ratio, radius_ratio;
  for (auto const& nodes : mesh.triangles) {
    std::array<double, 3> length, angle;
    double twice_area = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      Point const &p = mesh.nodes[at(nodes[k])], &q = mesh.nodes[at(nodes[(k + 1) % 3])],
                  &r = mesh.nodes[at(nodes[(k + 2) % 3])];
      double const x1 = q[0] - p[0], y1 = q[1] - p[1], x2 = r[0] - p[0], y2 = r[1] - p[1];
      twice_area = x1 * y2 - x2 * y1;
      length[k] = std::hypot(x1, y1);
      angle[k] = std::atan2(std::abs(twice_area), x1 * x2 + y1 * y2);
    }
    auto const [shortest, longest] = std::minmax_element(length.begin(), length.end());
    auto const [least, most] = std::minmax_element(angle.begin(), angle.end());
    area.add(twice_area / 2);
    smallest.add(*least);
    largest.add(*most);
    edge_ratio.add(*longest / *shortest);
    // inscribed: area / (perimeter / 2); circumscribed: product of the sides / (4 area). Squares of areas overflow
    // where areas do not.
    double const perimeter = length[0] + length[1] + length[2];
    radius_ratio.add(4 * (twice_area / length[0] / length[1]) * (twice_area / length[2] / perimeter));
  }
  MeshQuality quality;
  auto const all = detail::mesh_sides(mesh);
  detail::for_each_edge(all, [&](int lower, std::size_t first, std::size_t last) {
    Point const &p = mesh.nodes[at(lower)], &q = mesh.nodes[at(all.sides[first].higher)];
    double const length = std::hypot(q[0] - p[0], q[1] - p[1]);
    edge_length.add(length);
    if (last - first == 1) quality.boundary_length += length;
  });
  quality.area = area.sum();
  quality.triangle_area = area.result();
  quality.edge_length = edge_length.result();
  quality.smallest_angle = smallest.result();
  quality.largest_angle = largest.result();
  quality.edge_ratio = edge_ratio.result();
  quality.radius_ratio = radius_ratio.result();
  return quality;
}

}  // namespace karman
