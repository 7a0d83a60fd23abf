// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Functions that Karman uses of Kokkos Kernels, where a build has it. Only its source includes the library.
#pragma once

#include <karman/solvers/sparse/spmv.hpp>

namespace karman::detail {

/// y = alpha A x + beta y by KokkosSparse::spmv on `space`.
template <ExecutionSpace Exec, SparseScalar Scalar>
void multiply_by_kokkos_kernels(Exec const& space, CsrMatrix<Exec, Scalar> const& matrix,
                                ConstVector<Exec, Scalar> const& x, Vector<Exec, Scalar> const& y, Scalar alpha,
                                Scalar beta);

}  // namespace karman::detail
