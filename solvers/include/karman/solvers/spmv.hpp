// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The product of a sparse matrix and a vector.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/solvers/csr.hpp>

#include <Kokkos_Core.hpp>

#include <type_traits>

namespace karman {

/// Numbers one after the other in the memory of `Exec`: one an unknown, or one a row.
template <ExecutionSpace Exec, class Scalar>
using Vector = Kokkos::View<Scalar*, typename Exec::memory_space>;

/// The same, read only.
template <ExecutionSpace Exec, class Scalar>
using ConstVector = Kokkos::View<Scalar const*, typename Exec::memory_space>;

/// Whose kernel multiplies.
enum class SpmvMethod {
  own,            ///< Karman's, the same bits from run to run and for any number of threads
  kokkos_kernels  ///< that of Kokkos Kernels, on CUDA mostly the vendor's; makes no promise about bits or allocations
};

/// True where this build has Kokkos Kernels (4.4 or later) behind SpmvMethod::kokkos_kernels.
bool has_kokkos_kernels();

template <SparseScalar Scalar>
struct SpmvOptions {
  Scalar alpha = Scalar(1);
  Scalar beta = Scalar(0);  ///< y is not read where this is zero
  SpmvMethod method = SpmvMethod::own;
};

/// y = alpha A x + beta y.
///
/// x holds matrix.columns numbers, y matrix.rows(); y must not overlap x or the matrix. Column numbers must lie in
/// [0, columns). Cost: 8 flops an entry (complex; 2 real), the matrix read once: sizeof(Scalar) + 4 bytes an entry,
/// 4 + sizeof(Scalar) a row (twice that with beta) and x, mostly from the cache. Several lanes share a row on a device,
/// in a number that follows from the mean length of the rows; one core takes a row on the host. Asynchronous on
/// `space`; allocates nothing. Throws std::invalid_argument for wrong extents, or for a method that this build lacks.
template <ExecutionSpace Exec, SparseScalar Scalar>
void multiply(Exec const& space, CsrMatrix<Exec, Scalar> const& matrix,
              std::type_identity_t<ConstVector<Exec, Scalar>> const& x,
              std::type_identity_t<Vector<Exec, Scalar>> const& y, SpmvOptions<Scalar> const& options = {});

#define KARMAN_EXTERN_FOR(Exec, Scalar)                                                                    \
  extern template void multiply<Exec, Scalar>(                                                             \
      Exec const&, CsrMatrix<Exec, Scalar> const&, std::type_identity_t<ConstVector<Exec, Scalar>> const&, \
      std::type_identity_t<Vector<Exec, Scalar>> const&, SpmvOptions<Scalar> const&);
#define KARMAN_EXTERN(Exec)                       \
  KARMAN_EXTERN_FOR(Exec, float)                  \
  KARMAN_EXTERN_FOR(Exec, double)                 \
  KARMAN_EXTERN_FOR(Exec, Kokkos::complex<float>) \
  KARMAN_EXTERN_FOR(Exec, Kokkos::complex<double>)
KARMAN_FOR_EACH_BACKEND(KARMAN_EXTERN)
#undef KARMAN_EXTERN
#undef KARMAN_EXTERN_FOR

}  // namespace karman
