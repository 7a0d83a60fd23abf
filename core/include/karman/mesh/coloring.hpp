// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Colours for the triangles of a mesh. Triangles of one colour share no node, so they may add to the nodes at the same
/// time.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/mesh/graph.hpp>
#include <karman/mesh/triangle_mesh.hpp>

#include <Kokkos_Core.hpp>

#include <string_view>
#include <vector>

namespace karman {

/// Colours of triangles, numbered from 0 to colors - 1.
template <ExecutionSpace Exec>
struct Coloring {
  /// View of whole numbers.
  using Numbers = typename Graph<Exec>::Numbers;
  int colors = 0;             ///< number of colours
  Numbers color = Numbers();  ///< colour of each triangle
  Graph<Exec> classes;        ///< row c: the triangles of colour c, ascending
  int lower_bound = 0;        ///< most triangles around a node: no colouring has fewer colours
};

/// How triangles get their colours: from a small palette, or the lowest free colour in an order.
enum class ColoringMethod {
  parallel,      ///< from a palette, at random; where no colour is free, that of a neighbour, which chooses again
  random_order,  ///< all triangles without common nodes at a time; then passes that save colours
  given_order,   ///< by number
  largest_degree_first,  ///< most conflicts first (Welsh, Powell 1967), ties by number
  lexicographic_bfs  ///< lexicographic breadth first (Rose, Tarjan, Lueker 1976): optimal for chordal conflict graphs,
                     ///< as in a strip of triangles
};

/// Name of a method: "parallel", "given_order", ...
std::string_view name(ColoringMethod method);

/// Options of color_elements().
struct ColoringOptions {
  ColoringMethod method = ColoringMethod::parallel;  ///< way to the colours
  /// Balances the number of triangles per colour; adds no colour.
  bool balanced = false;
  /// Passes over all triangles to save colours, in random order. Stops at the lower bound.
  int passes = 12;
};

/// Colours the triangles of a mesh.
///
/// The parallel method (Johansson 1999, with the repair of Minton and others 1992) runs on `space`, in about 50
/// rounds for millions of triangles. In each round a triangle without a colour takes a free one of a palette at random,
/// if no neighbour does. Once few are left, it takes one from a neighbour where none is free. The palette has
/// lower_bound colours, or half more than a node has triangles on average, and grows where this does not suffice.
/// Nodes with more than 15 triangles, and more than 715,827,882 triangles, are coloured in random order instead.
///
/// Random order (Jones, Plassmann 1993) also runs on `space`, in about 30 rounds. Each pass is an iterated greedy
/// recolouring (Culberson 1992). Up to 64 colours are improved and balanced. The other methods run on one thread of the
/// host, after a copy of the mesh to it.
/// \param space instance of the kernels
/// \param mesh mesh without faults (check_mesh())
/// \param options method and number of passes
/// \return the colouring
/// \par Cost
/// Parallel method: the lists of triangles around nodes, and 5 visits per triangle on average. A visit is three
/// kernels, 256 bytes without a cache. Memory while it runs: 28 bytes per triangle. Random order: 9 visits of 60 bytes
/// and one per pass; a pass reads 4 bytes per triangle and colour. A node with v triangles takes v rounds. On the host:
/// 0.02 us per triangle in the given order, 0.05 to 0.3 us by degree, 0.15 to 1 us in lexicographic order. The last two
/// visit all v^2 pairs of triangles around a node with v triangles.
/// \par Synchrony
/// Fences `space`.
/// \par Reproducibility
/// The same bits from run to run, for any number of threads and on every backend.
/// \throws std::invalid_argument for passes < 0, and for more than 715,827,882 triangles by degree or in lexicographic
/// order
template <ExecutionSpace Exec>
Coloring<Exec> color_elements(Exec const& space, TriangleMesh<Exec> const& mesh, ColoringOptions const& options = {});

/// True when the colouring is valid: every triangle has a colour, no two triangles of one colour share a node. The
/// classes must list each triangle once, ascending, under its colour. Fences `space`.
template <ExecutionSpace Exec>
bool is_valid(Exec const& space, TriangleMesh<Exec> const& mesh, Coloring<Exec> const& coloring);

/// Number of triangles of each colour. Fences `space`.
template <ExecutionSpace Exec>
std::vector<int> class_sizes(Exec const& space, Coloring<Exec> const& coloring);

#define KARMAN_EXTERN(Exec)                                                                                      \
  extern template Coloring<Exec> color_elements(Exec const&, TriangleMesh<Exec> const&, ColoringOptions const&); \
  extern template bool is_valid(Exec const&, TriangleMesh<Exec> const&, Coloring<Exec> const&);                  \
  extern template std::vector<int> class_sizes(Exec const&, Coloring<Exec> const&);
KARMAN_FOR_EACH_BACKEND(KARMAN_EXTERN)
#undef KARMAN_EXTERN

}  // namespace karman
