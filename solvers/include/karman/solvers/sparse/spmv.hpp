// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Product of a sparse matrix and a vector.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/solvers/sparse/csr.hpp>

#include <Kokkos_Core.hpp>

#include <type_traits>

namespace karman {

/// Vector of one number per unknown or row, contiguous in the memory of `Exec`.
template <ExecutionSpace Exec, class Scalar>
using Vector = Kokkos::View<Scalar*, typename Exec::memory_space>;

/// Read-only vector.
template <ExecutionSpace Exec, class Scalar>
using ConstVector = Kokkos::View<Scalar const*, typename Exec::memory_space>;

/// Implementation of the product.
enum class SpmvMethod {
  own,            ///< Karman's kernel: the same bits from run to run and for any number of threads
  kokkos_kernels  ///< Kokkos Kernels, on CUDA mostly the library of the vendor; bits and allocations are unspecified
};

/// True for a build with Kokkos Kernels (4.4 or later), which SpmvMethod::kokkos_kernels needs.
bool has_kokkos_kernels();

/// Options of multiply().
template <SparseScalar Scalar>
struct SpmvOptions {
  Scalar alpha = Scalar(1);             ///< factor of the product
  Scalar beta = Scalar(0);              ///< factor of y; y is not read where it is zero
  SpmvMethod method = SpmvMethod::own;  ///< implementation
};

/// Product y = alpha A x + beta y.
///
/// Several lanes share a row on a device; the mean length of the rows sets their number. One core takes a row on the
/// host.
/// \param space instance of the kernel
/// \param matrix matrix A, column numbers in [0, columns)
/// \param x vector of matrix.columns numbers
/// \param y vector of matrix.rows() numbers
/// \param options factors and implementation
/// \par Cost
/// 2 flops per entry, 8 if complex. Reads the matrix once: sizeof(Scalar) + 4 bytes per entry, 4 + sizeof(Scalar) per
/// row, twice that with beta. x comes mostly from the cache.
/// \par Synchrony
/// Asynchronous on `space`; allocates nothing.
/// \par Aliasing
/// y must not overlap x or the matrix.
/// \throws std::invalid_argument for wrong extents, and for a method that this build lacks
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
