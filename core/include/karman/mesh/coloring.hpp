// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Colours for the triangles of a mesh: those of one colour share no node, and may add to the nodes at the same time.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/mesh/graph.hpp>
#include <karman/mesh/triangle_mesh.hpp>

#include <Kokkos_Core.hpp>

#include <string_view>
#include <vector>

namespace karman {

/// Colours 0 ... colors - 1.
template <ExecutionSpace Exec>
struct Coloring {
  using Numbers = typename Graph<Exec>::Numbers;
  int colors = 0;
  Numbers color = Numbers();  ///< of each triangle
  Graph<Exec> classes;        ///< row c: the triangles of colour c, ascending
  int lower_bound = 0;        ///< the most triangles around a node: no colouring has fewer colours
};

/// The order in which triangles take the lowest colour that is free.
enum class ColoringMethod {
  parallel,              ///< random, as many at a time as share no node; then passes that save colours
  given_order,           ///< by their number
  largest_degree_first,  ///< most conflicts first (Welsh, Powell 1967), equal ones by their number
  lexicographic_bfs  ///< breadth first, lexicographic (Rose, Tarjan, Lueker 1976): as few colours as can be where the
                     ///< conflicts make a chordal graph, as in a strip of triangles
};

std::string_view name(ColoringMethod method);

struct ColoringOptions {
  ColoringMethod method = ColoringMethod::parallel;
  /// Evens out the number of triangles of each colour; no colour is added.
  bool balanced = false;
  /// Of the parallel method: how often all triangles are gone through again to save colours. It stops at the bound.
  int passes = 12;
};

/// Colours the triangles of a mesh that check_mesh() finds right. Reproducible: the same bits from run to run, for any
/// number of threads and on every backend. Waits for `space`.
///
/// The parallel method (Jones, Plassmann 1993) runs on `space`: some 30 rounds for millions of triangles, in which a
/// triangle is visited 9 times on average, and `passes` of iterated greedy recolouring (Culberson 1992). A visit reads
/// the triangle and reads, writes or asks for a word at its 3 nodes: 60 bytes at most where nothing is cached; a pass
/// is one visit and reads 4 bytes a triangle and colour. Up to 64 colours are improved and balanced. A node with v
/// triangles takes v rounds.
/// The others run on one thread of the host, after a copy of the mesh to it: 0.02 us a triangle in the given order,
/// 0.05 to 0.3 us by degree, 0.15 to 1 us for the lexicographic order. Both of these visit all pairs of triangles that
/// share a node, v^2 of them around a node with v triangles, and take at most 715,827,882 triangles.
/// Throws std::invalid_argument for passes < 0 and for more triangles than an order takes.
template <ExecutionSpace Exec>
Coloring<Exec> color_elements(Exec const& space, TriangleMesh<Exec> const& mesh, ColoringOptions const& options = {});

/// True when no two triangles of a colour share a node, every triangle has a colour, and the classes list each triangle
/// once, ascending, under its colour. Waits for `space`.
template <ExecutionSpace Exec>
bool is_valid(Exec const& space, TriangleMesh<Exec> const& mesh, Coloring<Exec> const& coloring);

/// Triangles of each colour. Waits for `space`.
template <ExecutionSpace Exec>
std::vector<int> class_sizes(Exec const& space, Coloring<Exec> const& coloring);

#define KARMAN_EXTERN(Exec)                                                                                      \
  extern template Coloring<Exec> color_elements(Exec const&, TriangleMesh<Exec> const&, ColoringOptions const&); \
  extern template bool is_valid(Exec const&, TriangleMesh<Exec> const&, Coloring<Exec> const&);                  \
  extern template std::vector<int> class_sizes(Exec const&, Coloring<Exec> const&);
KARMAN_FOR_EACH_BACKEND(KARMAN_EXTERN)
#undef KARMAN_EXTERN

}  // namespace karman
