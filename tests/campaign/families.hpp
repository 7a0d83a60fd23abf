// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Families of random problems. Each function makes the problem of a seed, solves it with every solver of the family
/// and records the verdicts.
#pragma once

#include "record.hpp"
#include <karman/core/communicator.hpp>

#include <cstdint>

namespace karman::campaign {

/// div(a grad x) = f on a grid: SOR, multigrid, conjugate gradients, Jacobi, Gauss-Seidel, ADI, FastPoisson.
/// With many processes: the solvers that take them, in random parts. Collective.
void run_grid_problem(std::uint64_t seed, Communicator const& processes, Record& record);
/// Batches of tridiagonal systems, plain and periodic, by every algorithm.
void run_tridiagonal_problem(std::uint64_t seed, Record& record);
/// Sparse systems, complex symmetric or real: COCG, BiCGStab and GMRES with every preconditioner.
void run_sparse_problem(std::uint64_t seed, Record& record);

}  // namespace karman::campaign
