// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "coloring_check.hpp"
#include "coloring_orders.hpp"
#include "coloring_passes.hpp"
#include "graph_build.hpp"
#include "palette_coloring.hpp"
#include "parallel_coloring.hpp"
#include "stable_group.hpp"
#include <karman/core/error.hpp>
#include <karman/core/host_copy.hpp>
#include <karman/mesh/coloring.hpp>

#include <cstddef>
#include <limits>
#include <numeric>

namespace karman {

namespace {

template <class Exec>
using Triangles = detail::TableIncidence<Exec, 3>;

/// Sequential colouring on the host, one triangle after the other. Returns the number of colours.
template <class Exec>
int color_on_host(Exec const& space, TriangleMesh<Exec> const& mesh, ColoringMethod method,
                  detail::Numbers<Exec> const& color) {
  detail::HostTriangles const triangles{mesh.node_count(), host_copy<std::array<int, 3>>(space, mesh.triangles)};
  std::vector<int> order(triangles.triangles.size());
  if (method == ColoringMethod::largest_degree_first) {
    order = detail::largest_degree_order(triangles);
  } else if (method == ColoringMethod::lexicographic_bfs) {
    order = detail::lexicographic_bfs_order(triangles);
  } else {
    std::iota(order.begin(), order.end(), 0);
  }
  auto const colors = detail::greedy_colors(triangles, order);
  copy_to_device(space, colors, color);
  return detail::greatest(space, color, -1) + 1;
}

/// Largest number of triangles around a node.
template <class Exec>
int greatest_valence(Exec const& space, TriangleMesh<Exec> const& mesh) {
  auto const counts = detail::zeros(space, static_cast<std::size_t>(mesh.node_count()), "karman::coloring::valences");
  Kokkos::parallel_for("karman::coloring::count_valences", Kokkos::RangePolicy<Exec>(space, 0, mesh.triangle_count()),
                       detail::CountAround<Exec, Triangles<Exec>>{{mesh.triangles}, counts});
  return detail::greatest(space, counts, 0);
}

/// Colours on `space`, from a palette or in random order. Sets the number of colours and their lower bound.
template <class Exec>
void color_in_place(Exec const& space, TriangleMesh<Exec> const& mesh, ColoringOptions const& options,
                    detail::Numbers<Exec>& color, Coloring<Exec>& result) {
  Triangles<Exec> const triangles{mesh.triangles};
  int const nodes = mesh.node_count();
  // Lists of more corners than numbers are not made.
  if (options.method == ColoringMethod::parallel && mesh.triangle_count() <= std::numeric_limits<int>::max() / 3) {
    auto const around = detail::elements_around(space, triangles, nodes, "color_elements");
    result.lower_bound = detail::longest_row(space, around);
    if (result.lower_bound <= detail::most_palette_valence)
      result.colors = detail::color_from_palette(space, mesh, around, result.lower_bound, color);
    if (result.colors > 0) return;
  }
  result.lower_bound = greatest_valence(space, mesh);
  result.colors = detail::color_in_parallel(space, triangles, nodes, color);
  result.colors = detail::recolor(space, triangles, nodes, color, result.colors, result.lower_bound, options.passes);
}

template <class Exec>
Graph<Exec> classes_of(Exec const& space, detail::Numbers<Exec> const& color, int colors) {
  return detail::stable_group(space, static_cast<int>(color.extent(0)), colors, detail::OwnNumber<Exec>{color});
}

}  // namespace

std::string_view name(ColoringMethod method) {
  switch (method) {
    case ColoringMethod::parallel: return "parallel";
    case ColoringMethod::random_order: return "random order";
    case ColoringMethod::given_order: return "given order";
    case ColoringMethod::largest_degree_first: return "largest degree first";
    case ColoringMethod::lexicographic_bfs: return "lexicographic breadth first";
  }
  return "unknown";
}

template <ExecutionSpace Exec>
Coloring<Exec> color_elements(Exec const& space, TriangleMesh<Exec> const& mesh, ColoringOptions const& options) {
  require(options.passes >= 0, "color_elements: passes must not be negative");
  Coloring<Exec> result;
  auto color = detail::numbers(space, mesh.triangles.extent(0), "karman::coloring::color");
  if (options.method == ColoringMethod::parallel || options.method == ColoringMethod::random_order) {
    color_in_place(space, mesh, options, color, result);
  } else {
    result.lower_bound = greatest_valence(space, mesh);
    result.colors = color_on_host(space, mesh, options.method, color);
  }
  result.color = color;
  result.classes = classes_of(space, color, result.colors);
  if (options.balanced) {
    auto sizes = class_sizes(space, result);
    detail::balance(space, Triangles<Exec>{mesh.triangles}, mesh.node_count(), color, sizes);
    result.classes = classes_of(space, color, result.colors);
  }
  return result;
}

template <ExecutionSpace Exec>
bool is_valid(Exec const& space, TriangleMesh<Exec> const& mesh, Coloring<Exec> const& coloring) {
  return detail::is_valid_coloring(space, Triangles<Exec>{mesh.triangles}, mesh.node_count(), coloring);
}

template <ExecutionSpace Exec>
std::vector<int> class_sizes(Exec const& space, Coloring<Exec> const& coloring) {
  auto sizes = host_copy(space, coloring.classes.offsets);
  if (sizes.empty()) return sizes;
  for (std::size_t c = 0; c + 1 < sizes.size(); ++c) sizes[c] = sizes[c + 1] - sizes[c];
  sizes.pop_back();
  return sizes;
}

#define KARMAN_INSTANTIATE(Exec)                                                                          \
  template Coloring<Exec> color_elements(Exec const&, TriangleMesh<Exec> const&, ColoringOptions const&); \
  template bool is_valid(Exec const&, TriangleMesh<Exec> const&, Coloring<Exec> const&);                  \
  template std::vector<int> class_sizes(Exec const&, Coloring<Exec> const&);
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman
