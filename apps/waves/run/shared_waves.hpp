// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Solved components on their way between processes.
#pragma once

#include "waves/model/wave_report.hpp"
#include "waves/model/wave_snapshot.hpp"
#include <karman/core/communicator.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace karman::waves {

/// A component as its process has solved it.
struct SolvedWaves {
  WaveValues values;
  WaveReport report;
};

/// The components of all processes, at most one of each.
class SharedWaves {
 public:
  /// Collective. `own`: component of this process; null: none.
  SharedWaves(Communicator const& processes, SolvedWaves const* own);

  bool has(std::size_t process) const { return numbers_[process].present; }
  /// Component of a process, unchanged to the bit. It must have one.
  SolvedWaves of(std::size_t process) const;

  /// Bytes of the components of so many processes.
  static std::int64_t bytes(std::size_t nodes, int processes);

 private:
  struct Numbers {
    bool present = false, converged = false, stopped = false, fell_back = false;
    int linear_iterations = 0;
    double seconds = 0, assembly_seconds = 0, linear_seconds = 0;
    std::array<std::size_t, 5> sizes{};  ///< of the arrays of WaveValues
    std::size_t trouble = 0;             ///< length of the first text
  };

  std::vector<Numbers> numbers_;
  std::vector<std::vector<double>> values_;
  std::vector<std::vector<char>> texts_;
  std::vector<std::vector<PicardSample>> histories_;
};

}  // namespace karman::waves
