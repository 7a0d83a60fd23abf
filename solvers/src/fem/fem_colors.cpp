// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fem_setup.hpp"
#include "mesh/graph_build.hpp"
#include <karman/core/compat.hpp>
#include <karman/core/host_copy.hpp>
#include <karman/mesh/blocked_coloring.hpp>
#include <karman/mesh/coloring.hpp>
#include <karman/solvers/detail/fem_blocks.hpp>

namespace karman::detail {

namespace {

/// The first colour at each entry and at each node; `none` where no triangle contributes.
template <class Exec>
struct FirstColors {
  FemArray<Exec, int> entry, node;
};

constexpr int none = 0x7fffffff;

template <class Exec>
void fill_none(Exec const& space, FemArray<Exec, int> const& values) {
  Kokkos::parallel_for(
      "karman::fem::no_color", Kokkos::RangePolicy<Exec>(space, 0, values.extent(0)),
      KOKKOS_LAMBDA(int n) { values(n) = none; });
}

template <class Exec>
FirstColors<Exec> first_colors(Exec const& space, TriangleMesh<Exec> const& mesh, FemProfile<Exec> const& profile,
                               Coloring<Exec> const& coloring) {
  FirstColors<Exec> const first{
      fem_array<Exec, int>(space, profile.graph.entries.extent(0), "karman::fem::first_color"),
      fem_array<Exec, int>(space, mesh.nodes.extent(0), "karman::fem::first_color")};
  fill_none(space, first.entry);
  fill_none(space, first.node);
  auto const triangles = mesh.triangles;
  auto const entries = profile.element_entries;
  Kokkos::parallel_for(
      "karman::fem::first_colors", Kokkos::RangePolicy<Exec>(space, 0, mesh.triangle_count()), KOKKOS_LAMBDA(int t) {
        int const c = coloring.color(t);
        for (int n = 0; n < 9; ++n) Kokkos::atomic_fetch_min(&first.entry(entries(t, n)), c);
        for (int m = 0; m < 3; ++m) Kokkos::atomic_fetch_min(&first.node(triangles(t, m)), c);
      });
  return first;
}

template <class Exec>
void fill_elements(Exec const& space, TriangleMesh<Exec> const& mesh, FemProfile<Exec> const& profile,
                   Coloring<Exec> const& coloring, FirstColors<Exec> const& first, FemElements<Exec> const& to) {
  constexpr int touched = FemElements<Exec>::touched;
  auto const triangles = mesh.triangles;
  auto const entries = profile.element_entries;
  auto const number = to.number;
  auto const nodes = to.nodes;
  auto const places = to.entries;
  Kokkos::parallel_for(
      "karman::fem::colored_elements", Kokkos::RangePolicy<Exec>(space, 0, mesh.triangle_count()),
      KOKKOS_LAMBDA(int place) {
        int const t = number(place), c = coloring.color(t);
        for (int n = 0; n < 9; ++n) {
          int const entry = entries(t, n);
          places(place, n) = entry | (first.entry(entry) < c ? touched : 0);
        }
        for (int m = 0; m < 3; ++m) {
          int const node = triangles(t, m);
          nodes(place, m) = node | (first.node(node) < c ? touched : 0);
        }
      });
}

/// Triangles by colour, in `order` within a colour: counts, sums, places. One pass per colour keeps the order without a
/// sort.
template <class Exec>
struct PlaceColor {
  Kokkos::View<int const*, typename Exec::memory_space> color_of;
  typename Graph<Exec>::Numbers order;
  FemArray<Exec, int> number;
  int color, begin;

  KOKKOS_FUNCTION void operator()(int n, int& place, bool last) const {
    int const t = order(n);
    if (color_of(t) != color) return;
    if (last) number(begin + place) = t;
    ++place;
  }
};

template <class Exec>
void copy_classes(Exec const& space, typename Graph<Exec>::Numbers const& entries, FemArray<Exec, int> const& number) {
  Kokkos::parallel_for(
      "karman::fem::copy_classes", Kokkos::RangePolicy<Exec>(space, 0, entries.extent(0)),
      KOKKOS_LAMBDA(int n) { number(n) = entries(n); });
}

template <class Exec>
FemArray<Exec, int> first_blocks(Exec const& space, int nodes, BlockedColoring<Exec> const& parts) {
  auto const first = fem_array<Exec, int>(space, std::size_t(nodes), "karman::fem::first_color");
  fill_none(space, first);
  Kokkos::parallel_for(
      "karman::fem::first_blocks", Kokkos::RangePolicy<Exec>(space, 0, parts.count()), KOKKOS_LAMBDA(int b) {
        int const c = parts.blocks.color(b);
        for (int n = parts.nodes.offsets(b); n < parts.nodes.offsets(b + 1); ++n) {
          Kokkos::atomic_fetch_min(&first(parts.nodes.entries(n)), c);
        }
      });
  return first;
}

/// Rows of the local nodes, one after the other. Returns the largest number of entries of a block.
template <class Exec>
int place_rows(Exec const& space, Graph<Exec> const& graph, FemArray<Exec, int> const& first,
               FemBlocks<Exec> const& to) {
  auto const parts = to.blocks;
  auto const row_begin = to.row_begin;
  auto const targets = to.targets;
  auto const entries = to.entries;
  int most = 0;
  Kokkos::parallel_reduce(
      "karman::fem::block_rows", Kokkos::RangePolicy<Exec>(space, 0, parts.count()),
      KOKKOS_LAMBDA(int b, int& largest) {
        int const c = parts.blocks.color(b);
        int begin = 0;
        for (int n = parts.nodes.offsets(b); n < parts.nodes.offsets(b + 1); ++n) {
          int const i = parts.nodes.entries(n);
          row_begin(n) = begin;
          targets(n) = graph.offsets(i) | (first(i) < c ? FemBlocks<Exec>::touched : 0);
          begin += graph.offsets(i + 1) - graph.offsets(i);
        }
        entries(b) = begin;
        if (begin > largest) largest = begin;
      },
      Kokkos::Max<int>(most));
  return most;
}

/// Places of the entries of triangles in their rows.
template <class Exec>
void place_columns(Exec const& space, TriangleMesh<Exec> const& mesh, FemProfile<Exec> const& profile,
                   FemBlocks<Exec> const& to) {
  auto const numbers = to.blocks.triangles.entries;
  auto const triangles = mesh.triangles;
  auto const offsets = profile.graph.offsets;
  auto const entries = profile.element_entries;
  auto const columns = to.columns;
  Kokkos::parallel_for(
      "karman::fem::block_columns", Kokkos::RangePolicy<Exec>(space, 0, numbers.extent(0)), KOKKOS_LAMBDA(int place) {
        int const t = numbers(place);
        for (int n = 0; n < 9; ++n) {
          columns.set(9 * std::size_t(place) + n, entries(t, n) - offsets(triangles(t, n / 3)));
        }
      });
}

}  // namespace

template <class Exec>
FemElements<Exec> make_colored_elements(Exec const& space, TriangleMesh<Exec> const& mesh,
                                        FemProfile<Exec> const& profile, typename Graph<Exec>::Numbers const& order) {
  std::size_t const triangles = mesh.triangles.extent(0);
  FemElements<Exec> elements;
  if (triangles == 0) return elements;
  elements.along_curve = order.data() != nullptr;
  auto const coloring = color_elements(space, mesh);
  elements.begin = host_copy(space, coloring.classes.offsets);
  elements.number = fem_array<Exec, int>(space, triangles, "karman::fem::colored_number");
  if (order.data() == nullptr) {
    copy_classes<Exec>(space, coloring.classes.entries, elements.number);
  } else {
    for (int c = 0; c < coloring.colors; ++c) {
      Kokkos::parallel_scan(
          "karman::fem::place_color", Kokkos::RangePolicy<Exec>(space, 0, triangles),
          PlaceColor<Exec>{coloring.color, order, elements.number, c, elements.begin[static_cast<std::size_t>(c)]});
    }
  }
  elements.nodes = FemTable<Exec, 3>(
      Kokkos::view_alloc(space, Kokkos::WithoutInitializing, std::string("karman::fem::colored_nodes")), triangles);
  elements.entries = FemTable<Exec, 9>(
      Kokkos::view_alloc(space, Kokkos::WithoutInitializing, std::string("karman::fem::colored_entries")), triangles);
  fill_elements(space, mesh, profile, coloring, first_colors(space, mesh, profile, coloring), elements);
  compat::fence(space, "karman::fem::colored");
  return elements;
}

template <class Exec>
void make_blocks(Exec const& space, FemPlan<Exec>& plan, FemAssemblySetup const& setup) {
  auto const& mesh = plan.mesh;
  auto const& profile = plan.profile;
  if (mesh.triangle_count() == 0) return;
  int const wanted = setup.block_triangles > 0 ? setup.block_triangles : block_shape<Exec>(setup.value_bytes).triangles;
  auto& blocks = plan.blocks;
  blocks.blocks = color_blocks(space, mesh, {.triangles_a_block = wanted});
  auto const& parts = blocks.blocks;
  plan.block_begin = host_copy(space, parts.blocks.classes.offsets);
  blocks.row_begin = fem_array<Exec, int>(space, parts.nodes.entries.extent(0), "karman::fem::block_rows");
  blocks.targets = fem_array<Exec, int>(space, parts.nodes.entries.extent(0), "karman::fem::block_targets");
  blocks.entries = fem_array<Exec, int>(space, std::size_t(parts.count()), "karman::fem::block_entries");
  blocks.columns = short_numbers(space, 9 * mesh.triangles.extent(0), longest_row(space, profile.graph),
                                 "karman::fem::block_columns");
  blocks.most_entries = place_rows(space, profile.graph, first_blocks(space, mesh.node_count(), parts), blocks);
  place_columns(space, mesh, profile, blocks);
  compat::fence(space, "karman::fem::blocks");
}

#define KARMAN_INSTANTIATE(Exec)                                                                                    \
  template FemElements<Exec> make_colored_elements(Exec const&, TriangleMesh<Exec> const&, FemProfile<Exec> const&, \
                                                   typename Graph<Exec>::Numbers const&);                           \
  template void make_blocks(Exec const&, FemPlan<Exec>&, FemAssemblySetup const&);
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman::detail
