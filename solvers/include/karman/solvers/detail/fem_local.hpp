// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Element matrices, stored, and the kernels that fill and multiply them.
#pragma once

#include <karman/core/error.hpp>
#include <karman/core/profiling.hpp>
#include <karman/solvers/detail/fem_elements.hpp>
#include <karman/solvers/detail/fem_kernel_traits.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace karman::detail {

template <class Exec, class Scalar>
struct LocalElements {
  using Matrices = Kokkos::View<Scalar* [9], typename Exec::array_layout, typename Exec::memory_space>;
  TriangleMesh<Exec> mesh;
  Matrices matrices = Matrices();                                        ///< (t, 3 i + j)
  Graph<Exec> around;                                                    ///< row i: the triangles round node i
  FemArray<Exec, std::uint8_t> corner = FemArray<Exec, std::uint8_t>();  ///< the corner of each of them at the node
  FemPoint const* points = nullptr;
};

template <class Exec, class Scalar, class Kernel>
struct FillMatrices {
  Kernel kernel;
  LocalElements<Exec, Scalar> elements;

  KOKKOS_FUNCTION void operator()(int t) const {
    auto const& nodes = elements.mesh.triangles;
    ElementMatrix<Scalar, 3> a;
    ElementVector<Scalar, 3> b;
    integrate<Scalar>(kernel, make_triangle(t, nodes(t, 0), nodes(t, 1), nodes(t, 2), elements.points), a, b);
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) elements.matrices(t, 3 * i + j) = a(i, j);
    }
  }
};

/// b(i), from the triangles round node i, each rotated so that the node is its first corner.
template <class Exec, class Scalar, class Kernel>
struct GatherVector {
  Kernel kernel;
  LocalElements<Exec, Scalar> elements;
  Scalar* vector;

  KOKKOS_FUNCTION void operator()(int i) const {
    auto const& nodes = elements.mesh.triangles;
    Scalar sum = Scalar(0);
    int const end = elements.around.offsets(i + 1);
    for (int n = elements.around.offsets(i); n < end; ++n) {
      int const t = elements.around.entries(n), m = elements.corner(n);
      Triangle triangle =
          make_triangle(t, i, nodes(t, m == 2 ? 0 : m + 1), nodes(t, m == 0 ? 2 : m - 1), elements.points);
      triangle.first = m;
      ElementMatrix<Scalar, 3> a;
      ElementVector<Scalar, 3> b;
      integrate<Scalar>(kernel, triangle, a, b);
      sum += b(0);
    }
    vector[i] = sum;
  }
};

template <class Exec, class Scalar>
struct MultiplyMatrices {
  LocalElements<Exec, Scalar> elements;
  Scalar const* x;
  Scalar* y;

  KOKKOS_FUNCTION void operator()(int i) const {
    auto const& nodes = elements.mesh.triangles;
    Scalar sum = Scalar(0);
    int const end = elements.around.offsets(i + 1);
    for (int n = elements.around.offsets(i); n < end; ++n) {
      int const t = elements.around.entries(n), row = 3 * elements.corner(n);
      for (int j = 0; j < 3; ++j) sum += elements.matrices(t, row + j) * x[nodes(t, j)];
    }
    y[i] = sum;
  }
};

template <class Exec, class Scalar, class Kernel, class Vector>
void fill_local(Exec const& space, LocalElements<Exec, Scalar> const& elements, Kernel const& kernel,
                Vector const& vector) {
  Region const region("karman::fem::fill_local");
  require(vector.extent(0) == 0 || vector.extent(0) == elements.mesh.nodes.extent(0),
          "assemble: the vector needs a value for every node");
  Kokkos::parallel_for("karman::fem::local_matrices",
                       Kokkos::RangePolicy<Exec>(space, 0, elements.mesh.triangle_count()),
                       FillMatrices<Exec, Scalar, Kernel>{kernel, elements});
  if (vector.extent(0) == 0) return;
  Kokkos::parallel_for("karman::fem::local_vector", Kokkos::RangePolicy<Exec>(space, 0, elements.mesh.node_count()),
                       GatherVector<Exec, Scalar, Kernel>{kernel, elements, vector.data()});
}

}  // namespace karman::detail
