// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The geometric multigrid of AMReX (MLMG) as a peer of the Poisson solvers on CUDA.
#pragma once

#include "../row.hpp"

#include <array>
#include <memory>

namespace karman::perf {

/// MLMG on the problem of poisson_source.hpp until max |residual| <= tolerance max |f|. Times solves only, not the
/// set-up.
std::unique_ptr<Work> amrex_poisson(std::array<int, 3> const& cells, double tolerance);

/// True if its program was built.
bool has_amrex();

}  // namespace karman::perf
