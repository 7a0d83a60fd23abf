// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Strategies of finite-element assembly by the names that cases, results and documentation use too. No Kokkos.
#pragma once

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

}  // namespace karman
