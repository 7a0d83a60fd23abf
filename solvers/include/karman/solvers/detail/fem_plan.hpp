// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Data of the assembly strategies.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/mesh/blocked_coloring.hpp>
#include <karman/mesh/triangle_mesh.hpp>
#include <karman/solvers/fem/fem_profile.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace karman::detail {

// Empty Views are written "= View()"; graph.hpp gives the reason.

template <class Exec, class T>
using FemArray = Kokkos::View<T*, typename Exec::memory_space>;

/// A table (element, n) in which neighbouring elements are adjacent on a device.
template <class Exec, int columns>
using FemTable = Kokkos::View<int* [columns], typename Exec::array_layout, typename Exec::memory_space>;

/// Integers: one byte each when all are below 2^8, else two bytes each.
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

/// The neighbours round every node, anticlockwise. Two successive ones span a triangle with the node, unless the first
/// is marked with `gap`. The last and the first are successive too.
template <class Exec>
struct FemRings {
  using Numbers = FemArray<Exec, int>;
  using Corners = FemArray<Exec, std::uint32_t>;
  using Order = typename Graph<Exec>::Numbers;
  static constexpr int gap = int(0x80000000u);  ///< the sign bit

  Order order = Order();        ///< row at each place; empty where rows keep their own order
  Numbers offsets = Numbers();  ///< with `order`: begin of the ring at each place, and end of the last
  Numbers neighbors = Numbers();
  ShortNumbers<Exec> columns;   ///< place of each neighbour in its row
  Corners corners = Corners();  ///< 3 (triangle after this neighbour) + (corner of it at the node)
  int most_staged = 0;          ///< entries of the rows of one team
  Numbers places = Numbers();   ///< for MoveRows: begin of each row where the rows follow `order`
};

/// Triangles in the order of a strategy, with the places of their entries.
template <class Exec>
struct FemElements {
  using Numbers = FemArray<Exec, int>;
  using Nodes = FemTable<Exec, 3>;
  using Entries = FemTable<Exec, 9>;
  static constexpr int touched = int(0x80000000u);  ///< mark on a place: an earlier colour has written it

  Numbers number = Numbers();  ///< triangle at each place
  Nodes nodes = Nodes();       ///< the high bit as in `entries`, for the vector
  Entries entries = Entries();
  std::vector<int> begin = {};  ///< of each colour, and the end
  bool along_curve = false;
};

/// Blocks of triangles, beyond the data of their colouring.
template <class Exec>
struct FemBlocks {
  using Numbers = FemArray<Exec, int>;
  static constexpr int touched = int(0x80000000u);  ///< mark on a target: a block of an earlier colour has written it

  BlockedColoring<Exec> blocks;
  Numbers row_begin = Numbers();  ///< of each local node: begin of its row among the block's staged entries
  Numbers targets = Numbers();    ///< of each local node: begin of its row in the matrix, and `touched`
  Numbers entries = Numbers();    ///< staged entries of each block
  ShortNumbers<Exec> columns;     ///< 9 p + 3 i + j: place of a(i, j) of the triangle at p in its row
  int most_entries = 0;           ///< largest number of staged entries of a block
};

/// A table (place, n) of numbers below 2^16. Adjacent are the numbers of a place on a host, and the numbers of
/// neighbouring places on a device.
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

  int rows_each = 0;  ///< rows per block; the last may have fewer
  Graph<Exec> nodes;  ///< row b: the nodes whose rows the block owns, ascending, then the other nodes of its triangles
  Numbers row_begin = Numbers();    ///< begin of the row at each place among the entries of all places; their end
  Graph<Exec> triangles;            ///< row b: triangles of the block; no entries where the plan keeps no numbers
  ShortTable<Exec, 3> local_nodes;  ///< of each of them: places among the nodes of the block
  ShortTable<Exec, 9> entries;  ///< 3 i + j: place of a(i, j) among the entries of the block, or among the spare ones
  int most_nodes = 0, most_entries = 0;  ///< of a block
  bool along_curve = false;

  /// Rows of other blocks are accumulated behind the entries of a block, and discarded.
  static constexpr int spare = 9;
};

/// For every entry, and for every row of the vector, the places of its contributions in element storage.
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
  Storage storage = Storage();  ///< of element matrices and vectors, 12 values per triangle; of rows in an order
  std::size_t value_bytes = 0;  ///< of the largest scalar that fits into `storage`
  std::int64_t bytes = 0;       ///< of all members but mesh and profile
};

/// x and y of a node, read in one piece.
struct alignas(16) FemPoint {
  double x, y;
};

}  // namespace karman::detail
