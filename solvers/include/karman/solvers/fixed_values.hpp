// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Essential (Dirichlet) boundary conditions of an assembled system.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/mesh/triangle_mesh.hpp>
#include <karman/solvers/csr.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <vector>

namespace karman {

/// Which unknowns are fixed: 1 for those, 0 for the others.
template <ExecutionSpace Exec>
using FixedNodes = Kokkos::View<std::uint8_t*, typename Exec::memory_space>;

/// The nodes of the boundary edges that have one of these labels. Waits for `space`.
template <ExecutionSpace Exec>
FixedNodes<Exec> nodes_with_labels(Exec const& space, TriangleMesh<Exec> const& mesh, std::vector<int> const& labels);
/// The nodes of all boundary edges. Waits for `space`.
template <ExecutionSpace Exec>
FixedNodes<Exec> boundary_nodes(Exec const& space, TriangleMesh<Exec> const& mesh);

/// Puts x_i = values(i) for the fixed unknowns i into the system A x = b, and keeps it symmetric if it was: with g the
/// values,
///   b_j -= sum over the fixed i of A_ji g_i  for the others j,  A_ij = A_ji = 0,  b_i = A_ii g_i,
/// the diagonal stays as it is (1 where it is 0), so that the scale of the rows does. `values` is looked at for fixed
/// unknowns only.
/// Reads matrix and columns once and writes what changes: 24 bytes an entry at most, real doubles. Every row has one
/// thread: the same bits from run to run. Asynchronous on `space`; allocates nothing. Throws std::invalid_argument for
/// lengths other than the number of rows.
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
