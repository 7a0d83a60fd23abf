// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kokkos_kernels.hpp"
#include "row_pass.hpp"
#include "sparse_checks.hpp"
#include <karman/core/error.hpp>
#include <karman/solvers/sparse/spmv.hpp>

namespace karman {

bool has_kokkos_kernels() {
#if defined(KARMAN_HAVE_KOKKOS_KERNELS_SPMV)
  return true;
#else
  return false;
#endif
}

template <ExecutionSpace Exec, SparseScalar Scalar>
void multiply(Exec const& space, CsrMatrix<Exec, Scalar> const& matrix,
              std::type_identity_t<ConstVector<Exec, Scalar>> const& x,
              std::type_identity_t<Vector<Exec, Scalar>> const& y, SpmvOptions<Scalar> const& options) {
  detail::require_matrix(matrix, "multiply");
  detail::require_length(x, matrix.columns, "multiply", "x");
  detail::require_length(y, matrix.rows(), "multiply", "y");
  if (options.method == SpmvMethod::kokkos_kernels) {
#if defined(KARMAN_HAVE_KOKKOS_KERNELS_SPMV)
    detail::multiply_by_kokkos_kernels<Exec, Scalar>(space, matrix, x, y, options.alpha, options.beta);
    return;
#else
    require(false, "multiply: this build has no Kokkos Kernels; configure it with Kokkos Kernels 4.4 or later");
#endif
  }
  bool const adds = options.beta != Scalar(0);
  detail::row_pass(space, "karman::spmv::multiply", matrix, x.data(),
                   detail::ScaledProduct<Scalar>{options.alpha, options.beta, adds, y.data()}, {});
}

#define KARMAN_INSTANTIATE_FOR(Exec, Scalar)                                                   \
  template void multiply<Exec, Scalar>(Exec const&, CsrMatrix<Exec, Scalar> const&,            \
                                       std::type_identity_t<ConstVector<Exec, Scalar>> const&, \
                                       std::type_identity_t<Vector<Exec, Scalar>> const&, SpmvOptions<Scalar> const&);
#define KARMAN_INSTANTIATE(Exec)                       \
  KARMAN_INSTANTIATE_FOR(Exec, float)                  \
  KARMAN_INSTANTIATE_FOR(Exec, double)                 \
  KARMAN_INSTANTIATE_FOR(Exec, Kokkos::complex<float>) \
  KARMAN_INSTANTIATE_FOR(Exec, Kokkos::complex<double>)
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE
#undef KARMAN_INSTANTIATE_FOR

}  // namespace karman
