// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Essential (Dirichlet) boundary conditions of an assembled system.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/mesh/triangle_mesh.hpp>
#include <karman/solvers/sparse/csr.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <vector>

namespace karman {

/// Marks of fixed unknowns: 1 for fixed, 0 for free.
template <ExecutionSpace Exec>
using FixedNodes = Kokkos::View<std::uint8_t*, typename Exec::memory_space>;

/// Nodes of the boundary edges with given labels. Fences `space`.
template <ExecutionSpace Exec>
FixedNodes<Exec> nodes_with_labels(Exec const& space, TriangleMesh<Exec> const& mesh, std::vector<int> const& labels);
/// Nodes of all boundary edges. Fences `space`.
template <ExecutionSpace Exec>
FixedNodes<Exec> boundary_nodes(Exec const& space, TriangleMesh<Exec> const& mesh);

/// Fixes unknowns of the system A x = b at given values g, and keeps it symmetric:
///
///     b_j -= sum over fixed i of A_ji g_i  for the free j,
///     A_ij = A_ji = 0,  b_i = A_ii g_i     for the fixed i.
///
/// The diagonal, and with it the scale of the rows, stays; a 0 there becomes 1.
/// \param space instance of the kernels
/// \param matrix matrix A, one row per unknown
/// \param rhs right-hand side b, one value per row
/// \param fixed marks of the fixed unknowns, one per row
/// \param values values g, one per row; read at the fixed unknowns only
/// \par Cost
/// One read of matrix and columns, one write of the changes: at most 24 bytes per entry of real doubles.
/// \par Synchrony
/// Asynchronous on `space`; allocates nothing.
/// \par Reproducibility
/// One thread per row: the same bits from run to run.
/// \throws std::invalid_argument for lengths other than the number of rows
template <ExecutionSpace Exec, SparseScalar Scalar>
void fix_values(Exec const& space, CsrMatrix<Exec, Scalar> const& matrix,
                Kokkos::View<Scalar*, typename Exec::memory_space> const& rhs, FixedNodes<Exec> const& fixed,
                Kokkos::View<Scalar const*, typename Exec::memory_space> const& values);

#define KARMAN_EXTERN_SCALAR(Exec, Scalar)                                                                            \
  extern template void fix_values(Exec const&, CsrMatrix<Exec, Scalar> const&,                                        \
                                  Kokkos::View<Scalar*, typename Exec::memory_space> const&, FixedNodes<Exec> const&, \
                                  Kokkos::View<Scalar const*, typename Exec::memory_space> const&);
#define KARMAN_EXTERN(Exec)                                                                                            \
  extern template FixedNodes<Exec> nodes_with_labels(Exec const&, TriangleMesh<Exec> const&, std::vector<int> const&); \
  extern template FixedNodes<Exec> boundary_nodes(Exec const&, TriangleMesh<Exec> const&);                             \
  KARMAN_EXTERN_SCALAR(Exec, float)                                                                                    \
  KARMAN_EXTERN_SCALAR(Exec, double)                                                                                   \
  KARMAN_EXTERN_SCALAR(Exec, Kokkos::complex<float>)                                                                   \
  KARMAN_EXTERN_SCALAR(Exec, Kokkos::complex<double>)
KARMAN_FOR_EACH_BACKEND(KARMAN_EXTERN)
#undef KARMAN_EXTERN
#undef KARMAN_EXTERN_SCALAR

}  // namespace karman
