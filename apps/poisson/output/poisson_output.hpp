// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Output files of a solve: poisson.h5, poisson.xdmf, history.csv.
#pragma once

#include "poisson/model/linear_system.hpp"
#include "poisson/model/solver.hpp"
#include <karman/core/backend_name.hpp>
#include <karman/io/atomic_file.hpp>

#include <filesystem>
#include <optional>
#include <string>

namespace karman::poisson {

inline constexpr char const* fields_file = "poisson.h5";
inline constexpr char const* xdmf_file = "poisson.xdmf";
inline constexpr char const* history_file = "history.csv";
inline constexpr char const* checkpoint_file = "poisson.checkpoint";

/// Result of a run beside the system.
struct SolveResult {
  BackendInfo backend;
  Method method = Method::mg_pcg;
  SolveOutcome outcome;
  CellValues p;                 ///< the solution
  CellValues residual;          ///< b - A p of the values that are written, in double precision
  double largest_residual = 0;  ///< max |residual| / max |b|
  double round_off = 0;         ///< estimated bound on the round-off of that residual
  std::string remark;           ///< on a residual above the tolerance that is round-off; else empty
  std::optional<ErrorNorms> error;
  std::int64_t memory_bytes = 0;
  double system_seconds = 0;  ///< time for formulas, files, solid cells
  double set_up_seconds = 0;  ///< time for the plan
};

/// Writes the files; docs/poisson.md lists the content of poisson.h5. Throws FileError.
void write_output(std::filesystem::path const& folder, Overwrite overwrite, PoissonCase const& poisson_case,
                  LinearSystem const& system, SolveResult const& result);

}  // namespace karman::poisson
