// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the assembly strategies keep.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/mesh/blocked_coloring.hpp>
#include <karman/mesh/triangle_mesh.hpp>
#include <karman/solvers/fem_profile.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace karman::detail {

// Empty Views are written "= View()" for the reason that graph.hpp gives.

template <class Exec, class T>
using FemArray = Kokkos::View<T*, typename Exec::memory_space>;

/// A table (element, n) whose neighbouring elements lie side by side on a device.
template <class Exec, int columns>
using FemTable = Kokkos::View<int* [columns], typename Exec::array_layout, typename Exec::memory_space>;

/// Whole numbers below 2^8 in a byte each, or, when one of them is larger, below 2^16 in two.
template <class Exec>
struct ShortNumbers {
  FemArray<Exec, std::uint8_t> narrow = FemArray<Exec, std::uint8_t>();
  FemArray<Exec, std::uint16_t> wide = FemArray<Exec, std::uint16_t>();

  KOKKOS_FORCEINLINE_FUNCTION int operator()(std::size_t n) const {
    return wide.data() == nullptr ? int(narrow.data()[n]) : int(wide.data()[n]);
  }
  KOKKOS_FORCEINLINE_FUNCTION void set(std::size_t n, int value) const {
    if (wide.data() == nullptr) narrow.data()[n] = static_cast<std::uint8_t>(value);
    else wide.data()[n] = static_cast<std::uint16_t>(value);
  }
};

/// Round every node, anticlockwise, its neighbours: two that follow each other span a triangle with the node, unless
/// the first of them bears `gap`. The last and the first follow each other too.
template <class Exec>
struct FemRings {
  using Numbers = FemArray<Exec, int>;
  using Corners = FemArray<Exec, std::uint32_t>;
  using Order = typename Graph<Exec>::Numbers;
  static constexpr int gap = int(0x80000000u);  ///< the sign bit

  Order order = Order();        ///< row at each place; empty where rows stand in their own order
  Numbers offsets = Numbers();  ///< with `order`: where the ring at each place begins, and where the last ends
  Numbers neighbors = Numbers();
  ShortNumbers<Exec> columns;   ///< place of each neighbour in its row
  Corners corners = Corners();  ///< 3 (triangle after this neighbour) + (which corner of it the node is)
  int most_staged = 0;          ///< entries of the rows of one team
};

/// Triangles in the order in which a strategy takes them, with the places of their entries.
template <class Exec>
struct FemElements {
  using Numbers = FemArray<Exec, int>;
  using Nodes = FemTable<Exec, 3>;
  using Entries = FemTable<Exec, 9>;
  static constexpr int touched = int(0x80000000u);  ///< on a place: an earlier colour has been there

  Numbers number = Numbers();  ///< triangle at each place
  Nodes nodes = Nodes();       ///< the high bit as in `entries`, for the vector
  Entries entries = Entries();
  std::vector<int> begin = {};  ///< of each colour, and the end
  bool along_curve = false;
};

/// Blocks of triangles, beyond what their colouring says.
template <class Exec>
struct FemBlocks {
  using Numbers = FemArray<Exec, int>;
  static constexpr int touched = int(0x80000000u);  ///< on a target: a block of an earlier colour has been there

  BlockedColoring<Exec> blocks;
  Numbers row_begin = Numbers();  ///< of each local node: where its row begins among the block's staged entries
  Numbers targets = Numbers();    ///< of each local node: where its row begins in the matrix, and `touched`
  Numbers entries = Numbers();    ///< staged of each block
  ShortNumbers<Exec> columns;     ///< 9 p + 3 i + j: place of a(i, j) of the triangle at p in its row
  int most_entries = 0;           ///< staged of a block
};

/// A table (place, n) of numbers below 2^16: those of a place side by side on a host, those of neighbouring places on a
/// device.
template <class Exec, int columns>
struct ShortTable {
  FemArray<Exec, std::uint16_t> numbers = FemArray<Exec, std::uint16_t>();
  std::size_t places = 0;

  KOKKOS_FORCEINLINE_FUNCTION std::uint16_t& operator()(int place, int n) const {
    if constexpr (runs_on_host<Exec>) return numbers.data()[std::size_t(place) * columns + static_cast<std::size_t>(n)];
    else return numbers.data()[std::size_t(n) * places + static_cast<std::size_t>(place)];
  }
};

/// Blocks of rows, each with every triangle that contributes to one of them.
template <class Exec>
struct FemRowBlocks {
  using Numbers = FemArray<Exec, int>;

  int rows_each = 0;  ///< rows of a block; the last may have fewer
  Graph<Exec> nodes;  ///< row b: those whose rows the block owns, ascending, then the other nodes of its triangles
  Numbers row_begin = Numbers();    ///< where the row at each place begins among the entries of all places; their end
  Graph<Exec> triangles;            ///< row b: those of the block; no entries where the plan keeps no numbers
  ShortTable<Exec, 3> local_nodes;  ///< of each of them: places among the nodes of the block
  ShortTable<Exec, 9> entries;  ///< 3 i + j: place of a(i, j) among the entries of the block, or among the spare ones
  int most_nodes = 0, most_entries = 0;  ///< of a block
  bool along_curve = false;

  /// Rows of other blocks are added up behind the entries of a block, and dropped.
  static constexpr int spare = 9;
};

/// For every entry, and for every row of the vector, where in element storage its contributions stand.
template <class Exec>
struct FemSources {
  using Numbers = FemArray<Exec, int>;
  Numbers entry_offsets = Numbers(), entry_sources = Numbers();
  Numbers row_offsets = Numbers(), row_sources = Numbers();
};

/// The nodes of the boundary, each with its edges.
template <class Exec>
struct FemBoundary {
  using Numbers = FemArray<Exec, int>;
  Numbers nodes = Numbers();
  Graph<Exec> edges;  ///< row n: the edges at node n of the mesh
};

template <class Exec>
struct FemPlan {
  using Order = typename Graph<Exec>::Numbers;
  using Storage = FemArray<Exec, std::byte>;

  TriangleMesh<Exec> mesh;
  FemProfile<Exec> profile;
  FemRings<Exec> rings;
  FemElements<Exec> elements;
  FemBlocks<Exec> blocks;
  std::vector<int> block_begin = {};  ///< of each colour of the blocks, and the end
  FemRowBlocks<Exec> row_blocks;
  FemSources<Exec> sources;
  FemBoundary<Exec> boundary;
  Order order = Order();        ///< of the triangles, with atomic; empty: as given
  Storage storage = Storage();  ///< of element matrices and vectors, 12 values a triangle
  std::size_t value_bytes = 0;  ///< of the largest scalar that `storage` has room for
  std::int64_t bytes = 0;       ///< of all of these but mesh and profile
};

/// x and y of a node, read in one piece.
struct alignas(16) FemPoint {
  double x, y;
};

}  // namespace karman::detail
