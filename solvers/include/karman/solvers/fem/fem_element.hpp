// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Interface of finite-element kernels: one triangle, one boundary edge, and their small matrices.
#pragma once

#include <karman/solvers/sparse/csr.hpp>

#include <Kokkos_Core.hpp>

#include <concepts>

namespace karman {

/// Triangle of the mesh, anticlockwise, with linear (P1) shape functions at its corners.
///
/// The assembly chooses the first corner and keeps the order around the triangle. A kernel must give the same integrals
/// for every cyclic order. Corner m here is corner (first + m) % 3 of the mesh's triangle.
struct Triangle {
  int number = 0;    ///< number in the mesh; -1 for a kernel with needs_number = false
  int first = 0;     ///< corner of the mesh's triangle that is corner 0 here; 0 where number is -1
  int node[3] = {};  ///< numbers of the corners
  double x[3] = {},  ///< x of the corners
      y[3] = {};     ///< y of the corners
};

/// Boundary edge, the domain on the left from node[0] to node[1].
struct BoundaryEdge {
  int number = 0;    ///< number among the boundary edges of the mesh
  int label = 0;     ///< label of its boundary
  int node[2] = {};  ///< numbers of the ends
  double x[2] = {},  ///< x of the ends
      y[2] = {};     ///< y of the ends
};

/// Element matrix: a(i, j) is the integral for test function i and trial function j. Starts at zero: kernels set or add
/// the other entries.
template <SparseScalar Scalar, int n>
struct ElementMatrix {
  Scalar values[n][n] = {};  ///< integrals (i, j)
  /// Integral for test function i and trial function j.
  KOKKOS_FORCEINLINE_FUNCTION Scalar& operator()(int i, int j) { return values[i][j]; }
  /// Integral for test function i and trial function j.
  KOKKOS_FORCEINLINE_FUNCTION Scalar const& operator()(int i, int j) const { return values[i][j]; }
};

/// Element vector: b(i) is the integral for test function i. Starts at zero.
template <SparseScalar Scalar, int n>
struct ElementVector {
  Scalar values[n] = {};  ///< integrals
  /// Integral for test function i.
  KOKKOS_FORCEINLINE_FUNCTION Scalar& operator()(int i) { return values[i]; }
  /// Integral for test function i.
  KOKKOS_FORCEINLINE_FUNCTION Scalar const& operator()(int i) const { return values[i]; }
};

/// Element kernel with nodal fields, read by
///
///     struct Corner;  Corner corner(int node) const;
template <class K>
concept NodalKernel = requires(K const& kernel) {
  typename K::Corner;
  { kernel.corner(0) } -> std::same_as<typename K::Corner>;
};

/// Element kernel: a functor, copied to the device and called there for one triangle at a time,
///
///     void operator()(Triangle const&, ElementMatrix<Scalar, 3>& a, ElementVector<Scalar, 3>& b) const,
///
/// or, for a NodalKernel, with the values at the nodes of the triangle. row_gather then reads them once per node, not
/// once per triangle:
///
///     void operator()(Triangle const&, Corner const (&)[3],
///                     ElementMatrix<Scalar, 3>& a, ElementVector<Scalar, 3>& b) const.
///
/// It may hold Views (nodal fields, values of triangles). Optional member:
///
///     static constexpr bool needs_number = false;
///
/// for kernels without use of Triangle::number and Triangle::first: 12 bytes less to read per triangle.
///
/// Declare its functions KOKKOS_FORCEINLINE_FUNCTION. A call per triangle costs a core 1.5 times the time. row_gather
/// relies on the compiler to drop unused rows.
template <class K, class Scalar>
concept ElementKernel =
    requires(K const& kernel, Triangle const& triangle, ElementMatrix<Scalar, 3>& a, ElementVector<Scalar, 3>& b) {
      kernel(triangle, a, b);
    } || (NodalKernel<K> &&
          requires(K const& kernel, Triangle const& triangle, typename K::Corner const (&corners)[3],
                   ElementMatrix<Scalar, 3>& a, ElementVector<Scalar, 3>& b) { kernel(triangle, corners, a, b); });

/// Computes the matrix and vector of one triangle, added to the content of both.
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

/// Edge kernel: a functor, called for one boundary edge at a time, always in the direction of the mesh,
///
///     void operator()(BoundaryEdge const&, ElementMatrix<Scalar, 2>& a, ElementVector<Scalar, 2>& b) const.
template <class K, class Scalar>
concept EdgeKernel = requires(K const& kernel, BoundaryEdge const& edge, ElementMatrix<Scalar, 2>& a,
                              ElementVector<Scalar, 2>& b) { kernel(edge, a, b); };

}  // namespace karman
