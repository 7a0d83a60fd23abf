// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Finite-element operator of element matrices, without a global matrix.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/mesh/triangle_mesh.hpp>
#include <karman/solvers/detail/fem_local.hpp>
#include <karman/solvers/fem/fem_element.hpp>
#include <karman/solvers/vector_operator.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>

namespace karman {

/// Finite-element operator of the local-matrix approach. With S_T the matrix of triangle T, and G the map from nodes to
/// the corners of all triangles,
///
///     y = G^T diag(S_T) G x.
///
/// Every node gathers: y_i is the sum over the triangles T around i of (row of i in S_T) . x. No entries are shared,
/// and neither a map of entries nor a global matrix is stored.
/// \par Views
/// Vectors have one value per node.
/// \par Cost
/// Memory: 9 values and 12 bytes per triangle. apply() for real doubles moves about 105 bytes per triangle: 72 of
/// matrices, 12 of numbers, 12 of corners, and x and y. A product with the assembled matrix moves about 60. In return,
/// assembly writes 72 bytes per triangle and needs only the mesh.
/// \par Synchrony
/// apply() is asynchronous and allocates nothing. Copies share their memory.
/// \par Reproducibility
/// The same bits from run to run and for any number of threads.
/// \par Source
/// G. R. Markall et al., Finite element assembly strategies on multi-core and many-core architectures, Int. J. Numer.
/// Meth. Fluids 71 (2013).
template <ExecutionSpace Exec, SparseScalar Scalar>
class LocalMatrices final : public VectorOperator<Exec, Scalar> {
 public:
  /// Makes the operator, all matrices zero. Fences `space`.
  /// \param space instance of the kernels
  /// \param mesh mesh whose coordinates are aligned to 16 bytes
  LocalMatrices(Exec const& space, TriangleMesh<Exec> const& mesh);

  using VectorOperator<Exec, Scalar>::apply;
  /// Number of nodes.
  int size() const override;
  /// Product: result = A x.
  /// \throws std::invalid_argument for vectors of another length
  void apply(Exec const& space, ConstVector<Exec, Scalar> const& x, Vector<Exec, Scalar> const& result) const override;

  detail::LocalElements<Exec, Scalar> const& elements() const { return elements_; }  ///< data of assemble()

 private:
  detail::LocalElements<Exec, Scalar> elements_;
};

/// Computes the element matrices, and the vector b_i = sum_T b_T(i) where one is given.
/// \param space instance of the kernels
/// \param matrices operator to fill
/// \param kernel element kernel
/// \param vector one value per node, or empty
/// \par Cost
/// One call of the kernel per triangle for the matrices, and one per corner for the vector.
/// \par Synchrony
/// Asynchronous on `space`; allocates nothing.
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
