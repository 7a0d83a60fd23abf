// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Options of tridiagonal.hpp. Standard library only.
#pragma once

#include <cstdint>
#include <string_view>

namespace karman {

/// Algorithm of a solve. docs/tridiagonal.md describes each one and its cost.
enum class TridiagonalAlgorithm {
  automatic,                  ///< the plan chooses from rows, systems and backend
  thomas,                     ///< one thread per system, from the first row to the last and back
  cyclic_reduction,           ///< every second row eliminated, again and again; one team per system
  parallel_cyclic_reduction,  ///< every row reduced in every step; one team per system
  cr_pcr,                     ///< cyclic reduction down to `intermediate_size` rows, then parallel cyclic reduction
  pcr_thomas,                 ///< several rows per lane, PCR between the lanes; one read and one write
  interleaved_thomas,         ///< Thomas with neighbouring lanes on neighbouring systems
  partitioned,  ///< chunks reduced to one row each, a system of those rows, then substitution in the chunks
  pivoting      ///< scaled partial pivoting, for general systems
};

/// Name of an algorithm: "automatic", "thomas", "cyclic_reduction", ...
std::string_view name(TridiagonalAlgorithm algorithm);

/// Options of a Tridiagonal plan.
struct TridiagonalSetup {
  TridiagonalAlgorithm algorithm = TridiagonalAlgorithm::automatic;  ///< algorithm of all solves
  /// Couples row 0 to row n - 1 by lower(0), and row n - 1 to row 0 by upper(n - 1).
  bool periodic = false;
  /// Rows left to parallel cyclic reduction by cr_pcr; 0 takes the size tuned for the backend.
  std::int64_t intermediate_size = 0;
  /// Allocates a copy of the right-hand side, which solve_checked() needs.
  bool check = false;
};

}  // namespace karman
