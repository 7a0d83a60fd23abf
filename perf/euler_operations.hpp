// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Arithmetic of the Euler right-hand side.
#pragma once

namespace karman::perf {

struct OperationCount;

/// Operations of the integrals of one triangle at rest, counted while they are computed once.
OperationCount euler_triangle_operations(bool stabilized);

/// Flops per triangle of a residual; divisions and roots count as one each. Besides the integrals: four differences of
/// coordinates, twelve sums into the nodes, and per node, half a triangle, 1 / rho and the result.
double euler_residual_flops(bool stabilized);

/// Flops per triangle of a step of four stages, with one projection.
double euler_step_flops();

}  // namespace karman::perf
