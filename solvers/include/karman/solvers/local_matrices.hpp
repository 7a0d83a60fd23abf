// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A finite-element operator that keeps the matrices of the elements and never forms that of the whole.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/mesh/triangle_mesh.hpp>
#include <karman/solvers/detail/fem_local.hpp>
#include <karman/solvers/fem_element.hpp>
#include <karman/solvers/vector_operator.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>

namespace karman {

/// The local-matrix approach: with S_T the matrix of triangle T and G the map from nodes to the corners of all
/// triangles,
///   y = G^T diag(S_T) G x.
/// Every node gathers: y_i = sum over the triangles T round i of (row of i in S_T) . x. Nothing is shared, no map of
/// entries is made, and the matrix of the whole takes no memory.
///
/// Vectors hold a value per node. Memory: 9 values and 12 bytes a triangle. Cost of apply(), real doubles: 72 bytes
/// of matrices, 12 of numbers, 12 of corners a triangle, and x and y: about 105, against some 60 for a product with the
/// assembled matrix; in return assembling writes 72 and needs nothing but the mesh. The same bits from run to run and
/// for any number of threads. apply() allocates nothing and is asynchronous. Copies share their memory.
/// Source: G. R. Markall et al., Finite element assembly strategies on multi-core and many-core architectures, Int. J.
/// Numer. Meth. Fluids 71 (2013).
template <ExecutionSpace Exec, SparseScalar Scalar>
class LocalMatrices final : public VectorOperator<Exec, Scalar> {
 public:
  /// All matrices are zero at first. Waits for `space`. The coordinates of the mesh must be aligned to 16 bytes.
  LocalMatrices(Exec const& space, TriangleMesh<Exec> const& mesh);

  using VectorOperator<Exec, Scalar>::apply;
  int size() const override;
  /// result = A x. Throws std::invalid_argument for vectors of another length.
  void apply(Exec const& space, ConstVector<Exec, Scalar> const& x, Vector<Exec, Scalar> const& result) const override;

  detail::LocalElements<Exec, Scalar> const& elements() const { return elements_; }  ///< for assemble()

 private:
  detail::LocalElements<Exec, Scalar> elements_;
};

/// Computes the element matrices anew, and the vector b_i = sum_T b_T(i) where one is given. Asynchronous on `space`;
/// allocates nothing. The kernel runs once a triangle for the matrices, and once a corner for the vector.
template <ExecutionSpace Exec, SparseScalar Scalar, ElementKernel<Scalar> Kernel>
void assemble(Exec const& space, LocalMatrices<Exec, Scalar> const& matrices, Kernel const& kernel,
              std::type_identity_t<Kokkos::View<Scalar*, typename Exec::memory_space>> const& vector = {}) {
  detail::fill_local(space, matrices.elements(), kernel, vector);
}

#define KARMAN_EXTERN(Exec)                                          \
  extern template class LocalMatrices<Exec, float>;                  \
  extern template class LocalMatrices<Exec, double>;                 \
  extern template class LocalMatrices<Exec, Kokkos::complex<float>>; \
  extern template class LocalMatrices<Exec, Kokkos::complex<double>>;
KARMAN_FOR_EACH_BACKEND(KARMAN_EXTERN)
#undef KARMAN_EXTERN

}  // namespace karman
