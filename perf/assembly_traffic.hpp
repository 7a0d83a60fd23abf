// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Bytes that each assembly strategy has to move.
#pragma once

#include "traffic.hpp"
#include <karman/solvers/fem/fem_assembly.hpp>

namespace karman::perf {

template <class Exec>
double assembly_traffic(AssemblyStrategy strategy, traffic::AssemblyCounts const& counts) {
  using S = AssemblyStrategy;
  switch (strategy) {
    case S::automatic: break;
    case S::atomic: return traffic::element_atomics(counts);
    case S::colored: return traffic::element_colors(counts);
    case S::colored_blocks: return traffic::element_blocks(counts);
    case S::row_gather: return traffic::row_gather(counts);
    case S::row_blocks: return traffic::row_blocks(counts);
    case S::expanded: return traffic::element_storage(counts, 4);
  }
  return assembly_traffic<Exec>(automatic_strategy<Exec>(), counts);
}

}  // namespace karman::perf
