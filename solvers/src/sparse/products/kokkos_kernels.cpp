// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kokkos_kernels.hpp"

#include <KokkosSparse_CrsMatrix.hpp>
#include <KokkosSparse_spmv.hpp>

namespace karman::detail {

template <ExecutionSpace Exec, SparseScalar Scalar>
void multiply_by_kokkos_kernels(Exec const& space, CsrMatrix<Exec, Scalar> const& matrix,
                                ConstVector<Exec, Scalar> const& x, Vector<Exec, Scalar> const& y, Scalar alpha,
                                Scalar beta) {
  using Device = Kokkos::Device<Exec, typename Exec::memory_space>;
  using Matrix = KokkosSparse::CrsMatrix<Scalar, int, Device, void, int>;
  // Views of our own, without reference counts: the matrix must outlive the launch, as for our own kernel.
  typename Matrix::row_map_type const offsets(matrix.graph.offsets.data(), matrix.graph.offsets.extent(0));
  typename Matrix::index_type const columns(const_cast<int*>(matrix.graph.entries.data()),
                                            matrix.graph.entries.extent(0));
  Matrix const a("karman::spmv::matrix", matrix.rows(), matrix.columns, static_cast<int>(matrix.values.extent(0)),
                 typename Matrix::values_type(matrix.values), offsets, columns);
  KokkosSparse::spmv(space, "N", alpha, a, x, beta, y);
}

#define KARMAN_INSTANTIATE_FOR(Exec, Scalar)                                                          \
  template void multiply_by_kokkos_kernels<Exec, Scalar>(Exec const&, CsrMatrix<Exec, Scalar> const&, \
                                                         ConstVector<Exec, Scalar> const&,            \
                                                         Vector<Exec, Scalar> const&, Scalar, Scalar);
#define KARMAN_INSTANTIATE(Exec)                       \
  KARMAN_INSTANTIATE_FOR(Exec, float)                  \
  KARMAN_INSTANTIATE_FOR(Exec, double)                 \
  KARMAN_INSTANTIATE_FOR(Exec, Kokkos::complex<float>) \
  KARMAN_INSTANTIATE_FOR(Exec, Kokkos::complex<double>)
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE
#undef KARMAN_INSTANTIATE_FOR

}  // namespace karman::detail
