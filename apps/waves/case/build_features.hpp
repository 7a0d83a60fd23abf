// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Features of the build that a case may ask for. Defined where the model is compiled.
#pragma once

#include "wave_problem.hpp"

namespace karman::waves {

/// True where the build has that library behind its direct solver, and for DirectLibrary::automatic.
bool has_library(DirectLibrary library);

/// True where Preconditioning::ilu_fill is available: in builds with Kokkos Kernels. Elsewhere a model throws
/// app::CannotRun, also where the numbering of the mesh would need a table of more than 4 GiB.
bool has_ilu_fill();

}  // namespace karman::waves
