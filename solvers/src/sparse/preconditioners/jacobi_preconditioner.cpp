// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jacobi_kernels.hpp"
#include "sparse/products/krylov_products.hpp"
#include "sparse/products/sparse_checks.hpp"
#include <karman/core/compat.hpp>
#include <karman/core/error.hpp>
#include <karman/solvers/sparse/sparse_preconditioners.hpp>

#include <string>

namespace karman {

template <ExecutionSpace Exec, SparseScalar Scalar>
SparseJacobiPreconditioner<Exec, Scalar>::SparseJacobiPreconditioner(Exec const& space, Graph<Exec> const& profile,
                                                                     int columns)
    : diagonal_(Kokkos::view_alloc(space, std::string("karman::jacobi::diagonal")),
                static_cast<std::size_t>(profile.rows())),
      inverse_(Kokkos::view_alloc(space, std::string("karman::jacobi::inverse")),
               static_cast<std::size_t>(profile.rows())),
      replaced_(Kokkos::view_alloc(space, std::string("karman::jacobi::replaced"))) {
  require(profile.rows() == columns, "SparseJacobiPreconditioner: the profile must be square");
  Kokkos::parallel_for("karman::jacobi::find", Kokkos::RangePolicy<Exec>(space, 0, columns),
                       detail::FindDiagonal<Exec>{profile, diagonal_});
}

template <ExecutionSpace Exec, SparseScalar Scalar>
FactorReport SparseJacobiPreconditioner<Exec, Scalar>::factor(Exec const& space,
                                                              CsrMatrix<Exec, Scalar> const& matrix) {
  detail::require_square(matrix, "SparseJacobiPreconditioner");
  require(matrix.rows() == static_cast<int>(inverse_.extent(0)),
          "SparseJacobiPreconditioner: the matrix has another number of rows than the profile");
  Kokkos::parallel_for("karman::jacobi::reset", Kokkos::RangePolicy<Exec>(space, 0, 1),
                       detail::ResetCount<Exec>{replaced_});
  Kokkos::parallel_for("karman::jacobi::factor", Kokkos::RangePolicy<Exec>(space, 0, matrix.rows()),
                       detail::InvertDiagonal<Exec, Scalar>{diagonal_, matrix.values, inverse_, replaced_});
  return {};
}

template <ExecutionSpace Exec, SparseScalar Scalar>
void SparseJacobiPreconditioner<Exec, Scalar>::apply(Exec const& space, ConstVector<Exec, Scalar> const& residual,
                                                     Vector<Exec, Scalar> const& correction) const {
  detail::require_length(residual, size(), "SparseJacobiPreconditioner", "residual");
  detail::require_length(correction, size(), "SparseJacobiPreconditioner", "correction");
  detail::vector_pass(
      space, "karman::jacobi::apply", detail::Scaled<Scalar>{{inverse_.data(), residual.data()}, {correction.data()}},
      static_cast<std::int64_t>(inverse_.extent(0)), {nullptr, 1}, {}, detail::VectorTable<Exec>::short_vectors);
}

template <ExecutionSpace Exec, SparseScalar Scalar>
int SparseJacobiPreconditioner<Exec, Scalar>::zero_pivots(Exec const& space) const {
  int count = 0;
  Kokkos::deep_copy(space, count, replaced_);
  compat::fence(space, "karman::jacobi::zero_pivots");
  return count;
}

template <ExecutionSpace Exec, SparseScalar Scalar>
std::int64_t SparseJacobiPreconditioner<Exec, Scalar>::workspace_bytes(int rows) {
  constexpr std::int64_t number = sizeof(int), scalar = sizeof(Scalar);
  return rows * (number + scalar) + number;
}

#define KARMAN_INSTANTIATE(Exec)                                           \
  template class SparseJacobiPreconditioner<Exec, float>;                  \
  template class SparseJacobiPreconditioner<Exec, double>;                 \
  template class SparseJacobiPreconditioner<Exec, Kokkos::complex<float>>; \
  template class SparseJacobiPreconditioner<Exec, Kokkos::complex<double>>;
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman
