// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Output files of a solve: poisson.h5, poisson.xdmf, history.csv.
#pragma once

#include "poisson/model/residual_check.hpp"
#include <karman/io/atomic_file.hpp>

#include <filesystem>

namespace karman::poisson {

inline constexpr char const* fields_file = "poisson.h5";
inline constexpr char const* xdmf_file = "poisson.xdmf";
inline constexpr char const* history_file = "history.csv";
inline constexpr char const* checkpoint_file = "poisson.checkpoint";

/// Writes the files; docs/poisson.md lists the content of poisson.h5. Throws FileError. Collective.
void write_output(std::filesystem::path const& folder, Overwrite overwrite, PoissonCase const& poisson_case,
                  LinearSystem const& system, SolveResult const& result);

}  // namespace karman::poisson
