// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a finite-element kernel is given, and what it gives back: one triangle, one boundary edge, their small
/// matrices.
#pragma once

#include <karman/solvers/csr.hpp>

#include <Kokkos_Core.hpp>

#include <concepts>

namespace karman {

/// A triangle of the mesh, anticlockwise, with linear (P1) shape functions at its corners.
///
/// Which corner comes first is the assembly's choice, the order round the triangle is not: an element kernel must give
/// the same integrals whatever cyclic order it is handed. What it keeps for every corner of the mesh's triangle stands
/// for corner m here at (first + m) % 3.
struct Triangle {
  int number = 0;    ///< in the mesh; -1 for a kernel that says that it does not need it
  int first = 0;     ///< which corner of the mesh's triangle is corner 0 here; 0 where number is -1
  int node[3] = {};  ///< numbers of the corners
  double x[3] = {}, y[3] = {};
};

/// An edge of the boundary, the domain on the left when one walks from node[0] to node[1].
struct BoundaryEdge {
  int number = 0;  ///< among the mesh's boundary edges
  int label = 0;   ///< of the boundary it belongs to
  int node[2] = {};
  double x[2] = {}, y[2] = {};
};

/// a(i, j): integral for test function i and trial function j. Zero at first: a kernel sets or adds what is not zero.
template <SparseScalar Scalar, int n>
struct ElementMatrix {
  Scalar values[n][n] = {};
  KOKKOS_FORCEINLINE_FUNCTION Scalar& operator()(int i, int j) { return values[i][j]; }
  KOKKOS_FORCEINLINE_FUNCTION Scalar const& operator()(int i, int j) const { return values[i][j]; }
};

/// b(i): integral for test function i. Zero at first.
template <SparseScalar Scalar, int n>
struct ElementVector {
  Scalar values[n] = {};
  KOKKOS_FORCEINLINE_FUNCTION Scalar& operator()(int i) { return values[i]; }
  KOKKOS_FORCEINLINE_FUNCTION Scalar const& operator()(int i) const { return values[i]; }
};

/// What an element kernel with nodal fields reads at a node:
///   struct Corner;  Corner corner(int node) const;
template <class K>
concept NodalKernel = requires(K const& kernel) {
  typename K::Corner;
  { kernel.corner(0) } -> std::same_as<typename K::Corner>;
};

/// An element kernel: a functor that can be copied to a device and is called there for one triangle at a time,
///   void operator()(Triangle const&, ElementMatrix<Scalar, 3>& a, ElementVector<Scalar, 3>& b) const,
/// or, if it is a NodalKernel, with what it reads at the triangle's nodes, so that row_gather reads that once round a
/// node and not once a triangle,
///   void operator()(Triangle const&, Corner const (&)[3], ElementMatrix<Scalar, 3>& a, ElementVector<Scalar, 3>& b)
///   const.
/// It may hold Views (nodal fields, values of triangles). Optional member:
///   static constexpr bool needs_number = false;
///     Triangle::number and first are not used: 12 bytes a triangle less to read.
/// Declare its functions KOKKOS_FORCEINLINE_FUNCTION: a call a triangle costs a core half as much again, and row_gather
/// relies on the compiler to drop the rows that it does not want.
template <class K, class Scalar>
concept ElementKernel =
    requires(K const& kernel, Triangle const& triangle, ElementMatrix<Scalar, 3>& a, ElementVector<Scalar, 3>& b) {
      kernel(triangle, a, b);
    } || (NodalKernel<K> &&
          requires(K const& kernel, Triangle const& triangle, typename K::Corner const (&corners)[3],
                   ElementMatrix<Scalar, 3>& a, ElementVector<Scalar, 3>& b) { kernel(triangle, corners, a, b); });

/// The matrix and vector of one triangle, added to what is in both (zero at first).
template <class Scalar, ElementKernel<Scalar> Kernel>
KOKKOS_FORCEINLINE_FUNCTION void integrate(Kernel const& kernel, Triangle const& triangle, ElementMatrix<Scalar, 3>& a,
                                           ElementVector<Scalar, 3>& b) {
  if constexpr (NodalKernel<Kernel>) {
    typename Kernel::Corner const corners[3] = {kernel.corner(triangle.node[0]), kernel.corner(triangle.node[1]),
                                                kernel.corner(triangle.node[2])};
    kernel(triangle, corners, a, b);
  } else {
    kernel(triangle, a, b);
  }
}

/// The same for edges of the boundary:
///   void operator()(BoundaryEdge const&, ElementMatrix<Scalar, 2>& a, ElementVector<Scalar, 2>& b) const.
/// An edge is always handed over in the mesh's direction.
template <class K, class Scalar>
concept EdgeKernel = requires(K const& kernel, BoundaryEdge const& edge, ElementMatrix<Scalar, 2>& a,
                              ElementVector<Scalar, 2>& b) { kernel(edge, a, b); };

}  // namespace karman
