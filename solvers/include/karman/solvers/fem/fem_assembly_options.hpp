// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Options of fem_assembly.hpp. Standard library only.
#pragma once

#include <cstddef>
#include <string_view>

namespace karman {

/// Strategy for the sums over triangles in one entry. All give the same matrix to round-off.
enum class AssemblyStrategy {
  automatic,       ///< automatic_strategy(): row_gather on a device, row_blocks on a host
  atomic,          ///< nine atomic additions per triangle, in any order: rounding differs from run to run
  colored,         ///< nine additions per triangle, colour by colour: triangles of one colour share no node
  colored_blocks,  ///< blocks of triangles summed in team scratch, blocks of one colour at a time
  row_gather,      ///< the owner of a row integrates every triangle around its node: no shared entries
  row_blocks,      ///< the owner of a block of rows sums its triangles in team scratch
  expanded         ///< element matrices are stored, then every entry sums its own
};

/// Name of a strategy: "automatic", "atomic", "colored", "colored_blocks", "row_gather", "row_blocks" or "expanded".
std::string_view name(AssemblyStrategy strategy);

/// Order of rows (row_gather, row_blocks) or triangles (atomic, coloured) during assembly. The matrix keeps the
/// numbering of the mesh; the order decides the locality of memory accesses.
enum class AssemblyOrder {
  automatic,   ///< as_given where most nodes lie near the previous one; otherwise, and with row_blocks, along_curve
  as_given,    ///< order of the mesh
  along_curve  ///< along a Hilbert curve through the nodes
};

/// Options of a FemAssembly plan.
struct FemAssemblySetup {
  AssemblyStrategy strategy = AssemblyStrategy::automatic;  ///< strategy of the sums
  AssemblyOrder order = AssemblyOrder::automatic;           ///< order of rows or triangles
  /// Size of the largest scalar of any assemble() call: element storage (expanded) and blocks are made for it.
  std::size_t value_bytes = sizeof(double);
  /// Keeps the numbers of triangles for row_gather and row_blocks: 12 and about 4 bytes per triangle. Kernels need them
  /// unless they declare needs_number = false.
  bool triangle_numbers = true;
  /// Triangles per block of colored_blocks; 0: the plan chooses.
  int block_triangles = 0;
  /// Rows per block of row_blocks; 0: the plan chooses.
  int block_rows = 0;
  /// Matrices of so many bytes do not fit into the cache of a device. There row_gather along a curve stores the rows
  /// one after the other, and then moves them. The plan has memory for one more set of values.
  std::size_t moved_bytes = std::size_t(48) << 20;
};

}  // namespace karman
