// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Iterations within which a solver must converge, by theory or by long experience with a class of problems.
#pragma once

#include "grid_equations.hpp"
#include "grid_problem.hpp"

namespace karman::campaign {

/// 0 means: no guarantee.
struct GridTheory {
  int conjugate_gradients = 0;           ///< the bound by the condition number
  int conjugate_gradients_diagonal = 0;  ///< the same, preconditioned with the diagonal
  int jacobi = 0;                        ///< with omega 0.8, by the smallest eigenvalue of D^-1 A
  int gauss_seidel = 0;                  ///< also SOR with omega 1
  int multigrid_cg = 0;                  ///< cycles in front of conjugate gradients
  int multigrid = 0;                     ///< cycles alone
  int adi = 0;
  int direct = 0;  ///< 1 where FastPoisson must succeed
};

/// Guarantees apply only to problems with a solution, and to tolerances that the precision can meet. Classes:
/// - conjugate gradients: all; sqrt(c) / 2 ln(2 c n / tolerance) iterations, 1.5 times as many for rounding;
/// - Jacobi, Gauss-Seidel: all, where the limit of iterations allows it;
/// - multigrid as preconditioner of conjugate gradients: open faces, any sides and extents, layers of constant
///   thickness: 30 cycles; walls up to 25 % of the cells or coefficients over one order of magnitude, spacings within a
///   factor of two: 80;
/// - multigrid alone: open faces, spacings within a factor of two: 60 cycles;
/// - ADI: open faces, axes that commute: 30 iterations in one dimension, 150 in two;
/// - FastPoisson: all problems that it accepts.
GridTheory theory_of(GridProblem const& problem, GridEquations const& equations, double epsilon, int most_sweeps);

}  // namespace karman::campaign
